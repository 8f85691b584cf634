internal import DecantBase
internal import DecantPlan
internal import DecantStore
internal import DecantSQLite

/// The attribute that identifies the objects of one entity, and its values.
final class TargetIdentity {
  /// The attribute, as the model names it.
  let property: Property
  private let lookup: Statement
  private let doubled: (lookup: Statement, table: TemporaryTable)?
  /// A SELECT of the identities as text, one for each object of the entity.
  let textsOfObjects: String

  /// The identity of an object.
  enum Value {
    /// The object has none.
    case missing
    /// Another object has the same one.
    case shared
    case value(Binding)
  }

  /// Finds the identity of the concrete entity `name`.
  ///
  /// It is the one declared for the entity or one it inherits from, otherwise the first attribute that the model
  /// declares as unique.
  init?(
    of name: String,
    _ declared: [String: String],
    _ target: TargetStore,
    on connection: Connection
  ) throws(DecantError) {
    let store = target.store
    let lineage = store.model.lineage(of: name)
    let said = lineage.first { declared[$0.name] != nil }
    let promised = lineage.lazy.flatMap(\.uniquenessConstraints).first { $0.count == 1 }?.first
    guard let attribute = said.flatMap({ declared[$0.name] }) ?? promised,
      let (relation, column) = TargetIdentity.column(attribute, of: name, store),
      let property = column.columnRole.property
    else { return nil }
    self.property = property
    let value = relation.value(of: column)
    let table = relation.sqlTable(in: target.schema)
    var condition = ""
    if let code = relation.code(of: name), let column = relation.entityCode() {
      condition = " AND +\(column) = \(code)"
    }
    textsOfObjects =
      "SELECT CASE typeof(\(value)) WHEN 'blob' THEN uuid_text(\(value)) ELSE CAST(\(value) AS TEXT) END "
      + "FROM \(table) WHERE \(value) IS NOT NULL\(condition)"
    do throws(SQLiteError) {
      lookup = try connection.prepare("SELECT \(value) FROM \(table) WHERE \(relation.keyName) = ?1")
      let doubles = try TemporaryTable("(value PRIMARY KEY) WITHOUT ROWID", on: connection)
      defer { withExtendedLifetime(doubles) {} }
      try connection.run(
        """
        INSERT INTO \(doubles) SELECT v FROM (SELECT \(value) AS v FROM \(table)
          WHERE \(value) IS NOT NULL\(condition)) GROUP BY v COLLATE BINARY HAVING count(*) > 1
        """
      )
      let isShared = try connection.integer("SELECT EXISTS (SELECT 1 FROM \(doubles))") == 1
      doubled =
        isShared
        ? (try connection.prepare("SELECT 1 FROM \(doubles) WHERE value = ?1"), doubles) : nil
    } catch {
      throw DecantError("cannot read the identities of \(name)", cause: error)
    }
  }

  /// Finds the column of an attribute of `entity`, or of its key if the table has a column for it.
  static func column(_ attribute: String, of entity: String, _ store: any SourceStore) -> (Relation, RelationColumn)? {
    guard let root = store.model.root(of: entity)?.name,
      let relation = store.layout.relation(of: root)
    else { return nil }
    let column = store.model.lineage(of: entity).lazy.compactMap { ancestor in
      relation.column(.attribute(Property(ancestor.name, attribute)))
        ?? relation.column(.key(Property(ancestor.name, attribute)))
    }.first
    return column.map { (relation, $0) }
  }

  /// Returns the identity of the object with `key`.
  func value(of key: Int64) throws(SQLiteError) -> Value {
    defer { lookup.reset() }
    lookup.bind(integer: key, at: 1)
    guard try lookup.step(), lookup.type(at: 0) != .null else { return .missing }
    let value = try lookup.exactValue(at: 0)
    if case .utf8(let bytes) = value, bytes.isEmpty { return .missing }
    guard let doubled = doubled?.lookup else { return .value(value) }
    defer { doubled.reset() }
    try doubled.bind(value, at: 1)
    return try doubled.step() ? .shared : .value(value)
  }
}
