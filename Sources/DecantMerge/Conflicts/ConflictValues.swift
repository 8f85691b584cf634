internal import DecantBase
package import DecantMatch
package import DecantPlan
internal import DecantStore
internal import DecantDigests
package import DecantJSON
package import DecantSQLite

/// Reads objects of two stores for the file of conflicts: keys, titles and values.
package final class ConflictValues {
  private let connection: Connection
  private let hashes: MatchHashes
  private var statements: [String: Statement] = [:]

  /// Reads on `connection`, where both stores have the schema names given in `hashes`.
  package init(_ hashes: MatchHashes, on connection: Connection) {
    self.connection = connection
    self.hashes = hashes
  }

  /// Returns the line of a conflict.
  ///
  /// - Parameters:
  ///   - root: The root entity of the object.
  ///   - source: Its key in the source; `nil` if the source lacks it.
  ///   - destination: Its key in the destination; `nil` if the destination lacks it.
  ///   - subject: The subject of the conflict.
  /// - Returns: The line, without decision.
  /// - Throws: `SQLiteError` if a store cannot be read.
  func line(
    _ root: String,
    source: Int64?,
    destination: Int64?,
    _ subject: ConflictLine.Subject
  ) throws(SQLiteError) -> ConflictLine {
    let side = destination == nil ? MatchSide.source : .destination
    let own = destination ?? source ?? 0
    return ConflictLine(
      kind: subject.kind,
      entity: try entity(own, root, side),
      mine: try destination.map { key throws(SQLiteError) in try self.key(key, root, .destination) }
        ?? .null,
      theirs: try source.map { key throws(SQLiteError) in try self.key(key, root, .source) }
        ?? .null,
      title: try title(own, root, side),
      subject: subject
    )
  }

  /// Returns the line of an object that one store has removed; `side` is the other store, which has it.
  func line(deleted key: Int64, of root: String, _ side: MatchSide) throws(SQLiteError) -> ConflictLine {
    try line(
      root,
      source: side == .source ? key : nil,
      destination: side == .destination ? key : nil,
      .deleted(
        byTheirs: side == .destination, values: try values(of: key, root, side), parts: try parts(of: key, root, side))
    )
  }

  /// Returns the number of an object's parts, including parts of parts, and a digest of their values; `nil` for none.
  ///
  /// They go with the object if it is deleted.
  private func parts(of key: Int64, _ name: String, _ side: MatchSide) throws(SQLiteError) -> JSONValue? {
    var digest = SHA256()
    var (count, open) = (Int64(0), [(key: key, root: name)])
    var seen: Set<String> = []
    while let (key, name) = open.popLast() {
      guard seen.insert("\(name) \(key)").inserted, let root = hashes.root(name) else { continue }
      for (child, link) in hashes.owned(by: root) {
        let owner = child.relations[side].value(of: link.columns[side])
        var keys: [Int64] = []
        try connection.forEachRow(
          "SELECT \(child.key(side)) FROM \(child.table(side)) WHERE \(owner) = \(key) ORDER BY 1"
        ) { keys.append($0.integer(at: 0)) }
        for part in keys {
          count += 1
          open.append((part, child.name))
          digest.add("\(child.name) \(part)\n")
          for (name, value) in try values(of: part, child.name, side) {
            digest.add("\(name) \(value.withoutTitle.text)\n")
          }
        }
      }
    }
    return count == 0 ? nil : .object([("count", .integer(count)), ("sha256", .string(SHA256.text(digest.finish())))])
  }

  /// Returns the name of the object's concrete entity.
  func entity(_ key: Int64, _ name: String, _ side: MatchSide) throws(SQLiteError) -> String {
    guard let root = hashes.root(name) else { return name }
    return try root.relations[side].entityName(of: key, in: root.schemas[side], on: connection)
      ?? name
  }

  /// Returns the object's key as in the file: a number, or the values of the table's own key.
  package func key(_ key: Int64, _ name: String, _ side: MatchSide) throws(SQLiteError) -> JSONValue {
    guard let root = hashes.root(name), !root.relations[side].ownKey.isEmpty else {
      return .integer(key)
    }
    let columns = root.relations[side].ownKey
    let values = try read(columns.map(\.sqlName).joined(separator: ", "), key, root, side) { row in
      columns.indices.map { ConflictValues.json(row, at: $0, nil) }
    }
    return values.map { .array($0) } ?? .null
  }

  /// Returns the title of the object; `nil` if it has no attribute for a title or name.
  func title(_ key: Int64, _ name: String, _ side: MatchSide) throws(SQLiteError) -> String? {
    guard let root = hashes.root(name) else { return nil }
    let entity = try entity(key, name, side)
    guard let column = root.relations[side].titleColumn(of: entity, in: hashes.model) else {
      return nil
    }
    let title = try read(column.name.sqlName, key, root, side) { $0.text(at: 0) }
    return title ?? nil
  }

  /// Returns the description of a link's target: its key, and its title if it has one.
  func object(_ key: Int64, _ name: String, _ side: MatchSide) throws(SQLiteError) -> JSONValue {
    var members = [("key", try self.key(key, name, side))]
    if let title = try title(key, name, side) { members.append(("title", .string(title))) }
    return .object(members)
  }

  /// Returns the value of an attribute, or the target of a link.
  func value(_ columnRole: ColumnRole, of key: Int64, _ name: String, _ side: MatchSide)
    throws(SQLiteError) -> JSONValue
  {
    guard let root = hashes.root(name) else { return .null }
    if let link = hashes.links(of: root).first(where: {
      $0.columns.destination.columnRole == columnRole
    }) {
      let value = root.relations[side].value(of: link.columns[side])
      guard let target = try read(value, key, root, side, { $0.integerOrNil(at: 0) }) ?? nil else {
        return .null
      }
      return try object(target, link.target, side)
    }
    guard
      let value = hashes.comparedProperties(of: root, side).first(where: { $0.columnRole == columnRole })?
        .value
    else { return .null }
    let column = root.relations.destination.column(columnRole)
    var expression = value
    if let own = root.relations[side].column(columnRole), own.isExternal {
      expression = "content('\(side.rawValue)', \(root.relations[side].value(of: own)))"
    }
    return try read(expression, key, root, side) { ConflictValues.json($0, at: 0, column?.type) }
      ?? .null
  }

  /// Returns the values and link targets of an object, by name.
  func values(of key: Int64, _ name: String, _ side: MatchSide) throws(SQLiteError) -> [(
    name: String, value: JSONValue
  )] {
    guard let root = hashes.root(name) else { return [] }
    var values: [(name: String, value: JSONValue)] = []
    let columnRoles =
      hashes.comparedProperties(of: root, side).map(\.columnRole)
      + hashes.links(of: root).map(\.columns.destination.columnRole)
    for columnRole in columnRoles where !values.contains(where: { $0.name == columnRole.name }) {
      values.append((columnRole.name, try value(columnRole, of: key, name, side)))
    }
    return values
  }

  private func read<Result>(
    _ columns: String,
    _ key: Int64,
    _ root: MatchRoot,
    _ side: MatchSide,
    _ body: (Statement) -> Result
  ) throws(SQLiteError) -> Result? {
    let sql = "SELECT \(columns) FROM \(root.table(side)) WHERE \(root.key(side)) = ?1"
    let statement: Statement
    if let known = statements[sql] {
      statement = known
    } else {
      statement = try connection.prepare(sql)
      statements[sql] = statement
    }
    defer { statement.reset() }
    try statement.bind(.integer(key), at: 1)
    return try statement.step() ? body(statement) : nil
  }

  /// Returns a value of a row as in the file.
  ///
  /// Dates are texts in ISO 8601, in UTC; bytes are represented by their number, their kind if they are a picture, and
  /// their SHA-256.
  static func json(_ row: Statement, at position: Int, _ type: AttributeType?) -> JSONValue {
    switch row.type(at: position) {
    case .null: return .null
    case .integer:
      let integer = row.integer(at: position)
      if type == .boolean, integer == 0 || integer == 1 { return .bool(integer == 1) }
      if type == .date, let text = DateText.exactText(of: Double(integer)) { return .string(text) }
      return .integer(integer)
    case .real:
      let real = row.real(at: position)
      if type == .date, let text = DateText.exactText(of: real) { return .string(text) }
      // JSON has no infinite numbers.
      if real.isInfinite { return .object([("real", .string(real < 0 ? "-Inf" : "Inf"))]) }
      // A whole number may be stored in a numeric column as either type.
      if let whole = Int64(exactly: real) { return .integer(whole) }
      return .number(real)
    case .text: return .string(row.text(at: position) ?? "")
    case .blob:
      return row.withBytes(at: position) { bytes in
        if type == .uuid, bytes.count == 16 { return .string(Array(bytes).uuidText) }
        var members: [(String, JSONValue)] = [("bytes", .integer(Int64(bytes.count)))]
        if let format = ImageFormat(head: bytes.prefix(ImageFormat.headByteCount)) {
          members.append(("type", .string(format.mediaType)))
        }
        members.append(("sha256", .string(SHA256.text(of: bytes))))
        return .object(members)
      }
    }
  }
}

extension SHA256 {
  fileprivate mutating func add(_ text: String) {
    var text = text
    text.withUTF8 { update(UnsafeRawBufferPointer($0)) }
  }
}

extension JSONValue {
  /// A link's target by its key alone: its title may change.
  fileprivate var withoutTitle: JSONValue {
    guard case .object(let members) = self, members.first?.0 == "key" else { return self }
    return .object([members[0]])
  }
}

extension Relation {
  /// Returns the title or name column of `entity`; `nil` if it has none.
  func titleColumn(of entity: String, in model: Model) -> RelationColumn? {
    for name in ["title", "name", "label", "caption", "subject", "headline"] {
      for declaring in model.lineage(of: entity) {
        guard let attribute = declaring.attributes.first(where: { $0.name.lowercased() == name }),
          let column = column(.attribute(Property(declaring.name, attribute.name))),
          column.type == .string
        else { continue }
        return column
      }
    }
    return nil
  }
}
