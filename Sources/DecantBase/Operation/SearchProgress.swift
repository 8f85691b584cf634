/// How far the search has come for which objects there are, and which of two stores are the same.
///
/// It takes steps, each with a size, and hands out parts of itself to what takes steps of its own. What it tells are shares
/// of time, as the parts of the search were measured.
package final class SearchProgress {
  /// How much of the whole was told, so that less is never told again.
  private final class Told { var share = -1.0 }

  private let told: Told
  private let range: ClosedRange<Double>
  private let tell: (WorkEvent) -> Void
  private var size: Int64 = 1
  private var doneSize: Int64 = 0
  private var step: (name: String, size: Int64) = ("", 0)

  /// Begins a search that is told to `tell`.
  package convenience init(_ tell: @escaping (WorkEvent) -> Void) {
    self.init(Told(), 0...1, tell)
  }

  private init(_ told: Told, _ range: ClosedRange<Double>, _ tell: @escaping (WorkEvent) -> Void) {
    (self.told, self.range, self.tell) = (told, range, tell)
  }

  /// The progress of what takes a part of the time, from 0 to 1, of this.
  package func part(_ part: ClosedRange<Double>) -> SearchProgress {
    SearchProgress(told, place(part.lowerBound)...place(part.upperBound), tell)
  }

  /// Says how large the steps are together, such as how many rows they look at.
  package func beginSteps(of size: Int64) {
    (self.size, doneSize, step) = (max(1, size), 0, ("", 0))
  }

  /// Begins a step of that size; the one before is done.
  package func begin(_ name: String, _ size: Int64) {
    doneSize += step.size
    step = (name, size)
    reach(0)
  }

  /// Says that so much of the step is done, from 0 to 1.
  package func reach(_ part: Double) {
    show((Double(doneSize) + Double(step.size) * part) / Double(size), step.name)
  }

  /// Says that so much of this is done, from 0 to 1.
  package func show(_ part: Double, _ name: String = "") {
    let share = place(min(1, max(0, part)))
    // Less than a thousandth is no news.
    guard share >= told.share + 0.001 else { return }
    told.share = share
    tell(
      .progress(
        WorkProgress(phase: .resolve, step: name, rowCount: 0, expectedRowCount: 0, byteCount: 0, timeShare: share)
      )
    )
  }

  /// Tells the progress of a proof that is a part of the search; what else happens is told as it is.
  package func take(_ event: WorkEvent) {
    switch event {
    case .progress(let progress):
      if let part = progress.fraction { show(part, progress.step) }
    case .began: break
    default: tell(event)
    }
  }

  /// Returns what takes the events of a run that is a part of the search, and reports only how much of it is done.
  package func run(_ weights: PhaseWeights) -> (WorkEvent) -> Void {
    var meter = ProgressMeter(weights)
    return { [self] event in
      meter.take(event)
      if case .progress(let progress) = event { show(meter.fraction, progress.step) }
    }
  }

  private func place(_ part: Double) -> Double {
    range.lowerBound + part * (range.upperBound - range.lowerBound)
  }
}
