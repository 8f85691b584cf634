import Synchronization

/// A temporary table of a connection.
///
/// Its name is its own, and it goes with the last that knows it: what keeps SQL that names it has to keep the table, too. In
/// text it stands as SQL names it.
public final class TemporaryTable: CustomStringConvertible {
  /// Its name in the schema `temp`.
  public let name: String
  private let connection: Connection

  private static let count = Atomic<Int>(0)

  /// Makes an empty table.
  ///
  /// - Parameters:
  ///   - definition: What stands behind the name in its statement: the columns in parentheses, and what follows them.
  ///   - connection: The one that has it.
  /// - Throws: `SQLiteError` if it cannot be made.
  public init(_ definition: String, on connection: Connection) throws(SQLiteError) {
    name = TemporaryTable.nextName()
    self.connection = connection
    try connection.run("CREATE TABLE temp.\(name) \(definition)")
  }

  /// Makes a virtual table.
  ///
  /// - Parameters:
  ///   - module: Its module, with what that is told in parentheses.
  ///   - connection: The one that has it.
  /// - Throws: `SQLiteError` if it cannot be made.
  public init(using module: String, on connection: Connection) throws(SQLiteError) {
    name = TemporaryTable.nextName()
    self.connection = connection
    try connection.run("CREATE VIRTUAL TABLE temp.\(name) USING \(module)")
  }

  private static func nextName() -> String {
    "decant_work_\(count.add(1, ordering: .relaxed).newValue)"
  }

  deinit {
    // SQLite refuses while a statement of the connection is running: the table goes with the connection then.
    try? connection.run("DROP TABLE IF EXISTS temp.\(name)")
  }

  /// The name with its schema.
  public var description: String { "temp.\(name)" }
}
