/// How far the search has come for which objects there are, and which of two stores are the same.
///
/// It takes steps, each over some rows, and hands out parts of itself to what takes steps of its own. It is told in rows of
/// which so many are done as the parts of the time were measured.
package final class SearchProgress {
  /// How many rows are told as the whole; nothing is told before that is known.
  private final class Whole {
    var rowCount: Int64 = 0
    var done: Int64 = -1
  }

  private let whole: Whole
  private let range: ClosedRange<Double>
  private let tell: (WorkEvent) -> Void
  private var rowCount: Int64 = 1
  private var doneCount: Int64 = 0
  private var step: (name: String, rowCount: Int64) = ("", 0)

  /// Begins a search that is told to `tell`.
  package convenience init(_ tell: @escaping (WorkEvent) -> Void) {
    self.init(Whole(), 0...1, tell)
  }

  private init(_ whole: Whole, _ range: ClosedRange<Double>, _ tell: @escaping (WorkEvent) -> Void) {
    (self.whole, self.range, self.tell) = (whole, range, tell)
  }

  /// The progress of what takes a part of the time, from 0 to 1, of this.
  package func part(_ part: ClosedRange<Double>) -> SearchProgress {
    SearchProgress(whole, place(part.lowerBound)...place(part.upperBound), tell)
  }

  /// Says how many rows there are, where nobody did.
  package func expect(_ rowCount: Int64) { if whole.rowCount == 0 { whole.rowCount = rowCount } }

  /// Says how many rows the steps have together.
  package func beginSteps(of rowCount: Int64) {
    (self.rowCount, doneCount, step) = (max(1, rowCount), 0, ("", 0))
  }

  /// Begins a step over so many rows; the one before is done.
  package func begin(_ name: String, _ rowCount: Int64) {
    doneCount += step.rowCount
    step = (name, rowCount)
    reach(0)
  }

  /// Says that so much of the step is done, from 0 to 1.
  package func reach(_ part: Double) {
    show((Double(doneCount) + Double(step.rowCount) * part) / Double(rowCount), step.name)
  }

  /// Says that so much of this is done, from 0 to 1.
  package func show(_ part: Double, _ name: String = "") {
    let done = Int64(place(min(1, max(0, part))) * Double(whole.rowCount))
    guard done > whole.done, whole.rowCount > 0 else { return }
    whole.done = done
    tell(
      .progress(
        WorkProgress(phase: .resolve, step: name, rowCount: done, expectedRowCount: whole.rowCount, byteCount: 0)
      )
    )
  }

  /// Tells the progress of a proof that is a part of the search; what else happens is told as it is.
  package func take(_ event: WorkEvent) {
    switch event {
    case .progress(let progress):
      guard progress.expectedRowCount > 0 else { return }
      expect(progress.expectedRowCount)
      show(Double(progress.rowCount) / Double(progress.expectedRowCount), progress.step)
    case .began: break
    default: tell(event)
    }
  }

  private func place(_ part: Double) -> Double {
    range.lowerBound + part * (range.upperBound - range.lowerBound)
  }
}
