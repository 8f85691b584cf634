import Decant
import Foundation
import DecantSQLite
import StoreTestSupport
import TestSupport
import Testing

/// The conformance model in stores in memory, written and read by SQL of its own.
struct MemoryConformance: ConformingKind {
  let name = MemoryKind.name

  private func run(_ statements: [String], in path: String) throws {
    let connection = try MemoryStores.connect(path)
    try connection.run("BEGIN")
    for sql in statements { try connection.run(sql) }
    try connection.run("COMMIT")
    try MemoryStores.shared.note(path)
  }

  func makeStore(at path: String) throws {
    try run(
      MemoryModel.tables + MemoryModel.indexes + [
        "INSERT INTO label VALUES (1), (2), (3)", "INSERT INTO counter VALUES ('Label', 3)",
      ],
      in: path
    )
  }

  func write(_ things: [Thing], to path: String) throws {
    var statements: [String] = []
    for thing in things {
      let keys = [thing.key, thing.next, thing.whole, thing.position].map {
        $0.map(String.init) ?? "NULL"
      }
      let row = keys + MemoryModel.types.map { thing.values[$0.name] ?? "NULL" }
      statements.append("INSERT INTO thing VALUES (\(row.joined(separator: ", ")))")
      for label in thing.labels {
        statements.append("INSERT INTO thing_label VALUES (\(label), \(thing.key))")
      }
    }
    statements.append("INSERT OR REPLACE INTO counter SELECT 'Thing', max(id) FROM thing HAVING count(*)")
    try run(statements, in: path)
  }

  func things(in path: String, above key: Int, labelsAbove label: Int) throws -> FoundThings {
    let connection = try MemoryStores.connect(path)
    let values = MemoryModel.types.map { type in
      """
      typeof("\(type.name)") || CASE WHEN typeof("\(type.name)") IN ('text', 'blob')
      THEN hex(CAST("\(type.name)" AS BLOB)) ELSE quote("\(type.name)") END
      """
    }
    var rows: [(key: Int, values: String, thing: Thing)] = []
    try connection.forEachRow(
      """
      SELECT id, next, whole, place, (SELECT group_concat(label) FROM thing_label WHERE thing = id),
      \(values.joined(separator: " || ',' || ")) FROM thing WHERE id > \(key) ORDER BY id
      """
    ) { row in
      func number(_ index: Int) -> Int? {
        row.type(at: index) == .null ? nil : Int(row.integer(at: index))
      }
      let thing = Thing(
        key: Int(row.integer(at: 0)),
        next: number(1),
        whole: number(2),
        position: number(3),
        labels: Set((row.text(at: 4) ?? "").split(separator: ",").compactMap { Int($0) })
      )
      rows.append((key: thing.key, values: row.text(at: 5) ?? "", thing: thing))
    }
    var labels: [Int] = []
    try connection.forEachRow("SELECT id FROM label WHERE id > \(label) ORDER BY id") { row in
      labels.append(Int(row.integer(at: 0)))
    }
    return FoundThings(rows, labels: labels)
  }

  func forbidTwice(_ text: String, in path: String) throws {
    try run(["CREATE UNIQUE INDEX thing_once ON thing (string) WHERE string = '\(text)'"], in: path)
  }

  func configure(_ options: inout CopyOptions, _ folder: String) {}

  func remove(_ path: String) throws { MemoryStores.shared.forget(path) }

  func state(of path: String) throws -> String {
    let connection = try MemoryStores.connect(path)
    var lines: [String] = []
    for table in ["sqlite_schema", "thing", "label", "thing_label", "counter"] {
      let columns = try #require(
        try connection.text(
          "SELECT group_concat('quote(\"' || name || '\")', ' || ') FROM pragma_table_info('\(table)')"
        )
      )
      try connection.forEachRow("SELECT \(columns) FROM \(table) ORDER BY 1") { row in
        lines.append(row.text(at: 0) ?? "")
      }
    }
    return lines.joined(separator: "\n")
  }

  func problem(of path: String) throws -> String? {
    let found = try MemoryStores.connect(path).text("PRAGMA integrity_check")
    return found == "ok" ? nil : found
  }
}
