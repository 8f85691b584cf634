internal import DecantBase
internal import DecantPlan
internal import DecantStore
internal import DecantSQLite

/// The dates of one store that are compared rounded, because the columns of the other hold microseconds.
struct RoundedDates {
  private let stores: Sided<any SourceStore>

  init(_ source: any SourceStore, _ destination: any SourceStore) { stores = Sided(source, destination) }

  /// Returns a note for each store with such dates, which says how many there are.
  func notes(on connection: Connection) throws(DecantError) -> [ReportNote] {
    var notes: [ReportNote] = []
    for side in [MatchSide.source, .destination] {
      let (precise, other) = (stores[side], stores[side.other])
      let count = try explaining("cannot read the dates of “\(precise.identity.place)”") { () throws(SQLiteError) in
        try rounded(in: precise.layout, as: other.layout, side.schema, connection)
      }
      guard count > 0 else { continue }
      notes.append(
        ReportNote(
          .datesRounded,
          "\(count.counted("date")) of “\(precise.identity.place)” \(count == 1 ? "was" : "were") compared rounded to "
            + "microseconds, the precision of “\(other.identity.place)”"))
    }
    return notes
  }

  /// Returns the number of dates in `layout` that are more precise than `other`.
  private func rounded(in layout: Layout, as other: Layout, _ schema: String, _ connection: Connection)
    throws(SQLiteError) -> Int64
  {
    var count: Int64 = 0
    for relation in layout.relations {
      let counterpart = other.relation(of: relation.root)
      let sums = relation.columns.filter { column in
        column.type == .date && !column.isGenerated && !column.holdsMicroseconds
          && counterpart?.column(column.columnRole)?.holdsMicroseconds == true
      }.map { column in
        let value = column.encoding.decoding(relation.value(of: column))
        return "total(\(ValueEncoding.roundedToMicroseconds(value)) IS NOT \(value))"
      }
      guard !sums.isEmpty else { continue }
      try connection.forEachRow(
        "SELECT \(sums.joined(separator: " + ")) FROM \(relation.sqlTable(in: schema))"
      ) { count += Int64($0.real(at: 0)) }
    }
    return count
  }
}
