internal import DecantBase
internal import DecantPlan
internal import DecantSQLite
internal import DecantStore

/// The changes of a write block to the rows of a store, in its caller's transaction.
///
/// Temporary tables record which objects were changed, so that memory does not grow with their number; the consequences
/// are applied to all of them at the end.
final class ObjectEdits {
  let store: any EditableStore
  let reader: StoreReader
  let statements: KeptStatements
  let entities: EditedEntities
  /// The keys assigned to new objects, by root entity.
  private var newKeys: [String: NewKeys] = [:]
  private var known: [String: EditedEntity] = [:]
  private var knownUnderived: [String: String]?
  private var depth = 0
  /// The last positions of lists that objects were added to in this block.
  var lastPlaces: [ListPlace: Int64] = [:]

  /// A list: its position column and its owner.
  struct ListPlace: Hashable {
    let table, position, owner: String
    let key: Int64
  }
  /// The entities of the written and deleted objects.
  var touchedEntities: Set<String> = []
  /// Files without any reference, to be removed after the commit.
  var droppedFiles: [String] = []

  private struct NewKeys {
    let first: Int64
    var last: Int64
  }

  /// The temporary tables of a block: objects written, to delete and chosen, and files that values referred to.
  static let tables = [
    "decant_written (t INTEGER, k INTEGER, is_new INTEGER, PRIMARY KEY (t, k)) WITHOUT ROWID",
    "decant_doomed (t INTEGER, k INTEGER, entity INTEGER, level INTEGER, PRIMARY KEY (t, k)) WITHOUT ROWID",
    "decant_level (id INTEGER PRIMARY KEY, n INTEGER)",
    "decant_chosen (k INTEGER PRIMARY KEY)",
    "decant_files (name TEXT PRIMARY KEY) WITHOUT ROWID",
  ]

  init(_ store: any EditableStore, _ reader: StoreReader) throws(DecantError) {
    (self.store, self.reader) = (store, reader)
    statements = reader.statements
    entities = EditedEntities(model: store.model, layout: store.layout)
    try editing { () throws(SQLiteError) in
      for table in ["written", "doomed", "chosen", "files"] { try statements.run("DELETE FROM temp.decant_\(table)") }
    }
  }

  // MARK: Steps

  /// Begins a change that can be undone on its own; returns its number.
  func beginStep() throws(DecantError) -> Int {
    // Outside a transaction a savepoint would begin one, and releasing it would commit.
    guard !statements.connection.isAutocommit else { throw ObjectEdits.isUndone }
    try editing { () throws(SQLiteError) in try statements.run("SAVEPOINT decant_\(depth + 1)") }
    depth += 1
    return depth
  }

  /// Keeps the change.
  func keep(_ step: Int) throws(DecantError) {
    depth = step - 1
    try editing { () throws(SQLiteError) in try statements.run("RELEASE decant_\(step)") }
  }

  /// Undoes the change, unless SQLite has already undone the whole block, as after a full disk.
  func undo(_ step: Int) throws(DecantError) {
    depth = step - 1
    lastPlaces = [:]
    guard !statements.connection.isAutocommit else { return }
    try editing { () throws(SQLiteError) in
      try statements.run("ROLLBACK TO decant_\(step)")
      try statements.run("RELEASE decant_\(step)")
    }
  }

  /// The error after SQLite has undone a whole transaction: on a full disk, or by a trigger or constraint.
  static var isUndone: DecantError {
    DecantError(
      .databaseFailed,
      "SQLite has undone all changes of the write block after an error in it",
      remedy: "let that error end the block, then begin another one"
    )
  }

  // MARK: Objects

