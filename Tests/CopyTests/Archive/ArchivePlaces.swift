import Decant
import Foundation
import TestSupport
import Testing

/// A folder of a test's own in which stores become archives, and archives stores.
struct ArchivePlaces {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  func path(_ name: String) -> String { folder.path(name) }

  /// The names of all files, hidden ones too, but for those SQLite keeps beside a database.
  func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
      .filter { !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") }.sorted()
  }

  func bytes(_ name: String) -> Data? { FileManager.default.contents(atPath: path(name)) }

  /// Takes a copy of a sample store.
  @discardableResult
  func takeSample(_ name: String) throws -> String {
    let sample = Fixtures.projectFolder.appendingPathComponent("samples/\(name)")
    try FileManager.default.copyItem(atPath: sample.path, toPath: path(name))
    return path(name)
  }

  @discardableResult
  func export(
    _ store: String,
    to archive: String,
    _ configure: (inout Export) -> Void = { _ in }
  ) throws -> CopyReport {
    var export = Export(from: path(store), to: path(archive))
    configure(&export)
    return try export.run()
  }

  @discardableResult
  func `import`(
    _ archives: String...,
    into store: String,
    _ configure: (inout Import) -> Void = { _ in }
  ) throws -> ImportReport {
    try self.import(archives, into: store, configure)
  }

  @discardableResult
  func `import`(
    _ archives: [String],
    into store: String,
    _ configure: (inout Import) -> Void = { _ in }
  ) throws -> ImportReport {
    var work = Import(archives.map(path), into: path(store))
    configure(&work)
    return try work.run()
  }

  /// Every row of every table of objects and links of a Core Data store, by table.
  func rows(of store: String) throws -> [String: [String]] {
    var rows: [String: [String]] = [:]
    for table in try StoredRows.tablesOfObjects(in: path(store)) {
      rows[table] = try StoredRows.of(path(store), table)
    }
    return rows
  }
}
