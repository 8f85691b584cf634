internal import Decant
internal import JSON

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
  private var firstRow: Int64?

  init(_ style: Style) {
    self.style =
      switch style {
      case .auto: StandardError.isTerminal ? .bar : .none
      case .bar, .json, .none: style
      }
    start = clock.now
  }

  /// Shows `event`.
  mutating func show(_ event: CopyEvent) {
    switch style {
    case .bar: draw(event)
    case .json: StandardError.write(event.json.text + "\n")
    case .auto, .none: break
    }
  }

  /// Shows `event`.
  mutating func show(_ event: MigrationEvent) {
    switch event {
    // Of several copies only the last one's end is the end.
    case .copying(.finished): break
    case .copying(let copying): show(copying)
    case .began(let stage, let number):
      if style == .json {
        StandardError.write(
          line: DocumentMembers([("event", "stage"), ("number", number), ("stage", stage)])
        )
      }
    case .planned(let stages):
      if style == .json {
        StandardError.write(line: DocumentMembers([("event", "migration"), ("plan", stages)]))
      }
    case .note, .finished: break
    }
  }

  /// Takes the line away, so that results stand alone.
  func clear() {
    if style == .bar, lastDrawn != nil { StandardError.write("\r\u{1b}[K") }
  }

  private mutating func draw(_ event: CopyEvent) {
    switch event {
    case .began(let phase):
      self.phase = phase
      start = clock.now
      firstRow = nil
      put("\(phase.words) …", now: true)
    case .progress(let progress):
      put(text(progress), now: false)
    case .planned, .note, .conflict, .finished:
      break
    }
  }

  private mutating func text(_ progress: CopyProgress) -> String {
    let first = firstRow ?? progress.rowCount
    firstRow = first
    let passed = start.duration(to: clock.now) / .seconds(1)
    var parts = [
      "\(progress.phase.words) \(progress.step)",
      "\(progress.rowCount.grouped) of \(progress.expectedRowCount.grouped) rows",
    ]
    if progress.byteCount > 0 { parts.append(progress.byteCount.asByteCount) }
    let rate = passed > 0.2 ? Double(progress.rowCount - first) / passed : 0
    if rate > 0 {
      parts.append("\(Int64(rate).grouped) rows/s")
      let left = Double(progress.expectedRowCount - progress.rowCount) / rate
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
    case .copy: "copying"
    case .index: "indexing"
    case .check: "checking"
    case .publish: "publishing"
    }
  }
}

extension Int64 {
  /// The number with a thin mark between thousands: `1 234 567`.
  var grouped: String {
    var digits = String(magnitude)
    var groups: [String] = []
    while digits.count > 3 {
      groups.insert(String(digits.suffix(3)), at: 0)
      digits.removeLast(3)
    }
    return (self < 0 ? "-" : "") + ([digits] + groups).joined(separator: " ")
  }
}

extension Int64 {
  /// The grouped number with its noun: `1 object`, `1 234 objects`.
  func groupedCount(_ noun: String) -> String { "\(grouped) \(noun)" + (self == 1 ? "" : "s") }
}

extension CopyEvent {
  /// The event as one line of JSON.
  fileprivate var json: JSONValue {
    switch self {
    case .planned(let work):
      .object([
        ("event", .string("planned")), ("rows", .integer(work.rowCount)),
        ("sourceBytes", .integer(work.sourceByteCount)),
        ("proofRows", .integer(work.proofRowCount)),
      ])
    case .began(let phase):
      .object([("event", .string("phase")), ("phase", .string(phase.rawValue))])
    case .progress(let progress):
      .object([
        ("event", .string("progress")), ("phase", .string(progress.phase.rawValue)),
        ("step", .string(progress.step)), ("rows", .integer(progress.rowCount)),
        ("expectedRows", .integer(progress.expectedRowCount)),
        ("bytes", .integer(progress.byteCount)),
      ])
    case .note(let text): .object([("event", .string("note")), ("text", .string(text))])
    case .conflict(let question):
      .object([("event", .string("conflict")), ("conflict", .raw(question.conflict.line))])
    case .finished(let report):
      .object([
        ("event", .string("finished")), ("copied", .integer(report.copiedCount)),
        ("rejected", .integer(report.rejectedCount)), ("verified", .bool(report.isVerified)),
      ])
    }
  }
}
