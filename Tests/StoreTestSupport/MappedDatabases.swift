package import Decant
internal import Foundation
package import TestSupport

/// Two databases of different schemas, and a mapping from one to the other.
package struct MappedDatabases {
  package let place: PlainDatabase
  package var folder: TemporaryFolder { place.folder }

  /// Makes `old.db`, and `new.db` where it has a schema, with the `sqlite3` program.
  package init(_ old: String, to new: String? = nil) throws {
    place = try PlainDatabase()
    try place.make("old.db", old)
    if let new { try place.make("new.db", new) }
  }

  /// A copy of the project's sample store, `Kitchen.sqlite`, in place of databases.
  package static func kitchen() throws -> MappedDatabases {
    let databases = try MappedDatabases("SELECT 1")
    try FileManager.default.copyItem(
      at: Fixtures.projectFolder.appendingPathComponent("samples/Kitchen.sqlite"),
      to: databases.folder.url.appendingPathComponent("Kitchen.sqlite")
    )
    return databases
  }

  /// Copies the old one into the new one through the mapping `text`.
  @discardableResult
  package func copy(
    _ text: String,
    from source: String = "old.db",
    to destination: String = "new.db",
    _ change: (inout CopyOptions) -> Void = { _ in }
  ) throws -> CopyReport {
    var options = CopyOptions()
    options.mapping = try Mapping(text: text, place: "map.yaml")
    change(&options)
    return try Copy(from: place.path(source), to: place.path(destination), options: options).run()
  }

  /// The rows that a query of `file` gives, as SQL literals.
  package func rows(_ sql: String, of file: String = "new.db") throws -> [String] {
    try place.read(file, sql)
  }
}
