import Foundation

/// What a copy added to a store that held rows, held against the source by the `sqlite3` program.
///
/// New keys follow old ones in the same order and at one distance for each table, so a column of keys
/// shows as one that differs by the distance of some table in every row, and any other column does not
/// differ at all. Nothing of the model is needed to see that.
public struct AppendedRows {
  /// Keys beside objects that lead to copied objects, under their new numbers.
  public private(set) var links = 0
  /// Tables in which something differs that is no key moved as it should be.
  public private(set) var strange: Set<String> = []

  /// Returns the highest key of each table of objects.
  public static func highestKeys(in path: String) throws -> [String: Int] {
    var keys: [String: Int] = [:]
    for table in try tables(of: path) {
      keys[table] = Int(try Program.sqlite3(path, "SELECT max(Z_PK) FROM \"\(table)\"")) ?? 0
    }
    return keys
  }

  /// Compares the rows of `source` with those that `destination` has above the keys `before`.
  public init(of source: String, in destination: String, after before: [String: Int]) throws {
    var distances: [String: Int] = [:]
    for (table, highest) in before {
      let keys = try AppendedRows.numbers(
        source,
        destination,
        """
        SELECT (SELECT count(*) FROM s."\(table)"), (SELECT min(Z_PK) FROM s."\(table)"),
        count(*), min(Z_PK) FROM main."\(table)" WHERE Z_PK > \(highest)
        """
      )
      if keys[0] != keys[2] { strange.insert(table) }
      if let first = keys[1], let image = keys[3] { distances[table] = image - first }
    }
    for (table, distance) in distances {
      for column in try AppendedRows.columns(of: table, in: source) {
        let (new, old) = ("n.\"\(column)\"", "o.\"\(column)\"")
        let found = try AppendedRows.numbers(
          source,
          destination,
          """
          SELECT sum(\(new) IS NOT \(old)), min(\(new) - \(old)) FILTER (WHERE \(new) IS NOT \(old)),
          max(\(new) - \(old)) FILTER (WHERE \(new) IS NOT \(old)),
          sum(\(new) IS NULL AND \(old) IS NOT NULL), count(*)
          FROM main."\(table)" AS n JOIN s."\(table)" AS o ON n.Z_PK = o.Z_PK + \(distance)
          """
        )
        let different = found[0] ?? 0
        guard different > 0 else { continue }
        let isMoved =
          found[3] == 0 && found[1] == found[2]
          && found[1].map { distances.values.contains($0) } == true
        if isMoved { links += different } else { strange.insert(table) }
      }
    }
  }

  private static func tables(of path: String) throws -> [String] {
    try Program.sqlite3(
      path,
      """
      SELECT m.name FROM sqlite_schema AS m JOIN pragma_table_info(m.name) AS c
      WHERE m.type = 'table' AND c.name = 'Z_PK' AND m.name GLOB 'Z*'
      """
    ).split(separator: "\n").map(String.init)
  }

  private static func columns(of table: String, in path: String) throws -> [String] {
    try Program.sqlite3(path, "SELECT name FROM pragma_table_info('\(table)')")
      .split(separator: "\n").map(String.init).filter { $0 != "Z_PK" }
  }

  /// The first row of `sql` over `destination`, with `source` attached as `s`.
  private static func numbers(_ source: String, _ destination: String, _ sql: String) throws
    -> [Int?]
  {
    let attach = "ATTACH '\(source)' AS s; "
    return try Program.sqlite3(destination, attach + sql)
      .split(separator: "|", omittingEmptySubsequences: false).map { Int($0) }
  }
}
