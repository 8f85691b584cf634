package import DecantSQLite

/// The objects whose links lead to some others, directly or through objects between them.
///
/// A table of links is searched by one recursive query, which follows each link once. Everything lies on disk, in
/// temporary tables.
package final class Reach {
  private let connection: Connection
  private let name: String

  /// The table of the objects at which the search begins, whose `step` is 0, and of those that it reaches, numbered in
  /// the order in which it does: `root`, `key`, `step`.
  package let objects: String
  /// The table of the links: the object that one leads to as `end_root` and `end_key`, the one that holds it as `root`
  /// and `key`, which is NULL where no integer names it, the number of the `link`, and a `note` of the caller's.
  package let links: String
  /// Has the search begin at one more object: `root` and `key`.
  package let start: Statement
  /// Adds one link, with the columns of `links`.
  package let link: Statement

  /// Makes the tables, both empty; they may be there from an earlier search.
  ///
  /// - Parameters:
  ///   - name: What the tables are named after.
  ///   - connection: Where they are made.
  /// - Throws: `SQLiteError` where there is no room for them.
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

  /// Has the search begin at more objects.
  ///
  /// - Parameter select: The statement that reads them, `root` and `key`; rows without a key are left out.
  /// - Throws: `SQLiteError` where they cannot be read.
  package func begin(at select: String) throws(SQLiteError) {
    try connection.run("INSERT OR IGNORE INTO \(objects) SELECT *, 0 FROM (\(select))")
  }

  /// Adds links.
  ///
  /// - Parameter select: The statement that reads them, with the columns of `links`.
  /// - Throws: `SQLiteError` where they cannot be read.
  package func add(_ select: String) throws(SQLiteError) {
    try connection.run("INSERT INTO \(links) \(select)")
  }

  /// Finds all objects from which links lead to those where the search begins.
  ///
  /// - Throws: `SQLiteError` where there is no room for them.
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

  /// Forgets the objects, so that another search over the same links may begin.
  ///
  /// - Throws: `SQLiteError` where the table cannot be written.
  package func restart() throws(SQLiteError) { try connection.run("DELETE FROM \(objects)") }

  /// The links, as `l`, by which objects were reached that the search did not begin at, from the objects `o`: a FROM and
  /// a WHERE clause.
  package var followed: String {
    """
    FROM \(objects) AS o CROSS JOIN \(links) AS l ON l.end_root = o.root AND l.end_key = o.key
    WHERE NOT EXISTS (SELECT 1 FROM \(objects) AS s WHERE s.root = l.root AND s.key = l.key AND s.step = 0)
    """
  }

  /// The keys of `root` that were reached or began the search: a subquery for IN.
  ///
  /// - Parameter root: The root entity.
  /// - Returns: SQL in parentheses.
  package func keys(of root: String) -> String {
    "(SELECT key FROM \(objects) WHERE root = \(root.sqlText))"
  }
}
