internal import Decant
internal import Foundation
internal import DecantSQLite
package import TestSupport

/// A database of a random schema with random rows, written by the `sqlite3` program.
package struct RandomDatabase {
  package let path: String
  /// How many rows hold a link.
  package private(set) var linkCount = 0

  private let schema: RandomSchema
  private let tag: Int
  private var generator: SeededGenerator
  /// The rows of each table: SQL literals by column.
  private var rows: [String: [[String: String]]] = [:]

  /// Writes the database.
  ///
  /// - Parameters:
  ///   - schema: Its tables.
  ///   - path: Where it is to be.
  ///   - tag: Tells what must be unique from that of other databases of the schema.
  ///   - losesLinks: Whether some links lead nowhere.
  ///   - generator: Where the rows come from.
  /// - Throws: What the `sqlite3` program says of a schema or row that it does not take.
  package init(_ schema: RandomSchema, at path: String, tag: Int, losesLinks: Bool, _ generator: SeededGenerator) throws
  {
    self.schema = schema
    self.path = path
    self.tag = tag
    self.generator = generator
    for table in schema.tables { makeRows(of: table) }
    for table in schema.tables { fillLinks(of: table, losesLinks) }
    var sql = [".bail on"] + schema.pragmas.map { "PRAGMA \($0);" } + ["BEGIN;"]
    sql += schema.tables.map(\.sql)
    for table in schema.tables {
      for row in rows[table.name] ?? [] {
        let names = row.keys.sorted()
        sql.append(
          """
          INSERT INTO \(table.name.quotedName) (\(names.map(\.quotedName).joined(separator: ", ")))
          VALUES (\(names.compactMap { row[$0] }.joined(separator: ", ")));
          """
        )
      }
    }
    // Triggers refuse every row.
    sql += schema.rest + ["COMMIT;"]
    let script = path + ".sql"
    try Data(sql.joined(separator: "\n").utf8).write(to: URL(fileURLWithPath: script))
    _ = try Program.sqlite3(path, ".read '\(script)'")
  }

  private mutating func number(_ range: ClosedRange<Int>) -> Int {
    Int.random(in: range, using: &generator)
  }

  /// Rows with keys and values; the links of a key lead to tables that have their rows already.
  private mutating func makeRows(of table: RandomTable) {
    var made: [[String: String]] = []
    var used: Set<String> = []
    var key = number(1...3)
    for _ in 0..<number(0...12) {
      var row: [String: String] = [:]
      for column in table.columns {
        switch column.content {
        case .number: row[column.name] = "\(key)"
        case .unique(let type): row[column.name] = unique(type, made.count)
        case .any: row[column.name] = value(column.type, isStrict: table.isStrict)
        case .undeclared(let target):
          row[column.name] = someKey(of: target)
        case .link, .computed: continue
        }
      }
      let links = table.foreignKeys.filter { Set($0.columns).isSubset(of: table.primaryKey) }
      guard links.allSatisfy({ link(&row, by: $0) }) else { continue }
      let identity = table.primaryKey.map { row[$0] ?? "" }.joined(separator: "|")
      guard table.primaryKey.isEmpty || used.insert(identity).inserted else { continue }
      made.append(row)
      key += number(1...4)
    }
    rows[table.name] = made
  }

  /// The key of some row of a table that has rows already.
  private mutating func someKey(of table: String) -> String {
    let target = schema.tables.first { $0.name == table }
    let row = rows[table]?.randomElement(using: &generator)
    return target.flatMap { row?[$0.primaryKey[0]] } ?? "NULL"
  }

  /// Has a row lead to some row of the target, if there is one.
  private mutating func link(_ row: inout [String: String], by key: RandomTable.ForeignKey) -> Bool {
    guard let target = rows[key.table]?.randomElement(using: &generator) else { return false }
    for (own, other) in zip(key.columns, key.targets) {
      guard let value = target[other] else { return false }
      row[own] = value
    }
    return true
  }

  private mutating func fillLinks(of table: RandomTable, _ losesLinks: Bool) {
    guard var made = rows[table.name] else { return }
    var used: [String: Set<String>] = [:]
    for index in made.indices {
      for key in table.foreignKeys where !Set(key.columns).isSubset(of: table.primaryKey) {
        guard number(1...4) > 1 else { continue }
        var linked = made[index]
        guard link(&linked, by: key) else { continue }
        if losesLinks, key.columns.count == 1, !table.isStrict, number(1...6) == 1 {
          linked[key.columns[0]] = ["777000", "'nobody'", "-4", "2.5", "x'00'"][number(0...4)]
        }
        // An end of one row only takes no second one.
        if table.uniqueGroups.contains(key.columns) {
          let value = key.columns.compactMap { linked[$0] }.joined(separator: "|")
          guard used[key.columns[0], default: []].insert(value).inserted else { continue }
        }
        made[index] = linked
        linkCount += 1
      }
    }
    rows[table.name] = made
  }

  private func unique(_ type: String, _ place: Int) -> String {
    switch type {
    case "INTEGER": "\(tag * 1_000_000 + place * 3)"
    case "BLOB": "x'\(String(format: "%04x%04x", tag, place))'"
    default: "'\(["name", "Ünï", "it''s", "日本"][place % 4]) \(tag) \(place)'"
    }
  }

  private static let texts = [
    "''", "'plain'", "'it''s \"so\"'", "'é' || char(0x301)", "char(0x1F469, 0x200D, 0x1F373)",
    "'a' || char(0) || 'b'", "'12'", "' 1.50 '", "'1e3'", "printf('%.*c', 3000, 'x')", "char(10)",
  ]
  private static let integers = [
    "0", "1", "-1", "255", "9007199254740993", "9223372036854775807", "-9223372036854775807 - 1",
  ]
  private static let reals = ["0.1", "-0.0", "1e999", "-1e999", "5e-324", "3.0", "1e15 + 0.3"]
  private static let blobs = ["x''", "x'00'", "x'c3a9'", "zeroblob(3000)"]

  private mutating func value(_ type: String, isStrict: Bool) -> String {
    func pick(_ values: [String]) -> String { values.randomElement(using: &generator) ?? "NULL" }
    if number(1...5) == 1 { return "NULL" }
    let everything = [Self.texts, Self.integers, Self.reals, Self.blobs]
    guard isStrict, type != "ANY" else { return pick(everything[number(0...3)]) }
    return switch type {
    case "TEXT": pick(Self.texts)
    case "REAL": pick(Self.reals)
    case "BLOB": pick(Self.blobs)
    default: pick(Self.integers)
    }
  }
}
