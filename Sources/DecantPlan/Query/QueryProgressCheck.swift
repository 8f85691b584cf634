internal import DecantBase
internal import DecantSQLite

/// A progress check that ends the statement of a query on request, and reports how much of its store was read.
///
/// The number of rows is unknown until the last; the number of pages of the store is known.
final class QueryProgressCheck: ProgressCheck {
  private unowned let connection: Connection
  private let cancellation: Cancellation
  private var tell: ((WorkEvent) -> Void)?
  private let pageByteCount: Int64
  private let pageCount: Int64
  /// The number of pages read before.
  private let start: Int64
  private var told: Int64 = 0

  /// Begins to report to `tell` the pages that `connection` reads of the store.
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

  /// Ends the reports.
  func end() { tell = nil }

  override func add(_ interrupter: Interrupter) { cancellation.add(interrupter) }

  override func remove(_ interrupter: Interrupter) { cancellation.remove(interrupter) }

  override func isStopped() -> Bool {
    let count = min(connection.readPageCount - start, pageCount)
    // Reported in steps of a hundredth.
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
