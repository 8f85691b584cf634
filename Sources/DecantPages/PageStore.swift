package import DecantBase
package import DecantPlan
internal import DecantStore
internal import DecantSQLite

/// The objects of a store, read one at a time for a page.
///
/// Data whose size depends on the store are kept by SQLite in tables that may be moved to a file: the links, sorted by
/// the object that they lead from, and the objects that have been shown.
package final class PageStore {
  let connection: Connection
  /// The name under which the store is attached.
  let schema: String
  private(set) var model: PageModel
  let storage: (any ExternalStorage)?
  private let scope: SharedScope
  private let place: String
  /// Statements that are used for every object, by their SQL.
  private var statements: [String: Statement] = [:]
  /// The SELECTs of objects, by the index of the relation.
  private var selects: [Int: String] = [:]

  /// Reads `source`, which is already attached; its links are not sorted, so only those in columns can be followed.
  init(
    _ source: any SourceStore,
    scope: SharedScope = SharedScope(),
    on connection: Connection,
    as schema: String
  ) {
    let (model, layout) = (source.model, source.layout)
    self.model = PageModel(model: model, layout: layout, schema: schema, leavingOut: scope.leavingOut)
    (self.connection, self.schema, self.scope) = (connection, schema, scope)
    storage = source.externalStorage
    place = source.identity.place
  }

  /// Attaches `source` on a separate connection and sorts its links.
  package convenience init(_ source: any SourceStore, scope: SharedScope) throws(DecantError) {
    let schema = "shared"
    let connection = try explaining("cannot open a database in memory") { () throws(SQLiteError) in
      let connection = try Connection(":memory:", mode: .create)
      connection.setBusyTimeout(milliseconds: 2_000)
      try connection.run("PRAGMA encoding = \(source.textEncoding.sqlText)")
      try connection.setTriggersEnabled(false)
      return connection
    }
    try source.meet(on: connection, as: schema)
    self.init(source, scope: scope, on: connection, as: schema)
    for place in model.layout.relations.indices {
      try model.settle(columnsOfSeconds(in: place), as: .seconds, in: place)
    }
    try explaining("cannot sort the links of “\(place)”") { () throws(SQLiteError) in
      try connection.run("BEGIN")
      // Declared as integers, since SQLite otherwise does not look up keys of tables in the index.
      try connection.run(
        "CREATE TEMP TABLE shown (relation INTEGER, key INTEGER, PRIMARY KEY (relation, key)) WITHOUT ROWID"
      )
      try connection.run(
        "CREATE TEMP TABLE roots (place INTEGER PRIMARY KEY, relation INTEGER, key INTEGER, chapter TEXT, "
          + "title TEXT, UNIQUE (relation, key))"
      )
      for (number, select) in model.linkSelects.enumerated() {
        try connection.run("CREATE TEMP TABLE links_\(number) (owner, position, target)")
        try connection.run("INSERT INTO temp.links_\(number) SELECT * FROM (\(select)) ORDER BY 1, 2, 3")
        try connection.run("CREATE INDEX temp.links_\(number)_owner ON links_\(number) (owner, position, target)")
      }
    }
  }

  /// Runs `body`; an SQLite error in it is reported as objects of `entity` that cannot be read.
  func reading<Result>(_ entity: String, _ body: () throws(SQLiteError) -> Result) throws(DecantError) -> Result {
    try explaining("cannot read the objects of \(entity)", body)
  }

  func relation(_ place: Int) -> Relation { model.layout.relations[place] }

  /// Returns the prepared statement for `sql`, which is kept.
  private func statement(_ sql: String) throws(SQLiteError) -> Statement {
    if let known = statements[sql] { return known }
    let statement = try connection.prepare(sql)
    statements[sql] = statement
    return statement
  }

  /// Whether `sql` finds a row for the object's relation and key.
  private func finds(_ sql: String, _ object: PageReference) throws(DecantError) -> Bool {
    try reading(relation(object.relation).root) { () throws(SQLiteError) in
      let statement = try statement(sql)
      try statement.bind([.integer(Int64(object.relation)), .integer(object.key)])
      defer { statement.reset() }
      return try statement.step()
    }
  }

  /// Returns what a reader may see of the object at `reference`.
  func visibility(of reference: PageReference) throws(DecantError) -> SharedVisibility {
    guard let decide = scope.visibility else { return .shown }
    return try decide(SharedObject(relation(reference.relation).root, reference.key))
  }

  /// Whether only some of the objects may be seen.
  var isNarrowed: Bool { scope.visibility != nil }
}

