internal import DecantBase
internal import DecantMatch
internal import DecantPlan
internal import DecantStore
internal import DecantSQLite

/// Gives objects that are kept as additional copies an identity of their own, and a distinct title.
///
/// Each gets the lowest number, from 2, whose identity is not in use. If the destination has an equal object with this
/// number, an earlier merge added it, and the two are matched.
struct KeptCopies {
  let connection: Connection
  let hashes: MatchHashes
  let pairs: ObjectPairs
  /// Root entities that are not matched yet; links to them are ignored.
  let others: Set<String>
  /// Whether the two objects may be listed as a conflict instead.
  let isConflict: Bool

  private static let open = "temp.decant_open_copies"
  private static let tries = "temp.decant_tries"

  private var root: MatchRoot { pairs.root }

  /// Numbers all copies of the root entity, and records the columns that distinguish them from their originals.
  func settle() throws(DecantError) {
    let count = try explaining("cannot keep both of \(root.name)") { () throws(SQLiteError) in
      try connection.integer("SELECT count(*) FROM \(pairs.keptCopies) WHERE open") ?? 0
    }
    guard count > 0 else { return }
    if let other = hashes.continued(by: root) {
      throw unchangeable(root.name, "the key of a row of \(root.name) is that of a row of \(other.name)")
    }
    (pairs.distinctColumns, pairs.titleColumns) = try columns()
    let numbered = numbered()
    var isStuck = false
    try explaining("cannot keep both of \(root.name)") { () throws(SQLiteError) in
      try connection.run(
        "DELETE FROM \(pairs.table) WHERE source IN (SELECT source FROM \(pairs.keptCopies) WHERE open)"
      )
      try pairs.settle()
      let (open, tries) = (KeptCopies.open, KeptCopies.tries)
      try connection.run("CREATE TABLE IF NOT EXISTS \(open) (source INTEGER PRIMARY KEY, hash INTEGER)")
      try connection.run(
        "CREATE TABLE IF NOT EXISTS \(tries) (source INTEGER PRIMARY KEY, partner INTEGER, taken INTEGER)"
      )
      if isToldByOwner { try settleParts() }
      try connection.run("DELETE FROM \(open)")
      try connection.run("INSERT INTO \(open) (source) SELECT source FROM \(pairs.keptCopies) WHERE open")
      while try connection.integer("SELECT EXISTS (SELECT 1 FROM \(open))") == 1 {
        try connection.run("DELETE FROM \(tries)")
        isStuck = try !takesNumbers(numbered)
        if isStuck { break }
        try lookForNumbers(numbered)
        try settleNumbers(numbered)
      }
      try connection.run("UPDATE \(pairs.keptCopies) SET open = 0")
      try pairs.settle()
    }
    if isStuck { throw unchangeable(root.name, "its identity points to other objects") }
  }

  /// Returns whether the present number changes the identity of each open copy, compared with the previous number.
  private func takesNumbers(_ numbered: MatchRoot) throws(SQLiteError) -> Bool {
    let open = KeptCopies.open
    let rows = """
      SELECT \(hashes.identity(of: numbered, .source, byEntity: false) ?? "NULL") AS h, \(root.key(.source)) AS k
      FROM \(root.table(.source)) WHERE \(root.key(.source)) IN (SELECT source FROM \(open))
      """
    let same = try connection.integer(
      "SELECT EXISTS (SELECT 1 FROM (\(rows)) AS r JOIN \(open) AS o ON o.source = r.k WHERE o.hash = r.h)"
    )
    try connection.run("UPDATE \(open) AS o SET hash = r.h FROM (\(rows)) AS r WHERE r.k = o.source")
    return same == 0
  }

  private func unchangeable(_ entity: String, _ place: String) -> DecantError {
    DecantError(
      .unsupportedRequest,
      "cannot keep both objects of \(entity): nothing in their identity can be changed to tell them apart",
      place: "\(place)",
      remedy: (isConflict
        ? "list the conflicts and decide: \(say: .conflicts) FILE; or " : "")
        + "use another policy: \(say: .merge, "\(entity): skip")"
    )
  }

  /// Whether a part is identified by its owner and other values, like a line of a recipe by a code within the recipe.
  private var isToldByOwner: Bool {
    guard !root.isKnownByContent else { return false }
    let owners = hashes.links(of: root).filter(\.isOwner).map(\.property.name)
    let entities = root.relations.destination.entities.flatMap { hashes.model.lineage(of: $0.name) }
    let all =
      root.identities.values.map(\.names)
      + entities.flatMap(\.uniquenessConstraints).filter { !$0.isEmpty }
    return all.allSatisfy { names in owners.contains { names.contains($0) } }
  }

