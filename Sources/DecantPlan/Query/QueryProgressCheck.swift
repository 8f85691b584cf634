internal import DecantBase
internal import DecantSQLite

/// Ends the statement of a query when it is to stop, and tells how much of its store was read.
///
/// How many rows there will be nobody knows before the last; the pages of the store are known.
final class QueryProgressCheck: ProgressCheck {
  private unowned let connection: Connection
  private let cancellation: Cancellation
  private var tell: ((WorkEvent) -> Void)?
  private let pageByteCount: Int64
  private let pageCount: Int64
  /// How many pages were read before.
  private let start: Int64
  private var told: Int64 = 0

  /// Begins to tell `tell` of what `connection` reads of the store.
  init(
    _ connection: Connection,
    _ cancellation: Cancellation,
    _ tell: @escaping (WorkEvent) -> Void
  ) throws(SQLiteError) {
    (self.connection, self.cancellation, self.tell) = (connection, cancellation, tell)
    pageCount = try connection.integer("PRAGMA \(CopySession.source).page_count") ?? 0
    pageByteCount = try connection.integer("PRAGMA \(CopySession.source).page_size") ?? 0
    start = connection.readPageCount
    super.init()
  }

  /// Tells nothing any more.
  func end() { tell = nil }

  override func add(_ interrupter: Interrupter) { cancellation.add(interrupter) }

  override func remove(_ interrupter: Interrupter) { cancellation.remove(interrupter) }

  override func isStopped() -> Bool {
    let count = min(connection.readPageCount - start, pageCount)
    // A hundredth is worth a line.
    if let tell, count - told > pageCount / 100 {
      told = count
      tell(
        .progress(
          WorkProgress(
            phase: .copy,
            step: "",
            rowCount: 0,
            expectedRowCount: 0,
            byteCount: count * pageByteCount,
            expectedByteCount: pageCount * pageByteCount
          )
        )
      )
    }
    return cancellation.isCancelled
  }
}
