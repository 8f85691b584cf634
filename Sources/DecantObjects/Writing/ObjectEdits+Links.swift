internal import DecantBase
internal import DecantPlan
internal import DecantSQLite
internal import DecantStore

/// Both sides of relationships, and the positions in ordered ones.
extension ObjectEdits {
  /// The first position of a list and the distance between two positions, as in Core Data.
  private static let (firstPlace, placeStep): (Int64, Int64) = (2_048, 1_024)

  /// Changes the links of an object.
  func apply(_ edit: LinkEdit, of link: EditedLink, to key: Int64, _ entity: EditedEntity) throws(DecantError) {
    guard link.own != nil || link.other != nil || link.table != nil else {
      throw DecantError(
        .unsupportedContent,
        "the store keeps no keys for \(link.property)",
        remedy: "set the attributes that form the link"
      )
    }
    guard link.table?.isReflexive != true else {
      throw DecantError(
        .unsupportedContent,
        "\(link.property) is its own inverse from many to many, and such links are not written",
        remedy: "leave them as they are"
      )
    }
    for target in (edit.whole ?? []) + edit.steps.compactMap(\.added) { try checkTarget(target, of: link) }
    try checkOwner(key, of: link, entity)
    if !link.relationship.isToMany {
      try checkIsOne(edit, link)
      return try assign(key, link, to: edit.whole?.first, entity)
    }
    if let whole = edit.whole { try replace(key, link, with: whole, entity) }
    for step in edit.steps {
      switch step {
      case .add(let target): try add(target, to: key, link, entity)
      case .remove(let target): try remove(target, from: key, link, entity)
      }
    }
  }

  /// Throws if a to-one relationship is given several objects.
  private func checkIsOne(_ edit: LinkEdit, _ link: EditedLink) throws(DecantError) {
    guard !edit.steps.isEmpty || edit.whole?.count ?? 0 > 1 else { return }
    throw DecantError(
      .invalidInput,
      "\(link.property) leads to one object",
      remedy: "set it to the key of that object, or to no value"
    )
  }

  /// Throws if the inverse of a relationship cannot point to the object because of its entity.
  private func checkOwner(_ key: Int64, of link: EditedLink, _ entity: EditedEntity) throws(DecantError) {
    guard let wanted = link.inverse?.destination, entity.table.relation.entityColumn != nil,
      !store.model.lineage(of: entity.name).contains(where: { $0.name == wanted })
    else { return }
    let code = try editing { () throws(SQLiteError) in
      try statements.integer(
        "SELECT \(entity.table.code) FROM \(entity.table.sql) WHERE \(entity.table.key) = ?1", [.integer(key)])
    }
    let name = entity.table.relation.entities.first { $0.code == code }?.name ?? entity.name
    guard !store.model.lineage(of: name).contains(where: { $0.name == wanted }) else { return }
    throw DecantError(
      .invalidInput, "\(link.property) can be set for objects of \(wanted), and \(key) is \(name)",
      remedy: "choose an object of \(wanted)"
    )
  }

  // MARK: Links in the row

  /// Returns the column of a link that can be written together with the object's values.
  ///
  /// That is a column of the object itself, with no position and no other links to change.
  func inlineColumn(_ edit: LinkEdit, _ link: EditedLink) throws(DecantError) -> LinkColumn? {
    guard !store.appliesOwnRules, !link.relationship.isToMany, link.inverse?.isToMany != false, let own = link.own,
      own.position == nil, link.inverse.map({ $0.destination == link.property.entity }) ?? true
    else { return nil }
    try checkIsOne(edit, link)
    return own
  }

  /// Sets such a link in the values of a row.
  func set(_ own: LinkColumn, _ target: Int64?, _ link: EditedLink, in row: inout Row) throws(DecantError) {
    if let target { try checkTarget(target, of: link) }
    let value = target.map { Binding.integer($0) } ?? .null
    row.set(own.column, value)
    guard let entity = own.entity else { return }
    let code = try target.flatMap { target throws(DecantError) in try self.code(of: target, own) }
    let mark = code.map { Binding.integer($0) } ?? .null
    row.set(entity.sqlName, mark)
  }

