internal import DecantBase

/// Tells how far a copy is: as one line that is drawn over and over, or as one JSON event a line.
struct ProgressLine {
  /// How progress is shown.
  enum Style: String, CaseIterable {
    case auto, bar, json, none
  }

  private let style: Style
  private let clock = ContinuousClock()
  private var start: ContinuousClock.Instant
  private var lastDrawn: ContinuousClock.Instant?
  private var phase = Phase.resolve
  /// How much of the phase was done when it was first told, and how many rows.
  private var first: (fraction: Double, rowCount: Int64)?

  init(_ style: Style) {
    self.style =
      switch style {
      case .auto: StandardError.isTerminal ? .bar : .none
      case .bar, .json, .none: style
      }
    start = clock.now
  }

  /// Shows `event`.
  mutating func show<Report>(_ event: OperationEvent<Report>) {
    switch style {
    case .bar: if case .working(let event, let fraction) = event { draw(event, fraction) }
    case .json: StandardError.write(line: event)
    case .auto, .none: break
    }
  }

  /// Takes the line away, so that results stand alone.
  func clear() {
    if style == .bar, lastDrawn != nil { StandardError.write("\r\u{1b}[K") }
  }

  private mutating func draw(_ event: WorkEvent, _ fraction: Double) {
    switch event {
    case .began(let phase):
      self.phase = phase
      start = clock.now
      first = nil
      put("\(percent(fraction)) \(phase.words) …", now: true)
    case .progress(let progress):
      put("\(percent(fraction)) \(text(progress))", now: false)
    case .stages, .stage, .part, .planned, .note, .conflict, .made:
      break
    }
  }

  /// How much of the whole is done; never all of it before it is.
  private func percent(_ fraction: Double) -> String {
    let percent = String(min(99, Int(fraction * 100)))
    return String(repeating: " ", count: 3 - percent.count) + percent + " %"
  }

  private mutating func text(_ progress: WorkProgress) -> String {
    guard progress.expectedByteCount == 0 else {
      return "\(progress.phase.words) · \(progress.byteCount.asByteCount) of "
        + progress.expectedByteCount.asByteCount
    }
    let fraction = progress.fraction ?? 0
    let first = first ?? (fraction, progress.rowCount)
    self.first = first
    let passed = start.duration(to: clock.now) / .seconds(1)
    var parts = [
      [progress.phase.words, progress.step].filter { !$0.isEmpty }.joined(separator: " ")
    ]
    if progress.expectedRowCount > 0 {
      parts.append("\(progress.rowCount.grouped) of \(progress.expectedRowCount.grouped) rows")
    }
    if progress.byteCount > 0 { parts.append(progress.byteCount.asByteCount) }
    guard passed > 0.2 else { return parts.joined(separator: " · ") }
    let rate = Double(progress.rowCount - first.rowCount) / passed
    if rate > 0 { parts.append("\(Int64(rate).grouped) rows/s") }
    if fraction > first.fraction {
      let left = passed * (1 - fraction) / (fraction - first.fraction)
      parts.append("\(Int64(left.rounded(.up))) s left")
    }
    return parts.joined(separator: " · ")
  }

  private mutating func put(_ text: String, now isUrgent: Bool) {
    // Ten times a second is as often as anybody reads.
    if !isUrgent, let lastDrawn, clock.now - lastDrawn < .milliseconds(100) { return }
    lastDrawn = clock.now
    StandardError.write("\r\u{1b}[K" + text.prefix(max(20, StandardError.columnCount - 1)))
  }
}

extension Phase {
  /// What a person calls the phase.
  fileprivate var words: String {
    switch self {
    case .read: "reading"
    case .resolve: "counting"
    case .duplicate: "copying the store"
    case .copy: "copying"
    case .index: "indexing"
    case .check: "checking"
    case .publish: "publishing"
    }
  }
}
