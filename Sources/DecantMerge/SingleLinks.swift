package import DecantBase
internal import DecantMatch
package import DecantPlan
package import DecantStore
package import DecantSQLite

/// Links from one to one where objects are merged: both ends hold them, and they have to agree.
///
/// What a mapping keeps stays, at both ends. A new object that leads to one without a partner becomes that; where it has
/// another partner the new one leads nowhere, as if an app had set the other end. One that was there loses a partner that
/// took the source's link to another object.
package struct SingleLinks {
  package let connection: Connection
  package let planning: Planning
  package let source: Layout
  package let destination: any DestinationStore

  package init(connection: Connection, planning: Planning, source: Layout, destination: any DestinationStore) {
    (self.connection, self.planning, self.source) = (connection, planning, source)
    self.destination = destination
  }

  /// The objects that were there and got or lost a link: `root`, the root entity's name, and `key`.
  static let changed = #"temp."changed ends""#
  /// Links of which the other end is written: `holder`, and `target`, which leads back afterwards.
  private static let claims = #"temp."claimed ends""#

  /// Has the ends agree.
  ///
  /// - Returns: What became of those that did not.
  /// - Throws: `DecantError` where the destination cannot be written.
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

  /// Gives back the other end of links that are kept, and takes it from whoever got it.
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

  /// Has objects without a partner lead back to what is new and leads to them.
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

  /// Empties the links whose other end leads elsewhere.
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
    // What took values of the source itself has what was expected, and what is kept stays.
    if let own = planning.updatedKeys[pair.relation.root] {
      conditions.append("\(key) NOT IN (SELECT k FROM (\(own)))")
    }
    if let kept = self.kept(pair.relation, pair.column, table) {
      conditions.append("NOT (\(kept))")
    }
    try clear(pair, conditions.joined(separator: " AND "), &outcome, isThere: true)
  }

  // MARK: What they are made of

  /// The select of the keys of what was written and leads, in the source, to what the destination had, or what
  /// counts as another one.
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

  /// Whether the object that was there, as `row`, keeps `column`; `nil` where none does.
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

  /// The highest key of what was there.
  private func counter(_ relation: Relation) -> Int64 {
    planning.counters[relation.root] ?? Int64.min
  }

  /// Notes which links, `o`, are to have the other end, `t`; returns how many.
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

  /// Has what is claimed lead back.
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

  /// Empties the links of the rows that meet `condition`, and counts them; `isThere` says whether they were there
  /// and took nothing of the source.
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

  /// Notes that the rows of `relation` which meet `condition` are changed, if they were there.
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
