internal import DecantBase
internal import DecantSQLite
internal import DecantStore
internal import Synchronization

/// A check of a database's structure by a second thread, on a connection of its own, while the first reads the rows.
final class StructureWork {
  private let work = OrderedWork("structure")
  /// Ends the check, whose result nobody needs any more.
  private let end = Cancellation()
  /// The thread's, until `work` is done.
  private var result: Result<[String], any Error> = .success([])
  /// The checked part, from 0 to 1.
  private let part = Mutex(0.0)

  init(
    _ reader: (connection: Connection, schema: String),
    _ depth: StructureCheck.Depth,
    _ cancellation: Cancellation
  ) {
    reader.connection.setProgressCheck(StopCheck(cancellation, end))
    try? work.add { [unowned self] in
      result = Result {
        // Pages are read in the order of the tables and indexes.
        try reader.connection.takeCachesForOrder()
        return try StructureCheck(of: reader.schema, on: reader.connection).findings(depth, limit: 1) { done in
          part.withLock { $0 = done }
        }
      }
    }
  }

  deinit {
    end.cancel()
    work.wait()
  }

  /// Waits for the findings, in SQLite's words; none for a sound database.
  ///
  /// `tell` receives the checked part.
  func findings(_ tell: (Double) -> Void) throws(SQLiteError) -> [String] {
    work.wait { tell(part.withLock { $0 }) }
    do {
      return try result.get()
    } catch let error as SQLiteError {
      throw error
    } catch {
      preconditionFailure("a check of the structure throws SQLiteError only")
    }
  }
}
