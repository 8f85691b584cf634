internal import DecantBase
internal import DecantPlan
internal import DecantSQLite
internal import DecantStore

/// Deleting by the delete rules of the model.
extension ObjectEdits {
  /// Deletes the objects of a request; returns their number.
  func delete(_ request: ObjectRequest) throws(DecantError) -> Int {
    let entity = try entity(request.entity)
    try checkDerived(entity)
    lastPlaces = [:]
    let count = try choose(request)
    guard count > 0 else { return 0 }
    guard !store.appliesOwnRules else {
      touchedEntities.insert(entity.name)
      try write(
        "DELETE FROM \(entity.table.sql) WHERE \(entity.table.key) IN (SELECT k FROM temp.decant_chosen)", [],
        "delete \(entity.name)", entity
      )
      return count
    }
    let code = entity.table.code
    try editing { () throws(SQLiteError) in
      try statements.run("DELETE FROM temp.decant_doomed")
      try statements.run(
        """
        INSERT INTO temp.decant_doomed SELECT \(entity.table.number), \(entity.table.key), \(code), 0
        FROM \(entity.table.sql) WHERE \(entity.table.key) IN (SELECT k FROM temp.decant_chosen)
        """
      )
    }
    try cascade()
    try checkDenied()
    for (doomed, _) in try doomedEntities(nil) { touchedEntities.insert(doomed.name) }
    try cutLinks()
    try removeRows()
    return count
  }

  private static func doomed(_ table: EditedTable) -> String {
    "SELECT k FROM temp.decant_doomed WHERE t = \(table.number)"
  }

  /// Adds the objects that are deleted by a cascade, level by level, until a level adds none.
  private func cascade() throws(DecantError) {
    var level = 0
    while true {
      for (entity, rows) in try doomedEntities(level) {
        for link in entity.links.values where link.relationship.deleteRule == .cascade {
          guard let target = entities.target(of: link.relationship), let keys = targets(link, entity, rows)
          else { continue }
          try editing { () throws(SQLiteError) in
            try statements.run(
              """
              INSERT OR IGNORE INTO temp.decant_doomed
              SELECT \(target.number), \(target.key), \(target.code), (SELECT n + 1 FROM temp.decant_level)
              FROM \(target.sql) WHERE \(target.key) IN (\(keys))
              """
            )
          }
        }
      }
      level += 1
      let isMore = try editing { () throws(SQLiteError) in
        try statements.integer("SELECT 1 FROM temp.decant_doomed WHERE level = ?1 LIMIT 1", [.integer(Int64(level))])
      }
      guard isMore != nil else { return }
    }
  }

  /// Throws if an object must not be deleted while others are linked to it.
  private func checkDenied() throws(DecantError) {
    for (entity, rows) in try doomedEntities(nil) {
      for link in entity.links.values where link.relationship.deleteRule == .deny {
        guard let target = entities.target(of: link.relationship), let keys = targets(link, entity, rows)
        else { continue }
        let other = try editing { () throws(SQLiteError) in
          try statements.integer(
            """
            SELECT \(target.key) FROM \(target.sql) WHERE \(target.key) IN (\(keys))
            AND \(target.key) NOT IN (\(Self.doomed(target))) LIMIT 1
            """
          )
        }
        guard let other else { continue }
        throw DecantError(
          .constraintViolated,
          "\(entity.name) cannot be deleted: \(link.relationship.name) still leads to "
            + "\(link.relationship.destination) \(other), and the model forbids to delete it then",
          place: "\(link.property)",
          remedy: "delete or unlink those objects first"
        )
      }
    }
  }

  /// Returns the entities of the objects to delete, of one level or of all, each with a SELECT of its keys.
  ///
  /// The level is a value of the table `decant_level`, so that all levels use the same statement.
  private func doomedEntities(_ level: Int?) throws(DecantError) -> [(EditedEntity, String)] {
    var found: [(table: Int, code: Int64)] = []
    let only = level == nil ? "" : " AND level = (SELECT n FROM temp.decant_level)"
    try editing { () throws(SQLiteError) in
      if let level {
        try statements.run("INSERT OR REPLACE INTO temp.decant_level (id, n) VALUES (1, ?1)", [.integer(Int64(level))])
      }
      try statements.forEachRow("SELECT DISTINCT t, entity FROM temp.decant_doomed WHERE 1\(only)") { row in
        found.append((Int(row.integer(at: 0)), row.integer(at: 1)))
      }
    }
    return try found.map { table, code throws(DecantError) in
      let relation = store.layout.relations[table]
      let name = relation.entities.first { $0.code == code }?.name ?? relation.root
      return (
        try entity(name), "SELECT k FROM temp.decant_doomed WHERE t = \(table) AND entity = \(code)\(only)"
      )
    }
  }

  /// Returns a SELECT of the keys of a relationship's targets.
  private func targets(_ link: EditedLink, _ entity: EditedEntity, _ rows: String) -> String? {
    if let own = link.own {
      return "SELECT \(own.column.name.sqlName) FROM \(own.table.sql) WHERE \(own.table.key) IN (\(rows))"
    }
    if let other = link.other {
      return "SELECT \(other.table.key) FROM \(other.table.sql) "
        + "WHERE \(other.column.name.sqlName) IN (\(rows))\(other.only)"
    }
    guard let table = link.table else { return nil }
    let (owner, target, name) = (table.ownerColumn.sqlName, table.targetColumn.sqlName, table.sqlTable(in: "main"))
    let there = "SELECT \(target) FROM \(name) WHERE \(owner) IN (\(rows))"
    return table.isReflexive ? "\(there) UNION SELECT \(owner) FROM \(name) WHERE \(target) IN (\(rows))" : there
  }

