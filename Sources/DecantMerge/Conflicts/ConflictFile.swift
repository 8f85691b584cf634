package import DecantBase
internal import DecantSQLite

/// The file that conflicts are written to, a line of JSON each.
///
/// It holds values, so that only its owner may read it; a file that is there is never overwritten.
package final class ConflictFile {
  let path: String
  /// Whether this run has made the file.
  private var isMade = false

  /// Names the file; nothing is written yet.
  package init(_ path: String) { self.path = path }

  /// Throws if something lies there already.
  package func check() throws(DecantError) {
    guard FileStatus(unfollowed: path) != nil else { return }
    throw DecantError(
      .alreadyExists,
      "“\(path)” already exists and would be overwritten",
      place: "\(option: .conflicts)",
      remedy:
        "use a file that does not exist yet; to apply decisions, use \(say: .decisions)"
    )
  }

  /// Writes the lines of `conflicts`, in place of those of an earlier planning of the same run.
  package func write(_ conflicts: Conflicts) throws(DecantError) {
    do throws(SystemError) {
      if !isMade { try Files.makeEmpty(path, mode: 0o600) }
    } catch {
      throw DecantError(error)
    }
    isMade = true
    let file = try OutputFile(path)
    try explaining("cannot list conflicts") { () throws(SQLiteError) in
      try conflicts.forEachLine { file.write($0 + "\n") }
    }
    try file.close()
  }

  /// Removes the file of a run that has failed: it would tell of a merge that was not made.
  package func abandon() throws(DecantError) {
    guard isMade else { return }
    do throws(SystemError) { try Files.remove(path) } catch { throw DecantError(error) }
  }
}
