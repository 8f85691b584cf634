package import DecantBase
internal import DecantMatch
package import DecantPlan
package import DecantStore
package import DecantSQLite

/// One-to-one links of merged objects: both ends store them, and must agree.
///
/// Links that a mapping keeps are not changed at either end. A new object that links to an object without a partner
/// becomes its partner; if that object has another partner, the new object's link is cleared, as if an app had set the
/// other end. An existing object loses a partner that took the source's link to another object.
package struct SingleLinks {
  package let connection: Connection
  package let planning: Planning
  package let source: Layout
  package let destination: any DestinationStore

  package init(connection: Connection, planning: Planning, source: Layout, destination: any DestinationStore) {
    (self.connection, self.planning, self.source) = (connection, planning, source)
    self.destination = destination
  }

  /// The existing objects whose links changed: `root`, the root entity's name, and `key`.
  static let changed = #"temp."changed ends""#
  /// Links whose other end is written: `holder`, and `target`, which links back afterwards.
  private static let claims = #"temp."claimed ends""#

  /// Makes the ends agree.
  ///
  /// - Returns: The results for those that did not.
  /// - Throws: `DecantError` if the destination cannot be written.
  package func settle() throws(DecantError) -> Outcome {
    var outcome = Outcome()
    guard planning.plan.joinsObjects else { return outcome }
    try explaining("cannot count links") { () throws(SQLiteError) in
      try connection.run("CREATE TEMP TABLE \(SingleLinks.changed) (root TEXT, key INTEGER)")
      try connection.run("CREATE TEMP TABLE \(SingleLinks.claims) (holder INTEGER, target INTEGER PRIMARY KEY)")
    }
    let pairs = SingleLinkPair.all(destination.model, destination.layout)
    for step in [keep, fill, empty] {
      for pair in pairs {
        do throws(SQLiteError) {
          try step(pair, &outcome)
        } catch {
          throw DecantError("cannot resolve the links \(pair.property)", cause: error)
        }
      }
    }
    return outcome
  }

  // MARK: The steps

  /// Restores the other end of kept links, and clears it in objects that took it over.
  private func keep(_ pair: SingleLinkPair, _ outcome: inout Outcome) throws(SQLiteError) {
    guard let updated = planning.updatedKeys[pair.other.root],
      let kept = self.kept(pair.relation, pair.column, "o")
    else { return }
    let isKeptThere = self.kept(pair.other, pair.back, "t") ?? "0"
    let count = try claim(
      pair,
      where: [
        kept, "o.\(pair.column.name.sqlName) IN (SELECT k FROM (\(updated)))",
        "t.\(pair.back.name.sqlName) IS NOT o.\(pair.relation.keyName)", "NOT (\(isKeptThere))",
      ]
    )
    guard count > 0 else { return }
    let (table, key) = (pair.relation.table.sqlName, pair.relation.keyName)
    let losers = """
      \(table).\(key) IN (SELECT t.\(pair.back.name.sqlName) FROM main.\(pair.other.table.sqlName) AS t
      JOIN \(SingleLinks.claims) AS c ON c.target = t.\(pair.other.keyName)
      WHERE t.\(pair.back.name.sqlName) IS NOT c.holder)
      AND \(table).\(pair.column.name.sqlName) IN (SELECT target FROM \(SingleLinks.claims))
      AND NOT EXISTS (SELECT 1 FROM \(SingleLinks.claims) AS c WHERE c.holder = \(table).\(key))
      """
    try clear(pair, losers, &outcome, isThere: false)
    try give(pair)
  }

  /// Links objects without a partner back to new objects that link to them.
  private func fill(_ pair: SingleLinkPair, _ outcome: inout Outcome) throws(SQLiteError) {
    guard let written = written(pair) else { return }
    let isKeptThere = kept(pair.other, pair.back, "t") ?? "0"
    let count = try claim(
      pair,
      where: [
        "o.\(pair.relation.keyName) IN (\(written))", "t.\(pair.back.name.sqlName) IS NULL",
        "NOT (\(isKeptThere))",
      ]
    )
    guard count > 0 else { return }
    outcome.given[pair.opposite.description, default: 0] += count
    outcome.filledCount +=
      try connection.integer("SELECT count(*) FROM \(SingleLinks.claims) WHERE target <= \(counter(pair.other))") ?? 0
    try give(pair)
  }

  /// Clears the links whose other end leads elsewhere.
  private func empty(_ pair: SingleLinkPair, _ outcome: inout Outcome) throws(SQLiteError) {
    let (table, link) = (pair.relation.table.sqlName, pair.column.name.sqlName)
    let isHalf = """
      \(table).\(link) IS NOT NULL AND NOT EXISTS (SELECT 1 FROM main.\(pair.other.table.sqlName) AS b
      WHERE b.\(pair.other.keyName) = \(table).\(link)
      AND b.\(pair.back.name.sqlName) = \(table).\(pair.relation.keyName))
      """
    let key = "\(table).\(pair.relation.keyName)"
    if let written = written(pair) {
      try clear(pair, "\(key) IN (\(written)) AND \(isHalf)", &outcome, isThere: false)
    }
    guard planning.counters[pair.relation.root] != nil,
      let updated = planning.updatedKeys[pair.other.root]
    else { return }
    var conditions = [
      "\(key) <= \(counter(pair.relation))", "\(link) IN (SELECT k FROM (\(updated)))", isHalf,
    ]
    // An object that took values from the source already has the expected link, and kept links are not changed.
    if let own = planning.updatedKeys[pair.relation.root] {
      conditions.append("\(key) NOT IN (SELECT k FROM (\(own)))")
    }
    if let kept = self.kept(pair.relation, pair.column, table) {
      conditions.append("NOT (\(kept))")
    }
    try clear(pair, conditions.joined(separator: " AND "), &outcome, isThere: true)
  }

  // MARK: Statements

  /// Returns the SELECT of the keys of written objects that, in the source, link to an existing or a joined object.
  private func written(_ pair: SingleLinkPair) -> String? {
    guard let here = source.relation(of: pair.relation.root),
      let link = here.column(.target(pair.property)), source.relation(of: pair.other.root) != nil
    else { return nil }
    let (name, key) = (pair.relation.root.sqlText, "o.\(here.keyName)")
    let outcomes = [MergeOutcome.new, .keptBoth, .updated, .filled].map { Int64($0.rawValue) }
    return SelectStatement(
      columns: ["id(\(name), \(key))"],
      source: "\(here.sqlTable(in: CopySession.source)) AS o",
      conditions: [
        "\(here.value(of: link, in: "o")) IS NOT NULL",
        "was_merged(\(pair.other.root.sqlText), \(here.value(of: link, in: "o")))",
        "merge_outcome(\(name), \(key)) IN (\(outcomes.list))",
      ]
    ).sql
  }

  /// Returns the condition that the existing object `row` keeps `column`; `nil` if none does.
  private func kept(_ relation: Relation, _ column: RelationColumn, _ row: String) -> String? {
    guard planning.counters[relation.root] != nil,
      let step = planning.plan.steps.first(where: { $0.isObjects(of: relation.root) }),
      let codes = step.kept[column.name]
    else { return nil }
    let isThere = "\(row).\(relation.keyName) <= \(counter(relation))"
    guard !step.keepsAlways(column.name, relation), let code = relation.entityCode(in: row) else {
      return isThere
    }
    return "\(isThere) AND \(code) IN (\(codes.list))"
  }

  /// Returns the highest key of existing objects.
  private func counter(_ relation: Relation) -> Int64 {
    planning.counters[relation.root] ?? Int64.min
  }

  /// Records which links, `o`, set the other end, `t`; returns their number.
  private func claim(_ pair: SingleLinkPair, where conditions: [String]) throws(SQLiteError) -> Int64 {
    try connection.run("DELETE FROM \(SingleLinks.claims)")
    let link = "o.\(pair.column.name.sqlName)"
    try connection.run(
      """
      INSERT OR IGNORE INTO \(SingleLinks.claims)
      SELECT o.\(pair.relation.keyName), \(link) FROM main.\(pair.relation.table.sqlName) AS o
      JOIN main.\(pair.other.table.sqlName) AS t ON t.\(pair.other.keyName) = \(link)
      WHERE \(conditions.joined(separator: " AND ")) ORDER BY 1
      """
    )
    return connection.changeCount
  }

  /// Sets the links back of recorded targets.
  private func give(_ pair: SingleLinkPair) throws(SQLiteError) {
    let (table, key) = (pair.other.table.sqlName, pair.other.keyName)
    var sets = ["\(pair.back.name.sqlName) = c.holder"]
    if let entity = pair.backEntity?.name, let code = pair.relation.entityColumn {
      sets.append(
        "\(entity.sqlName) = (SELECT h.\(code.sqlName) FROM main.\(pair.relation.table.sqlName) AS h "
          + "WHERE h.\(pair.relation.keyName) = c.holder)"
      )
    }
    try connection.run(
      """
      UPDATE main.\(table) AS t SET \(sets.joined(separator: ", "))
      FROM \(SingleLinks.claims) AS c WHERE c.target = t.\(key)
      """
    )
    try note(pair.other, "\(key) IN (SELECT target FROM \(SingleLinks.claims))")
  }

  /// Clears the links of the rows that meet `condition`, and counts them.
  ///
  /// `isThere` says whether they existed before and took nothing from the source.
  private func clear(
    _ pair: SingleLinkPair,
    _ condition: String,
    _ outcome: inout Outcome,
    isThere: Bool
  ) throws(SQLiteError) {
    let table = pair.relation.table.sqlName
    let isAlone = """
      EXISTS (SELECT 1 FROM main.\(pair.other.table.sqlName) AS e
      WHERE e.\(pair.other.keyName) = \(table).\(pair.column.name.sqlName) AND e.\(pair.back.name.sqlName) IS NULL)
      """
    let isNew = "\(table).\(pair.relation.keyName) > \(counter(pair.relation))"
    let sums = try connection.prepare(
      "SELECT count(*), coalesce(sum(\(isAlone)), 0), coalesce(sum(\(isNew)), 0) FROM main.\(table) WHERE \(condition)"
    )
    guard try sums.step(), sums.integer(at: 0) > 0 else { return }
    let (count, alone, new) = (sums.integer(at: 0), sums.integer(at: 1), sums.integer(at: 2))
    sums.reset()
    if isThere {
      outcome.lostCount += count - alone
      outcome.endedCount += alone
    } else {
      outcome.takenCount += count - alone
      outcome.keptCount += alone
      if new > 0 { outcome.written[pair.property.description, default: 0] += new }
    }
    try note(pair.relation, condition)
    let columns = [pair.column.name, pair.entity?.name].compactMap { $0?.sqlName }
    try connection.run(
      "UPDATE main.\(table) SET \(columns.map { "\($0) = NULL" }.joined(separator: ", ")) WHERE \(condition)"
    )
  }

  /// Records that the rows of `relation` that meet `condition` are changed, if they existed before.
  private func note(_ relation: Relation, _ condition: String) throws(SQLiteError) {
    let table = relation.table.sqlName
    try connection.run(
      """
      INSERT INTO \(SingleLinks.changed)
      SELECT \(relation.root.sqlText), \(relation.keyName) FROM main.\(table)
      WHERE \(table).\(relation.keyName) <= \(counter(relation)) AND \(condition)
      """
    )
  }
}
