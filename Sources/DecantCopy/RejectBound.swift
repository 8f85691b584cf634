internal import DecantBase
internal import DecantMatch
internal import DecantMerge
internal import DecantPlan
internal import DecantSQLite

/// The number of objects that may be rejected before a copy is aborted.
final class RejectBound {
  private let limit: Int64?
  private let rate: Double?
  /// The number of objects rejected before the copy began, because they could not be read.
  private let before: Int64
  /// The number of objects to copy.
  private let total: Int64
  private var count: Int64?

  /// Creates the limit set in `options`.
  init(_ options: CopyOptions, _ planning: Planning) {
    limit = options.rejectLimit
    rate = options.rejectRate
    before = options.unreadCount
    total = planning.counts.values.reduce(options.unreadCount) { $0 + $1.included }
  }

  /// Records another object in `rejects`; throws if there are too many.
  func note(_ rejects: Rejects) throws(DecantError) {
    guard let limit else { return }
    let count: Int64
    if let known = self.count { count = known + 1 } else { count = try counted(rejects) }
    self.count = count
    guard count + before > limit else { return }
    throw try error(rejects, count + before, isDone: false)
  }

  /// Throws if `rejects` has too many objects in total.
  func check(_ rejects: Rejects) throws(DecantError) {
    guard limit != nil || rate != nil else { return }
    let count = try counted(rejects) + before
    let isTooOften = rate.map { Double(count) > $0 * Double(total) } ?? false
    guard isTooOften || count > limit ?? Int64.max else { return }
    throw try error(rejects, count, isDone: true)
  }

  /// Prepares for other rejects.
  func restart() { count = nil }

  private func counted(_ rejects: Rejects) throws(DecantError) -> Int64 {
    try explaining("cannot count the rejects") { () throws(SQLiteError) in try rejects.count() }
  }

  private func error(_ rejects: Rejects, _ count: Int64, isDone: Bool) throws(DecantError) -> DecantError {
    var reasons = try explaining("cannot read the rejects") { () throws(SQLiteError) in
      try rejects.firstReasons()
    }
    if before > 0 { reasons.insert("\(before) parse: unreadable", at: 0) }
    let percent = rate.map { Double(Int64($0 * 1_000_000)) / 10_000 }
    let bound =
      limit.map { "\($0)" } ?? percent.map { "\($0 == $0.rounded() ? "\(Int64($0))" : "\($0)") %" }
    return DecantError(
      .limitExceeded,
      "\(isDone ? "" : "at least ")\(count) of \(total.counted("object")) were rejected, but at most "
        + "\(bound ?? "") are allowed; nothing was written",
      place: "\(reasons.joined(separator: "; "))",
      remedy:
        "fix the reported problems, exclude the objects with \(say: .where), or allow more: \(say: .maxRejects)"
    )
  }
}

extension Rejects {
  /// Returns for each code the number of objects and the first reason, most frequent code first.
  func firstReasons() throws(SQLiteError) -> [String] {
    var reasons: [String] = []
    try connection.forEachRow(
      """
      SELECT code, count(*), min(reason) FROM \(schema).\(Rejects.table)
      GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 3
      """
    ) { row in
      reasons.append("\(row.integer(at: 1)) \(row.text(at: 0) ?? ""): \(row.text(at: 2) ?? "")")
    }
    return reasons
  }
}
