internal import DecantBase
internal import DecantStore
internal import DecantSQLite

/// Reads the objects of one entity in the order of their keys, and knows the positions of the columns.
final class EntityRows {
  /// The size from which values are never held in memory as a whole, if SQLite can return them in pieces.
  static let pieceLimit: Int64 = 1 << 20

  let rows: Statement
  /// The columns of a link in a row.
  final class Link {
    let property: Property
    let destination: String
    let place: Int
    let entityPlace: Int?
    let positionPlace: Int?
    /// The column of the link as stored, if it is written only together with its target.
    let ownPlace: Int?
    /// The names of the entities by the number beside the link.
    let entityNames: [Int64: String]
    /// The name of the link as JSON, with its colon.
    let label: [UInt8]

    init(_ link: ArchivedEntity.Link, place: Int, entityPlace: Int?, positionPlace: Int?, ownPlace: Int?) {
      self.ownPlace = ownPlace
      property = link.property
      destination = link.destination
      self.place = place
      self.entityPlace = entityPlace
      self.positionPlace = positionPlace
      entityNames = Dictionary((link.entity?.targetEntities ?? []).map { ($0.code, $0.name) }) { first, _ in first }
      label = LineBuffer.label(link.name)
    }
  }

  /// The columns of a value in a row.
  ///
  /// A class, because it is passed on for every value.
  final class Value {
    let column: RelationColumn
    let coding: ValueCoding
    let isExternal: Bool
    let place: Int
    /// The column of its length, if it is too large for the row.
    let lengthPlace: Int?
    let label: [UInt8]

    init(_ value: ArchivedEntity.Value, place: Int, lengthPlace: Int?) {
      column = value.column
      coding = value.coding
      isExternal = value.column.isExternal
      self.place = place
      self.lengthPlace = lengthPlace
      label = LineBuffer.label(value.name)
    }
  }

  let keyPlace: Int?
  let values: [Value]
  let others: [Value]
  let links: [Link]
  let owners: [Link]
  let revisionPlace: Int?
  /// The columns of key, code and reason of a listed object.
  let listPlace: Int?
  /// The attributes and relationships of the single object that cannot be read.
  let lacking: [String]
  private let unreadable: Set<String>
  /// The name of the entity as JSON.
  let label: [UInt8]

