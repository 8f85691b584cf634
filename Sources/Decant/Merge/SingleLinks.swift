internal import SQLite

/// Links from one to one where objects are merged: both ends hold them, and they have to agree.
///
/// A new object that leads to one which has another partner already leads nowhere afterwards, as if an app had set the
/// other end. One that was there loses a partner that took the source's link to another object.
struct SingleLinks {
  let connection: Connection
  let planning: Planning
  let source: Layout
  let destination: any DestinationStore

  /// A relationship of which both ends are columns, seen from the end that is looked at.
  private struct Pair {
    /// The relationship, and the column that holds its links.
    let property: Property
    let relation: Relation
    let column: RelationColumn
    /// The other end.
    let other: Relation
    let back: RelationColumn
  }

  /// Has the plan expect what `settle` does, before anything is written.
  static func expect(in plan: inout CopyPlan, _ model: Model, _ source: Layout, _ layout: Layout) {
    for pair in pairs(model, layout) {
      guard let index = plan.steps.firstIndex(where: { $0.isObjects(of: pair.relation.root) }),
        let here = source.relation(of: pair.relation.root),
        let link = here.column(.target(pair.property)),
        source.relation(of: pair.other.root) != nil
      else { continue }
      let (root, own) = (pair.other.root.sqlText, pair.relation.root.sqlText)
      let target = here.value(of: link, in: here.table.sqlName)
      let key = "\(here.table.sqlName).\(here.keyName)"
      let isKept = """
        NOT was_merged(\(root), \(target)) OR EXISTS (SELECT 1 FROM main.\(pair.other.table.sqlName) AS b
        WHERE b.\(pair.other.keyName) = id(\(root), \(target)) AND b.\(pair.back.name.sqlName) = id(\(own), \(key)))
        """
      let columns = [
        pair.column.name, pair.relation.column(.targetEntity(pair.property))?.name,
      ]
      for position in plan.steps[index].assignments.indices
      where columns.contains(plan.steps[index].assignments[position].column) {
        guard let proof = plan.steps[index].assignments[position].proof else { continue }
        plan.steps[index].assignments[position].proof?.expected =
          "CASE WHEN \(isKept) THEN \(proof.expected) END"
      }
    }
  }

  /// The table of the objects that were there and lost a link: `root`, the root entity's name, and `key`.
  private static let released = #"temp."released ends""#

  /// Adds the objects that were there and lost a link to `updated`, SELECTs of keys `k` by root entity.
  static func addReleased(to updated: inout [String: String], on connection: Connection)
    throws(SQLiteError)
  {
    let isThere = "SELECT count(*) FROM temp.sqlite_schema WHERE name = 'released ends'"
    guard try connection.integer(isThere) == 1 else { return }
    let roots = try connection.prepare("SELECT DISTINCT root FROM \(released)")
    while try roots.step() {
      guard let root = roots.text(at: 0) else { continue }
      let keys = "SELECT key AS k FROM \(released) WHERE root = \(root.sqlText)"
      updated[root] = updated[root].map { "\($0) UNION \(keys)" } ?? keys
    }
  }

  /// What became of ends that did not agree.
  struct Outcome {
    /// How many objects that were written lead nowhere now, by relationship.
    var written: [String: Int64] = [:]
    /// How many that were there lost a partner.
    var thereCount: Int64 = 0

    /// What to tell of it.
    var notes: [String] {
      let count = written.values.reduce(0, +)
      var notes: [String] = []
      if count > 0 {
        notes.append(
          "\(count.counted("link")) from one to one \(count == 1 ? "stays" : "stay") empty: "
            + "what \(count == 1 ? "it leads" : "they lead") to keeps its own"
        )
      }
      if thereCount > 0 {
        notes.append(
          "\(thereCount.counted("object")) that \(thereCount == 1 ? "was" : "were") there lost a link from one to one "
            + "to what the source gave another one"
        )
      }
      return notes
    }
  }

  /// Empties the ends that do not agree.
  func settle() throws(DecantError) -> Outcome {
    var outcome = Outcome()
    guard planning.plan.joinsObjects else { return outcome }
    try explaining("cannot keep count of links") { () throws(SQLiteError) in
      try connection.run("CREATE TEMP TABLE \(SingleLinks.released) (root TEXT, key INTEGER)")
    }
    for pair in SingleLinks.pairs(destination.model, destination.layout) {
      try explaining("cannot settle the links \(pair.property)") { () throws(SQLiteError) in
        let count = try settleWritten(pair)
        if count > 0 { outcome.written[pair.property.description] = count }
        outcome.thereCount += try settleThere(pair)
      }
    }
    return outcome
  }

