internal import DecantBase
internal import DecantPlan
internal import DecantSQLite
internal import DecantStore

/// The consequences of a block's changes: checks by the model, row versions, history.
extension ObjectEdits {
  /// Checks and completes the changes, so that they can be committed.
  func finish() throws(DecantError) {
    guard !statements.connection.isAutocommit else { throw ObjectEdits.isUndone }
    for (number, relation) in store.layout.relations.enumerated() {
      let table = EditedTable(relation: relation, number: number)
      for (code, name) in try writtenEntities(of: table) {
        touchedEntities.insert(name)
        guard !store.appliesOwnRules else { continue }
        let entity = try entity(name)
        try setPresent(entity, code)
        try check(entity, code)
      }
      if !store.appliesOwnRules { try raiseVersions(of: table) }
    }
    try store.finish(written, on: statements.connection)
    try findDroppedFiles()
  }

  /// Returns the entities of the written objects of a table.
  private func writtenEntities(of table: EditedTable) throws(DecantError) -> [(code: Int64, name: String)] {
    var found: [(Int64, String)] = []
    let code = table.relation.entityCode(in: "o") ?? "0"
    try editing { () throws(SQLiteError) in
      try statements.forEachRow(
        "SELECT DISTINCT \(code) FROM temp.decant_written AS w JOIN \(table.sql) AS o ON o.\(table.key) = w.k "
          + "WHERE w.t = \(table.number)"
      ) { row in
        let code = row.integer(at: 0)
        let name = table.relation.entities.first { $0.code == code }?.name
        if let name = name ?? (table.relation.entityColumn == nil ? table.relation.root : nil) {
          found.append((code, name))
        }
      }
    }
    return found
  }

  /// Throws if a written object does not meet the requirements of the model.
  private func check(_ entity: EditedEntity, _ code: Int64) throws(DecantError) {
    let rules = rules(of: entity)
    guard !rules.isEmpty else { return }
    let cases = rules.enumerated().map { "WHEN \($1.condition) THEN \($0)" }
    let only = entity.table.relation.entityCode(in: "o").map { " AND \($0) = \(code)" } ?? ""
    var broken: (key: Int64, rule: Rule)?
    try editing { () throws(SQLiteError) in
      try statements.forEachRow(
        """
        SELECT k, rule FROM (
          SELECT w.k, CASE \(cases.joined(separator: " ")) END AS rule
          FROM temp.decant_written AS w JOIN \(entity.table.sql) AS o ON o.\(entity.table.key) = w.k
          WHERE w.t = \(entity.table.number)\(only))
        WHERE rule IS NOT NULL LIMIT 1
        """
      ) { row in
        broken = (row.integer(at: 0), rules[Int(row.integer(at: 1))])
      }
    }
    guard let broken else { return }
    throw DecantError(
      .constraintViolated,
      "\(entity.name) \(broken.key) \(broken.rule.message)",
      place: "\(entity.name).\(broken.rule.name)",
      remedy: "set it in the block that writes the object"
    )
  }

  /// A requirement of the model: its violation as SQL over the row `o`, and the error message.
  struct Rule {
    let name: String
    let condition: String
    let message: String
  }

  private func rules(of entity: EditedEntity) -> [Rule] {
    var rules: [Rule] = []
    for (name, attribute) in entity.attributes.sorted(by: { $0.key < $1.key }) {
      guard let model = attribute.attribute, !model.isDerived, !model.isTransient else { continue }
      let column = "o.\(attribute.column.name.sqlName)"
      if !model.isOptional {
        rules.append(
          Rule(name: name, condition: "\(column) IS NULL", message: "has no \(name), which the model requires"))
      }
    }
    for (name, link) in entity.links.sorted(by: { $0.key < $1.key }) {
      rules += self.rules(name, link, key: entity.table.key)
    }
    return rules
  }

  private func rules(_ name: String, _ link: EditedLink, key: String) -> [Rule] {
    let relationship = link.relationship
    guard relationship.isToMany else {
      guard !relationship.isOptional, let own = link.own else { return [] }
      return [
        Rule(
          name: name,
          condition: "o.\(own.column.name.sqlName) IS NULL",
          message: "leads to no \(relationship.destination) by \(name), which the model requires"
        )
      ]
    }
    let least = max(relationship.minCount, relationship.isOptional ? 0 : 1)
    let (most, count) = (relationship.maxCount, count(link, key))
    guard let count else { return [] }
    var rules: [Rule] = []
    // For an optional relationship the minimum count applies only if it has any targets.
    let isEmpty = relationship.isOptional ? " AND \(count) > 0" : ""
    if least > 0 {
      rules.append(
        Rule(
          name: name,
          condition: "(\(count) < \(least)\(isEmpty))",
          message: "leads to fewer than \(least) \(relationship.destination) by \(name), which the model requires"
        ))
    }
    if most > 1 {
      rules.append(
        Rule(
          name: name,
          condition: "\(count) > \(most)",
          message: "leads to more than \(most) \(relationship.destination) by \(name), which the model forbids"
        ))
    }
    return rules
  }

  /// Returns the number of targets of a to-many relationship of the row `o`, as SQL.
  private func count(_ link: EditedLink, _ key: String) -> String? {
    if let other = link.other {
      let only = other.only
      return "(SELECT count(*) FROM \(other.table.sql) WHERE \(other.column.name.sqlName) = o.\(key)\(only))"
    }
    guard let table = link.table else { return nil }
    return "(SELECT count(*) FROM \(table.sqlTable(in: "main")) WHERE \(table.ownerColumn.sqlName) = o.\(key))"
  }

  /// Sets the attributes that hold the time of the last change.
  private func setPresent(_ entity: EditedEntity, _ code: Int64) throws(DecantError) {
    for attribute in entity.attributes.values where attribute.attribute?.isDerivedFromNow == true {
      let only = entity.table.relation.entityCode().map { " AND \($0) = \(code)" } ?? ""
      try write(
        "UPDATE \(entity.table.sql) SET \(attribute.column.name.sqlName) = ?1 WHERE \(entity.table.key) IN "
          + "(SELECT k FROM temp.decant_written WHERE t = \(entity.table.number))\(only)",
        [.real(StoreDate.now.seconds)], "update \(entity.name)", entity
      )
    }
  }

  /// Increments the version of every object that existed before and has changed.
  private func raiseVersions(of table: EditedTable) throws(DecantError) {
    for column in table.relation.columns where column.columnRole == .revision {
      let name = column.name.sqlName
      try editing { () throws(SQLiteError) in
        try statements.run(
          "UPDATE \(table.sql) SET \(name) = ifnull(\(name), 0) + 1 WHERE \(table.key) IN "
            + "(SELECT k FROM temp.decant_written WHERE t = \(table.number) AND is_new = 0)"
        )
      }
    }
  }
}

extension ModelAttribute {
  /// Whether the attribute is the time of its object's last change.
  var isDerivedFromNow: Bool { derivation == "now()" }
}