  /// Starts reading `entity` from the store attached as `schema`.
  ///
  /// If `listed` is given, only its objects are read; if `one` is given as well, only that object.
  init(
    _ entity: ArchivedEntity,
    in schema: String,
    on connection: Connection,
    listed: ListedObjects? = nil,
    one: ListedObject? = nil
  ) throws(SQLiteError) {
    let relation = entity.relation
    let unreadable = one?.unreadable ?? []
    self.unreadable = unreadable
    lacking =
      (entity.values + entity.others).filter { unreadable.contains($0.column.name) }.map(\.name)
      + (entity.owners + entity.links).filter { unreadable.contains($0.column.name) }.map(\.name)
    label = LineBuffer.label(entity.name).dropLast()
    let table = relation.sqlTable(in: schema)
    let large = try EntityRows.largeColumns(of: entity, table, connection)
    var columns: [String] = []
    func place(_ sql: String) -> Int {
      columns.append(sql)
      return columns.count - 1
    }
    func name(_ column: String) -> String {
      guard !unreadable.contains(column) else { return "NULL" }
      return listed == nil ? column.sqlName : column.sqlName(of: ListedObjects.row)
    }
    func read(_ value: ArchivedEntity.Value) -> Value {
      // In the canonical form, whatever the form in the table.
      let name = value.column.encoding.decoding(name(value.column.name))
      guard large.contains(value.column.name) else {
        return Value(value, place: place(name), lengthPlace: nil)
      }
      let isLarge = "typeof(\(name)) = 'blob' AND length(\(name)) > \(EntityRows.pieceLimit)"
      return Value(
        value,
        place: place("CASE WHEN NOT (\(isLarge)) THEN \(name) END"),
        lengthPlace: place("CASE WHEN \(isLarge) THEN length(\(name)) END")
      )
    }
    func read(_ link: ArchivedEntity.Link) -> Link {
      let own = name(link.column.name)
      let kept = listed.map { listed -> String in
        guard !unreadable.contains(link.column.name) else { return "NULL" }
        let value = relation.value(of: link.column, in: ListedObjects.row)
        return "CASE WHEN \(listed.keeps("(\(value))", to: link.column.targetRoot)) THEN \(own) END"
      }
      return Link(
        link,
        place: place(kept ?? own),
        entityPlace: link.entity.map { place(name($0.name)) },
        positionPlace: link.position.map { place(name($0.name)) },
        ownPlace: kept == nil ? nil : place(own)
      )
    }
    keyPlace = relation.keyColumn.map { place(name($0)) }
    values = entity.values.map(read)
    others = entity.others.map(read)
    links = entity.links.map(read)
    owners = entity.owners.map(read)
    revisionPlace = entity.revision.map { place(name($0.name)) }
    listPlace = listed.map { _ in
      place(one == nil ? "decant_key, decant_code, decant_reason" : "?1, ?2, ?3")
    }
    if columns.isEmpty { columns = ["1"] }
    var sql = "SELECT \(columns.joined(separator: ", ")) "
    if let listed, let one {
      sql += listed.row(of: relation, where: relation.condition(for: entity.code))
      rows = try connection.prepare(sql)
      try rows.bind([.integer(one.key), .text(one.code), .text(one.reason)])
      return
    }
    if let listed {
      sql += listed.rows(of: relation, where: relation.condition(for: entity.code))
      rows = try connection.prepare(sql)
      return
    }
    sql += "FROM \(table)"
    if let condition = relation.condition(for: entity.code) { sql += " WHERE \(condition)" }
    switch relation.key {
    case .integer(let column, _): sql += " ORDER BY \(column.sqlName)"
    case .values(let names): sql += " ORDER BY \(names.map(\.sqlName).joined(separator: ", "))"
    case .none: break
    }
    rows = try connection.prepare(sql)
  }

  /// Returns the columns in which a value has more than `pieceLimit` bytes and can be read in pieces.
  private static func largeColumns(
    of entity: ArchivedEntity,
    _ table: String,
    _ connection: Connection
  ) throws(SQLiteError) -> Set<String> {
    guard entity.relation.opensValues else { return [] }
    let columns = (entity.values + entity.others).filter { value in
      guard !value.column.isGenerated else { return false }
      switch value.column.type {
      case .binary, .transformable, .undefined, .objectID, nil: return true
      // A declared type in a plain database is not binding.
      default: return entity.relation.entityColumn == nil && value.column.type != .boolean
      }
    }.map(\.column.name)
    guard !columns.isEmpty else { return [] }
    let lengths = columns.map { name in
      "max(CASE WHEN typeof(\(name.sqlName)) = 'blob' THEN length(\(name.sqlName)) END)"
    }
    let statement = try connection.prepare("SELECT \(lengths.joined(separator: ", ")) FROM \(table)")
    guard try statement.step() else { return [] }
    return Set(columns.indices.filter { statement.integer(at: $0) > pieceLimit }.map { columns[$0] })
  }
}

extension EntityRows {
  /// Whether the value of the current object cannot be read.
  func lacks(_ value: Value) -> Bool { !lacking.isEmpty && unreadable.contains(value.column.name) }
}

extension Relation {
  /// Returns the condition for rows of the entity with `code`.
  package func condition(for code: Int64) -> String? {
    guard let column = entityColumn?.sqlName else { return nil }
    // The plus sign makes SQLite keep the table's own order.
    guard namesEntities else { return "+\(column) = \(code)" }
    return "+\(column) = \((entities.first { $0.code == code }?.name ?? "").sqlText)"
  }
}

extension LineBuffer {
  /// Returns a member's name as JSON, with its colon.
  static func label(_ name: String) -> [UInt8] {
    var line = LineBuffer()
    line.append(string: name)
    line.append(":")
    return Array(line.bytes)
  }
}
