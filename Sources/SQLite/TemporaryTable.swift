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
    let number = TemporaryTable.count.add(1, ordering: .relaxed).newValue
    name = "decant_work_\(number)"
    self.connection = connection
    try connection.run("CREATE TABLE temp.\(name) \(definition)")
  }

  deinit {
    // What cannot be dropped, as a statement is reading it, goes with the connection.
    try? connection.run("DROP TABLE IF EXISTS temp.\(name)")
  }

  /// The name with its schema.
  public var description: String { "temp.\(name)" }
}
