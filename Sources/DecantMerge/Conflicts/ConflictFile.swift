package import DecantBase
internal import DecantSQLite

/// The file for conflicts, with a line of JSON for each.
///
/// It contains values, so that only its owner may read it; an existing file is never overwritten.
package final class ConflictFile {
  let path: String
  /// Whether this run has created the file.
  private var isMade = false

  /// Creates the object; no file is written yet.
  package init(_ path: String) { self.path = path }

  /// Throws if the path already exists.
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

  /// Writes the lines of `conflicts`, replacing those of an earlier planning in the same run.
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

  /// Removes the file after a failed run, since it would describe a merge that did not happen.
  package func abandon() throws(DecantError) {
    guard isMade else { return }
    do throws(SystemError) { try Files.remove(path) } catch { throw DecantError(error) }
  }
}
