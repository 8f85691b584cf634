/// The duration of a phase, over all its parts.
public struct PhaseTime: Sendable, Hashable {
  /// The phase, unique in a report.
  public var phase: Phase
  /// The seconds by a monotonic clock.
  public var seconds: Double

  /// Describes the duration of a phase.
  package init(phase: Phase, seconds: Double) {
    (self.phase, self.seconds) = (phase, seconds)
  }
}
