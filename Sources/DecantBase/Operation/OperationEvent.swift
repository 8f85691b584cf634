/// An event of an operation: progress, and finally its report.
public enum OperationEvent<Report: Sendable>: Sendable {
  /// Something happened; `fraction` is the completed share of the whole, from 0 to 1.
  case working(WorkEvent, fraction: Double)
  /// The work is complete; always the last event.
  case finished(Report)

  /// The completed share of the whole, over all phases: from 0 to 1, never decreasing.
  public var fraction: Double {
    switch self {
    case .working(_, let fraction): fraction
    case .finished: 1
    }
  }
}
