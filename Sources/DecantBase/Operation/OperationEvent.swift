/// What an operation reports: that it works, and in the end what it did.
public enum OperationEvent<Report: Sendable>: Sendable {
  /// Something happened; `fraction` says how much of the whole is done, from 0 to 1.
  case working(WorkEvent, fraction: Double)
  /// All is done; always the last event.
  case finished(Report)

  /// How much of the whole is done, over all phases: from 0 to 1, and never less than before.
  public var fraction: Double {
    switch self {
    case .working(_, let fraction): fraction
    case .finished: 1
    }
  }
}
