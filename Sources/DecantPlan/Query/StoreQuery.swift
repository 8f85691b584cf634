public import DecantBase
public import DecantStore

/// Read-only SQL over the entities and attributes of a store, whatever its tables are called.
///
/// A value that can be kept and run again; nothing is opened before it runs.
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
  /// One SELECT, or WITH … SELECT.
  public let sql: String
  /// The store; it is never changed.
  public let store: StoreLocation
  /// The values of its parameters, by their names.
  ///
  /// A name has no sign in front, or has it where `:a` and `@a` differ; a bare `?` goes by its number, from 1. A date is its
  /// seconds, a UUID its bytes.
  public var parameters: [String: StoreValue] = [:]
  /// A model to read the store with, where it does not hold its own.
  public var model: String?
  /// Whether the structure of the store is checked first, of a large one that of the tables that are read.
  ///
  /// SQLite passes over many a damage without a word, and the rows behind it are missing.
  public var verifies = true
  /// How much of a longer text is wanted, in bytes; `nil` for all of it.
  public var textByteLimit: Int?
  /// What is done with values that are bytes.
  public var bytes = ByteUse.described
  let opener: any StoreOpener

  /// What is done with the bytes of a result.
  public enum ByteUse: Sendable, Hashable {
    /// They are described; large ones are not read for that.
    case described
    /// They are described, and `QueryRows.forEachPiece(of:_:)` lends them.
    case lent
    /// The same, and each value becomes a file in this folder, which its description names.
    case saved(folder: String)
  }

  /// Describes a query of a store of the kinds that `opener` knows.
  package init(_ sql: String, in store: StoreLocation, opener: any StoreOpener) {
    (self.sql, self.store, self.opener) = (sql, store, opener)
  }

  /// The query: `read` is given its rows, and what it returns is the report.
  ///
  /// An error is of the family `.usage` for whatever is wrong with the SQL, `.corruptStore` for a damaged structure. What the
  /// reader should know is told as notes before the first row. How much of the store was read tells how far it is: how many
  /// rows there will be nobody knows.
  ///
  /// - Parameter read: Reads as many rows as it wants, on the thread of the run; the rows end with it.
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
