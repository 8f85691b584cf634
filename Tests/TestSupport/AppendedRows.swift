import Foundation

/// What a copy added to a store that held rows, held against the source by the `sqlite3` program.
///
/// New keys follow old ones in the same order and at one distance for each table, so a column of keys
/// shows as one that differs by the distance of some table in every row, and any other column does not
/// differ at all. Nothing of the model is needed to see that. The rows are those of the tables: an index
/// of a damaged source may hold others.
public struct AppendedRows {
  /// Keys beside objects that lead to copied objects, under their new numbers.
  public private(set) var links = 0
  /// Tables in which something differs that is no key moved as it should be.
  public private(set) var strange: Set<String> = []

  /// Returns the highest key of each table of objects.
  public static func highestKeys(in path: String) throws -> [String: Int] {
    let tables = try columns(in: path).keys.sorted()
    let rows = try numbers(path, tables.map { "SELECT coalesce(max(Z_PK), 0) FROM \"\($0)\";" })
    return Dictionary(uniqueKeysWithValues: zip(tables, rows.map { $0[0] ?? 0 }))
  }

  /// Compares the rows of `source` with those that `destination` has above the keys `before`.
  public init(of source: String, in destination: String, after before: [String: Int]) throws {
    let attach = "ATTACH '\(source)' AS s;"
    let tables = before.keys.sorted()
    let keys = tables.map { table in
      """
      SELECT (SELECT count(*) FROM s."\(table)" NOT INDEXED),
      (SELECT min(Z_PK) FROM s."\(table)" NOT INDEXED),
      count(*), min(Z_PK) FROM main."\(table)" WHERE Z_PK > \(before[table] ?? 0);
      """
    }
    var distances: [String: Int] = [:]
    for (table, keys) in zip(tables, try AppendedRows.numbers(destination, keys, after: attach)) {
      if keys[0] != keys[2] { strange.insert(table) }
      if let first = keys[1], let image = keys[3] { distances[table] = image - first }
    }
    let columns = try AppendedRows.columns(in: source)
    for (table, distance) in distances {
      // One program for all columns of a table: photo libraries have thousands.
      let differences = (columns[table] ?? []).map { column in
        let (new, old) = ("n.\"\(column)\"", "o.\"\(column)\"")
        return """
          SELECT sum(\(new) IS NOT \(old)), min(\(new) - \(old)) FILTER (WHERE \(new) IS NOT \(old)),
          max(\(new) - \(old)) FILTER (WHERE \(new) IS NOT \(old)),
          sum(\(new) IS NULL AND \(old) IS NOT NULL), count(*)
          FROM main."\(table)" AS n JOIN s."\(table)" AS o NOT INDEXED ON n.Z_PK = o.Z_PK + \(distance);
          """
      }
      for found in try AppendedRows.numbers(destination, differences, after: attach) {
        let different = found[0] ?? 0
        guard different > 0 else { continue }
        let isMoved =
          found[3] == 0 && found[1] == found[2]
          && found[1].map { distances.values.contains($0) } == true
        if isMoved { links += different } else { strange.insert(table) }
      }
    }
  }

  /// The tables of objects, and the columns of each but its key.
  private static func columns(in path: String) throws -> [String: [String]] {
    let lines = try Program.sqlite3(
      path,
      """
      SELECT m.name, c.name FROM sqlite_schema AS m JOIN pragma_table_info(m.name) AS c
      WHERE m.type = 'table' AND m.name GLOB 'Z*' ORDER BY m.name, c.cid
      """
    ).split(separator: "\n").map { $0.split(separator: "|").map(String.init) }
      .filter { $0.count == 2 }
    return Dictionary(grouping: lines) { $0[0] }.mapValues { $0.map { $0[1] } }
      .filter { $0.value.contains("Z_PK") }.mapValues { $0.filter { $0 != "Z_PK" } }
  }

  /// The only row of each of `queries` over `database`, once `preparation` is done.
  private static func numbers(_ database: String, _ queries: [String], after preparation: String = "")
    throws -> [[Int?]]
  {
    guard !queries.isEmpty else { return [] }
    let rows = try Program.sqlite3(database, preparation + queries.joined(separator: "\n"))
      .split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.split(separator: "|", omittingEmptySubsequences: false).map { Int($0) } }
    guard rows.count == queries.count else {
      throw Program.Failure(program: "sqlite3", errors: "\(rows.count) rows of \(queries.count)")
    }
    return rows
  }
}