  /// Sets the links to deleted objects to NULL, except those with the delete rule no action.
  private func cutLinks() throws(DecantError) {
    var doomed: Set<Int> = []
    try editing { () throws(SQLiteError) in
      try statements.forEachRow("SELECT DISTINCT t FROM temp.decant_doomed") { row in
        doomed.insert(Int(row.integer(at: 0)))
      }
    }
    for (number, relation) in store.layout.relations.enumerated() {
      let table = EditedTable(relation: relation, number: number)
      for column in relation.columns {
        guard let root = column.targetRoot, let target = entities.table(of: root), !column.columnRole.isKey,
          doomed.contains(number) || doomed.contains(target.number)
        else { continue }
        switch column.columnRole {
        case .target, .owner: break
        case .attribute, .key, .targetEntity, .position, .ownerPosition, .unnamed, .revision: continue
        }
        let link = LinkColumn(column, of: table)
        let rows =
          "\(table.key) IN (SELECT \(table.key) FROM \(table.sql) WHERE "
          + "\(column.name.sqlName) IN (\(Self.doomed(target)))\(link.only)) AND \(table.key) NOT IN (\(Self.doomed(table)))"
        try editing { () throws(SQLiteError) in
          if !staysDangling(column) {
            try noteAll(table, rows)
            let sets = link.names.map { "\($0) = NULL" }
            try statements.run("UPDATE \(table.sql) SET \(sets.joined(separator: ", ")) WHERE \(rows)")
          }
          // The targets of the deleted objects have lost a link on their side of the relationship.
          guard hasOtherSide(column) else { return }
          try noteAll(
            target,
            "\(target.key) IN (SELECT \(column.name.sqlName) FROM \(table.sql) WHERE \(table.key) IN "
              + "(\(Self.doomed(table)))\(link.only)) AND \(target.key) NOT IN (\(Self.doomed(target)))"
          )
        }
      }
    }
    for links in store.layout.linkRelations { try cut(links) }
  }

  private func cut(_ links: LinkRelation) throws(DecantError) {
    guard let owner = entities.table(of: links.ownerRoot), let target = entities.table(of: links.targetRoot)
    else { return }
    let name = links.sqlTable(in: "main")
    let (ownerKey, targetKey) = (links.ownerColumn.sqlName, links.targetColumn.sqlName)
    try editing { () throws(SQLiteError) in
      let ends = [(owner, ownerKey, target, targetKey), (target, targetKey, owner, ownerKey)]
      for (table, key, other, otherKey) in ends {
        try noteAll(
          other,
          "\(other.key) IN (SELECT \(otherKey) FROM \(name) WHERE \(key) IN (\(Self.doomed(table)))) "
            + "AND \(other.key) NOT IN (\(Self.doomed(other)))"
        )
      }
      for (table, key, _, _) in ends {
        try statements.run("DELETE FROM \(name) WHERE \(key) IN (\(Self.doomed(table)))")
      }
    }
  }

  private func noteAll(_ table: EditedTable, _ condition: String) throws(SQLiteError) {
    try statements.run(
      "INSERT OR IGNORE INTO temp.decant_written SELECT \(table.number), \(table.key), 0 FROM \(table.sql) "
        + "WHERE \(condition)"
    )
  }

  /// Whether the model leaves a link unchanged when its target is deleted.
  private func staysDangling(_ column: RelationColumn) -> Bool {
    switch column.columnRole {
    case .target(let property):
      guard let relationship = store.model.relationship(property) else { return false }
      // Without an inverse there is no delete rule; Core Data would leave a dangling key.
      return store.model.inverse(of: relationship)?.deleteRule == .noAction
    case .owner(let property): return store.model.relationship(property)?.deleteRule == .noAction
    default: return false
    }
  }

  private func hasOtherSide(_ column: RelationColumn) -> Bool {
    switch column.columnRole {
    case .target(let property):
      store.model.relationship(property).map { store.model.inverse(of: $0) != nil } ?? false
    default: false
    }
  }

  private func removeRows() throws(DecantError) {
    for (number, relation) in store.layout.relations.enumerated() {
      let table = EditedTable(relation: relation, number: number)
      let doomed = Self.doomed(table)
      let count = try editing { () throws(SQLiteError) in try statements.integer("SELECT count(*) FROM (\(doomed))") }
      guard let count, count > 0 else { continue }
      for column in relation.columns where column.isExternal { try noteFiles(of: column, in: table, doomed) }
      // An object that was inserted and deleted in this block never existed.
      let old =
        "SELECT d.k FROM temp.decant_doomed AS d WHERE d.t = \(number) AND NOT EXISTS "
        + "(SELECT 1 FROM temp.decant_written AS w WHERE w.t = \(number) AND w.k = d.k AND w.is_new = 1)"
      try store.willDelete(old, of: relation, on: statements.connection)
      do throws(SQLiteError) {
        try statements.run("DELETE FROM \(table.sql) WHERE \(table.key) IN (\(doomed))")
        try statements.run("DELETE FROM temp.decant_written WHERE t = \(number) AND k IN (\(doomed))")
      } catch {
        throw DecantError("cannot delete objects of \(relation.root)", cause: error)
      }
    }
  }
}
