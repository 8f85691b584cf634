package import DecantBase

/// Objects in a file of rejects that are skipped, with the reasons.
package struct SkippedRejects {
  /// The maximum number of objects reported individually.
  static let limit = 1000

  private(set) var count: Int64 = 0
  /// The first of them.
  private(set) var told: [(object: String, reason: String)] = []

  /// Records one more.
  mutating func note(_ object: String, _ reason: String) {
    count += 1
    if told.count < SkippedRejects.limit { told.append((object, reason)) }
  }

  mutating func add(_ other: SkippedRejects) {
    count += other.count
    told += other.told.prefix(max(SkippedRejects.limit - told.count, 0))
  }

  /// Adds them to the report of the import from the file at `place`.
  package func enter(into report: inout CopyReport, of place: String) {
    guard let note = note(of: place) else { return }
    report.unread += told.map {
      CopyReport.Unread(file: place, entry: $0.object, reason: $0.reason)
    }
    report.isPartial = true
    report.notes.append(note)
  }

  /// Returns the note about the file at `place`; `nil` if no object was skipped.
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

/// The rejection in the line of an object.
struct ArchivedReject {
  /// The code of the reason.
  var code = ""
  /// The attributes and relationships that could not be read.
  var lacks: [String] = []
  /// The relationships whose targets have no identity.
  var unreported: [String] = []

  /// Whether a value was the reason.
  var isOfValues: Bool { ["convert", "notnull"].contains(code) }
}
