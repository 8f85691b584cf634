package import DecantBase
package import DecantPlan
internal import DecantStore
package import DecantSQLite

/// The differences found by a comparison, in temporary tables of its connection, so that memory does not grow with
/// them.
package final class FoundDifferences {
  /// One object or link that differs, or several equal rows.
  package struct Item {
    package var step: CopyStep
    package var kind: DiffReport.Item.Kind
    /// The number of rows that the item represents.
    package var count: Int64 = 1
    /// The key of an object in either store, if it has one; for a link, the keys of its ends in the first store.
    package var keysInA: [Int64] = []
    package var keysInB: [Int64] = []
    /// The proven values that differ; for links and rows without integer keys, all proven values.
    ///
    /// Link values are keys of the second store.
    package var values: [Value] = []
    /// Whether its values are available.
    package var isShown = true
  }

  /// A value on both sides; `nil` on the side of a store that does not have the row.
  package struct Value {
    /// The assignment of the column, which defines the meaning of the value.
    package var assignment: CopyStep.Assignment
    package var a: Binding?
    package var b: Binding?
    /// Whether the sides differ in this value, or only one has it.
    package var differs: Bool
  }

  /// The maximum number of items kept for each entity and relationship.
  package let limit: Int
  private let finder: DifferenceFinder
  private let items: TemporaryTable
  private let values: TemporaryTable
  private var steps: [CopyStep] = []
  /// The number of rows, by the name of the entity or relationship.
  private var counts: [String: [DiffReport.Item.Kind: Int64]] = [:]
  private var kept: [String: Int] = [:]

  private var connection: Connection { finder.connection }

  init(of finder: DifferenceFinder, limit: Int) throws(SQLiteError) {
    (self.finder, self.limit) = (finder, max(limit, 0))
    items = try TemporaryTable(
      "(number INTEGER PRIMARY KEY, name, step, kind, count, a, a2, b)",
      on: finder.connection
    )
    values = try TemporaryTable("(item, position, a, b)", on: finder.connection)
    try finder.connection.run("CREATE INDEX \(items)_name ON \(items.name) (name, number)")
    try finder.connection.run("CREATE INDEX \(values)_item ON \(values.name) (item, position)")
  }

  /// Returns the number of rows of each kind that the items of `name` represent.
  package func counts(of name: String) -> [DiffReport.Item.Kind: Int64] { counts[name] ?? [:] }

  /// The number of items.
  package var count: Int { kept.values.reduce(0, +) }

  /// Starts a step; items added afterwards belong to it.
  func begin(_ step: CopyStep) { steps.append(step) }

  /// Returns whether another item of the entity or relationship `name` can be kept.
  func hasRoom(for name: String) -> Bool { kept[name, default: 0] < limit }

  /// Adds an item of the step that was started last.
  func add(
    _ kind: DiffReport.Item.Kind,
    of name: String,
    count: Int64 = 1,
    keysInA: [Int64] = [],
    keyInB: Int64? = nil
  ) throws(SQLiteError) {
    guard hasRoom(for: name) else { return }
    kept[name, default: 0] += 1
    counts[name, default: [:]][kind, default: 0] += count
    let keys = keysInA.map(Binding.integer)
    try connection.run(
      "INSERT INTO \(items) (name, step, kind, count, a, a2, b) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
      .text(name),
      .integer(Int64(steps.count - 1)),
      .text(kind.rawValue),
      .integer(count),
      keys.first ?? .null,
      keys.count > 1 ? keys[1] : .null,
      keyInB.map(Binding.integer) ?? .null
    )
  }

  /// Adds a link, or a row without integer key.
  func add(_ row: DifferenceFinder.RowDifference, of name: String) throws(SQLiteError) {
    guard hasRoom(for: name) else { return }
    try add(row.kind, of: name, count: row.count, keysInA: row.keys)
    let item = try connection.integer("SELECT max(number) FROM \(items)") ?? 0
    for (position, value) in row.values.enumerated() {
      try connection.run(
        "INSERT INTO \(values) VALUES (?1, ?2, ?3, ?4)",
        .integer(item),
        .integer(Int64(position)),
        value.here ?? .null,
        value.there ?? .null
      )
    }
  }

  /// Calls `body` with each item of `name` and `kind`, in the order in which they were found.
  package func forEach(
    of name: String,
    _ kind: DiffReport.Item.Kind,
    _ body: (Item) throws(DecantError) -> Void
  ) throws(DecantError) {
    let rows = try reading { () throws(SQLiteError) in
      let rows = try connection.prepare(
        "SELECT number, step, count, a, a2, b FROM \(items) WHERE name = ?1 AND kind = ?2 ORDER BY number"
      )
      try rows.bind([.text(name), .text(kind.rawValue)])
      return rows
    }
    while let item = try reading({ () throws(SQLiteError) in try item(rows, kind) }) { try body(item) }
  }

  private func reading<Result>(_ body: () throws(SQLiteError) -> Result) throws(DecantError) -> Result {
    try explaining("cannot read what differs", body)
  }

  private func item(_ rows: Statement, _ kind: DiffReport.Item.Kind) throws(SQLiteError) -> Item? {
    guard try rows.step() else { return nil }
    var item = Item(step: steps[Int(rows.integer(at: 1))], kind: kind, count: rows.integer(at: 2))
    item.keysInA = [3, 4].compactMap { rows.integerOrNil(at: $0) }
    item.keysInB = [5].compactMap { rows.integerOrNil(at: $0) }
    let assignments = item.step.assignments.filter { $0.proof != nil }
    if case .objects = item.step.kind {
      // The differing values are read again: they may be large, and are not kept.
      guard kind == .changed, let key = item.keysInA.first else { return item }
      item.values = try finder.changes(of: key, item.step).compactMap { change in
        assignments.first { $0.proof == change.proof }.map {
          Value(assignment: $0, a: change.here, b: change.there, differs: true)
        }
      }
      return item
    }
    let number = rows.integer(at: 0)
    try connection.forEachRow(
      "SELECT position, a, b FROM \(values) WHERE item = ?1 ORDER BY position",
      .integer(number)
    ) { row in
      let assignment = assignments[Int(row.integer(at: 0))]
      let (a, b) = (row.value(at: 1), row.value(at: 2))
      let isNumeric = assignment.proof?.isNumeric == true
      item.values.append(
        Value(
          assignment: assignment,
          a: kind == .onlyInB ? nil : a,
          b: kind == .onlyInA ? nil : b,
          differs: kind != .changed || !a.isSame(as: b, isNumeric: isNumeric)
        )
      )
    }
    item.isShown = !item.values.isEmpty || item.keysInA.count == 2
    return item
  }
}
