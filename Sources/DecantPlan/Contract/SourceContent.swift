package import DecantBase
internal import DecantSQLite
package import DecantStore

/// The whole content of a source as a hash, by which a later run recognises it, and the fingerprint of the state that
/// has it.
///
/// Every byte counts, of the database as its readers see it, with its write-ahead log, and of its external files; times
/// of files do not.
package struct SourceContent: Sendable, Hashable {
  package let hash: String
  package let fingerprint: Fingerprint

  /// Reads the content of `source`; `nil` for a store that this process made from something else, and for one that is
  /// written to continuously.
  package init?(of source: any SourceStore) throws(DecantError) {
    guard !source.isTemporary, let hash = ContentHash() else { return nil }
    let session = try CopySession(source: source)
    let context = "cannot read “\(source.identity.place)”"
    let stop = Cancellation.current
    do throws(SQLiteError) {
      let held = try source.holding(CopySession.source, on: session.connection)
      try VisiblePages(of: CopySession.source, on: session.connection).forEachPiece { piece throws(SQLiteError) in
        guard stop?.isCancelled != true else {
          throw SQLiteError(code: SQLiteError.interruptedCode, message: "interrupted")
        }
        hash.update(piece)
      }
      // Pages that were committed meanwhile may be among them.
      let now = try source.fingerprint(of: CopySession.source, on: session.connection)
      held.state.release()
      guard now == held.fingerprint else { return nil }
      fingerprint = now
    } catch {
      if error.isBusy { return nil }
      throw DecantError(context, cause: error)
    }
    do throws(SystemError) {
      try SourceContent.add(source.externalStorage, to: hash)
    } catch {
      throw DecantError(error)
    }
    self.hash = hash.text
  }

  /// Adds the names and the contents of the external files.
  private static func add(_ storage: (any ExternalStorage)?, to hash: ContentHash) throws(SystemError) {
    guard let storage, !storage.leadsElsewhere, FileStatus(storage.folder)?.isFolder == true else { return }
    for name in try Files.names(in: storage.folder).sorted() {
      let path = "\(storage.folder)/\(name)"
      guard FileStatus(unfollowed: path)?.isFile == true else { continue }
      hash.update("\(name) \(try Files.hash(of: path))\n")
    }
  }
}
