internal import DecantBase
internal import DecantPlan
internal import DecantSQLite
internal import DecantStore

/// The dates of a source that a column of points in time cannot hold.
struct DateRange {
  private let source: any SourceStore

  init(of source: any SourceStore) { self.source = source }

  /// Throws if there are any, with the columns and their counts.
  func check(_ layout: Layout) throws(DecantError) {
    let columns = source.layout.relations.flatMap { relation in
      relation.columns.filter { $0.type == .date && !$0.isGenerated }.map { (relation, $0) }
    }
    guard !columns.isEmpty else { return }
    let session = try CopySession(source: source, encoding: "UTF-8")
    var found: [String] = []
    try explaining("cannot read the dates of “\(source.identity.place)”") { () throws(SQLiteError) in
      for (relation, column) in columns {
        guard case .attribute(let property) = column.columnRole else { continue }
        let value = column.encoding.decoding(column.name.sqlName)
        let count = try session.connection.integer(
          """
          SELECT count(*) FROM \(relation.sqlTable(in: CopySession.source)) WHERE typeof(\(value)) IN ('integer', 'real')
          AND NOT (\(value) * 1e6 BETWEEN \(StrictType.dateRange.lowerBound) AND \(StrictType.dateRange.upperBound))
          """
        )
        if let count, count > 0 { found.append("\(property): \(count.counted("date"))") }
      }
    }
    guard !found.isEmpty else { return }
    throw DecantError(
      .unsupportedRequest,
      "timestamptz holds dates from 4713 BC to the year 294276, but not these: \(found.joined(separator: ", "))",
      place: "\(source.identity.place)",
      remedy: "\(say: .exactDates) keeps all dates as numbers, in seconds since 2001; \(say: .where) leaves objects out"
    )
  }
}
