internal import SQLite

/// Finds the objects that a copy takes: breadth first, from those that were asked for.
///
/// Who was met is kept on disk, and each object is met once, so that neither a circle nor a million objects
/// matter.
final class ClosureSearch {
  private let connection: Connection
  private let plan: ClosurePlan
  /// The conditions that every object must meet.
  private let filters: [CopyPlan.EntityFilter]
  private let views: EntityViews
  private let schema: String
  /// The store, as the user named it.
  private let place: String
  private let tables: ClosureTables
  private let links: ClosureLinks
  /// The relationships of which links are counted.
  private let bounded: [LinkDirection]
  private var insertions: [Insertion: Statement] = [:]
  private var settlements: [Insertion: Statement] = [:]
  private var counts: [String: Int64] = [:]

  /// What a prepared statement is for: a part of a path, or a relation, at one of two turns.
  private struct Insertion: Hashable {
    var number: Int
    var part: Int
    var turn: Int
  }

  init(
    _ plan: ClosurePlan,
    filters: [CopyPlan.EntityFilter],
    views: EntityViews,
    schema: String,
    place: String,
    on connection: Connection
  ) {
    self.plan = plan
    self.filters = filters
    self.views = views
    self.schema = schema
    self.place = place
    self.connection = connection
    bounded = plan.bounded
    tables = ClosureTables(views.layout, schema: schema, boundCount: bounded.count)
    links = ClosureLinks(plan.paths, tables, on: connection)
  }

  /// Returns the closure, proven: each object in it was asked for or is led to by a link that is followed.
  func run() throws(DecantError) -> Closure {
    try explaining("cannot prepare the search from --root") { () throws(SQLiteError) in
      try tables.make(on: connection)
      for rows in tables.objects { try allow(rows) }
      for path in plan.paths.indices { try meet(path) }
    }
    for root in plan.roots { try begin(root) }
    return try explaining("cannot follow the links from --root") { () throws(SQLiteError) in
      let depth = try follow()
      // The statements hold no more than their text, but the tables are read by others now.
      (insertions, settlements) = ([:], [:])
      try ClosureCheck(plan, tables, links, on: connection).run()
      return try Closure(plan, tables, counts: counts, depth: depth, on: connection)
    }
  }

  // MARK: Where it begins

  /// Lists the objects of `rows` that may be taken, where that is needed.
  private func allow(_ rows: ObjectRows) throws(SQLiteError) {
    let own = filters.filter { $0.root == rows.relation.root }
    guard isListed(rows.relation.root), rows.areKnown else { return }
    let allowed = ClosureTables.allowed(rows.place)
    try tables.empty(allowed, "(key INTEGER PRIMARY KEY)", on: connection)
    for entity in rows.relation.entities {
      let conditions = own.filter { $0.entities.contains(entity.name) }.map(\.expression)
      guard let select = numbers(of: rows, entity.name, conditions) else { continue }
      try connection.run("INSERT OR IGNORE INTO \(allowed) (key) \(select)")
    }
  }

  /// Lists the objects that links of a path may lead to, where it has a condition.
  private func meet(_ path: Int) throws(SQLiteError) {
    guard let condition = plan.paths[path].condition,
      let rows = tables.rows(of: plan.paths[path].to),
      rows.areKnown
    else { return }
    let met = ClosureTables.met(path)
    try tables.empty(met, "(key INTEGER PRIMARY KEY)", on: connection)
    for entity in rows.relation.entities where condition.entities.contains(entity.name) {
      guard let select = numbers(of: rows, entity.name, [condition.expression]) else { continue }
      try connection.run("INSERT OR IGNORE INTO \(met) (key) \(select)")
    }
  }

  /// The statement that reads the numbers of the objects of exactly `entity` that meet `conditions`.
  private func numbers(of rows: ObjectRows, _ entity: String, _ conditions: [String]) -> String? {
    guard let objects = views.objects(of: entity, in: schema) else { return nil }
    let chosen = SelectStatement(
      columns: [rows.keyColumns == nil ? EntityView.key : "*"],
      source: objects,
      conditions: conditions.map { "(\($0)\n)" }
    ).sql
    guard let columns = rows.keyColumns else { return chosen }
    let same = columns.enumerated().map { "n.k\($0) = o.\($1.sqlName)" }
    return SelectStatement(
      columns: ["n.number"],
      source: "(\(chosen)) AS o CROSS JOIN \(rows.numbers) AS n",
      conditions: same
    ).sql
  }

