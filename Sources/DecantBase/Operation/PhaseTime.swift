/// How long a phase took, all its parts together.
public struct PhaseTime: Sendable, Hashable {
  /// The phase; none comes twice in a report.
  public var phase: Phase
  /// Seconds by a clock that nobody sets.
  public var seconds: Double

  /// Describes a phase.
  public init(phase: Phase, seconds: Double) {
    (self.phase, self.seconds) = (phase, seconds)
  }
}
