package import DecantBase
package import DecantMatch
package import DecantPlan
package import DecantStore
package import DecantSQLite

/// Conflicts of links by values with merged objects: the values are copied unchanged, and would miss an object that is
/// merged with an object of other values.
///
/// Such a merge is refused before anything is written, just as a database refuses to violate a foreign key.
package struct NonIntegerKeyConflict {
  package let connection: Connection
  /// The plan with the source's values unchanged.
  package let plan: CopyPlan
  package let layouts: Sided<Layout>
  package let schemas: Sided<String>
  /// Whether the destination has no objects, so that only source objects can be duplicates.
  package let isIntoNothing: Bool
  /// The common ancestor of both stores, if there is one.
  private let base: MergeBase?

  package init(
    connection: Connection,
    plan: CopyPlan,
    layouts: Sided<Layout>,
    schemas: Sided<String>,
    isIntoNothing: Bool,
    base: MergeBase?
  ) {
    (self.connection, self.plan, self.layouts) = (connection, plan, layouts)
    (self.schemas, self.isIntoNothing, self.base) = (schemas, isIntoNothing, base)
  }

  /// Source objects that have other values afterwards: `key`, and whether they stay `apart` from one of the destination.
  private static let led = #"temp."led targets""#
  /// Destination objects whose values change: `key`.
  private static let moved = #"temp."moved targets""#
  private static let takesValues = MergeOutcome.updated.rawValue

  /// Checks the links of every table.
  ///
  /// - Parameter ids: The ID table, with the merged objects.
  /// - Throws: `DecantError` of the family `.failed` for rows whose links would dangle or lead to another object.
  package func check(_ ids: IDTable) throws(DecantError) {
    for link in layouts.destination.nonIntegerKeys + layouts.destination.partialLinks {
      guard let target = NonIntegerKeyEnd(link.targetRoot, link.targetColumns, plan, layouts, schemas) else { continue }
      // Without it, only the destination has the link.
      let holder = NonIntegerKeyEnd(link.root, link.columns, plan, layouts, schemas)
      let matchedObjects = ids.map(of: target.root)?.matchedObjects
      let found = try explaining("cannot follow \(link.relationship)") {
        () throws(SQLiteError) -> Found? in
        guard target.hasKeys else {
          guard !isIntoNothing else { return nil }
          if let holder, let found = try pastRows(holder, target) { return found }
          return try changedRows(target, ids).flatMap { rows throws(SQLiteError) in try left(link, holder, rows) }
        }
        guard let matchedObjects else { return nil }
        return try past(link, holder, target, matchedObjects)
      }
      if let found { throw refusal(link, target, found) }
    }
  }

  /// Rows whose link target would be lost in a merge.
  private struct Found {
    var count: Int64
    /// The key of one of them, if they have keys.
    var first: Int64?
    /// Whether they are in the destination.
    var isThere: Bool
    /// Whether the target stays beside another object, which has its values.
    var isApart = false
  }

  private func refusal(_ link: NonIntegerKey, _ target: NonIntegerKeyEnd, _ found: Found) -> DecantError {
    let columns = link.targetColumns.joined(separator: ", ")
    let isOne = found.count == 1
    let there = found.isThere ? " of the destination" : ""
    let first = found.first.map {
      ", such as p\($0) of the \(found.isThere ? "destination" : "source")"
    }
    return DecantError(
      .linkBroken,
      "\(found.count.counted("row")) of \(link.root)\(there) \(isOne ? "refers" : "refer") through "
        + "\(link.columns.joined(separator: ", ")) to an object of \(target.root) "
        + (found.isThere
          ? "whose \(columns) would change"
          : found.isApart
            ? "that is added with another \(columns), as the destination has a different object with this one"
            : "that is merged with one that has a different \(columns)"),
      place: "the foreign key \(link.relationship)\(first ?? "")",
      remedy: found.isThere
        ? "keep the destination's: \(say: .merge, "\(target.root): skip"), or use keep: [\(columns)] in a mapping file"
        : found.isApart
          ? "give one of the two another \(columns) first, or decide which one stays: \(say: .conflicts)"
          : "identify \(target.root) by the referenced columns: \(say: .identity, "\(target.root): \(columns)"); or give both the same "
            + "values first"
    )
  }

  // MARK: Objects with keys

  private func past(
    _ link: NonIntegerKey,
    _ holder: NonIntegerKeyEnd?,
    _ target: NonIntegerKeyEnd,
    _ matchedObjects: MatchedObjects
  ) throws(SQLiteError) -> Found? {
    let count = matchedObjects.duplicates.count + matchedObjects.matched.count + (matchedObjects.keptCopies?.count ?? 0)
    guard count > 0 else { return nil }
    // SQLite cannot drop a table while a statement reads another one, as in a copy by batches.
    for table in [NonIntegerKeyConflict.led, NonIntegerKeyConflict.moved] {
      let name = table.dropFirst(5)
      try connection.run("CREATE TEMP TABLE IF NOT EXISTS \(name) (key INTEGER PRIMARY KEY, apart INTEGER)")
      try connection.run("DELETE FROM \(table)")
    }
    try findChanged(target, matchedObjects)
    if let holder, let found = try pastObjects(holder, target) { return found }
    guard !isIntoNothing else { return nil }
    return try left(
      link, holder, "(SELECT * FROM \(target.destination) WHERE k IN (SELECT key FROM \(NonIntegerKeyConflict.moved)))")
  }

  /// Returns rows of the source that refer to an object that has other values afterwards.
  private func pastObjects(_ holder: NonIntegerKeyEnd, _ target: NonIntegerKeyEnd) throws(SQLiteError) -> Found? {
    let led = try first(
      """
      SELECT \(holder.hasKeys ? "h.k" : "NULL") FROM \(holder.source) AS h
      JOIN \(target.source) AS p ON \(NonIntegerKeyEnd.leads("h", to: "p", holder.count))
      \(holder.hasKeys && !isIntoNothing ? "LEFT JOIN \(holder.destination) AS o ON o.k = \(holder.image("h.k"))" : "")
      WHERE p.k IN (SELECT key FROM \(NonIntegerKeyConflict.led)) AND \(writes(holder))
      """
    )
    guard let led else { return nil }
    let isApart =
      try connection.integer("SELECT EXISTS (SELECT 1 FROM \(NonIntegerKeyConflict.led) WHERE apart)") == 1
    return Found(count: led.count, first: led.key, isThere: false, isApart: isApart)
  }

  // MARK: Rows of the destination

  /// Returns rows of the destination that refer to one of the rows `changed`, whose values change, and that keep their
  /// link.
  private func left(_ link: NonIntegerKey, _ holder: NonIntegerKeyEnd?, _ changed: String) throws(SQLiteError) -> Found?
  {
    let own = layouts.destination.relation(of: link.root).map {
      (hasKeys: $0.keyColumn != nil, rows: NonIntegerKeyEnd.rows(of: link, $0, in: schemas.destination))
    }
    let whole = holder.map { (hasKeys: $0.hasKeys, rows: $0.hasKeys ? $0.destination : rowsThere($0)) }
    guard let rows = whole ?? own else { return nil }
    let found = try first(
      """
      SELECT \(rows.hasKeys ? "h.k" : "NULL") FROM \(rows.rows) AS h
      JOIN \(changed) AS d ON \(NonIntegerKeyEnd.leads("h", to: "d", link.columns.count))
      WHERE NOT (\(holder.map(takesValues) ?? "0"))
      """
    )
    return found.map { Found(count: $0.count, first: $0.key, isThere: true) }
  }

  /// Returns the rows of a target without integer keys whose values change; `nil` if none can.
  private func changedRows(_ target: NonIntegerKeyEnd, _ ids: IDTable) throws(SQLiteError) -> String? {
    let step = plan.steps[target.step]
    guard let policy = step.rowRule?.policy, [.update, .replace, .newest].contains(policy),
      ids.numberedRows?.roots.contains(target.root) != true, let same = target.identity,
      let (source, destination) = target.rows(with: same, outcome: CopyStep.rowOutcome(target.root, step))
    else { return nil }
    let taken = target.columns.indices.filter { index in
      step.rowValues.contains { $0.column == target.columns[index] }
    }
    guard !taken.isEmpty else { return nil }
    let isSame = same.indices.map { "p.i\($0) = d.i\($0)" }.joined(separator: " AND ")
    let differs = taken.map { "p.v\($0) IS NOT d.v\($0)" }.joined(separator: " OR ")
    return """
      (SELECT d.* FROM \(source) AS p JOIN \(destination) AS d ON \(isSame)
      WHERE p.outcome = \(NonIntegerKeyConflict.takesValues) AND (\(differs)))
      """
  }

  /// Returns the condition that the row `h` of the destination takes its values from the source.
  private func takesValues(_ holder: NonIntegerKeyEnd) -> String {
    guard !holder.hasKeys else {
      return """
        h.k IN (SELECT \(holder.image("s.k")) FROM \(holder.source) AS s
        WHERE \(holder.outcome("s.k")) = \(NonIntegerKeyConflict.takesValues))
        """
    }
    guard let same = movableIdentity(of: holder), let (source, _) = holder.rows(with: same) else { return "0" }
    let isSame = same.indices.map { "s.i\($0) = h.i\($0)" }.joined(separator: " AND ")
    return "EXISTS (SELECT 1 FROM \(source) AS s WHERE \(isSame))"
  }

  /// Returns the rows of a holder without integer keys in the destination, with their identity if it matters.
  private func rowsThere(_ holder: NonIntegerKeyEnd) -> String {
    movableIdentity(of: holder).flatMap { holder.rows(with: $0) }?.destination ?? holder.destination
  }

  /// Returns the identity of the rows of a holder without integer keys if an update can change their link, as it is not
  /// part of the identity.
  private func movableIdentity(of holder: NonIntegerKeyEnd) -> [String]? {
    let policy = (plan.mergeRules?.rules[holder.root] ?? plan.mergeRules?.rule)?.policy
    guard policy == .update || policy == .replace, let same = holder.identity,
      same.allSatisfy({ !holder.columns.contains($0) })
    else { return nil }
    return same
  }

  /// Returns the condition that the row `h` is written with its values, as a new row or over those of `o`.
  private func writes(_ holder: NonIntegerKeyEnd) -> String {
    guard holder.hasKeys else { return "1" }
    let outcome = holder.outcome("h.k")
    let new = [MergeOutcome.new, .keptBoth].map(\.rawValue)
    var writes = ["\(outcome) IN (\(new.list))"]
    guard !isIntoNothing else { return writes[0] }
    if !holder.columns.allSatisfy({ plan.steps[holder.step].keepsAlways($0, holder.relation) }) {
      writes.append("\(outcome) = \(NonIntegerKeyConflict.takesValues)")
    }
    let gaps = (0..<holder.count).map { "o.v\($0) IS NULL" }
    let filled = MergeOutcome.filled.rawValue
    writes.append("\(outcome) = \(filled) AND (\(gaps.joined(separator: " OR ")))")
    return "(\(writes.joined(separator: " OR ")))"
  }

  /// Finds the objects of `target` that have other values afterwards.
  private func findChanged(_ target: NonIntegerKeyEnd, _ matchedObjects: MatchedObjects) throws(SQLiteError) {
    let step = plan.steps[target.step]
    let isMade = "d.k IS NULL"
    let last = target.columns.enumerated().map { index, column -> String in
      let (own, there) = ("s.v\(index)", "d.v\(index)")
      if step.keepsAlways(column, target.relation) {
        return "CASE WHEN \(isMade) THEN \(own) ELSE \(there) END"
      }
      return """
        CASE WHEN \(isMade) THEN \(own) ELSE CASE \(target.outcome("s.k"))
        WHEN \(NonIntegerKeyConflict.takesValues) THEN \(own)
        WHEN \(MergeOutcome.filled.rawValue) THEN coalesce(\(there), \(own)) ELSE \(there) END END
        """
    }
    // If copies get values of their own, links to a copy would lead to its original, which is correct if the two are
    // versions of one object of the base.
    let rules = plan.mergeRules
    let policy = (rules?.rules[target.root] ?? rules?.rule)?.policy
    let isDistinct = (matchedObjects.distinctColumns + matchedObjects.titleColumns)
      .contains { target.columns.contains($0) }
    let isApart = isDistinct ? "\(target.outcome("p.k")) = \(MergeOutcome.keptBoth.rawValue)" : "0"
    let there = isIntoNothing ? "(SELECT NULL AS k\(target.nothing))" : target.destination
    let rows = """
      FROM \(target.source) AS p LEFT JOIN \(matchedObjects.duplicateTable) AS t ON t.source = p.k
      JOIN \(target.source) AS s ON s.k = coalesce(t.representative, p.k)
      LEFT JOIN \(there) AS d ON d.k = CASE WHEN is_there(\(target.root.sqlText), s.k) THEN \(target.image("s.k")) END
      """
    let differs = { (row: String) in
      last.enumerated().map { "\(row).v\($0) IS NOT (\($1))" }.joined(separator: " OR ")
    }
    try connection.run(
      """
      INSERT INTO \(NonIntegerKeyConflict.led) SELECT p.k, \(isApart) \(rows)
      WHERE (t.representative IS NOT NULL OR d.k IS NOT NULL) AND (\(differs("p"))) OR \(isApart)
      """
    )
    if policy == .threeWay, isDistinct, let base {
      var known: [Int64] = []
      try connection.forEachRow("SELECT key FROM \(NonIntegerKeyConflict.led) WHERE apart") { row throws(SQLiteError) in
        if try base.has(row.integer(at: 0), of: target.root) { known.append(row.integer(at: 0)) }
      }
      for key in known {
        try connection.run("DELETE FROM \(NonIntegerKeyConflict.led) WHERE key = ?1", .integer(key))
      }
    }
    guard !isIntoNothing else { return }
    try connection.run(
      """
      INSERT OR IGNORE INTO \(NonIntegerKeyConflict.moved) SELECT d.k, 0 \(rows)
      WHERE d.k IS NOT NULL AND (\(differs("d")))
      """
    )
  }

  // MARK: Rows without keys

  /// Returns rows that refer to a row without integer key that the destination has with other values.
  private func pastRows(_ holder: NonIntegerKeyEnd, _ target: NonIntegerKeyEnd) throws(SQLiteError) -> Found? {
    guard let same = target.identity, target.columns.contains(where: { !same.contains($0) }) else {
      return nil
    }
    guard let (source, destination) = target.rows(with: same) else { return nil }
    let isSame = same.indices.map { "p.i\($0) = d.i\($0)" }.joined(separator: " AND ")
    let differs = (0..<target.count).map { "p.v\($0) IS NOT d.v\($0)" }
    let found = try first(
      """
      SELECT \(holder.hasKeys ? "h.k" : "NULL") FROM \(holder.source) AS h
      JOIN \(source) AS p ON \(NonIntegerKeyEnd.leads("h", to: "p", holder.count))
      JOIN \(destination) AS d ON \(isSame)
      \(holder.hasKeys ? "LEFT JOIN \(holder.destination) AS o ON o.k = \(holder.image("h.k"))" : "")
      WHERE (\(differs.joined(separator: " OR "))) AND \(writes(holder))
      """
    )
    return found.map { Found(count: $0.count, first: $0.key, isThere: false) }
  }

  private func first(_ select: String) throws(SQLiteError) -> (count: Int64, key: Int64?)? {
    let row = try connection.prepare("SELECT count(*), min(k) FROM (SELECT 0 AS k WHERE 0 UNION ALL \(select))")
    guard try row.step(), row.integer(at: 0) > 0 else { return nil }
    return (row.integer(at: 0), row.integerOrNil(at: 1))
  }
}
