package import DecantBase

/// Rejected objects in a file of such that are not taken from it, and why.
package struct SkippedRejects {
  /// How many are told one by one.
  static let limit = 1000

  private(set) var count: Int64 = 0
  /// The first of them.
  private(set) var told: [(object: String, reason: String)] = []

  /// Notes one more.
  mutating func note(_ object: String, _ reason: String) {
    count += 1
    if told.count < SkippedRejects.limit { told.append((object, reason)) }
  }

  mutating func add(_ other: SkippedRejects) {
    count += other.count
    told += other.told.prefix(max(SkippedRejects.limit - told.count, 0))
  }

  /// Enters them into the report of what was taken from the file at `place`.
  package func enter(into report: inout CopyReport, of place: String) {
    guard let note = note(of: place) else { return }
    report.unread += told.map {
      CopyReport.Unread(file: place, entry: $0.object, reason: $0.reason)
    }
    report.isPartial = true
    report.notes.append(note)
  }

  /// What a reader of the file at `place` should know; `nil` where all was taken.
  func note(of place: String) -> ReportNote? {
    guard count > 0 else { return nil }
    return ReportNote(
      .rejectsSkipped,
      "\(count.counted("rejected object")) of “\(place)” \(count == 1 ? "was" : "were") skipped",
      remedy: "fix the problem given for \(count == 1 ? "it" : "them"), in the file or where "
        + "\(count == 1 ? "it comes" : "they come") from",
      after: ": "
    )
  }
}

/// What the line of an object says of its being rejected.
struct ArchivedReject {
  /// The word for the reason.
  var code = ""
  /// The attributes and relationships that could not be read.
  var lacks: [String] = []
  /// The relationships that led to what nothing is known by.
  var unreported: [String] = []

  /// Whether it was a value that had to be another.
  var isOfValues: Bool { ["convert", "notnull"].contains(code) }
}
