package import Decant
internal import Foundation
internal import TestSupport

/// The conformance model as tables with declared foreign keys, as a person would write them.
package struct PlainConformance: ConformingKind {
  package init() {}

  package let name = "sqlite"

  /// Attributes in the order of their columns, with the types that they are declared with.
  private static let types: [(name: String, type: String)] = [
    ("int16", "SMALLINT"), ("int32", "INT"), ("int64", "BIGINT"), ("bool", "BOOLEAN"),
    ("date", "DATETIME"), ("double", "DOUBLE"), ("float", "REAL"), ("decimal", "DECIMAL(10, 5)"),
    ("string", "TEXT"), ("uri", "VARCHAR(200)"), ("uuid", "BLOB"), ("transformable", ""),
    ("binary", "BLOB"),
  ]

  package func makeStore(at path: String) throws {
    let columns = Self.types.map { ", \"\($0.name)\" \($0.type)" }.joined()
    _ = try Program.sqlite3(
      path,
      """
      CREATE TABLE Label (id INTEGER PRIMARY KEY);
      CREATE TABLE Thing (id INTEGER PRIMARY KEY,
        next INTEGER REFERENCES Thing ON DELETE SET NULL,
        whole INTEGER REFERENCES Thing (id) ON DELETE CASCADE, position INTEGER\(columns));
      CREATE TABLE thing_label (label INTEGER NOT NULL REFERENCES Label,
        thing INTEGER NOT NULL REFERENCES Thing, PRIMARY KEY (label, thing)) WITHOUT ROWID;
      CREATE INDEX thing_next ON Thing (next);
      INSERT INTO Label VALUES (1), (2), (3);
      """
    )
  }

  package func write(_ things: [Thing], to path: String) throws {
    var sql = "BEGIN;"
    for thing in things {
      let keys = [thing.key, thing.next, thing.whole, thing.position].map {
        $0.map(String.init) ?? "NULL"
      }
      let row = keys + Self.types.map { thing.values[$0.name] ?? "NULL" }
      sql += "INSERT INTO Thing VALUES (\(row.joined(separator: ", ")));"
      for label in thing.labels {
        sql += "INSERT INTO thing_label VALUES (\(label), \(thing.key));"
      }
    }
    let script = path + ".sql"
    try Data((sql + "COMMIT").utf8).write(to: URL(fileURLWithPath: script))
    // Left behind it would only go with the folder of the test.
    defer { try? FileManager.default.removeItem(atPath: script) }
    _ = try Program.sqlite3(path, ".read '\(script)'")
  }

  package func things(in path: String, above key: Int, labelsAbove label: Int) throws -> FoundThings {
    let values = Self.types.map { type in
      """
      typeof("\(type.name)") || CASE WHEN typeof("\(type.name)") IN ('text', 'blob')
      THEN hex(CAST("\(type.name)" AS BLOB)) ELSE quote("\(type.name)") END
      """
    }
    let rows = try Program.sqlite3(
      path,
      """
      SELECT id, next, whole, position,
      (SELECT group_concat(label) FROM thing_label WHERE thing = id),
      \(values.joined(separator: " || ',' || ")) FROM Thing WHERE id > \(key) ORDER BY id
      """
    ).split(separator: "\n").map { line in
      let cells = line.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
      let thing = Thing(
        key: Int(cells[0]) ?? 0,
        next: Int(cells[1]),
        whole: Int(cells[2]),
        position: Int(cells[3]),
        labels: Set(cells[4].split(separator: ",").compactMap { Int($0) })
      )
      return (key: thing.key, values: cells[5], thing: thing)
    }
    let labels = try Program.sqlite3(path, "SELECT id FROM Label WHERE id > \(label) ORDER BY id")
    return FoundThings(rows, labels: labels.split(separator: "\n").compactMap { Int($0) })
  }

  package func forbidTwice(_ text: String, in path: String) throws {
    _ = try Program.sqlite3(path, "CREATE UNIQUE INDEX thing_once ON Thing (string) WHERE string = '\(text)'")
  }

  package func configure(_ options: inout CopyOptions, _ folder: String) {}
}
