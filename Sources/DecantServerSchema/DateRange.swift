package import DecantBase
package import DecantPlan
internal import DecantSQLite
internal import DecantStore

/// The dates of a source that a column of points in time cannot hold.
package struct DateRange {
  private let source: any SourceStore
  private let form: ServerForm

  package init(of source: any SourceStore, _ form: ServerForm) { (self.source, self.form) = (source, form) }

  /// Throws if there are any that must not be left out, naming the columns and their counts; returns the number of
  /// dates that are rounded.
  package func check(_ options: CopyOptions) throws(DecantError) -> Int64 {
    let tables = source.layout.relations.map { relation in
      (
        relation,
        columns: relation.columns.compactMap { column -> (column: RelationColumn, property: Property)? in
          guard !column.isGenerated, form.roundsDates(in: column), case .attribute(let property) = column.columnRole
          else { return nil }
          return (column, property)
        }
      )
    }.filter { !$0.columns.isEmpty }
    guard !tables.isEmpty else { return 0 }
    let session = try CopySession(source: source, encoding: "UTF-8")
    var found: [String] = []
    var rounded: Int64 = 0
    try explaining("cannot read the dates of “\(source.identity.place)”") { () throws(SQLiteError) in
      for (relation, columns) in tables {
        let range = StrictType.dateRange
        let counts = columns.map { column, _ in
          let value = column.encoding.decoding(column.name.sqlName)
          let isNumber = "typeof(\(value)) IN ('integer', 'real')"
          return """
            sum(\(isNumber) AND NOT \(value) * 1e6 BETWEEN \(range.lowerBound) AND \(range.upperBound)),
            sum(\(isNumber) AND \(ValueEncoding.roundedToMicroseconds(value)) IS NOT \(value))
            """
        }
        try session.connection.forEachRow(
          "SELECT \(counts.joined(separator: ", ")) FROM \(relation.sqlTable(in: CopySession.source))"
        ) { row in
          for (position, property) in columns.map(\.property).enumerated() {
            let count = row.integer(at: 2 * position)
            if count > 0 { found.append("\(property): \(count.counted("date"))") }
            rounded += row.integer(at: 2 * position + 1)
          }
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
