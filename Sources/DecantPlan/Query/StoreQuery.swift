public import DecantBase
public import DecantStore

/// A read-only SQL query on the entities and attributes of a store, independent of its tables.
///
/// The value can be stored and run repeatedly; nothing is opened before it runs.
///
/// ```swift
/// let query = StoreQuery("SELECT title FROM Recipe WHERE rating >= 4", in: "Kitchen.sqlite")
/// let titles = try query.reading { rows throws(DecantError) in
///   var titles: [QueryValue] = []
///   while let row = try rows.next() { titles += row }
///   return titles
/// }.run()
/// ```
public struct StoreQuery: Sendable {
  /// A single SELECT, or WITH … SELECT.
  public let sql: String
  /// The store; it is never changed.
  public let store: StoreLocation
  /// The values of its parameters, by name.
  ///
  /// A name has no prefix, or has one if `:a` and `@a` differ; the name of a bare `?` is its number, from 1. A date is
  /// given as its seconds, a UUID as its bytes.
  public var parameters: [String: StoreValue] = [:]
  /// The place of a model for a store that does not contain its own.
  public var model: String?
  /// Whether the structure of the store is checked first; in a large store only that of the tables that are read.
  ///
  /// SQLite reads damaged tables silently, and omits the rows after the damage.
  public var verifies = true
  /// The maximum length of a text, in bytes; `nil` for all of it.
  public var textByteLimit: Int?
  /// The treatment of values that are bytes.
  public var bytes = ByteUse.described
  let opener: any StoreOpener

  /// The treatment of the bytes of a result.
  public enum ByteUse: Sendable, Hashable {
    /// They are described; large ones are not read.
    case described
    /// They are described, and `QueryRows.forEachPiece(of:_:)` returns them.
    case lent
    /// They are described, and each value is saved to a file in this folder, whose name is in the description.
    case saved(folder: String)
  }

  /// Describes a query of a store of a kind that `opener` knows.
  package init(_ sql: String, in store: StoreLocation, opener: any StoreOpener) {
    (self.sql, self.store, self.opener) = (sql, store, opener)
  }

  /// Returns the operation of the query: `read` receives its rows, and its result is the report.
  ///
  /// Errors are of the family `.usage` for invalid SQL, and `.corruptStore` for a damaged structure. Notes for the
  /// reader are reported before the first row. Progress is the share of the store that was read, as the number of rows
  /// is unknown.
  ///
  /// - Parameter read: Reads any number of rows, on the thread of the run; the rows are valid until it returns.
  /// - Returns: The operation.
  public func reading<Report: Sendable>(
    _ read: @escaping @Sendable (QueryRows) throws(DecantError) -> Report
  ) -> DecantOperation<Report> {
    DecantOperation("query", .query) { cancellation, tell throws(DecantError) in
      let rows = try QueryRows(self, cancellation: cancellation, tell)
      for note in rows.notes { tell(.note(note)) }
      tell(.began(.copy))
      return try withoutActuallyEscaping(tell) { tell throws(DecantError) in
        try rows.telling(tell, read)
      }
    }
  }
}
