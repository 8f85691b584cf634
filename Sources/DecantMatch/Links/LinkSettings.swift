internal import DecantPlan
internal import DecantStore
internal import DecantSQLite

/// A reader of a column whose values another column names, as `meta_value` and `meta_key`: under some names they may be
/// keys.
struct LinkSettings {
  /// The values under one name.
  struct Kind {
    let type: LinkType
    let scan: LinkScan
  }

  let pairs: LinkPairs
  let relation: Relation
  /// The column with the names.
  let nameColumn: String
  /// The column with the values as SQL, with texts of digits converted to numbers.
  let value: String

  /// The maximum number of names: with more, the column does not name kinds of values.
  private static let limit = 1_000
  /// The number of values from which they may be evidence without a name.
  private static let fewest: Int64 = 10

  /// Reads the values under names that have only integers.
  ///
  /// - Parameter candidates: Returns the tables that may have the values of a name as keys.
  /// - Returns: The values of each such name.
  /// - Throws: `SQLiteError` if the database cannot be read.
  func kinds(candidates: (LinkName) -> [LinkScan.Candidate]) throws(SQLiteError) -> [Kind] {
    let types = try integerTypes()
    guard !types.isEmpty else { return [] }
    let list = types.keys.map(\.sql).sorted().joined(separator: ", ")
    // One name after the other, so that only its own keys are counted at a time.
    let rows = try pairs.connection.prepare(
      "\(rows) WHERE n IN (\(list)) AND typeof(v) = 'integer' AND v > 0 ORDER BY n"
    )
    var kinds: [Kind] = []
    var current: (name: RowCondition.Literal, scan: LinkScan)?
    func end() {
      guard let (name, read) = current, let type = types[name] else { return }
      var scan = read
      scan.finish()
      if !scan.candidates.isEmpty { kinds.append(Kind(type: type, scan: scan)) }
    }
    while try rows.step() {
      let name = RowCondition.Literal(rows, 0)
      if current?.name != name {
        end()
        let read = LinkName(types[name]?.name ?? "")
        current = (name, LinkScan(candidates(read), isLinkLike: read.isLinkLike))
      }
      try current?.scan.add(rows.integer(at: 1))
    }
    end()
    return kinds
  }

  private var rows: String {
    "SELECT n, v FROM (SELECT \(nameColumn.sqlName) AS n, \(value) AS v FROM \(relation.sqlTable(in: pairs.schema)))"
  }

  /// Returns the names with only integers, if there are not too many.
  private func integerTypes() throws(SQLiteError) -> [RowCondition.Literal: LinkType] {
    let scan = LinkTypeScan(nameColumn, of: relation, pairs)
    var types: [RowCondition.Literal: LinkType] = [:]
    var count = 0
    try pairs.connection.forEachRow(
      """
      SELECT n, count(*) FROM (\(rows)) WHERE typeof(n) IN ('text', 'integer') AND v IS NOT NULL AND v IS NOT ''
      GROUP BY n HAVING min(typeof(v) = 'integer') AND min(v) >= 0 AND max(v) > 0 LIMIT \(Self.limit + 1)
      """
    ) { row throws(SQLiteError) in
      count += 1
      let name = RowCondition.Literal(row, 0)
      guard let type = try scan.type(of: name), Int64(type.name) == nil else { return }
      // A single value may be any number, unless its name is that of a key.
      let read = LinkName(type.name)
      let isKnown = KnownSettings.target(of: type.name, in: relation.root) != nil
      guard isKnown || read.isLinkLike || read.isPerson || row.integer(at: 1) >= Self.fewest
      else { return }
      types[name] = type
    }
    return count > Self.limit ? [:] : types
  }
}
