package import DecantBase
package import DecantPlan

/// How far a proof has come that reads the rows of each step at both ends.
package final class ProofProgress {
  private let rowCounts: [String: Int64]
  private let cancellation: Cancellation
  private let tell: (WorkEvent) -> Void
  private var rowCount: Int64 = 0

  /// Begins; `rowCounts` says how many rows each step has at one end.
  package init(
    _ rowCounts: [String: Int64],
    _ cancellation: Cancellation,
    _ tell: @escaping (WorkEvent) -> Void
  ) {
    (self.rowCounts, self.cancellation, self.tell) = (rowCounts, cancellation, tell)
  }

  /// Notes that the rows of `step` are read next; returns whether they still shall be.
  package func begin(_ step: CopyStep) -> Bool {
    guard !cancellation.isCancelled else { return false }
    tell(
      .progress(
        WorkProgress(
          phase: .check,
          step: step.name,
          rowCount: rowCount,
          expectedRowCount: 2 * rowCounts.values.reduce(0, +),
          byteCount: 0
        )
      )
    )
    rowCount += rowCounts[step.name] ?? 0
    return true
  }
}