  /// Inserts an object and returns its key.
  func insert<Object>(_ name: String, _ draft: ObjectDraft<Object>) throws(DecantError) -> Int64 {
    let entity = try entity(name)
    guard store.appliesOwnRules || store.model[name]?.isAbstract == false else {
      throw DecantError(
        .unsupportedRequest,
        "\(name) is abstract, so no object can be of it alone",
        remedy: "insert an object of an entity below it"
      )
    }
    try checkDerived(entity)
    let (values, links) = try parts(draft, of: entity)
    var row = Row(entity, self)
    if !store.appliesOwnRules {
      for attribute in entity.attributes.values {
        guard let value = attribute.attribute?.defaultValue, attribute.attribute?.isDerived == false else { continue }
        try row.set(attribute, value, isDefault: true)
      }
    }
    for (name, value) in values { try row.set(try attribute(name, of: entity), value) }
    let key: Int64
    if store.appliesOwnRules {
      // A required foreign key is a value of the new row, not a later change.
      for (name, edit) in links {
        guard let link = entity.links[name], let own = link.own, let target = edit.whole?.first else { continue }
        try checkTarget(target, of: link)
        row.set(own.column, .integer(target))
      }
      key = try inserted(row, into: entity)
    } else {
      key = try newKey(of: entity.table)
      row.set(entity.table.key, .integer(key))
      if let column = entity.table.relation.entityColumn, let code = entity.code {
        row.set(column.sqlName, .integer(code))
      }
      for column in entity.table.relation.columns where column.columnRole == .revision {
        row.set(column.name.sqlName, .integer(1))
      }
      for (name, edit) in links {
        let link = try link(name, of: entity)
        if let own = try inlineColumn(edit, link) { try set(own, edit.whole?.first, link, in: &row) }
      }
      try write(row.insertion, row.bindings, "insert \(name)", entity)
    }
    try note(key, in: entity.table, isNew: true)
    for (name, edit) in links {
      let link = try link(name, of: entity)
      if try inlineColumn(edit, link) != nil {
        try noteTarget(edit.whole?.first, link)
      } else {
        try apply(edit, of: link, to: key, entity)
      }
    }
    return key
  }

  /// Inserts a row whose key is chosen by the database or contained in the values.
  private func inserted(_ row: Row, into entity: EditedEntity) throws(DecantError) -> Int64 {
    guard entity.table.relation.keyColumn != nil else { throw ObjectStatement.lacksKey(entity.name) }
    try write(row.insertion, row.bindings, "insert \(entity.name)", entity)
    guard statements.connection.changeCount == 1 else {
      throw DecantError(
        .constraintViolated,
        "cannot insert \(entity.name): a constraint or a trigger of the database leaves the row out"
      )
    }
    guard !entity.table.relation.hasRowNumbers else { return statements.connection.lastInsertedRowID }
    guard case .integer(let key)? = row.value(of: entity.table.key) else {
      throw ObjectStatement.lacksKey(entity.name)
    }
    return key
  }

  /// Changes the objects of a request; returns their number.
  func update<Object>(_ request: ObjectRequest, _ draft: ObjectDraft<Object>) throws(DecantError) -> Int {
    let entity = try entity(request.entity)
    let (values, links) = try parts(draft, of: entity)
    try checkDerived(entity)
    let count = try choose(request)
    guard count > 0 else { return 0 }
    var row = Row(entity, self)
    for (name, value) in values {
      let attribute = try attribute(name, of: entity)
      guard !attribute.isKey else {
        throw DecantError(.unsupportedRequest, "the key of \(entity.name) cannot be changed")
      }
      try row.set(attribute, value)
      try noteFiles(of: attribute.column, in: entity.table, "SELECT k FROM temp.decant_chosen")
    }
    var edits: [(EditedLink, LinkEdit)] = []
    for (name, edit) in links {
      let link = try link(name, of: entity)
      guard let own = try inlineColumn(edit, link) else {
        edits.append((link, edit))
        continue
      }
      try set(own, edit.whole?.first, link, in: &row)
      try noteOldTargets(own, edit.whole?.first, link)
    }
    if !row.isEmpty {
      let differs = row.differences
      try editing { () throws(SQLiteError) in
        try statements.run(
          """
          INSERT OR IGNORE INTO temp.decant_written SELECT \(entity.table.number), \(entity.table.key), 0
          FROM \(entity.table.sql) WHERE \(entity.table.key) IN (SELECT k FROM temp.decant_chosen) AND (\(differs))
          """,
          row.bindings
        )
      }
      try write(
        row.update("\(entity.table.key) IN (SELECT k FROM temp.decant_chosen)"), row.bindings, "update \(entity.name)",
        entity)
    }
    guard !edits.isEmpty else { return count }
    // The choice does not change while links are changed: no statement adds to it.
    try forEachChosen { key throws(DecantError) in
      for (link, edit) in edits { try apply(edit, of: link, to: key, entity) }
    }
    return count
  }

