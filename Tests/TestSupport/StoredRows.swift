/// The rows of a table as the `sqlite3` program reads them, each value with its storage class and bytes.
public enum StoredRows {
  /// Returns a line for each row, in the order of the lines themselves.
  ///
  /// - Parameters:
  ///   - database: The file to read.
  ///   - table: The table, unquoted.
  ///   - without: Columns that are not looked at.
  /// - Returns: The lines.
  /// - Throws: What keeps the program from reading.
  public static func of(_ database: String, _ table: String, without: Set<String> = []) throws -> [String] {
    let list = "SELECT name FROM pragma_table_info('\(table)') ORDER BY name"
    let columns = try Program.sqlite3(database, list).split(separator: "\n").map(String.init)
    let values = columns.filter { !without.contains($0) }.map { column in
      """
      CASE typeof("\(column)") WHEN 'text' THEN 't' || hex("\(column)")
      WHEN 'blob' THEN 'b' || hex("\(column)") ELSE quote("\(column)") END
      """
    }
    let sql = "SELECT \(values.joined(separator: " || ' ' || ")) FROM \"\(table)\" ORDER BY 1"
    return try Program.sqlite3(database, sql).split(separator: "\n").map(String.init)
  }

  /// The tables that hold a Core Data store's objects and links, by their names.
  public static func tablesOfObjects(in database: String) throws -> [String] {
    try Program.sqlite3(
      database,
      """
      SELECT name FROM sqlite_schema WHERE type = 'table' AND name GLOB 'Z*' AND name NOT GLOB 'Z_RT_*'
      AND name NOT IN ('Z_METADATA', 'Z_MODELCACHE', 'Z_PRIMARYKEY')
      """
    ).split(separator: "\n").map(String.init)
  }
}
