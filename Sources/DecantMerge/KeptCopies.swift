internal import DecantBase
internal import DecantMatch
internal import DecantPlan
internal import DecantStore
internal import DecantSQLite

/// Gives objects that stay beside their like an identity of their own, and a title that can be seen.
///
/// Each gets the lowest number, from 2 on, under which nobody is known. Where the destination has an equal
/// object under it, the object came there in an earlier merge: it is that one.
struct KeptCopies {
  let connection: Connection
  let hashes: MatchHashes
  let pairs: ObjectPairs
  /// Root entities that are not matched yet: what leads to them does not count.
  let others: Set<String>
  /// Whether both may be listed as a conflict, instead.
  let isConflict: Bool

  private static let open = "temp.decant_open_copies"
  private static let tries = "temp.decant_tries"

  private var root: MatchRoot { pairs.root }

  /// Numbers all kept copies of the root entity, and enters the columns that tell them from their like.
  func settle() throws(DecantError) {
    let count = try explaining("cannot keep both of \(root.name)") { () throws(SQLiteError) in
      try connection.integer("SELECT count(*) FROM \(pairs.keptCopies) WHERE open") ?? 0
    }
    guard count > 0 else { return }
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

  /// Whether the identity of each open copy is another one with its present number than with the one before.
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

  /// Whether a part is told by its owner beside other values, as the line of a recipe by a code within that.
  private var isToldByOwner: Bool {
    guard !root.isKnownByContent else { return false }
    let owners = hashes.links(of: root).filter(\.isOwner).map(\.property.name)
    let entities = root.relations.destination.entities.flatMap { hashes.model.lineage(of: $0.name) }
    let all =
      root.identities.values.map(\.names)
      + entities.flatMap(\.uniquenessConstraints).filter { !$0.isEmpty }
    return all.allSatisfy { names in owners.contains { names.contains($0) } }
  }

  /// Settles the parts of other kept copies, which their owners tell: they need nothing of their own.
  ///
  /// Those that the destination has with this owner came there in an earlier merge.
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

  /// Finds out for each open double whether somebody is known under the number that it has at present.
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
        // Two kept copies under one number are two too many.
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

  /// Settles the kept copies whose number is free, and those that are there under it; the others get the next.
  private func settleNumbers(_ numbered: MatchRoot) throws(SQLiteError) {
    let (open, tries) = (KeptCopies.open, KeptCopies.tries)
    let rows = Sided { side in
      "(SELECT \(root.key(side)) AS k, "
        + "\(hashes.comparison(of: side == .source ? numbered : root, side, without: others)) AS h FROM \(root.table(side)))"
    }
    try connection.run("DELETE FROM \(open) WHERE source NOT IN (SELECT source FROM \(tries))")
    try connection.forEachRow(
      """
      SELECT t.source, t.partner FROM \(tries) AS t CROSS JOIN \(rows.source) AS l ON l.k = t.source
      CROSS JOIN \(rows.destination) AS d ON d.k = t.partner WHERE NOT t.taken AND l.h IS d.h
      """
    ) { row throws(SQLiteError) in
      let key = row.integer(at: 0)
      try pairs.add(key, row.integer(at: 1), .identity)
      try connection.run("UPDATE \(pairs.keptCopies) SET number = NULL WHERE source = \(key)")
      try connection.run("DELETE FROM \(open) WHERE source = \(key)")
    }
    try connection.run(
      "UPDATE \(pairs.keptCopies) SET number = number + 1 WHERE source IN (SELECT source FROM \(open))"
    )
  }

  // MARK: What tells kept copies apart

  /// The root entity with the values that kept copies get under their numbers.
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

  /// The columns of the destination in which kept copies differ from their like: of the identity the UUIDs, else
  /// the last text; and the titles.
  ///
  /// Values that lead to another row stay, and a part that its owner tells keeps all of its own.
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
      // Bytes tell objects apart where they are UUIDs.
      if chosen.isEmpty { chosen = own.filter { $0.type == .binary || $0.type == .undefined } }
      guard !chosen.isEmpty || !hasOwn else {
        throw unchangeable(entity.name, "\(identity.name) is neither text nor a UUID")
      }
      // Whatever else is promised to be unique has to differ as well.
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
    // What a title gets no part of another double gets.
    if isToldByOwner { (columns, titles) = ([], titles + columns.filter { !titles.contains($0) }) }
    return (columns, titles.filter { !columns.contains($0) })
  }

  private func attribute(_ name: String, of entity: String) -> RelationColumn? {
    hashes.model.lineage(of: entity).lazy
      .compactMap { root.relations.destination.column(.attribute(Property($0.name, name))) }.first
  }
}