  private func settleWritten(_ pair: Pair) throws(SQLiteError) -> Int64 {
    guard let here = source.relation(of: pair.relation.root),
      let link = here.column(.target(pair.property)), source.relation(of: pair.other.root) != nil
    else { return 0 }
    let (name, key) = (pair.relation.root.sqlText, "o.\(here.keyName)")
    let target = "was_merged(\(pair.other.root.sqlText), \(here.value(of: link, in: "o")))"
    let outcomes = [MergeOutcome.new, .keptBoth, .updated, .filled].map { Int64($0.rawValue) }
    let written = SelectStatement(
      columns: ["id(\(name), \(key))"],
      source: "\(here.sqlTable(in: Workbench.source)) AS o",
      conditions: [
        "\(here.value(of: link, in: "o")) IS NOT NULL", target,
        "merge_outcome(\(name), \(key)) IN (\(outcomes.list))",
      ]
    ).sql
    let own = "\(pair.relation.table.sqlName).\(pair.relation.keyName)"
    return try empty(pair, ["\(own) IN (\(written))"])
  }

  private func settleThere(_ pair: Pair) throws(SQLiteError) -> Int64 {
    guard planning.counters[pair.relation.root] != nil,
      let updated = planning.updatedKeys[pair.other.root]
    else { return 0 }
    let key = "\(pair.relation.table.sqlName).\(pair.relation.keyName)"
    var conditions = [
      above(pair.relation, "<="),
      "\(pair.column.name.sqlName) IN (SELECT k FROM (\(updated)))",
    ]
    // What took values of the source itself has what was expected.
    if let own = planning.updatedKeys[pair.relation.root] {
      conditions.append("\(key) NOT IN (SELECT k FROM (\(own)))")
    }
    return try empty(pair, conditions, isThere: true)
  }

  private func above(_ relation: Relation, _ sign: String) -> String {
    let counter = planning.counters[relation.root] ?? Int64.min
    return "\(relation.table.sqlName).\(relation.keyName) \(sign) \(counter)"
  }

  /// Empties the links whose other end leads elsewhere, of the rows that meet `conditions`.
  private func empty(_ pair: Pair, _ conditions: [String], isThere: Bool = false)
    throws(SQLiteError) -> Int64
  {
    let table = pair.relation.table.sqlName
    let columns = [
      pair.column.name, pair.relation.column(.targetEntity(pair.property))?.name,
    ].compactMap { $0.map { "\($0.sqlName) = NULL" } }
    let link = "\(table).\(pair.column.name.sqlName)"
    let isHalf = """
      \(link) IS NOT NULL AND NOT EXISTS (SELECT 1 FROM main.\(pair.other.table.sqlName) AS b
      WHERE b.\(pair.other.keyName) = \(link)
      AND b.\(pair.back.name.sqlName) = \(table).\(pair.relation.keyName))
      """
    let condition = ([isHalf] + conditions).joined(separator: " AND ")
    if isThere {
      try connection.run(
        """
        INSERT INTO \(SingleLinks.released)
        SELECT \(pair.relation.root.sqlText), \(pair.relation.keyName) FROM main.\(table) WHERE \(condition)
        """
      )
    }
    try connection.run(
      "UPDATE main.\(table) SET \(columns.joined(separator: ", ")) WHERE \(condition)"
    )
    return connection.changeCount
  }

  /// Every relationship between one and one, from either end.
  private static func pairs(_ model: Model, _ layout: Layout) -> [Pair] {
    model.entities.flatMap { entity in
      entity.relationships.compactMap { relationship -> Pair? in
        let property = Property(entity.name, relationship.name)
        guard !relationship.isToMany, let inverse = model.inverse(of: relationship),
          !inverse.isToMany, let root = model.root(of: entity.name),
          let other = model.root(of: relationship.destination),
          let here = layout.relation(of: root.name), here.keyColumn != nil,
          let there = layout.relation(of: other.name), there.keyColumn != nil,
          let column = here.column(.target(property)),
          let back = model.lineage(of: relationship.destination).lazy.compactMap({
            there.column(.target(Property($0.name, inverse.name)))
          }).first
        else { return nil }
        return Pair(
          property: property,
          relation: here,
          column: column,
          other: there,
          back: back
        )
      }
    }
  }
}

extension CopyStep {
  /// Whether it copies the objects of `root`.
  fileprivate func isObjects(of root: String) -> Bool {
    if case .objects(root) = kind { true } else { false }
  }
}

/// The SQL function `was_merged(entity, key)`: whether the object of the source is one that the destination had before,
/// or counts as another one of the source.
final class MergedFunction: ObjectFunction {
  override func give(
    _ key: Int64,
    _ map: IDMap,
    _ arguments: borrowing FunctionArguments,
    _ result: borrowing FunctionResult
  ) throws(SQLiteError) {
    let isMerged =
      switch try map.outcome(of: key) {
      case .same, .skipped, .updated, .filled, .duplicate: true
      case .leftOut: try map.isThere(key)
      case .new, .keptBoth: false
      }
    result.set(isMerged ? Int64(1) : 0)
  }

  override func giveNone(
    _ arguments: borrowing FunctionArguments,
    _ result: borrowing FunctionResult
  ) {
    result.set(Int64(0))
  }
}
