internal import DecantBase
internal import DecantMatch
internal import DecantPlan
internal import DecantStore
internal import DecantSQLite

/// The breadth-first search for the objects of a copy, starting from the roots.
///
/// The objects found are kept on disk, and each one is visited once, so that neither cycles nor a million objects are a
/// problem. It differs from `Reach`, which reads all links first and knows no distances; here links are read from the
/// objects found.
final class ClosureSearch {
  private let connection: Connection
  private let plan: ClosurePlan
  /// The conditions that every object must meet.
  private let filters: [CopyPlan.EntityFilter]
  private let views: EntityViews
  private let schema: String
  /// The store, as given by the user.
  private let place: String
  private let tables: ClosureTables
  private let links: ClosureLinks
  /// The relationships whose links are counted.
  private let bounded: [LinkDirection]
  /// The statements that find objects along each path, and those that add the objects found, by root entity.
  private var insertions: [Int: [Statement]] = [:]
  private var settlements: [String: [Statement]] = [:]

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
    tables = ClosureTables(
      views.layout,
      schema: schema,
      boundCount: bounded.count,
      marksOwners: plan.selectsOwners
    )
    links = ClosureLinks(plan.paths, tables, on: connection)
  }

  /// Returns the checked closure: each object in it is a root or the target of a followed link.
  func run() throws(DecantError) -> Closure {
    try explaining("cannot prepare the search for the objects of the share") { () throws(SQLiteError) in
      try tables.make(on: connection)
      for rows in tables.objects where isListed(rows.relation.root) {
        let own = filters.filter { $0.root == rows.relation.root }
        try list(rows, in: rows.allowed) { entity in
          own.filter { $0.entities.contains(entity) }.map(\.expression)
        }
      }
      for (number, path) in plan.paths.enumerated() {
        guard let condition = path.condition, let rows = tables.rows(of: path.to) else { continue }
        try list(rows, in: ClosureTables.met(number)) { entity in
          condition.entities.contains(entity) ? [condition.expression] : nil
        }
      }
    }
    for root in plan.roots { try begin(root) }
    return try explaining("cannot follow the links of a share") { () throws(SQLiteError) in
      try follow()
      // The statements hold only their text, but the tables are read by others now.
      (insertions, settlements) = ([:], [:])
      try ClosureCheck(plan: plan, tables: tables, links: links, connection: connection).run()
      return try Closure(plan, tables, on: connection)
    }
  }

  // MARK: Roots

  /// Lists the objects of `rows` that meet the conditions of their entity in a table.
  ///
  /// - Parameters:
  ///   - rows: The objects.
  ///   - table: The table to create for the list.
  ///   - conditions: Returns the conditions of an entity; `nil` if none of its objects are listed.
  /// - Throws: `SQLiteError` if the store cannot be read.
  private func list(_ rows: ObjectRows, in table: String, _ conditions: (String) -> [String]?) throws(SQLiteError) {
    guard rows.areKnown else { return }
    try tables.empty(table, "(key INTEGER PRIMARY KEY)", on: connection)
    for entity in rows.relation.entities {
      guard let conditions = conditions(entity.name),
        let select = numbers(of: rows, entity.name, conditions)
      else { continue }
      try connection.run("INSERT OR IGNORE INTO \(table) (key) \(select)")
    }
  }

  /// Returns the statement that reads the numbers of the objects of exactly `entity` that meet `conditions`.
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
        .unsupportedRequest,
        "the rows of \(root.entity) have no key, so a single row cannot be selected",
        place: root.origin.map { "\($0.place)" }
          ?? "\(option: root.option ?? .root, "\(root.entity): \(root.expression)")",
        remedy: "select them with \(say: .where) instead"
      )
    }
    let isFound = try explaining("cannot look for the \(root.entity) that the share starts from") {
      () throws(SQLiteError) -> Bool in
      var isFound = false
      for entity in rows.relation.entities where root.entities.contains(entity.name) {
        guard var select = numbers(of: rows, entity.name, [root.expression]) else { continue }
        if isListed(rows.relation.root) {
          select = "SELECT key FROM \(rows.allowed) WHERE key IN (\(select))"
        }
        try connection.run("INSERT OR IGNORE INTO \(rows.found) (key) \(select)")
        // Objects already found by an earlier --root count, too.
        if connection.changeCount > 0 { isFound = true }
        if !isFound { isFound = try connection.integer("SELECT 1 FROM (\(select)) LIMIT 1") != nil }
      }
      return isFound
    }
    guard !isFound else { return }
    throw DecantError(
      .objectNotFound,
      "no \(root.entity) in “\(place)” meets the condition of \(root.origin == nil ? "\(option: root.option ?? .root)" : "the share")",
      place: root.origin.map { "\($0.place)" }
        ?? "\(option: root.option ?? .root, "\(root.entity): \(root.expression)")",
      remedy: "list the objects: "
        + "\(command: "query \(place.shellWord) 'SELECT * FROM \(root.entity)'", app: "query “SELECT * FROM \(root.entity)”")"
    )
  }

  /// Returns whether the allowed objects are listed in a work table: if not all are allowed, or if the store is read
  /// row by row and cannot look up a single object.
  private func isListed(_ root: String) -> Bool {
    isFed || filters.contains { $0.root == root }
  }

  private var isFed: Bool { connection.reader(of: schema) !== connection }

  // MARK: Links

  /// Follows all links, round by round.
  private func follow() throws(SQLiteError) {
    let followed = plan.paths.indices.filter { plan.paths[$0].rule == .follow }
    let byStart = Dictionary(grouping: followed) { plan.paths[$0].from }
    var round: Int64 = 0
    var found = Set(tables.objects.map(\.relation.root))
    while !found.isEmpty {
      // The objects found are added, and become the start of the next round.
      for rows in tables.objects where found.contains(rows.relation.root) {
        try settle(rows, round)
      }
      let starts = tables.objects.map(\.relation.root).filter(found.contains)
      found = []
      for path in starts.flatMap({ byStart[$0] ?? [] }) {
        for insertion in try insertions(along: path) {
          try insertion.run(.integer(round))
          if connection.changeCount > 0 { found.insert(plan.paths[path].to) }
        }
      }
      round += 1
    }
  }

  /// Adds the objects found, at a distance of `round` links.
  ///
  /// Objects already visited are found again by a path with fewer counted links, or not only as the owner of a part.
  private func settle(_ rows: ObjectRows, _ round: Int64) throws(SQLiteError) {
    if settlements[rows.relation.root] == nil {
      let columns = (["key", "parent", "via"] + tables.counts).joined(separator: ", ")
      settlements[rows.relation.root] = [
        try connection.prepare(
          """
          INSERT INTO \(rows.members) (\(columns), distance, round)
          SELECT \(columns), ?1, ?1 FROM \(rows.found) WHERE true ORDER BY key
          ON CONFLICT (key) DO \(least(["round = excluded.round"]))
          """
        ),
        try connection.prepare("DELETE FROM \(rows.found)"),
      ]
    }
    try settlements[rows.relation.root]?[0].run(.integer(round))
    try settlements[rows.relation.root]?[1].run()
  }

  /// Returns the action for an object that is already present: the smallest of each count is kept.
  private func least(_ others: [String] = []) -> String {
    guard !tables.counts.isEmpty else { return "NOTHING" }
    let least = tables.counts.map { "\($0) = min(\($0), excluded.\($0))" }
    return "UPDATE SET \((least + others).joined(separator: ", "))"
  }

  /// Returns the statements that find the targets of a path's links from the objects of a round.
  private func insertions(along path: Int) throws(SQLiteError) -> [Statement] {
    if let known = insertions[path] { return known }
    guard let start = tables.rows(of: plan.paths[path].from),
      let end = tables.rows(of: plan.paths[path].to), end.areKnown
    else { return [] }
    let insertions = try links.rows(of: path).map { rows throws(SQLiteError) in
      try connection.prepare(insertion(along: path, rows, from: start, to: end))
    }
    self.insertions[path] = insertions
    return insertions
  }

  private func insertion(along number: Int, _ rows: LinkRows, from start: ObjectRows, to end: ObjectRows) -> String {
    let path = plan.paths[number]
    let counts = tables.counts
    // The relationship of the path's links, if they are counted.
    let own = path.depth.flatMap { _ in bounded.firstIndex(of: path.name) }
    let counted = counts.enumerated().map { index, count in
      guard count == ClosureTables.isOwner else { return "w.\(count)" + (index == own ? " + 1" : "") }
      return path.isToOwner ? "1" : path.isWithinObject ? "w.\(count)" : "0"
    }
    var select = rows.select([rows.to, "w.key", "\(number)"] + counted, from: tables.wave(of: start))
    select.conditions += ["typeof(\(rows.to)) = 'integer'", isThere(rows.to, end)]
    if path.condition != nil {
      let met = ClosureTables.met(number)
      select.conditions.append("EXISTS (SELECT 1 FROM \(met) AS c WHERE c.key = \(rows.to))")
    }
    if let own, let depth = path.depth { select.conditions.append("w.\(counts[own]) < \(depth)") }
    if tables.marksOwners, path.isToParts { select.conditions.append("w.\(ClosureTables.isOwner) = 0") }
    // An object visited by a path with no more links of each relationship need not be visited again.
    let isMet = ["m.key = \(rows.to)"] + zip(counts, counted).map { "m.\($0) <= \($1)" }
    let met = SelectStatement(columns: ["1"], source: "\(end.members) AS m", conditions: isMet)
    select.conditions.append("NOT EXISTS (\(met.sql))")
    return """
      INSERT INTO \(end.found) (\((["key", "parent", "via"] + counts).joined(separator: ", ")))
      \(select.sql)
      ON CONFLICT (key) DO \(least())
      """
  }

  /// Returns the condition that there is an object with the number `number`, and that it is allowed.
  private func isThere(_ number: String, _ rows: ObjectRows) -> String {
    let (table, key) =
      if isListed(rows.relation.root) {
        (rows.allowed, "key")
      } else if rows.keyColumns != nil {
        (rows.numbers, "number")
      } else {
        (rows.table, rows.relation.keyName)
      }
    return "EXISTS (SELECT 1 FROM \(table) AS t WHERE t.\(key) = \(number))"
  }
}