  /// Chooses the objects of a request; returns their number.
  func choose(_ request: ObjectRequest) throws(DecantError) -> Int {
    var statement = reader.newStatement
    guard statement.hasKey(try statement.view(request.entity)) else { throw ObjectStatement.lacksKey(request.entity) }
    let select = try statement.select(request, [])
    return try editing { () throws(SQLiteError) in
      try statements.run("DELETE FROM temp.decant_chosen")
      try statements.run(
        "WITH r (k, e) AS (\(select)) INSERT OR IGNORE INTO temp.decant_chosen SELECT k FROM r", statement.bindings)
      return Int(try statements.integer("SELECT count(*) FROM temp.decant_chosen") ?? 0)
    }
  }

  /// Calls `body` for the key of each chosen object in turn.
  private func forEachChosen(_ body: (Int64) throws(DecantError) -> Void) throws(DecantError) {
    var last = Int64.min
    while true {
      let next = try editing { () throws(SQLiteError) in
        try statements.integer("SELECT k FROM temp.decant_chosen WHERE k >= ?1 ORDER BY k LIMIT 1", [.integer(last)])
      }
      guard let next else { return }
      try body(next)
      guard next < Int64.max else { return }
      last = next + 1
    }
  }

  // MARK: Names

  /// Returns the entity `name`, looked up once.
  func entity(_ name: String) throws(DecantError) -> EditedEntity {
    if let entity = known[name] { return entity }
    let entity = try entities.entity(name)
    known[name] = entity
    return entity
  }

  /// Throws if a derived value depends on objects of the entity and nothing in the store computes it.
  func checkDerived(_ entity: EditedEntity) throws(DecantError) {
    guard let derived = try underived()[entity.name] else { return }
    throw DecantError(
      .unsupportedContent,
      "\(derived) follows from objects of \(entity.name), and Core Data alone computes it",
      remedy: "write these objects with the app itself"
    )
  }

  /// Returns the entities that derived values without a trigger depend on, each with one such attribute.
  private func underived() throws(DecantError) -> [String: String] {
    if let knownUnderived { return knownUnderived }
    var found: [String: String] = [:]
    for entity in store.model.entities {
      for attribute in entity.attributes where attribute.isDerived && !attribute.isDerivedFromNow {
        let root = store.model.root(of: entity.name)?.name ?? entity.name
        let role = ColumnRole.attribute(Property(entity.name, attribute.name))
        guard let column = store.layout.relation(of: root)?.column(role) else { continue }
        guard try !store.derives(column.name, on: statements.connection) else { continue }
        let name = "\(entity.name).\(attribute.name)"
        let family = store.model.family(of: entity.name)
        let sources = family.flatMap { store.model.relationships(of: $0.name) }
          .filter { attribute.derivation?.contains($0.name) == true }.map(\.destination)
        for each in family + sources.flatMap({ store.model.family(of: $0) }) { found[each.name] = name }
      }
    }
    knownUnderived = found
    return found
  }

  private func attribute(_ name: String, of entity: EditedEntity) throws(DecantError) -> EditedAttribute {
    guard let attribute = entity.attributes[name] else {
      if name.isEmpty { throw DecantError(.unsupportedRequest, "the key of \(entity.name) cannot be set") }
      throw DecantError.unknownProperty(name, of: entity.name, entity.names)
    }
    guard attribute.attribute?.isDerived != true, !attribute.column.isGenerated else {
      throw DecantError(
        .unsupportedRequest, "\(entity.name).\(name) is computed from other values, so it cannot be set")
    }
    return attribute
  }

