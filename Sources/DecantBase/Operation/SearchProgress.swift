/// The progress of the search for objects, and for the equal objects of two stores.
///
/// It takes steps, each with a size, and provides parts of itself for nested steps. It reports shares of time, as they
/// were measured for the parts of the search.
package final class SearchProgress {
  /// The share reported so far, which never decreases.
  private final class Told { var share = -1.0 }

  private let told: Told
  private let range: ClosedRange<Double>
  private let tell: (WorkEvent) -> Void
  private var size: Int64 = 1
  private var doneSize: Int64 = 0
  private var step: (name: String, size: Int64) = ("", 0)

  /// Begins a search that reports to `tell`.
  package convenience init(_ tell: @escaping (WorkEvent) -> Void) {
    self.init(Told(), 0...1, tell)
  }

  private init(_ told: Told, _ range: ClosedRange<Double>, _ tell: @escaping (WorkEvent) -> Void) {
    (self.told, self.range, self.tell) = (told, range, tell)
  }

  /// Returns the progress of a part, as a range of this progress's time from 0 to 1.
  package func part(_ part: ClosedRange<Double>) -> SearchProgress {
    SearchProgress(told, place(part.lowerBound)...place(part.upperBound), tell)
  }

  /// Sets the total size of the steps, such as the number of rows they read.
  package func beginSteps(of size: Int64) {
    (self.size, doneSize, step) = (max(1, size), 0, ("", 0))
  }

  /// Begins a step of `size`; the previous one is complete.
  package func begin(_ name: String, _ size: Int64) {
    doneSize += step.size
    step = (name, size)
    reach(0)
  }

  /// Sets the completed share of the current step, from 0 to 1.
  package func reach(_ part: Double) {
    show((Double(doneSize) + Double(step.size) * part) / Double(size), step.name)
  }

  /// Sets the completed share of this progress, from 0 to 1.
  package func show(_ part: Double, _ name: String = "") {
    let share = place(min(1, max(0, part)))
    // Less than a thousandth is not reported.
    guard share >= told.share + 0.001 else { return }
    told.share = share
    tell(
      .progress(
        WorkProgress(phase: .resolve, step: name, rowCount: 0, expectedRowCount: 0, byteCount: 0, timeShare: share)
      )
    )
  }

  /// Reports the progress of a proof that is part of the search; other events are passed on.
  package func take(_ event: WorkEvent) {
    switch event {
    case .progress(let progress):
      if let part = progress.fraction { show(part, progress.step) }
    case .began: break
    default: tell(event)
    }
  }

  /// Returns an event handler for a run that is part of the search; it reports only the progress of the run.
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