  /// Records the targets that the chosen objects lose: their side of the relationship changes as well.
  func noteOldTargets(_ own: LinkColumn, _ target: Int64?, _ link: EditedLink) throws(DecantError) {
    guard link.inverse != nil, let table = entities.target(of: link.relationship) else { return }
    let column = own.column.name.sqlName
    let rows =
      "FROM \(own.table.sql) WHERE \(own.table.key) IN (SELECT k FROM temp.decant_chosen) AND \(column) IS NOT ?1\(own.only)"
    try editing { () throws(SQLiteError) in
      let value = target.map { Binding.integer($0) } ?? .null
      try statements.run(
        "INSERT OR IGNORE INTO temp.decant_written SELECT \(table.number), \(table.key), 0 FROM \(table.sql) "
          + "WHERE \(table.key) IN (SELECT \(column) \(rows)) OR (\(table.key) = ?1 AND EXISTS (SELECT 1 \(rows)))",
        [value]
      )
    }
  }

  /// Records the target of a new object.
  func noteTarget(_ target: Int64?, _ link: EditedLink) throws(DecantError) {
    guard let target, link.inverse != nil, let table = entities.target(of: link.relationship) else { return }
    try note(target, in: table)
  }

  // MARK: Checks

  /// Throws if there is no such object, or if its entity cannot be a target of the relationship.
  func checkTarget(_ key: Int64, of link: EditedLink) throws(DecantError) {
    let destination = link.relationship.destination
    guard let table = entities.target(of: link.relationship) else {
      throw DecantError.unknownEntity(destination, store.model)
    }
    let column = table.code
    let code = try editing { () throws(SQLiteError) in
      try statements.integer("SELECT \(column) FROM \(table.sql) WHERE \(table.key) = ?1", [.integer(key)])
    }
    guard let code else {
      throw DecantError(
        .objectNotFound, "\(link.property) cannot lead to \(destination) \(key): there is no such object",
        remedy: "insert it first"
      )
    }
    guard table.relation.entityColumn != nil,
      let name = table.relation.entities.first(where: { $0.code == code })?.name,
      !store.model.lineage(of: name).contains(where: { $0.name == destination })
    else { return }
    throw DecantError(
      .invalidInput, "\(link.property) leads to \(destination), and \(key) is \(name)",
      remedy: "choose an object of \(destination)"
    )
  }

  // MARK: To one

  private func assign(_ key: Int64, _ link: EditedLink, to target: Int64?, _ entity: EditedEntity)
    throws(DecantError)
  {
    guard let own = link.own else {
      // The links are stored only at the other end, each in a row of its own.
      for holder in try targets(of: key, link) where holder != target { try remove(holder, from: key, link, entity) }
      if let target { try add(target, to: key, link, entity) }
      return
    }
    let old = try value(own, of: key)
    guard old != target else { return }
    if let target, link.isOneToOne {
      for holder in try holders(of: target, own) where holder != key { try set(own, of: holder, to: nil) }
    }
    if let old, link.isOneToOne, let other = link.other, try value(other, of: old) == key {
      try set(other, of: old, to: nil)
    }
    try set(own, of: key, to: target)
    if let target, link.isOneToOne, let other = link.other { try set(other, of: target, to: key) }
    // Their side of the relationship has changed, although their rows do not hold it.
    guard link.inverse != nil, let table = entities.target(of: link.relationship) else { return }
    for other in [old, target].compactMap(\.self) { try noteIfThere(other, in: table) }
  }

  // MARK: To many

  private func add(_ target: Int64, to key: Int64, _ link: EditedLink, _ entity: EditedEntity) throws(DecantError) {
    if let other = link.other {
      let old = try value(other, of: target)
      guard old != key else { return }
      try set(other, of: target, to: key)
      if let old { try noteIfThere(old, in: entity.table) }
      return try note(key, in: entity.table)
    }
    guard let table = link.table else { return }
    var columns = [table.ownerColumn, table.targetColumn]
    var bindings = [Binding.integer(key), .integer(target)]
    if let position = table.positionColumn {
      columns.append(position)
      bindings.append(.integer(try nextPlace(position, in: table.sqlTable(in: "main"), table.ownerColumn, key)))
    }
    if let position = table.inversePositionColumn {
      columns.append(position)
      bindings.append(.integer(try nextPlace(position, in: table.sqlTable(in: "main"), table.targetColumn, target)))
    }
    let isNew = try editing { () throws(SQLiteError) in
      let isThere = try statements.integer(
        "SELECT 1 FROM \(table.sqlTable(in: "main")) WHERE \(table.ownerColumn.sqlName) = ?1 "
          + "AND \(table.targetColumn.sqlName) = ?2",
        Array(bindings.prefix(2))
      )
      return isThere == nil
    }
    guard isNew else { return }
    let places = bindings.indices.map { "?\($0 + 1)" }
    try write(
      "INSERT INTO \(table.sqlTable(in: "main")) (\(columns.map(\.sqlName).joined(separator: ", "))) "
        + "VALUES (\(places.joined(separator: ", ")))",
      bindings, "link \(link.property)", entity
    )
    try noteEnds(key, target, link, entity)
  }

