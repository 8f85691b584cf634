internal import DecantBase
internal import DecantSQLite
internal import DecantStore
internal import Synchronization

/// A check of a database's structure by a second thread on its own connection, while the first one reads the rows.
final class StructureWork {
  /// The checked part of the structure, from 0 to 1.
  private final class Part: Sendable {
    let value = Mutex(0.0)
  }

  private let part: Part
  private let depth: StructureCheck.Depth
  private let limit: Int
  private let tables = SharedTables()
  private let findings: LaterResult<[String], SQLiteError>
  /// The second thread, which can do other work after the check.
  var thread: OrderedWork { findings.work }

  /// Begins to check what `reader` reads; the thread uses its connection until the check ends.
  ///
  /// - Parameters:
  ///   - reader: A connection of its own, and the schema to check.
  ///   - depth: The extent of the check.
  ///   - limit: The maximum number of findings.
  ///   - cancellation: The request to stop.
  init(
    _ reader: (connection: Connection, schema: String),
    _ depth: StructureCheck.Depth,
    limit: Int,
    _ cancellation: Cancellation
  ) {
    let part = Part()
    self.part = part
    (self.depth, self.limit) = (depth, limit)
    let tables = tables
    findings = LaterResult("structure") { end throws(SQLiteError) in
      reader.connection.setProgressCheck(StopCheck(cancellation, end))
      // Pages are read in the order of the tables and indexes.
      try reader.connection.takeCachesForOrder()
      return try StructureCheck(of: reader.schema, on: reader.connection).findings(depth, limit: limit, sharing: tables)
      { done in
        part.value.withLock { $0 = done }
      }
    }
  }

  /// Waits for the findings, in SQLite's words; empty for a sound database.
  ///
  /// - Parameters:
  ///   - reader: Another reader of the same state, on which the calling thread checks some of the indexes meanwhile.
  ///   - tell: Receives the checked part, from 0 to 1.
  /// - Returns: The findings.
  /// - Throws: `SQLiteError`.
  func findings(
    helpedBy reader: (connection: Connection, schema: String)? = nil,
    _ tell: (Double) -> Void
  ) throws(SQLiteError) -> [String] {
    let own = reader.map { StructureCheck(of: $0.schema, on: $0.connection) }
    var isSound = true
    if depth == .thorough, let own { isSound = try own.areIndexesSound(sharing: tables) }
    let findings = try findings.get { tell(part.value.withLock { $0 }) }
    guard findings.isEmpty, !isSound, tables.takeAll(), let own else { return findings }
    return try own.slowFindings(limit: limit)
  }
}
