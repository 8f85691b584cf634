import Decant
import Foundation
import DecantPropertyList
import StoreTestSupport
import TestSupport
import Testing

/// The statements of a real store, read with the `sqlite3` program, and its model.
struct RealSchema {
  let model: Decant.Model
  let frameworkVersion: Int64
  /// The statements by type and name; those of Core Data's history and of search tables' insides
  /// left out.
  let statements: [String: [String: String]]
  /// The columns of each table with their types, in no order.
  let columns: [String: Set<String>]

  /// Reads the store `name`; one without a model is read with the model that belongs to it.
  init(_ name: String, model source: String? = nil) throws {
    let folder = try TemporaryFolder()
    let file = try #require(ExpectedStore.all[name]).file
    let store = try Fixtures.copyStore(file, into: folder.url).path
    model =
      try source.map { try ModelLocation(ModelAgreementTests.path($0)).read() }
      ?? ExpectedStore.readModel(name)
    let metadata = try RealSchema.metadata(store)
    guard case .integer(let version)? = metadata["NSPersistenceFrameworkVersion"]
    else { throw CocoaError(.propertyListReadCorrupt) }
    frameworkVersion = version
    statements = try RealSchema.statements(store)
    columns = try RealSchema.columns(store)
  }

  /// Reads the metadata of the store at `path`.
  static func metadata(_ path: String) throws -> [String: PropertyList] {
    let digits = try Program.sqlite3(path, "SELECT hex(Z_PLIST) FROM Z_METADATA")
    guard case .dictionary(let metadata) = try PropertyList.read(bytes(digits)) else {
      throw CocoaError(.propertyListReadCorrupt)
    }
    return metadata
  }

  /// Reads the statements in the database at `path`, by type and name.
  static func statements(_ path: String) throws -> [String: [String: String]] {
    let rows = try Program.sqlite3(
      path,
      """
      SELECT type, name, hex(sql) FROM sqlite_schema WHERE sql IS NOT NULL AND tbl_name GLOB 'Z*'
        AND name NOT IN (SELECT name FROM pragma_table_list WHERE type = 'shadow')
      """
    )
    var statements: [String: [String: String]] = [:]
    for row in rows.split(separator: "\n") {
      let parts = row.split(separator: "|").map(String.init)
      statements[parts[0], default: [:]][parts[1]] = String(decoding: bytes(parts[2]), as: UTF8.self)
    }
    return statements
  }

  /// Reads the columns of every table in the database at `path`, each with its type.
  static func columns(_ path: String) throws -> [String: Set<String>] {
    let rows = try Program.sqlite3(
      path,
      """
      SELECT t.name, c.name || ' ' || c.type || ' ' || c.pk FROM pragma_table_list AS t
        JOIN pragma_table_info(t.name) AS c WHERE t.type = 'table' AND t.name GLOB 'Z*'
      """
    )
    var columns: [String: Set<String>] = [:]
    for row in rows.split(separator: "\n") {
      let parts = row.split(separator: "|").map(String.init)
      columns[parts[0], default: []].insert(parts[1])
    }
    return columns
  }

  private static func bytes(_ hex: String) -> [UInt8] {
    let digits = hex.compactMap(\.hexDigitValue)
    return stride(from: 0, to: digits.count - 1, by: 2).map {
      UInt8(digits[$0] * 16 + digits[$0 + 1])
    }
  }
}

/// What is made after a model, held against what a real store of that model has.
struct SchemaComparison {
  /// Tables of the real store that are made word for word, or with the same columns.
  var equalTables: [String] = []
  var sameTables: [String] = []
  /// Tables that differ, that are missing, and that the real store lacks.
  var differentTables: [String] = []
  /// Indexes of the real store that are made word for word.
  var equalIndexes: [String] = []
  /// Indexes that differ in their text, that are missing, and that the real store lacks.
  var differentIndexes: [String] = []
  var missingIndexes: [String] = []
  var extraIndexes: [String] = []
  /// Triggers of derived attributes and of search tables that are made word for word, and others.
  var equalTriggers: [String] = []
  var differentTriggers: [String] = []

  init(_ made: GeneratedSchema, _ real: RealSchema) throws {
    // The statements are run by another program, which says what the tables are.
    let folder = try TemporaryFolder()
    let place = folder.path("made.sqlite")
    let all = ["table", "index", "trigger"].flatMap { made.statements($0).values.sorted() }
    let script = folder.path("made.sql")
    try Data((all.joined(separator: ";\n") + ";\n").utf8).write(to: URL(fileURLWithPath: script))
    _ = try Program.sqlite3(place, ".read '\(script)'")
    let columns = try RealSchema.columns(place)
    let (tables, realTables) = (made.statements("table"), real.statements["table"] ?? [:])
    for name in Set(tables.keys).union(realTables.keys).sorted() {
      if tables[name] == realTables[name] {
        equalTables.append(name)
      } else if columns[name] == real.columns[name] {
        sameTables.append(name)
      } else {
        differentTables.append(name)
      }
    }
    let (indexes, realIndexes) = (made.statements("index"), real.statements["index"] ?? [:])
    for name in realIndexes.keys.sorted() {
      if indexes[name] == realIndexes[name] {
        equalIndexes.append(name)
      } else if indexes[name] != nil {
        differentIndexes.append(name)
      } else {
        missingIndexes.append(name)
      }
    }
    extraIndexes = indexes.keys.filter { realIndexes[$0] == nil }.sorted()
    let (triggers, realTriggers) = (made.statements("trigger"), real.statements["trigger"] ?? [:])
    for name in Set(triggers.keys).union(realTriggers.keys).sorted() {
      if triggers[name] == realTriggers[name] {
        equalTriggers.append(name)
      } else {
        differentTriggers.append(name)
      }
    }
  }
}