  private func remove(_ target: Int64, from key: Int64, _ link: EditedLink, _ entity: EditedEntity)
    throws(DecantError)
  {
    if let other = link.other {
      guard try value(other, of: target) == key else { return }
      try set(other, of: target, to: nil)
      return try note(key, in: entity.table)
    }
    guard let table = link.table else { return }
    try write(
      "DELETE FROM \(table.sqlTable(in: "main")) WHERE \(table.ownerColumn.sqlName) = ?1 "
        + "AND \(table.targetColumn.sqlName) = ?2",
      [.integer(key), .integer(target)], "unlink \(link.property)", entity
    )
    if statements.connection.changeCount > 0 { try noteEnds(key, target, link, entity) }
  }

  /// Replaces the targets of an object, in this order if the relationship is ordered.
  private func replace(_ key: Int64, _ link: EditedLink, with wanted: [Int64], _ entity: EditedEntity)
    throws(DecantError)
  {
    let chosen = Set(wanted)
    for target in try targets(of: key, link) where !chosen.contains(target) {
      try remove(target, from: key, link, entity)
    }
    for target in wanted { try add(target, to: key, link, entity) }
    guard link.relationship.isOrdered, try targets(of: key, link) != wanted else { return }
    lastPlaces = [:]
    var place = Self.firstPlace
    var seen: Set<Int64> = []
    for target in wanted where seen.insert(target).inserted {
      try setPlace(place, of: target, in: key, link, entity)
      place += Self.placeStep
    }
    try note(key, in: entity.table)
  }

  private func setPlace(_ place: Int64, of target: Int64, in key: Int64, _ link: EditedLink, _ entity: EditedEntity)
    throws(DecantError)
  {
    if let other = link.other, let position = other.position {
      try write(
        "UPDATE \(other.table.sql) SET \(position.sqlName) = ?2 WHERE \(other.table.key) = ?1",
        [.integer(target), .integer(place)], "order \(link.property)", entity
      )
      try note(target, in: other.table)
    } else if let table = link.table, let position = table.positionColumn {
      try write(
        "UPDATE \(table.sqlTable(in: "main")) SET \(position.sqlName) = ?3 "
          + "WHERE \(table.ownerColumn.sqlName) = ?1 AND \(table.targetColumn.sqlName) = ?2",
        [.integer(key), .integer(target), .integer(place)], "order \(link.property)", entity
      )
    }
  }

  /// Returns the targets of a relationship of an object, in order.
  private func targets(of key: Int64, _ link: EditedLink) throws(DecantError) -> [Int64] {
    let select: String
    if let other = link.other {
      let order = other.position.map { "\($0.sqlName), " } ?? ""
      select =
        "SELECT \(other.table.key) FROM \(other.table.sql) WHERE \(other.column.name.sqlName) = ?1\(other.only) "
        + "ORDER BY \(order)\(other.table.key)"
    } else if let table = link.table {
      let order = table.positionColumn.map { "\($0.sqlName), " } ?? ""
      select =
        "SELECT \(table.targetColumn.sqlName) FROM \(table.sqlTable(in: "main")) "
        + "WHERE \(table.ownerColumn.sqlName) = ?1 ORDER BY \(order)\(table.targetColumn.sqlName)"
    } else {
      return []
    }
    return try keys(select, key)
  }

  /// Returns the objects whose column holds this key.
  private func holders(of key: Int64, _ column: LinkColumn) throws(DecantError) -> [Int64] {
    try keys(
      "SELECT \(column.table.key) FROM \(column.table.sql) WHERE \(column.column.name.sqlName) = ?1\(column.only)", key)
  }

