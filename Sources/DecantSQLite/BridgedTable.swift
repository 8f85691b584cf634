/// A table of another connection, as a bridge offers it.
final class BridgedTable: ModuleTable {
  let bridge: EncodingBridge
  let name: String
  /// A name by which the number of a row can be asked for; `nil` where rows have none.
  let rowID: String?
  let affinities: [Affinity]
  /// The columns by which rows are found without looking at all of them: the first of an index.
  private let indexed: Set<Int>
  /// Those by which one row is found at the most.
  private let unique: Set<Int>
  /// What turns texts from one encoding into the other, one at a time.
  let text = ExactText()
  private var queries: [Choice: BridgedQuery] = [:]

  /// Which of a scan's constraints are handed on: those with a bit.
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

  /// Whether values can be handed on for `constraint`: what the other side leaves out must not meet it.
  ///
  /// Not where texts are greater or less: SQLite compares their bytes, and in another encoding these have
  /// another order.
  override func accepts(_ constraint: Constraint) -> Bool {
    guard let column = constraint.column, !affinities[column].isNumeric else { return true }
    // A column of numbers on the other side of IN would turn these values into numbers.
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

  /// Returns the query that reads `scan` with some of its constraints.
  func query(_ scan: Scan, constraints: UInt64) -> BridgedQuery {
    let choice = Choice(scan: scan.number, constraints: constraints)
    if let query = queries[choice] { return query }
    let query = BridgedQuery(scan, constraints: constraints, of: self)
    queries[choice] = query
    return query
  }
}
