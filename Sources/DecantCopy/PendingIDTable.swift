package import DecantBase
internal import DecantMatch
package import DecantStore

/// The ID table of a store that is being replaced, which gets its final name after the new store does.
///
/// Until then the table is next to its place, or the tables of a migration's copies are in the work folder, and the
/// journal records where they belong: if a run is interrupted in between, the next one completes it.
package struct PendingIDTable {
  private let folder: WorkFolder

  package init(_ folder: WorkFolder) { self.folder = folder }

  /// Completes the ID table of the work in `folder`, after the store is in place.
  package static func complete(_ folder: WorkFolder) throws(DecantError) {
    try PendingIDTable(folder).complete()
  }

  /// Records that the tables of `count` copies are to be combined in `file`.
  package func write(_ file: String, count: Int) throws(DecantError) {
    let place = "\(Files.resolved(Files.folder(of: file)))/\(Files.name(of: file))"
    try folder.journal.write([String(count), place], on: .idTable)
  }

  /// Records that `table`, which is already written, is to get its final name.
  func write(_ table: IDTableFile) throws(DecantError) { try write(table.path, count: 0) }

  /// Writes the table, or gives it its final name; the store is already in place.
  package func complete() throws(DecantError) {
    guard let values = try folder.journal.values(of: .idTable), values.count == 2,
      let count = Int(values[0]), count >= 0
    else { return }
    let file = values[1]
    let table = IDTableFile(file)
    guard let status = FileStatus(unfollowed: file), status.byteCount > 0 else {
      guard count > 0 else {
        if FileStatus(unfollowed: table.partial) != nil { try table.publish() }
        return
      }
      return try table.write(chain: (1...count).map { folder.idTable($0) })
    }
    // A file system that cannot rename without replacing gives the file two names for a moment.
    if status.isSame(as: table.partial) { table.remove() }
  }
}
