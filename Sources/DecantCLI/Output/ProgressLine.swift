internal import DecantBase

/// The progress of a copy, shown as one line that is redrawn, or as JSON events, one per line.
struct ProgressLine {
  /// The ways of showing progress.
  enum Style: String, CaseIterable {
    case auto, bar, json, none
  }

  private let style: Style
  private let clock = ContinuousClock()
  private var start: ContinuousClock.Instant
  private var lastDrawn: ContinuousClock.Instant?
  private var phase = Phase.resolve
  /// The first reported state of the phase: its fraction, and its number of rows.
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

  /// Clears the line before results are printed.
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

  /// Returns the completed share of the whole in percent; 100 only at the end.
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
    // More than ten updates a second would not be readable.
    if !isUrgent, let lastDrawn, clock.now - lastDrawn < .milliseconds(100) { return }
    lastDrawn = clock.now
    StandardError.write("\r\u{1b}[K" + text.prefix(max(20, StandardError.columnCount - 1)))
  }
}

extension Phase {
  /// The phase in words for people.
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
