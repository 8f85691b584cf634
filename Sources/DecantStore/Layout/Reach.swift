package import DecantSQLite

/// A search for all objects whose links lead to given objects, directly or through other objects.
///
/// One recursive query searches a table of links and follows each link once. All data is on disk, in temporary tables.
package final class Reach {
  private let connection: Connection
  private let name: String

  /// The table of start objects, whose `step` is 0, and of reached objects, numbered in the order of discovery: `root`,
  /// `key`, `step`.
  package let objects: String
  /// The table of links.
  ///
  /// The columns are `end_root` and `end_key` for the target, `root` and `key` for the holder, with a NULL key if the
  /// holder has no integer key, the number of the `link`, and a `note` for the caller.
  package let links: String
  /// The statement that adds one start object: `root` and `key`.
  package let start: Statement
  /// The statement that adds one link, with the columns of `links`.
  package let link: Statement

  /// Creates the two tables, or empties those of an earlier search.
  ///
  /// - Parameters:
  ///   - name: The base of the table names.
  ///   - connection: The connection of the tables.
  /// - Throws: `SQLiteError` if there is no space for them.
  package init(_ name: String, on connection: Connection) throws(SQLiteError) {
    self.connection = connection
    self.name = name
    objects = "temp.decant_\(name)"
    links = "temp.decant_\(name)_link"
    let known = "(root TEXT, key INTEGER, step INTEGER, PRIMARY KEY (root, key)) WITHOUT ROWID"
    let ends = "(end_root TEXT, end_key INTEGER, root TEXT, key INTEGER, link INTEGER, note)"
    for (table, columns) in [(objects, known), (links, ends)] {
      try connection.run("CREATE TABLE IF NOT EXISTS \(table) \(columns)")
      try connection.run("DELETE FROM \(table)")
    }
    start = try connection.prepare("INSERT OR IGNORE INTO \(objects) VALUES (?1, ?2, 0)")
    link = try connection.prepare("INSERT INTO \(links) VALUES (?1, ?2, ?3, ?4, ?5, ?6)")
  }

  /// Adds start objects.
  ///
  /// - Parameter select: A SELECT of `root` and `key`; rows without a key are omitted.
  /// - Throws: `SQLiteError` if they cannot be read.
  package func begin(at select: String) throws(SQLiteError) {
    try connection.run("INSERT OR IGNORE INTO \(objects) SELECT *, 0 FROM (\(select))")
  }

  /// Adds links.
  ///
  /// - Parameter select: A SELECT of the columns of `links`.
  /// - Throws: `SQLiteError` if they cannot be read.
  package func add(_ select: String) throws(SQLiteError) {
    try connection.run("INSERT INTO \(links) \(select)")
  }

  /// Finds all objects from which links lead to the start objects.
  ///
  /// - Throws: `SQLiteError` if there is no space for them.
  package func spread() throws(SQLiteError) {
    try connection.run(
      """
      CREATE INDEX IF NOT EXISTS temp.decant_\(name)_end ON decant_\(name)_link (end_root, end_key)
      """
    )
    try connection.run(
      """
      INSERT OR IGNORE INTO \(objects)
      WITH RECURSIVE reached (root, key) AS (
        SELECT root, key FROM \(objects)
        UNION
        SELECT l.root, l.key FROM reached CROSS JOIN \(links) AS l
        ON l.end_root = reached.root AND l.end_key = reached.key WHERE l.key IS NOT NULL
      )
      SELECT root, key, row_number() OVER () FROM reached
      """
    )
  }

  /// Removes the objects, for another search over the same links.
  ///
  /// - Throws: `SQLiteError` if the table cannot be written.
  package func restart() throws(SQLiteError) { try connection.run("DELETE FROM \(objects)") }

  /// The FROM and WHERE clauses of the links `l`, followed from the objects `o`, that reached objects other than the
  /// start objects.
  package var followed: String {
    """
    FROM \(objects) AS o CROSS JOIN \(links) AS l ON l.end_root = o.root AND l.end_key = o.key
    WHERE NOT EXISTS (SELECT 1 FROM \(objects) AS s WHERE s.root = l.root AND s.key = l.key AND s.step = 0)
    """
  }

  /// Returns a subquery for IN with the keys of all start objects and reached objects of `root`.
  ///
  /// - Parameter root: The root entity.
  /// - Returns: SQL in parentheses.
  package func keys(of root: String) -> String {
    "(SELECT key FROM \(objects) WHERE root = \(root.sqlText))"
  }
}