  /// Settles the parts of other copies, which are identified by their owners and need no number.
  ///
  /// Parts that the destination has with this owner were added by an earlier merge.
  private func settleParts() throws(SQLiteError) {
    let tries = KeptCopies.tries
    let isPart = "SELECT source FROM \(pairs.keptCopies) WHERE open AND isPart"
    let walk = try HashWalk(
      Sided { side in
        "SELECT \(hashes.identity(of: root, side, byEntity: false) ?? "NULL") AS h, \(root.key(side)) AS k "
          + "FROM \(root.table(side))\(side == .source ? " WHERE \(root.key(side)) IN (\(isPart))" : "")"
      },
      isReversed: false,
      on: connection
    )
    try connection.run("DELETE FROM \(tries)")
    let note = try connection.prepare("INSERT OR REPLACE INTO \(tries) VALUES (?1, ?2, 0)")
    while let (hash, key) = try walk.next() {
      guard let partner = try walk.partner(of: hash) else { continue }
      try note.run(.integer(key), .integer(partner))
    }
    try connection.forEachRow("SELECT source, partner FROM \(tries)") { row throws(SQLiteError) in
      try pairs.add(row.integer(at: 0), row.integer(at: 1), .identity)
    }
    try connection.run(
      "UPDATE \(pairs.keptCopies) SET number = NULL WHERE open AND source IN (SELECT source FROM \(tries))"
    )
    try connection.run("UPDATE \(pairs.keptCopies) SET open = 0 WHERE open AND isPart")
  }

  /// Finds out for each open copy whether the identity with its present number is in use.
  private func lookForNumbers(_ numbered: MatchRoot) throws(SQLiteError) {
    let own =
      "SELECT \(hashes.identity(of: numbered, .source, byEntity: false) ?? "NULL") AS h, \(root.key(.source)) AS k "
      + "FROM \(root.table(.source)) "
      + "WHERE \(root.key(.source)) IN (SELECT source FROM \(KeptCopies.open))"
    let note = try connection.prepare("INSERT OR REPLACE INTO \(KeptCopies.tries) VALUES (?1, ?2, ?3)")
    for side in [MatchSide.destination, .source] {
      let others =
        "SELECT \(hashes.identity(of: root, side, byEntity: false) ?? "NULL") AS h, \(root.key(side)) AS k "
        + "FROM \(root.table(side))"
      let walk = try HashWalk(Sided(own, others), isReversed: false, on: connection)
      var last: Int64?
      while let (hash, key) = try walk.next() {
        let partner = try walk.partner(of: hash)
        // Two copies with the same number are not allowed.
        let isTaken = hash == last || (partner != nil && side == .source)
        last = hash
        if isTaken || partner != nil {
          try note.run(
            .integer(key),
            side == .destination ? partner.map { .integer($0) } ?? .null : .null,
            .integer(isTaken ? 1 : 0)
          )
        }
      }
    }
  }

  /// Settles the copies whose number is free, and those that already exist with it; the others get the next number.
  private func settleNumbers(_ numbered: MatchRoot) throws(SQLiteError) {
    let (open, tries) = (KeptCopies.open, KeptCopies.tries)
    let rows = Sided { side in
      let hash = hashes.comparison(of: side == .source ? numbered : root, side, without: others) { link in
        // A copy may lead to itself, or to others that are looked for at the same time.
        guard link.target == root.name else { return nil }
        let key = root.relations[side].value(of: link.columns[side], in: root.relations[side].table.sqlName)
        let isTarget = "c.\(side == .source ? "source" : "partner") = \(key)"
        return "(SELECT 'copy ' || c.partner FROM \(tries) AS c WHERE \(isTarget) AND NOT c.taken LIMIT 1)"
      }
      return "(SELECT \(root.key(side)) AS k, \(hash) AS h FROM \(root.table(side)))"
    }
    try connection.run("DELETE FROM \(open) WHERE source NOT IN (SELECT source FROM \(tries))")
    let equal = """
      SELECT t.source, t.partner FROM \(tries) AS t CROSS JOIN \(rows.source) AS l ON l.k = t.source
      CROSS JOIN \(rows.destination) AS d ON d.k = t.partner WHERE NOT t.taken
      """
    repeat {
      // Where one differs, so do those that lead to it.
      try connection.run(
        "UPDATE \(tries) SET taken = 1 WHERE source IN (SELECT source FROM (\(equal) AND l.h IS NOT d.h))"
      )
    } while connection.changeCount > 0
    try connection.forEachRow(equal) { row throws(SQLiteError) in
      let key = row.integer(at: 0)
      try pairs.add(key, row.integer(at: 1), .identity)
      try connection.run("UPDATE \(pairs.keptCopies) SET number = NULL WHERE source = \(key)")
      try connection.run("DELETE FROM \(open) WHERE source = \(key)")
    }
    try connection.run(
      "UPDATE \(pairs.keptCopies) SET number = number + 1 WHERE source IN (SELECT source FROM \(open))"
    )
  }

