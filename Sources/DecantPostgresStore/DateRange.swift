internal import DecantBase
internal import DecantPlan
internal import DecantSQLite
internal import DecantStore

/// The dates of a source that a column of points in time cannot hold.
struct DateRange {
  private let source: any SourceStore
  private let form: ServerForm

  init(of source: any SourceStore, _ form: ServerForm) { (self.source, self.form) = (source, form) }

  /// Throws if there are any that must not be left out, naming the columns and their counts; returns the number of
  /// dates that are rounded.
  func check(_ options: CopyOptions) throws(DecantError) -> Int64 {
    let columns = source.layout.relations.flatMap { relation in
      relation.columns.filter { !$0.isGenerated && form.roundsDates(in: $0) }.map {
        (relation, $0)
      }
    }
    guard !columns.isEmpty else { return 0 }
    let session = try CopySession(source: source, encoding: "UTF-8")
    var found: [String] = []
    var rounded: Int64 = 0
    try explaining("cannot read the dates of “\(source.identity.place)”") { () throws(SQLiteError) in
      for (relation, column) in columns {
        guard case .attribute(let property) = column.columnRole else { continue }
        let value = column.encoding.decoding(column.name.sqlName)
        let range = StrictType.dateRange
        try session.connection.forEachRow(
          """
          SELECT sum(NOT \(value) * 1e6 BETWEEN \(range.lowerBound) AND \(range.upperBound)),
            sum(\(ValueEncoding.roundedToMicroseconds(value)) IS NOT \(value))
          FROM \(relation.sqlTable(in: CopySession.source)) WHERE typeof(\(value)) IN ('integer', 'real')
          """
        ) { row in
          let count = row.integer(at: 0)
          if count > 0 { found.append("\(property): \(count.counted("date"))") }
          rounded += row.integer(at: 1)
        }
      }
    }
    guard !found.isEmpty, options.onError == .stop, !options.choosesObjects else { return rounded }
    throw DecantError(
      .unsupportedRequest,
      "timestamptz holds dates from 4713 BC to the year 294276, but not these: \(found.joined(separator: ", "))",
      place: "\(source.identity.place)",
      remedy: "\(say: .exactDates) keeps all dates as numbers, in seconds since 2001; \(say: .where) leaves objects out"
    )
  }
}
