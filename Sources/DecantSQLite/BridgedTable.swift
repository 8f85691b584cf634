/// A table of another connection, as provided by a bridge.
final class BridgedTable: ModuleTable {
  let bridge: EncodingBridge
  let name: String
  /// A name of the rowid; `nil` if rows have none.
  let rowID: String?
  let affinities: [Affinity]
  /// The columns by which rows are found without a full scan: the first of an index.
  private let indexed: Set<Int>
  /// The columns whose values identify at most one row.
  private let unique: Set<Int>
  /// The converter between the text encodings.
  let text = ExactText()
  private var queries: [Choice: BridgedQuery] = [:]

  /// A scan and the bits of its constraints that are passed on.
  struct Choice: Hashable {
    var scan: Int32
    var constraints: UInt64
  }

  init(_ description: TableDescription, from bridge: EncodingBridge) {
    self.bridge = bridge
    name = description.name
    rowID = description.rowID
    affinities = description.affinities
    indexed = description.indexed
    unique = description.unique
    super.init(columns: description.columns, primaryKey: description.hasRowID ? [] : description.primaryKey)
  }

  /// Returns whether values can be passed on for `constraint`: rows that the other connection omits must not match it.
  ///
  /// Texts cannot be compared by order: SQLite compares their bytes, whose order differs between encodings.
  override func accepts(_ constraint: Constraint) -> Bool {
    guard let column = constraint.column, !affinities[column].isNumeric else { return true }
    // A numeric column on the other side of IN would convert these values to numbers.
    return constraint.comparison == .equal && !constraint.isOneOfMany
  }

  override func effort(of scan: Scan) -> Effort {
    var effort = Effort(cost: 2_000_000, rowCount: 1_000_000)
    for constraint in scan.constraints {
      let isEqual = constraint.comparison == .equal
      if isEqual, constraint.column.map(unique.contains) ?? true {
        return Effort(cost: 10, rowCount: 1)
      }
      let isIndexed = constraint.column.map(indexed.contains) ?? true
      effort.rowCount = max(effort.rowCount / (isEqual ? 100 : 4), 1)
      if isIndexed { effort.cost = max(effort.cost / (isEqual ? 1000 : 4), 10) }
    }
    return effort
  }

  override func makeCursor() throws(SQLiteError) -> ModuleCursor { BridgedCursor(self) }

  /// Returns the query that reads `scan` with a subset of its constraints.
  func query(_ scan: Scan, constraints: UInt64) -> BridgedQuery {
    let choice = Choice(scan: scan.number, constraints: constraints)
    if let query = queries[choice] { return query }
    let query = BridgedQuery(scan, constraints: constraints, of: self)
    queries[choice] = query
    return query
  }
}
