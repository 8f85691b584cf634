import Synchronization

/// A temporary table of a connection.
///
/// Its name is unique, and it is dropped with the last reference: code that keeps SQL with its name must keep the
/// table, too. Its description is its name in SQL.
package final class TemporaryTable: CustomStringConvertible {
  /// Its name in the schema `temp`.
  package let name: String
  private let connection: Connection

  private static let count = Atomic<Int>(0)

  /// Creates an empty table.
  ///
  /// - Parameters:
  ///   - definition: The SQL after the name: the columns in parentheses, and what follows them.
  ///   - connection: The connection of the table.
  /// - Throws: `SQLiteError` if it cannot be created.
  package init(_ definition: String, on connection: Connection) throws(SQLiteError) {
    name = TemporaryTable.nextName()
    self.connection = connection
    try connection.run("CREATE TABLE temp.\(name) \(definition)")
  }

  /// Creates a virtual table.
  ///
  /// - Parameters:
  ///   - module: Its module, with the arguments in parentheses.
  ///   - connection: The connection of the table.
  /// - Throws: `SQLiteError` if it cannot be created.
  package init(using module: String, on connection: Connection) throws(SQLiteError) {
    name = TemporaryTable.nextName()
    self.connection = connection
    try connection.run("CREATE VIRTUAL TABLE temp.\(name) USING \(module)")
  }

  private static func nextName() -> String {
    "decant_work_\(count.add(1, ordering: .relaxed).newValue)"
  }

  deinit {
    // SQLite refuses while a statement of the connection is running: then the table is dropped with the connection.
    try? connection.run("DROP TABLE IF EXISTS temp.\(name)")
  }

  /// The name with its schema.
  package var description: String { "temp.\(name)" }
}
