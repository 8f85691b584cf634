package import DecantBase
package import DecantPlan
internal import DecantStore
package import DecantSQLite

/// References to objects that are not in the archive, by their identity.
///
/// A reader restores the link if it has such an object. The written store is a part of another store, the origin, in
/// which the objects have the same keys.
package final class ReferenceLinks {
  /// The schema name under which the origin is attached.
  package static let schema = "origin"

  private let origin: any SourceStore
  private let connection: Connection
  /// `nil` for all.
  private let relationships: Set<Property>?
  /// The written objects, if they are read as a part of the origin itself.
  private let listed: ListedObjects?
  private let encoder: ValueEncoder
  private var statements: [Property: Lookup?] = [:]

  /// Reads the target of a link, and its identifying values.
  private struct Lookup {
    let statement: Statement
    let names: [Int64?: String]
    let labels: [[UInt8]]
    let codings: [ValueCoding]
    /// The columns of the positions in both lists, as in a link to a written object.
    var places: [(label: StaticString, column: Int)] = []
  }

  /// Attaches `origin` to `connection`.
  ///
  /// - Parameters:
  ///   - origin: The store of which a part is written.
  ///   - relationships: The relationships whose links are written as references.
  ///   - connection: The connection to which the part is attached.
  /// - Throws: `DecantError` if the origin cannot be attached.
  package init(_ origin: any SourceStore, _ relationships: Set<Property>, on connection: Connection)
    throws(DecantError)
  {
    self.origin = origin
    self.connection = connection
    self.relationships = relationships
    listed = nil
    encoder = ValueEncoder(isWide: origin.textEncoding != "UTF-8")
    try origin.attach(to: connection, as: ReferenceLinks.schema)
  }

  /// Writes references for all links of `listed` objects to others of the same store, which is already attached.
  package init(within source: any SourceStore, to listed: ListedObjects, on connection: Connection) {
    origin = source
    self.connection = connection
    self.listed = listed
    relationships = nil
    encoder = ValueEncoder(isWide: source.textEncoding != "UTF-8")
  }

  private var schema: String { listed?.schema ?? ReferenceLinks.schema }

  /// Whether links of `property` are written as references.
  func tells(_ property: Property) -> Bool { relationships?.contains(property) ?? true }

  /// Whether the target of the link `value` of a listed object has an identity.
  func canTell(_ property: Property, _ value: Binding) throws(SQLiteError) -> Bool {
    guard
      let relation = origin.layout.relations.first(where: { $0.column(.target(property)) != nil }),
      let lookup = try lookup(property, in: relation)
    else { return false }
    try lookup.statement.bind([value])
    defer { lookup.statement.reset() }
    guard try lookup.statement.step() else { return false }
    return isKnown(lookup)
  }

  /// Whether all identifying values of the current target are present.
  private func isKnown(_ lookup: Lookup) -> Bool {
    // NULL does not identify anything.
    lookup.labels.indices.allSatisfy { lookup.statement.type(at: $0 + 1) != .null }
  }

  /// Writes the references of an object by `property`; returns their number.
  ///
  /// `begin` is called once before the first. `key` is the object's own key or, for a listed object, the link in its
  /// column; `place` is its position in the target's list.
  func write(
    _ property: Property,
    of key: Binding,
    at place: Binding? = nil,
    in relation: Relation,
    to line: inout LineBuffer,
    _ begin: (inout LineBuffer) -> Void
  ) throws(SQLiteError) -> Int {
    guard tells(property), key != .null, let lookup = try lookup(property, in: relation) else {
      return 0
    }
    try lookup.statement.bind([key])
    defer { lookup.statement.reset() }
    var count = 0
    while try lookup.statement.step() {
      let row = lookup.statement
      guard let name = lookup.names[row.integerOrNil(at: 0)] ?? lookup.names[nil] else { continue }
      guard isKnown(lookup) else { continue }
      if count == 0 { begin(&line) } else { line.append(",") }
      count += 1
      line.append(#"{"ref":{"e":"#)
      line.append(string: name)
      line.append(#","key":{"#)
      for index in lookup.labels.indices {
        if index > 0 { line.append(",") }
        line.append(raw: lookup.labels[index])
        let outcome = try encoder.encode(row, index + 1, lookup.codings[index], limit: 1 << 18, to: &line)
        guard case .written = outcome else {
          throw SQLiteError(
            code: SQLiteError.internalCode,
            message: "the values that identify an object of \(name) exceed 256 KiB"
          )
        }
      }
      line.append("}}")
      if listed != nil, case .integer(let place)? = place {
        line.append(#","at":"#)
        line.append(place)
      }
      for (label, column) in lookup.places where row.type(at: column) == .integer {
        line.append(label)
        line.append(row.integer(at: column))
      }
      line.append("}")
    }
    return count
  }

  private func lookup(_ property: Property, in relation: Relation) throws(SQLiteError) -> Lookup? {
    if let known = statements[property] { return known }
    let made = try make(property, in: relation)
    statements[property] = .some(made)
    return made
  }

  /// Returns a statement for a link in a column, or for the links in a table; `nil` if the target has no identity.
  private func make(_ property: Property, in relation: Relation) throws(SQLiteError) -> Lookup? {
    let list = origin.layout.linkRelations.first { $0.relationship == property }
    let column = relation.column(.target(property))
    guard let root = list?.targetRoot ?? column?.targetRoot,
      let target = origin.layout.relation(of: root), let targetKey = target.keyColumn,
      let destination = origin.model.relationship(property)?.destination,
      let entity = target.entities.first(where: { $0.name == destination }) ?? target.entities.first
    else { return nil }
    let archived = ArchivedEntity(entity, in: target, of: origin)
    var known = archived.key.map { archived.values[$0] }
    if known.isEmpty { known = try identifier(of: archived).map { [$0] } ?? [] }
    guard !known.isEmpty else { return nil }
    let schema = self.schema
    let code = target.entityCode(in: "t") ?? "NULL"
    var columns =
      [code]
      + known.map { value in
        value.column.encoding.decoding("t.\(value.column.name.sqlName)")
      }
    var places: [(StaticString, Int)] = []
    if listed != nil, let list {
      for (label, column) in [
        (#","in":"# as StaticString, list.positionColumn),
        (#","at":"#, list.inversePositionColumn),
      ] {
        guard let column else { continue }
        places.append((label, columns.count))
        columns.append("l.\(column.sqlName)")
      }
    }
    let link: String
    if let list {
      link =
        "JOIN \(list.sqlTable(in: schema)) AS l ON l.\(list.targetColumn.sqlName) = t.\(targetKey.sqlName) "
        + "WHERE l.\(list.ownerColumn.sqlName) = ?1 "
        + (listed.map { "AND NOT \($0.contains("t.\(targetKey.sqlName)", of: root)) " } ?? "")
        + "ORDER BY t.\(targetKey.sqlName)"
    } else if listed != nil {
      link = "WHERE t.\(targetKey.sqlName) = ?1"
    } else {
      guard let ownKey = relation.keyColumn else { return nil }
      link =
        "JOIN \(relation.sqlTable(in: schema)) AS o ON o.\((column?.name ?? "").sqlName) = "
        + "t.\(targetKey.sqlName) WHERE o.\(ownKey.sqlName) = ?1"
    }
    let names =
      target.entityColumn == nil
      ? [nil: entity.name]
      : Dictionary(target.entities.map { (Optional($0.code), $0.name) }) { first, _ in first }
    return Lookup(
      statement: try connection.prepare(
        "SELECT \(columns.joined(separator: ", ")) FROM \(target.sqlTable(in: schema)) AS t \(link)"
      ),
      names: names,
      labels: known.map { LineBuffer.label($0.name) },
      codings: known.map(\.coding),
      places: places
    )
  }

  /// Returns an attribute that identifies objects although the model does not define it.
  ///
  /// That is a UUID, or an attribute with such a name, of which no two objects have the same value.
  private func identifier(of entity: ArchivedEntity) throws(SQLiteError) -> ArchivedEntity.Value? {
    let names: Set<String> = ["uuid", "guid", "identifier"]
    let candidates = entity.values.filter { value in
      value.column.type == .uuid || names.contains(value.name.lowercased())
    }
    let table = entity.relation.sqlTable(in: schema)
    for value in candidates {
      let column = value.column.name.sqlName
      let isUnique = try connection.integer("SELECT count(*) = count(DISTINCT \(column)) FROM \(table)")
      if isUnique == 1 { return value }
    }
    return nil
  }
}
