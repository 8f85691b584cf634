internal import DecantBase
internal import DecantSQLite
internal import DecantStore
internal import Synchronization

/// A check of a database's structure by a second thread, on a connection of its own, while the first reads the rows.
final class StructureWork {
  /// The checked part, from 0 to 1.
  private final class Part: Sendable {
    let value = Mutex(0.0)
  }

  private let part: Part
  private let findings: LaterResult<[String], SQLiteError>

  init(
    _ reader: (connection: Connection, schema: String),
    _ depth: StructureCheck.Depth,
    _ cancellation: Cancellation
  ) {
    let part = Part()
    self.part = part
    findings = LaterResult("structure") { end throws(SQLiteError) in
      reader.connection.setProgressCheck(StopCheck(cancellation, end))
      // Pages are read in the order of the tables and indexes.
      try reader.connection.takeCachesForOrder()
      return try StructureCheck(of: reader.schema, on: reader.connection).findings(depth, limit: 1) { done in
        part.value.withLock { $0 = done }
      }
    }
  }

  /// Waits for the findings, in SQLite's words; none for a sound database.
  ///
  /// `tell` receives the checked part.
  func findings(_ tell: (Double) -> Void) throws(SQLiteError) -> [String] {
    try findings.get { tell(part.value.withLock { $0 }) }
  }
}