  private func link(_ name: String, of entity: EditedEntity) throws(DecantError) -> EditedLink {
    guard let link = entity.links[name] else {
      throw DecantError.unknownProperty(name, of: entity.name, entity.names)
    }
    return link
  }

  /// Splits a draft into values and links; in a draft by name, values may include to-one relationships.
  private func parts<Object>(_ draft: ObjectDraft<Object>, of entity: EditedEntity) throws(DecantError)
    -> (values: [(String, StoreValue)], links: [(String, LinkEdit)])
  {
    var links = draft.links
    var values: [(String, StoreValue)] = []
    for (name, value) in draft.values.sorted(by: { $0.key < $1.key }) {
      guard entity.attributes[name] == nil, let link = entity.links[name], !link.relationship.isToMany else {
        values.append((name, value))
        continue
      }
      switch value {
      case .null: links[name] = LinkEdit(whole: [])
      case .integer(let key): links[name] = LinkEdit(whole: [key])
      default:
        throw DecantError(.invalidInput, "\(entity.name).\(name) is a relationship and takes the key of an object")
      }
    }
    return (values, links.sorted { $0.key < $1.key })
  }

  // MARK: Keys and records

  private func newKey(of table: EditedTable) throws(DecantError) -> Int64 {
    let root = table.relation.root
    var last = newKeys[root]?.last
    if last == nil { last = try store.lastKey(of: root, on: statements.connection) }
    guard let last, last < Int64.max - 1 else {
      throw DecantError(.limitExceeded, "\(root) has allocated its highest key")
    }
    newKeys[root] = NewKeys(first: newKeys[root]?.first ?? last + 1, last: last + 1)
    return last + 1
  }

  /// Records an object as written.
  func note(_ key: Int64, in table: EditedTable, isNew: Bool = false) throws(DecantError) {
    try editing { () throws(SQLiteError) in
      try statements.run(
        "INSERT OR IGNORE INTO temp.decant_written VALUES (?1, ?2, ?3)",
        [.integer(Int64(table.number)), .integer(key), .integer(isNew ? 1 : 0)]
      )
    }
  }

  /// The written objects, in the form that the store expects.
  var written: WrittenObjects {
    var written = WrittenObjects()
    written.haveTriggersRun = true
    for (number, relation) in store.layout.relations.enumerated() {
      written.updatedKeys[relation.root] =
        "SELECT k FROM temp.decant_written WHERE t = \(number) AND is_new = 0"
      if let keys = newKeys[relation.root] { written.newKeys[relation.root] = keys.first...keys.last }
    }
    return written
  }

  // MARK: Running

  /// Runs a statement that changes rows of an entity; its errors use the names of the model.
  func write(_ sql: String, _ bindings: [Binding], _ what: String, _ entity: EditedEntity) throws(DecantError) {
    do throws(SQLiteError) {
      try statements.run(sql, bindings)
    } catch {
      throw refused(error, "cannot \(what)", entity.table)
    }
  }

  /// Runs `body`, which changes rows.
  func editing<Result>(_ body: () throws(SQLiteError) -> Result) throws(DecantError) -> Result {
    do throws(SQLiteError) { return try body() } catch {
      throw DecantError("cannot write to “\(store.identity.place)”", cause: error)
    }
  }

  /// Returns the error of the database; for a uniqueness constraint it names the attributes.
  func refused(_ error: SQLiteError, _ what: String, _ table: EditedTable) -> DecantError {
    let start = "UNIQUE constraint failed: "
    guard error.isConstraint, error.message.hasPrefix(start) else { return DecantError(what, cause: error) }
    let columns = error.message.dropFirst(start.count).split(separator: ",").map { column in
      column.split(separator: ".").last.map(String.init) ?? String(column)
    }
    let names = columns.map { name in
      table.relation.columns.first { $0.name == name }?.columnRole.property?.name ?? name
    }
    return DecantError(
      .constraintViolated,
      "\(what): another object has the same \(names.joined(separator: " and "))",
      place: "\(table.relation.root).\(names.joined(separator: ", "))",
      remedy: "give it another value, or change the object that has it",
      cause: error
    )
  }
}
