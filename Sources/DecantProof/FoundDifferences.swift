package import DecantBase
package import DecantPlan
internal import DecantStore
package import DecantSQLite

/// What a comparison found that differs, in temporary tables of its connection: memory does not grow with it.
package final class FoundDifferences {
  /// One object or link that differs, or several rows that are alike.
  package struct Item {
    package var step: CopyStep
    package var kind: DiffReport.Item.Kind
    /// How many rows it stands for.
    package var count: Int64 = 1
    /// The key in either store of an object that has one; of a link the keys of its ends in the first store.
    package var keysInA: [Int64] = []
    package var keysInB: [Int64] = []
    /// The proven values that differ; of links, and of rows that no integer names, all of them.
    ///
    /// Links lead to keys of the second store.
    package var values: [Value] = []
    /// Whether values of it could be had at all.
    package var isShown = true
  }

  /// A value on both sides; `nil` on that of a store that does not have the row.
  package struct Value {
    /// What fills the column, which says what the value is.
    package var assignment: CopyStep.Assignment
    package var a: Binding?
    package var b: Binding?
    /// Whether the two sides differ in it, or only one has it.
    package var differs: Bool
  }

  /// How many of each entity and relationship are kept.
  package let limit: Int
  private let finder: DifferenceFinder
  private let items: TemporaryTable
  private let values: TemporaryTable
  private var steps: [CopyStep] = []
  /// What is kept, by the name of the entity or relationship.
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

  /// How many rows of each kind the items of `name` stand for.
  package func counts(of name: String) -> [DiffReport.Item.Kind: Int64] { counts[name] ?? [:] }

  /// How many items there are.
  package var count: Int { kept.values.reduce(0, +) }

  /// Begins what is found in `step`.
  func begin(_ step: CopyStep) { steps.append(step) }

  /// Whether there is room for one more of the entity or relationship `name`.
  func hasRoom(for name: String) -> Bool { kept[name, default: 0] < limit }

  /// Keeps one more, of the step that was begun last.
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

  /// Keeps a row that has no integer key, or a link.
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
      // What differs is asked for again: its values may be large, and are not kept.
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