  private func begin(_ root: CopyPlan.EntityFilter) throws(DecantError) {
    guard let rows = tables.rows(of: root.root), rows.areKnown else {
      throw DecantError(
        .usage,
        "the rows of \(root.entity) cannot be told from one another, so none can be asked for",
        place: root.origin?.place ?? "--root \("\(root.entity): \(root.expression)".shellQuoted)",
        remedy: "choose them with --where instead"
      )
    }
    let isFound = try explaining("cannot look for the objects of --root \(root.entity)") {
      () throws(SQLiteError) -> Bool in
      var isFound = false
      for entity in rows.relation.entities where root.entities.contains(entity.name) {
        guard var select = numbers(of: rows, entity.name, [root.expression]) else { continue }
        if isListed(rows.relation.root) {
          select =
            "SELECT key FROM \(ClosureTables.allowed(rows.place)) WHERE key IN (\(select))"
        }
        let wave = ClosureTables.wave(rows.place, 0)
        try connection.run("INSERT OR IGNORE INTO \(wave) (key) \(select)")
        // What an earlier --root has found is found as well.
        if connection.changeCount > 0 { isFound = true }
        if !isFound { isFound = try connection.integer("SELECT 1 FROM (\(select)) LIMIT 1") != nil }
      }
      return isFound
    }
    guard !isFound else { return }
    throw DecantError(
      .usage,
      "no \(root.entity) in “\(place)” meets the condition of \(root.origin == nil ? "--root" : "the share")",
      place: root.origin?.place ?? "--root \("\(root.entity): \(root.expression)".shellQuoted)",
      remedy: "look at what there is: decant query \(place.shellWord) "
        + "'SELECT * FROM \(root.entity)'"
    )
  }

  /// Whether the objects that may be taken are listed in a work table: where not all may be, and where the store
  /// cannot be asked for one alone, as it is fed row by row.
  private func isListed(_ root: String) -> Bool {
    isFed || filters.contains { $0.root == root }
  }

  private var isFed: Bool { connection.reader(of: schema) !== connection }

  // MARK: Where links lead

  /// Follows all links; returns how far they led.
  private func follow() throws(SQLiteError) -> Int64 {
    let paths = plan.paths.indices.filter { plan.paths[$0].rule == .follow }
    let byStart = Dictionary(grouping: paths) { plan.paths[$0].from }
    var distance: Int64 = 0
    var furthest: Int64 = 0
    var turn = 0
    var found = Dictionary(
      uniqueKeysWithValues: tables.objects.map { ($0.relation.root, Int64(1)) }
    )
    while true {
      // What was found is entered; from there it goes on.
      for rows in tables.objects where found[rows.relation.root] ?? 0 > 0 {
        let count = try settle(rows, distance, turn)
        if bounded.isEmpty { found[rows.relation.root] = count }
        if count > 0 { furthest = distance }
        counts[rows.relation.root, default: 0] += count
      }
      guard found.values.contains(where: { $0 > 0 }) else { return furthest }
      var next: [String: Int64] = [:]
      for rows in tables.objects {
        let root = rows.relation.root
        guard found[root] ?? 0 > 0 else { continue }
        for path in byStart[root] ?? [] {
          next[plan.paths[path].to, default: 0] += try insert(path, rows, turn)
        }
        try connection.run("DELETE FROM \(ClosureTables.wave(rows.place, turn))")
      }
      found = next
      distance += 1
      turn = 1 - turn
    }
  }

  /// Enters the objects of a wave, `distance` links away; returns how many are new.
  ///
  /// Where links are counted, those that were met before and lie on a way with fewer of them are in the wave, too.
  private func settle(_ rows: ObjectRows, _ distance: Int64, _ turn: Int) throws(SQLiteError)
    -> Int64
  {
    guard bounded.isEmpty else { return try settleCounted(rows, distance, turn) }
    let use = Insertion(number: rows.place, part: 0, turn: turn)
    let statement: Statement
    if let known = settlements[use] {
      statement = known
    } else {
      statement = try connection.prepare(
        """
        INSERT INTO \(ClosureTables.members(rows.place)) (key, parent, via, distance)
        SELECT key, parent, via, ?1 FROM \(ClosureTables.wave(rows.place, turn)) ORDER BY key
        """
      )
      settlements[use] = statement
    }
    try statement.run(.integer(distance))
    return connection.changeCount
  }