  // MARK: Distinguishing values

  /// Returns the root entity with the values that copies get with their numbers.
  private func numbered() -> MatchRoot {
    let number =
      "SELECT o.number FROM \(pairs.keptCopies) AS o WHERE o.source = "
      + "\(root.relations.source.table.sqlName).\(root.key(.source))"
    return root.replacing { step in
      for index in step.assignments.indices {
        let isTitle = pairs.titleColumns.contains(step.assignments[index].column)
        guard isTitle || pairs.distinctColumns.contains(step.assignments[index].column),
          let expected = step.assignments[index].proof?.expected
        else { continue }
        let own = isTitle ? "\(number) AND NOT o.isPart" : number
        step.assignments[index].proof?.expected =
          "CASE WHEN (\(own)) IS NULL THEN \(expected) ELSE another(\(expected), (\(own))) END"
      }
    }
  }

  /// Returns the columns of the destination in which copies differ from their originals: the UUIDs of the identity, or
  /// otherwise its last text; and the title columns.
  ///
  /// Values that refer to another row are kept, and so are all values of a part identified by its owner.
  private func columns() throws(DecantError) -> (distinct: [String], titles: [String]) {
    var (columns, titles): ([String], [String]) = ([], [])
    let leading = hashes.layouts.destination.nonIntegerKeys.filter { $0.root == root.name }
      .flatMap(\.columns)
    let isToldByOwner = isToldByOwner
    var hasOwn = true
    if isToldByOwner {
      hasOwn = try explaining("cannot keep both of \(root.name)") { () throws(SQLiteError) in
        try connection.integer("SELECT EXISTS (SELECT 1 FROM \(pairs.keptCopies) WHERE open AND NOT isPart)") == 1
      }
    }
    for entity in root.relations.destination.entities {
      guard let identity = root.identities[entity.code] else { continue }
      let own = identity.attributes.compactMap { root.relations.destination.column(.attribute($0)) }
        .filter { !leading.contains($0.name) }
      var chosen = own.filter { $0.type == .uuid }
      if chosen.isEmpty { chosen = own.filter { $0.type == .string }.suffix(1) }
      // BLOB columns qualify if their values are UUIDs.
      if chosen.isEmpty { chosen = own.filter { $0.type == .binary || $0.type == .undefined } }
      guard !chosen.isEmpty || !hasOwn else {
        throw unchangeable(entity.name, "\(identity.name) is neither text nor a UUID")
      }
      // Other unique constraints must be satisfied as well.
      for constraint in hashes.model.lineage(of: entity.name).flatMap(\.uniquenessConstraints) {
        let own = constraint.compactMap { attribute($0, of: entity.name) }
        guard !own.contains(where: chosen.contains) else { continue }
        let uuids = own.filter { $0.type == .uuid }
        chosen += uuids.isEmpty ? own.filter { $0.type == .string }.suffix(1) : uuids
      }
      for column in chosen where !columns.contains(column.name) { columns.append(column.name) }
      let title = root.relations.destination.titleColumn(of: entity.name, in: hashes.model)
      if let title, !titles.contains(title.name) { titles.append(title.name) }
    }
    // Parts of other copies do not get the values of title columns.
    if isToldByOwner { (columns, titles) = ([], titles + columns.filter { !titles.contains($0) }) }
    return (columns, titles.filter { !columns.contains($0) })
  }

  private func attribute(_ name: String, of entity: String) -> RelationColumn? {
    hashes.model.lineage(of: entity).lazy
      .compactMap { root.relations.destination.column(.attribute(Property($0.name, name))) }.first
  }
}
