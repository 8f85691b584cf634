package import DecantBase
internal import DecantMatch
package import DecantStore

/// The ID table of a store that is replaced, which gets its name once the new store has its own.
///
/// Until then the table lies beside its place, or the tables of a migration's copies lie in the folder of the work, and the
/// journal says where they are to go: a run that is interrupted in between is completed by the next.
package struct PendingIDTable {
  private let folder: WorkFolder

  package init(_ folder: WorkFolder) { self.folder = folder }

  /// Writes the table of the work in `folder`, or gives it its name; the store is in place.
  package static func complete(_ folder: WorkFolder) throws(DecantError) {
    try PendingIDTable(folder).complete()
  }

  /// Notes that the tables of `count` copies are to be written to `file` as one.
  package func write(_ file: String, count: Int) throws(DecantError) {
    let place = "\(Files.resolved(Files.folder(of: file)))/\(Files.name(of: file))"
    try folder.journal.write([String(count), place], on: .idTable)
  }

  /// Notes that `table`, which is written, is to get its name.
  func write(_ table: IDTableFile) throws(DecantError) { try write(table.path, count: 0) }

  /// Writes the table, or gives it its name; the store is in place.
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
    // Where a file system cannot rename without replacing, it has two names for a moment.
    if status.isSame(as: table.partial) { table.remove() }
  }
}