// The objects that have been shown.
extension PageStore {
  /// Marks the object as shown; false if it was already.
  func markShown(_ object: PageReference) throws(DecantError) -> Bool {
    try reading(relation(object.relation).root) { () throws(SQLiteError) in
      let statement = try statement("INSERT OR IGNORE INTO temp.shown VALUES (?1, ?2)")
      try statement.run(.integer(Int64(object.relation)), .integer(object.key))
      return connection.changeCount > 0
    }
  }

  /// Whether the object has been shown.
  func isShown(_ object: PageReference) throws(DecantError) -> Bool {
    try finds("SELECT 1 FROM temp.shown WHERE relation = ?1 AND key = ?2", object)
  }

  /// Resets the marks of shown objects, for another walk over the same objects.
  func forgetShown() throws(DecantError) {
    try explaining("cannot empty a table in memory") { () throws(SQLiteError) in
      try connection.run("DELETE FROM temp.shown")
    }
  }

  /// Whether the object is one of the subjects of the page.
  func isRoot(_ object: PageReference) throws(DecantError) -> Bool {
    try finds("SELECT 1 FROM temp.roots WHERE relation = ?1 AND key = ?2", object)
  }
}

// Objects.
extension PageStore {
  /// Returns the object at `reference`, or `nil` if it does not exist or may not be seen.
  func object(_ reference: PageReference) throws(DecantError) -> PageObject? {
    guard try visibility(of: reference) != .hidden else { return nil }
    let relation = relation(reference.relation)
    let sql =
      selects[reference.relation] ?? select(from: relation) + " WHERE \(relation.keyName) = ?1"
    selects[reference.relation] = sql
    return try reading(relation.root) { () throws(SQLiteError) -> PageObject? in
      let statement = try statement(sql)
      try statement.bind(.integer(reference.key), at: 1)
      defer { statement.reset() }
      guard try statement.step() else { return nil }
      return object(in: statement, at: reference.relation, reference)
    }
  }

  /// Returns the statement that reads objects: the entity's code, then each column's value, or a NULL and the length in
  /// place of bytes.
  func select(from relation: Relation) -> String {
    let columns = relation.columns.flatMap { column -> [String] in
      let value = relation.value(of: column)
      // SQLite knows the type and length of bytes without reading them. The bytes of an object that cannot be read
      // again are read with it, unless they are large.
      let room = relation.keyColumn == nil ? " OR length(\(value)) <= \(PageBytes.heldLimit)" : ""
      return [
        "CASE WHEN typeof(\(value)) <> 'blob'\(room) THEN \(value) END",
        "CASE WHEN typeof(\(value)) = 'blob' THEN length(\(value)) END",
      ]
    }
    let code = relation.entityCode() ?? "NULL"
    return "SELECT \(([code] + columns).joined(separator: ", ")) "
      + "FROM \(relation.sqlTable(in: schema))"
  }

  /// Returns the object in the statement's current row.
  func object(in row: Statement, at place: Int, _ reference: PageReference?) -> PageObject? {
    let relation = relation(place)
    let code = row.integerOrNil(at: 0)
    let entity = relation.entities.first { $0.code == code }?.name
    let single = relation.entities.count == 1 ? relation.entities[0].name : nil
    guard let shape = model.shape(of: entity ?? single, in: place) else { return nil }
    let values = relation.columns.indices.map { index -> PageValue in
      let position = 1 + 2 * index
      switch row.type(at: position) {
      case .integer: return .integer(row.integer(at: position))
      case .real: return .real(row.real(at: position))
      case .text: return .text(row.text(at: position, byteLimit: PageObject.textLimit) ?? "")
      case .blob:
        let bytes = row.bytes(at: position)
        return .bytes(count: bytes.count, content: bytes)
      case .null:
        guard let count = row.integerOrNil(at: position + 1) else { return .null }
        return .bytes(count: Int(count), content: nil)
      }
    }
    return PageObject(reference: reference, shape: shape, values: values)
  }

  /// Returns the title of `object`.
  func title(of object: PageObject) -> String {
    ownTitle(of: object) ?? object.name
  }

  /// Returns the title of `object` from its values; `nil` if none is suitable.
  func ownTitle(of object: PageObject) -> String? {
    if let title = object.shape.title.flatMap({ object.values[$0].text }) {
      return title.firstWords(200)
    }
    return object.shape.bodies.lazy.compactMap { object.values[$0].text }.first?.firstWords(60)
  }
}

extension String {
  /// Returns the text on one line, truncated after a word if it is longer than `limit`.
  package func firstWords(_ limit: Int) -> String {
    var line = ""
    var count = 0
    for word in split(whereSeparator: \.isWhitespace) {
      guard !line.isEmpty else {
        line = String(word.prefix(limit))
        count = line.count
        continue
      }
      count += word.count + 1
      guard count <= limit else { return line + " …" }
      line += " " + word
    }
    return line
  }
}
