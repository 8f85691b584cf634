package import Decant
internal import Foundation
internal import TestSupport

/// The conformance model as a Core Data store, with statements as Core Data writes them.
package struct CoreDataConformance: ConformingKind {
  package init() {}

  package let name = "coredata"

  private static let types: [(name: String, type: String, column: String)] = [
    ("int16", "Integer 16", "INTEGER"), ("int32", "Integer 32", "INTEGER"),
    ("int64", "Integer 64", "INTEGER"), ("bool", "Boolean", "INTEGER"),
    ("date", "Date", "TIMESTAMP"), ("double", "Double", "FLOAT"), ("float", "Float", "FLOAT"),
    ("decimal", "Decimal", "DECIMAL"), ("string", "String", "VARCHAR"), ("uri", "URI", "VARCHAR"),
    ("uuid", "UUID", "BLOB"), ("transformable", "Transformable", "BLOB"),
    ("binary", "Binary", "BLOB"),
  ]

  package func makeStore(at path: String) throws {
    let columns = Self.types.map { ", Z\($0.name.uppercased()) \($0.column)" }.joined()
    _ = try Program.sqlite3(
      path,
      """
      CREATE TABLE ZLABEL ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER );
      CREATE TABLE ZTHING ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNEXT INTEGER,
        ZWHOLE INTEGER, Z_FOK_WHOLE INTEGER\(columns) );
      CREATE TABLE Z_1THINGS ( Z_1LABELS INTEGER, Z_2THINGS INTEGER, PRIMARY KEY (Z_1LABELS, Z_2THINGS) );
      CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
      CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
      CREATE INDEX ZTHING_ZNEXT_INDEX ON ZTHING (ZNEXT);
      CREATE INDEX ZTHING_ZWHOLE_INDEX ON ZTHING (ZWHOLE);
      CREATE INDEX Z_1THINGS_Z_2THINGS_INDEX ON Z_1THINGS (Z_2THINGS, Z_1LABELS);
      INSERT INTO ZLABEL VALUES (1, 1, 1), (2, 1, 1), (3, 1, 1);
      INSERT INTO Z_PRIMARYKEY VALUES (1, 'Label', 0, 3), (2, 'Thing', 0, 0);
      INSERT INTO Z_METADATA VALUES (1, 'C0C0A000-0000-4000-8000-00000000000' || abs(random() % 10), NULL);
      """
    )
  }

  package func write(_ things: [Thing], to path: String) throws {
    let names = Self.types.map(\.name)
    var sql = "BEGIN;"
    for thing in things {
      let keys = [thing.next, thing.whole, thing.position].map { $0.map(String.init) ?? "NULL" }
      let values = names.map { thing.values[$0] ?? "NULL" }
      let row = ["\(thing.key)", "2", "1"] + keys + values
      sql += "INSERT INTO ZTHING VALUES (\(row.joined(separator: ", ")));"
      for label in thing.labels { sql += "INSERT INTO Z_1THINGS VALUES (\(label), \(thing.key));" }
    }
    sql += "UPDATE Z_PRIMARYKEY SET Z_MAX = (SELECT max(Z_PK) FROM ZTHING) WHERE Z_ENT = 2; COMMIT"
    let script = path + ".sql"
    try Data(sql.utf8).write(to: URL(fileURLWithPath: script))
    defer { try? FileManager.default.removeItem(atPath: script) }
    _ = try Program.sqlite3(path, ".read '\(script)'")
  }

  package func things(in path: String, above key: Int, labelsAbove label: Int) throws -> FoundThings {
    let values = Self.types.map { type in
      let column = "Z" + type.name.uppercased()
      return """
        typeof(\(column)) || CASE WHEN typeof(\(column)) IN ('text', 'blob')
        THEN hex(CAST(\(column) AS BLOB)) ELSE quote(\(column)) END
        """
    }
    var labels: [Int: Set<Int>] = [:]
    for line in try Program.sqlite3(path, "SELECT Z_2THINGS, Z_1LABELS FROM Z_1THINGS").split(separator: "\n") {
      let keys = line.split(separator: "|").compactMap { Int($0) }
      labels[keys[0], default: []].insert(keys[1])
    }
    let rows = try Program.sqlite3(
      path,
      """
      SELECT Z_PK, ZNEXT, ZWHOLE, Z_FOK_WHOLE, \(values.joined(separator: " || ',' || ")) FROM ZTHING
      WHERE Z_PK > \(key) ORDER BY Z_PK
      """
    ).split(separator: "\n").map { line in
      let cells = line.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
      let key = Int(cells[0]) ?? 0
      let thing = Thing(
        key: key,
        next: Int(cells[1]),
        whole: Int(cells[2]),
        position: Int(cells[3]),
        labels: labels[key] ?? []
      )
      return (key: key, values: cells[4], thing: thing)
    }
    let labelKeys = try Program.sqlite3(path, "SELECT Z_PK FROM ZLABEL WHERE Z_PK > \(label) ORDER BY 1")
    return FoundThings(rows, labels: labelKeys.split(separator: "\n").compactMap { Int($0) })
  }

  package func forbidTwice(_ text: String, in path: String) throws {
    _ = try Program.sqlite3(path, "CREATE UNIQUE INDEX Z_Thing_once ON ZTHING (ZSTRING) WHERE ZSTRING = '\(text)'")
  }

  package func configure(_ options: inout CopyOptions, _ folder: String) {
    let model = folder + "/Things.xcdatamodel"
    let attributes = Self.types.map {
      "<attribute name='\($0.name)' attributeType='\($0.type)' optional='YES'/>"
    }
    let contents = """
      <model type='com.apple.IDECoreDataModeler.DataModel'><entity name='Label'>
      <relationship name='things' toMany='YES' optional='YES' destinationEntity='Thing' inverseName='labels'/>
      </entity><entity name='Thing'>\(attributes.joined())
      <relationship name='next' maxCount='1' optional='YES' destinationEntity='Thing' inverseName='previous'/>
      <relationship name='previous' toMany='YES' optional='YES' destinationEntity='Thing' inverseName='next'/>
      <relationship name='whole' maxCount='1' optional='YES' destinationEntity='Thing' inverseName='parts'/>
      <relationship name='parts' toMany='YES' ordered='YES' optional='YES' destinationEntity='Thing' inverseName='whole'/>
      <relationship name='labels' toMany='YES' optional='YES' destinationEntity='Label' inverseName='things'/>
      </entity></model>
      """
    try? FileManager.default.createDirectory(atPath: model, withIntermediateDirectories: true)
    try? Data(contents.utf8).write(to: URL(fileURLWithPath: model + "/contents"))
    options.model = model
  }
}
