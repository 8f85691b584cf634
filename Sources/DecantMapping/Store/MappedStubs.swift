package import DecantBase
internal import DecantPlan
internal import DecantStore
package import DecantSQLite

/// The empty objects of a mapped root entity, which replace missing targets of links.
///
/// They are listed in a temporary table. Source objects that are left out lose their values in the view of mapped
/// objects while their key is listed; objects missing in the source are additional rows of the view.
package struct MappedStubs {
  let mapped: MappedRoot
  let tables: MappedTables

  /// The columns: the key in the view, the entity's code there, the target entity of the first link to it, and whether
  /// the object is missing in the source.
  package static let key = "\".key\""
  package static let entity = "\".entity\""
  package static let wanted = "\".wanted\""
  package static let isDangling = "\".is dangling\""
  /// The alias of the table in the view.
  static let alias = "\".stub\""

  package var root: String { mapped.root }
  private var name: String { "stubs of \(mapped.root)" }
  /// The qualified name of the table in SQL.
  package var table: String { "temp.\(name.quotedName)" }
  private var destination: MappingResolver.ModelSide { tables.destination }
  private var relation: Relation? { destination.layout.relation(of: mapped.root) }

  // MARK: Inverse links

  /// A link from the empty object back to the object that links to it, for one-to-one links, whose ends are both
  /// stored.
  package struct Back {
    let property: Property
    /// The relationship that leads to the empty object.
    package let holder: Property
    /// The column with the key of the object that links to it.
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

  /// Creates the empty table: views can be read only when all of their tables exist.
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

  /// Copies the list of empty objects from `connection` to `other`.
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

  /// Returns the join of the table with the rows of a part whose key in the view is `key`.
  func join(_ key: String) -> String {
    " LEFT JOIN \(table) AS \(MappedStubs.alias) "
      + "ON \(MappedStubs.alias).\(MappedStubs.key) = \(key)"
  }

  /// Returns the value of an object that may be emptied.
  ///
  /// - Parameters:
  ///   - own: The SQL of its own value.
  ///   - empty: The value of a column to which no value is given.
  ///   - columnRole: The role of the value.
  ///   - part: The part that makes the object.
  /// - Returns: The SQL over the rows of the part, joined by `join`.
  func value(_ own: String, orElse empty: String, _ columnRole: ColumnRole, _ part: MappedPart) -> String {
    guard !isKept(columnRole, part) else { return own }
    let back = backs.first { .target($0.property) == columnRole }
    let other = back.map { "\(MappedStubs.alias).\($0.column)" } ?? empty
    guard other != own else { return own }
    return "CASE WHEN \(MappedStubs.alias).\(MappedStubs.key) IS NULL THEN \(own) ELSE \(other) END"
  }

  /// Returns whether an empty object keeps this value because it belongs to its identity.
  private func isKept(_ columnRole: ColumnRole, _ part: MappedPart) -> Bool {
    switch columnRole {
    case .attribute(let property):
      if case .generated = part.values[columnRole] { return true }
      return identity(of: part.entity).contains(property.name)
    case .target(let property): return identity(of: part.entity).contains(property.name)
    // Columns that belong to a link have no meaning without it.
    case .targetEntity, .position, .ownerPosition: return true
    case .key: return true
    case .owner, .unnamed, .revision: return false
    }
  }

  /// Returns the attributes and relationships that identify objects of `entity`.
  ///
  /// They are the requested ones, otherwise those of the first uniqueness constraint in the model.
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

  /// Returns the SELECT of objects missing in the source, as objects of `part`.
  ///
  /// - Parameters:
  ///   - part: The part that makes objects of the entity.
  ///   - index: Its index among all parts.
  ///   - code: The entity's code in the view.
  ///   - columns: The names and roles of the view's columns, and the value of each if no value is given.
  /// - Returns: A SELECT with the same columns as those of the parts.
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
      // An identifier made from content cannot be made for an object without content.
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
  /// Whether the identifier is made from the contents of objects.
  fileprivate var isOfContent: Bool { if case .content = self { true } else { false } }
}

extension MappedStore {
  /// The empty objects of all root entities for which they may be created.
  package var stubs: [MappedStubs] {
    tables.roots.compactMap { tables.stubs(of: $0) }
  }

  /// Copies the list of empty objects from `connection` to `other`.
  package func carryStubs(from connection: Connection, to other: Connection) throws(DecantError) {
    for stubs in stubs {
      try explaining("cannot record empty objects of \(stubs.root)") { () throws(SQLiteError) in
        try stubs.carry(from: connection, to: other)
      }
    }
  }
}