  /// As `settle`, of objects that may have been met before.
  private func settleCounted(_ rows: ObjectRows, _ distance: Int64, _ turn: Int)
    throws(SQLiteError) -> Int64
  {
    let (members, wave) = (
      ClosureTables.members(rows.place), ClosureTables.wave(rows.place, turn)
    )
    let depths = tables.depths
    let least = depths.map { "\($0) = min(w.\($0), m.\($0))" }.joined(separator: ", ")
    try connection.run(
      "UPDATE \(wave) AS w SET \(least) FROM \(members) AS m WHERE m.key = w.key"
    )
    let columns = (["key", "parent", "via"] + depths).joined(separator: ", ")
    let settlement = try connection.prepare(
      """
      INSERT INTO \(members) (\(columns), distance) SELECT \(columns), ?1 FROM \(wave)
      WHERE key NOT IN (SELECT key FROM \(members)) ORDER BY key
      """
    )
    try settlement.run(.integer(distance))
    let count = connection.changeCount
    let better = depths.map { "\($0) = w.\($0)" }.joined(separator: ", ")
    try connection.run(
      "UPDATE \(members) AS m SET \(better) FROM \(wave) AS w WHERE m.key = w.key"
    )
    return count
  }

  /// The number of the relationship whose links a path is, where they are counted.
  private func bound(of path: Int) -> Int? {
    plan.paths[path].depth.flatMap { _ in bounded.firstIndex(of: plan.paths[path].name) }
  }

  /// Finds what the links of a path lead to from the objects of a wave; returns how many objects are new.
  private func insert(_ path: Int, _ start: ObjectRows, _ turn: Int) throws(SQLiteError) -> Int64 {
    guard let end = tables.rows(of: plan.paths[path].to), end.areKnown else { return 0 }
    var count: Int64 = 0
    for (part, rows) in try links.rows(of: path).enumerated() {
      let use = Insertion(number: path, part: part, turn: turn)
      let statement: Statement
      if let known = insertions[use] {
        statement = known
      } else {
        var select = rows.select(
          [rows.to, "w.key", "\(path)"],
          from: ClosureTables.wave(start.place, turn)
        )
        select.conditions += ["typeof(\(rows.to)) = 'integer'", isThere(rows.to, end)]
        if plan.paths[path].condition != nil {
          let met = ClosureTables.met(path)
          select.conditions.append(
            "EXISTS (SELECT 1 FROM \(met) AS c WHERE c.key = \(rows.to))"
          )
        }
        statement = try connection.prepare(
          insertion(of: select, to: rows.to, along: path, into: end, turn)
        )
        insertions[use] = statement
      }
      try statement.run()
      count += connection.changeCount
    }
    return count
  }

  /// The statement that enters into the next wave what is new there.
  private func insertion(
    of found: SelectStatement,
    to key: String,
    along path: Int,
    into end: ObjectRows,
    _ turn: Int
  ) -> String {
    var select = found
    var names = ["key", "parent", "via"]
    let wave = ClosureTables.wave(end.place, 1 - turn)
    let members = "\(ClosureTables.members(end.place)) AS m"
    guard !bounded.isEmpty else {
      select.conditions.append("NOT EXISTS (SELECT 1 FROM \(members) WHERE m.key = \(key))")
      return select.inserting(into: wave, columns: names, or: "IGNORE")
    }
    let depths = tables.depths
    let own = bound(of: path)
    let counted = depths.enumerated().map { "w.\($1)" + ($0 == own ? " + 1" : "") }
    select.columns += counted
    names += depths
    if let own, let depth = plan.paths[path].depth {
      select.conditions.append("w.\(depths[own]) < \(depth)")
    }
    // Who was met on a way with as few links of each relationship need not be met again.
    let asNear = zip(depths, counted).map { "m.\($0) <= \($1)" }.joined(separator: " AND ")
    select.conditions.append(
      "NOT EXISTS (SELECT 1 FROM \(members) WHERE m.key = \(key) AND \(asNear))"
    )
    let least = depths.map { "\($0) = min(\($0), excluded.\($0))" }.joined(separator: ", ")
    return select.inserting(into: wave, columns: names)
      + "\nON CONFLICT (key) DO UPDATE SET \(least)"
  }

  /// The condition that there is an object with the number `number`, and that it may be taken.
  private func isThere(_ number: String, _ rows: ObjectRows) -> String {
    if isListed(rows.relation.root) {
      return
        "EXISTS (SELECT 1 FROM \(ClosureTables.allowed(rows.place)) AS t WHERE t.key = \(number))"
    }
    let (table, key) =
      rows.keyColumns == nil
      ? (rows.table, rows.relation.keyName) : (rows.numbers, "number")
    return "EXISTS (SELECT 1 FROM \(table) AS t WHERE t.\(key) = \(number))"
  }
}
