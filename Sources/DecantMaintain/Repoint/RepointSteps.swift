internal import DecantBase

/// The progress of a phase, in rows.
struct RepointSteps {
  let phase: Phase
  let expected: Int64
  private var count: Int64 = 0

  init(phase: Phase, expected: Int64) {
    self.phase = phase
    self.expected = expected
  }

  /// Returns the event to report after `count` more rows of `site`.
  mutating func adding(_ count: Int64, _ site: ReferenceSite) -> WorkEvent {
    self.count += count
    return .progress(
      WorkProgress(
        phase: phase,
        step: "\(site.place.property)",
        rowCount: min(self.count, expected),
        expectedRowCount: expected,
        byteCount: 0
      )
    )
  }
}