  private func keys(_ select: String, _ key: Int64) throws(DecantError) -> [Int64] {
    try editing { () throws(SQLiteError) in
      var keys: [Int64] = []
      try statements.forEachRow(select, [.integer(key)]) { row in keys.append(row.integer(at: 0)) }
      return keys
    }
  }

  // MARK: Columns

  private func value(_ column: LinkColumn, of key: Int64) throws(DecantError) -> Int64? {
    try editing { () throws(SQLiteError) in
      try statements.integer(
        "SELECT \(column.column.name.sqlName) FROM \(column.table.sql) WHERE \(column.table.key) = ?1\(column.only)",
        [.integer(key)]
      )
    }
  }

  /// Writes a link to a row, with the entity of the target and the row's position in its list.
  private func set(_ column: LinkColumn, of key: Int64, to target: Int64?) throws(DecantError) {
    var sets = ["\(column.column.name.sqlName) = ?2"]
    var bindings = [Binding.integer(key), target.map { .integer($0) } ?? .null]
    if let entity = column.entity {
      let code = try target.flatMap { target throws(DecantError) in try self.code(of: target, column) }
      bindings.append(code.map { .integer($0) } ?? .null)
      sets.append("\(entity.sqlName) = ?\(bindings.count)")
    }
    if let position = column.position {
      let place = try target.map { target throws(DecantError) in
        try nextPlace(position, in: column.table.sql, column.column.name, target)
      }
      bindings.append(place.map { .integer($0) } ?? .null)
      sets.append("\(position.sqlName) = ?\(bindings.count)")
    }
    do throws(SQLiteError) {
      try statements.run(
        "UPDATE \(column.table.sql) SET \(sets.joined(separator: ", ")) WHERE \(column.table.key) = ?1", bindings)
    } catch {
      throw refused(error, "cannot link \(column.table.relation.root) \(key)", column.table)
    }
    try note(key, in: column.table)
  }

  private func code(of key: Int64, _ column: LinkColumn) throws(DecantError) -> Int64? {
    guard let root = column.column.targetRoot, let table = entities.table(of: root),
      table.relation.entityColumn != nil
    else { return nil }
    return try editing { () throws(SQLiteError) in
      try statements.integer("SELECT \(table.code) FROM \(table.sql) WHERE \(table.key) = ?1", [.integer(key)])
    }
  }

  /// Returns the position after the last object of a list.
  private func nextPlace(_ position: String, in table: String, _ owner: String, _ key: Int64)
    throws(DecantError) -> Int64
  {
    let list = ListPlace(table: table, position: position, owner: owner, key: key)
    var last = lastPlaces[list]
    if last == nil {
      last = try editing { () throws(SQLiteError) in
        try statements.integer(
          "SELECT max(\(position.sqlName)) FROM \(table) WHERE \(owner.sqlName) = ?1", [.integer(key)])
      }
    }
    guard let last else {
      lastPlaces[list] = Self.firstPlace
      return Self.firstPlace
    }
    let (next, isOver) = last.addingReportingOverflow(Self.placeStep)
    guard !isOver else {
      throw DecantError(
        .limitExceeded, "a list has no free position after its last object",
        remedy: "set the whole list, which renumbers it"
      )
    }
    // Many lists at once would fill the memory; after clearing, each position is looked up again.
    if lastPlaces.count > 10_000 { lastPlaces = [:] }
    lastPlaces[list] = next
    return next
  }

  // MARK: Records

  private func noteEnds(_ key: Int64, _ target: Int64, _ link: EditedLink, _ entity: EditedEntity) throws(DecantError) {
    try note(key, in: entity.table)
    guard link.inverse != nil, let table = entities.target(of: link.relationship) else { return }
    try note(target, in: table)
  }

  private func noteIfThere(_ key: Int64, in table: EditedTable) throws(DecantError) {
    let isThere = try editing { () throws(SQLiteError) in
      try statements.integer("SELECT 1 FROM \(table.sql) WHERE \(table.key) = ?1", [.integer(key)])
    }
    if isThere != nil { try note(key, in: table) }
  }
}

extension LinkEdit.Step {
  fileprivate var added: Int64? {
    switch self {
    case .add(let key): key
    case .remove: nil
    }
  }
}
