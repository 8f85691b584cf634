package import DecantBase
internal import DecantPlan
internal import DecantStore
package import DecantSQLite

/// The empty objects of a mapped root entity, made for links to lead to that have no target.
///
/// A table of SQLite's in the temporary database says which they are. Objects of the source that are left out
/// lose their values in the view of the mapped objects while their key stands there; those that the source does
/// not have at all are rows of the view in addition.
package struct MappedStubs {
  let mapped: MappedRoot
  let tables: MappedTables

  /// The columns: the key in the view, the entity's number there, the entity that the first link to it wants,
  /// and whether the source has no such object.
  package static let key = "\".key\""
  package static let entity = "\".entity\""
  package static let wanted = "\".wanted\""
  package static let isDangling = "\".is dangling\""
  /// The name of the table in the view.
  static let alias = "\".stub\""

  package var root: String { mapped.root }
  private var name: String { "stubs of \(mapped.root)" }
  /// The table, as SQL names it.
  package var table: String { "temp.\(name.quotedName)" }
  private var destination: MappingResolver.ModelSide { tables.destination }
  private var relation: Relation? { destination.layout.relation(of: mapped.root) }

  // MARK: What leads back

  /// A link of the empty object that goes with the one which leads to it: both ends of one to one are stored.
  package struct Back {
    let property: Property
    /// The relationship that leads to the empty object.
    package let holder: Property
    /// The column that holds the key of the object which does.
    package let column: String
  }

  package var backs: [Back] {
    var backs: [Back] = []
    for column in relation?.columns ?? [] {
      guard case .target(let property) = column.columnRole,
        let relationship = destination.model[property.entity]?.relationships
          .first(where: { $0.name == property.name }),
        let (holder, inverse) = destination.inverse(of: relationship), !inverse.isToMany,
        destination.relation(of: holder.entity)?.column(.target(holder)) != nil
      else { continue }
      let column = "\".back \(backs.count)\""
      backs.append(Back(property: property, holder: holder, column: column))
    }
    return backs
  }

  // MARK: The table

  /// Makes the table without rows: views can be asked only when all tables that they read are there.
  func make(on connection: Connection) throws(DecantError) {
    let columns =
      [
        "\(MappedStubs.key) INTEGER PRIMARY KEY", "\(MappedStubs.entity) INTEGER",
        "\(MappedStubs.wanted) TEXT", "\(MappedStubs.isDangling) INTEGER NOT NULL DEFAULT 0",
      ] + backs.map { "\($0.column) INTEGER" }
    try explaining("cannot record empty objects of \(root)") { () throws(SQLiteError) in
      try connection.run("CREATE TABLE IF NOT EXISTS \(table) (\(columns.joined(separator: ", ")))")
      try connection.run("DELETE FROM \(table)")
    }
  }

  /// Has `other` know the same empty objects as `connection`.
  func carry(from connection: Connection, to other: Connection) throws(SQLiteError) {
    try other.run("DELETE FROM \(table)")
    let count = 4 + backs.count
    let places = (1...count).map { "?\($0)" }.joined(separator: ", ")
    let insertion = try other.prepare("INSERT INTO \(table) VALUES (\(places))")
    try connection.forEachRow("SELECT * FROM \(table)") { row throws(SQLiteError) in
      try insertion.bind((0..<count).map { row.value(at: $0) })
      defer { insertion.reset() }
      _ = try insertion.step()
    }
  }

  // MARK: Values

  /// What joins the table to the rows of a part whose key in the view is `key`.
  func join(_ key: String) -> String {
    " LEFT JOIN \(table) AS \(MappedStubs.alias) "
      + "ON \(MappedStubs.alias).\(MappedStubs.key) = \(key)"
  }

  /// The value of an object that may have been emptied.
  ///
  /// - Parameters:
  ///   - own: Its own value, as SQL.
  ///   - empty: What an object has that nobody gives a value.
  ///   - columnRole: What the value is.
  ///   - part: How the object is made.
  /// - Returns: SQL over the rows of the part, joined by `join`.
  func value(_ own: String, orElse empty: String, _ columnRole: ColumnRole, _ part: MappedPart) -> String {
    guard !isKept(columnRole, part) else { return own }
    let back = backs.first { .target($0.property) == columnRole }
    let other = back.map { "\(MappedStubs.alias).\($0.column)" } ?? empty
    guard other != own else { return own }
    return "CASE WHEN \(MappedStubs.alias).\(MappedStubs.key) IS NULL THEN \(own) ELSE \(other) END"
  }

  /// Whether an empty object has its own value: it is what tells it from others.
  private func isKept(_ columnRole: ColumnRole, _ part: MappedPart) -> Bool {
    switch columnRole {
    case .attribute(let property):
      if case .generated = part.values[columnRole] { return true }
      return identity(of: part.entity).contains(property.name)
    case .target(let property): return identity(of: part.entity).contains(property.name)
    // What goes with a link is nothing without it.
    case .targetEntity, .position, .ownerPosition: return true
    case .key: return true
    case .owner, .unnamed, .revision: return false
    }
  }

  /// The attributes and relationships that tell objects of `entity` apart: those that were said to, else the first
  /// that the model says are unique together.
  func identity(of entity: String) -> Set<String> {
    if let said = tables.stubRules.identity(of: entity, in: destination.model) { return Set(said) }
    let names = Set(destination.attributeNames(of: entity) + toOneNames(of: entity))
    for ancestor in destination.model.lineage(of: entity) {
      for constraint in ancestor.uniquenessConstraints
      where !constraint.isEmpty && names.isSuperset(of: constraint) {
        return Set(constraint)
      }
    }
    return []
  }

  private func toOneNames(of entity: String) -> [String] {
    destination.model.relationships(of: entity).filter { !$0.isToMany && !$0.isTransient }
      .map(\.name)
  }

  /// The SELECT of the objects that the source does not have, as those of `part`.
  ///
  /// - Parameters:
  ///   - part: One that makes objects of the entity.
  ///   - index: Its place among all.
  ///   - code: The entity's number in the view.
  ///   - columns: The names of the view's columns, what they mean, and what an object has that nobody gives a value.
  /// - Returns: A SELECT with the columns of those of the parts.
  func missingRows(
    _ part: MappedPart,
    _ index: Int,
    code: Int64,
    _ columns: [(name: String, columnRole: ColumnRole, empty: String)]
  ) -> String {
    let row = part.source.quotedName
    let values = columns.map { name, columnRole, empty -> String in
      var value = empty
      if let back = backs.first(where: { .target($0.property) == columnRole }) {
        value = "\(row).\(back.column)"
      }
      // Content makes no identifier of an object without any.
      if case .generated(let generator) = part.values[columnRole], !generator.isOfContent {
        value = tables.identifier(generator, part, index, columnRole)
      }
      return "\(value) AS \(name.quotedName)"
    }
    let base =
      mapped.needsKeys
      ? "coalesce(\(MissingKeys(mapped: mapped, tables: tables).base(of: "s.\(MappedStubs.key)")), s.\(MappedStubs.key))"
      : "s.\(MappedStubs.key)"
    return SelectStatement(
      columns: [
        "\(row).\(MappedStubs.key) AS \(EntityView.key)", "\(code) AS \(EntityView.entityName)",
      ] + values,
      source: "(SELECT s.*, \(base) AS \(EntityView.key) FROM \(table) AS s) AS \(row)",
      conditions: ["\(row).\(MappedStubs.isDangling)", "\(row).\(MappedStubs.entity) = \(code)"]
    ).sql
  }
}

extension Mapping.Generator {
  /// Whether the identifier is made of what objects hold.
  fileprivate var isOfContent: Bool { if case .content = self { true } else { false } }
}

extension MappedStore {
  /// The empty objects of all root entities for which any may be made.
  package var stubs: [MappedStubs] {
    tables.roots.compactMap { tables.stubs(of: $0) }
  }

  /// Has `other` know the empty objects that were settled on `connection`.
  package func carryStubs(from connection: Connection, to other: Connection) throws(DecantError) {
    for stubs in stubs {
      try explaining("cannot record empty objects of \(stubs.root)") { () throws(SQLiteError) in
        try stubs.carry(from: connection, to: other)
      }
    }
  }
}
