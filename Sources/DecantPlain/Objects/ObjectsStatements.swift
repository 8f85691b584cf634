internal import DecantBase
package import DecantStore
internal import DecantSQLite

/// The statements that make the tables and indexes of an `ObjectsLayout`; the same model gives the same statements.
package struct ObjectsStatements {
  /// The tables of objects, then those of links.
  package private(set) var tables: [String] = []
  /// The indexes that enforce uniqueness constraints.
  package private(set) var uniqueIndexes: [String] = []
  /// The indexes for finding links from their other end.
  package private(set) var indexes: [String] = []
  private let layout: Layout
  private var names: PlainNames
  /// Returns the declared type of a column that is not a link.
  private let declaration: (RelationColumn) -> String
  /// Whether columns of bytes follow the others: only the last values of a row are written in pieces.
  private let endsWithBytes: Bool

  /// Creates the statements; by default columns have the declared types of a plain SQLite database.
  package init(
    _ objects: ObjectsLayout,
    declaring declaration: @escaping (RelationColumn) -> String = { $0.type?.plainDeclaration ?? "INTEGER" },
    endsWithBytes: Bool = false
  ) {
    layout = objects.layout
    self.declaration = declaration
    self.endsWithBytes = endsWithBytes
    // Tables and indexes share one namespace.
    let links = layout.linkRelations + objects.owners.map(\.links)
    names = PlainNames(Set((layout.relations.map(\.table) + links.map(\.table)).map { $0.foldedName }))
    for relation in layout.relations { add(relation) }
    for links in links { add(links) }
    for entity in objects.model.entities {
      for constraint in entity.uniquenessConstraints { add(constraint, of: entity, objects.model) }
    }
  }

  /// Creates the statements of a temporary database: columns have no types.
  package init(temporary objects: ObjectsLayout) {
    self.init(objects, declaring: { _ in "" }, endsWithBytes: true)
  }

  private mutating func add(_ relation: Relation) {
    var lines = ["\(ObjectsLayout.key) INTEGER PRIMARY KEY"]
    if let column = relation.entityColumn { lines.append("\(column.sqlName) TEXT NOT NULL") }
    var seen: Set<String> = []
    let isLast = relation.columns.map { endsWithBytes && ($0.type == .binary || $0.type == .transformable) }
    let ordered = [false, true].flatMap { last in zip(relation.columns, isLast).filter { $1 == last }.map(\.0) }
    for column in ordered where seen.insert(column.name).inserted {
      let name = column.name.sqlName
      guard let root = column.targetRoot else {
        lines.append("\(name) \(declaration(column))")
        continue
      }
      lines.append("\(name) INTEGER\(reference(to: root))")
      indexes.append(index("\(relation.table)_\(column.name)", on: relation.table, [column.name]))
    }
    tables.append(table(relation.table, lines))
  }

  private mutating func add(_ links: LinkRelation) {
    let ends = [(links.ownerColumn, links.ownerRoot), (links.targetColumn, links.targetRoot)]
    var lines = ends.map { column, root in "\(column.sqlName) INTEGER\(reference(to: root))" }
    for column in [links.positionColumn, links.inversePositionColumn].compactMap(\.self) {
      lines.append("\(column.sqlName) INTEGER")
    }
    let columns = ends.map(\.0)
    lines.append("PRIMARY KEY (\(columns.map(\.sqlName).joined(separator: ", ")))")
    tables.append(table(links.table, lines))
    let name = "\(links.table)_\(links.targetColumn)"
    indexes.append(index(name, on: links.table, columns.reversed()))
  }

  /// Adds a unique index for attributes in which no two objects of `entity` may be equal.
  private mutating func add(_ constraint: [String], of entity: Entity, _ model: Model) {
    guard let root = model.root(of: entity.name), let relation = layout.relation(of: root.name)
    else { return }
    let columns = constraint.compactMap { name in
      model.lineage(of: entity.name).lazy.compactMap { ancestor -> RelationColumn? in
        let property = Property(ancestor.name, name)
        return relation.column(.attribute(property)) ?? relation.column(.target(property))
      }.first
    }
    // A constraint on transient attributes cannot be enforced here.
    guard !columns.isEmpty, columns.count == constraint.count else { return }
    let own = model.family(of: entity.name).filter { !$0.isAbstract }.map(\.name)
    let name = "\(entity.name)_\(constraint.joined(separator: "_"))_unique"
    var sql = index(name, on: relation.table, columns.map(\.name), "UNIQUE INDEX")
    if let column = relation.entityColumn, own.count < relation.entities.count {
      guard !own.isEmpty else { return }
      sql += " WHERE \(column.sqlName) IN (\(own.map(\.sqlText).joined(separator: ", ")))"
    }
    uniqueIndexes.append(sql)
  }

  private func reference(to root: String) -> String {
    guard let target = layout.relation(of: root) else { return "" }
    return " REFERENCES \(target.table.sqlName) (\(ObjectsLayout.key))"
  }

  private func table(_ name: String, _ lines: [String]) -> String {
    "CREATE TABLE \(name.sqlName) (\n  \(lines.joined(separator: ",\n  "))\n)"
  }

  private mutating func index(
    _ name: String,
    on table: String,
    _ columns: [String],
    _ kind: String = "INDEX"
  ) -> String {
    let list = columns.map(\.sqlName).joined(separator: ", ")
    return "CREATE \(kind) \(names.claim(name).sqlName) ON \(table.sqlName) (\(list))"
  }
}
