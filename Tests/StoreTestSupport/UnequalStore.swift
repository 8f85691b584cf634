internal import TestSupport

/// A store in which something differs from what it was copied from.
package enum UnequalStore {
  /// Changes the attributes that no two objects may share, so that there is room for both.
  package static func makeUnequal(_ path: String) throws {
    let columns = """
      SELECT DISTINCT m.name, c.name FROM sqlite_schema AS m, pragma_index_list(m.name) AS l,
      pragma_index_info(l.name) AS c WHERE m.type = 'table' AND l."unique" AND m.name NOT GLOB 'Z_[0-9]*'
      AND m.name GLOB 'Z*' AND m.name NOT GLOB 'Z_RT_*'
      """
    for line in try Program.sqlite3(path, columns).split(separator: "\n") {
      let parts = line.split(separator: "|")
      // Triggers would call functions that only Core Data and decant have.
      _ = try Program.run([
        "sqlite3", "-batch", path, "-cmd", ".dbconfig enable_trigger off",
        """
        UPDATE \(parts[0]) SET \(parts[1]) = CASE typeof(\(parts[1])) WHEN 'integer' THEN \(parts[1]) + 100000
        WHEN 'blob' THEN CAST(\(parts[1]) || x'00' AS BLOB) ELSE \(parts[1]) || ' (old)' END
        WHERE \(parts[1]) IS NOT NULL
        """,
      ])
    }
  }
}
