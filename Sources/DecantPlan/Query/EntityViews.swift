package import DecantBase
package import DecantStore
package import DecantSQLite

/// The entities of a store as tables in the user's SQL: what `--where` and `query` read.
///
/// There is a view for each entity with its objects and those of its subentities: `_id`, the key; `_entity`, the name
/// of the object's own entity; attributes and to-one relationships by name, the latter as the key of the target;
/// `<relationship>_position` if the other end is ordered. There is a view `<Entity>_<relationship>` for each to-many
/// relationship that is stored separately from both ends.
package struct EntityViews: Sendable {
  let model: Model
  package let layout: Layout
  /// The views of entities in the model's order, then those of links, then the store's own.
  package let views: [EntityView]
  /// Further tables that can be read under their names in the store.
  let stored: StoredTables

  /// Creates all views; `stored` contains further tables that a query may read.
  package init(model: Model, layout: Layout, stored: StoredTables = StoredTables()) {
    self.model = model
    self.layout = layout
    var names = DistinctNames()
    func named(_ views: [EntityView]) -> [EntityView] {
      views.map { view in
        // SQLite reserves names with this prefix.
        let isReserved = view.name.lowercased().hasPrefix("sqlite_")
        return view.named(names.claim(isReserved ? "_" + view.name : view.name))
      }
    }
    let entities = model.entities.filter { entity in
      let root = model.root(of: entity.name)?.name ?? entity.name
      return !stored.isVirtual(layout.relation(of: root)?.table)
    }
    let objects = named(entities.compactMap { EntityViews.view(of: $0.name, model, layout) })
    // A virtual table could not be searched under another name.
    self.stored = stored.with { names.take($0) }
    views = objects + named(EntityViews.linkViews(model, layout)) + named(stored.views)
  }

  /// The names of all readable tables.
  var readableNames: [String] {
    let own = views.map(\.name)
    return own + stored.names.filter { !own.contains($0) }
  }

  /// Returns the view named `name`, as SQLite compares names.
  package subscript(name: String) -> EntityView? {
    views.first { $0.name.lowercased() == name.lowercased() }
  }

  /// Creates the views on a connection with the store as `schema`.
  package func offer(in schema: String, on connection: Connection) throws(DecantError) {
    for view in views {
      try explaining("cannot register \(view.name) in SQL") { () throws(SQLiteError) in
        try connection.run("DROP VIEW IF EXISTS temp.\(view.name.quotedName)")
        try connection.run(view.creation(in: schema))
      }
    }
  }

  /// Returns a connection with only empty tables like the views: a statement that does not compile there reads
  /// something else.
  ///
  /// - Parameters:
  ///   - authorizer: The authorizer for statements.
  ///   - twin: Names an additional column for a column, to determine whether a statement refers to it.
  /// - Returns: The connection.
  /// - Throws: `SQLiteError` if a table cannot be created.
  func scratch(
    _ authorizer: Authorizer,
    twin: (EntityView.Column) -> String? = { _ in nil }
  ) throws(SQLiteError) -> Connection {
    let scratch = try Connection(":memory:", mode: .create)
    for view in views { try scratch.run(view.outline(twin)) }
    for table in stored.virtual { try scratch.run(table.outline) }
    try ValueFunctions.register(on: scratch)
    try SafeFunctions.prepareTables(on: scratch)
    scratch.setAuthorizer(authorizer)
    return scratch
  }

  /// Returns the objects of exactly `entity` as a relation in parentheses, with the columns of its view.
  package func objects(of entity: String, in schema: String) -> String? {
    EntityViews.view(of: entity, model, layout, isAlone: true)?.relation(in: schema)
  }

  /// Returns the view of `entity` with its objects and, unless it `isAlone`, those of its subentities.
  private static func view(of entity: String, _ model: Model, _ layout: Layout, isAlone: Bool = false) -> EntityView? {
    guard let root = model.root(of: entity), let relation = layout.relation(of: root.name) else {
      return nil
    }
    let names = isAlone ? [entity] : model.family(of: entity).map(\.name)
    var conditions: [String] = []
    if let column = relation.entityCode(), names.count < model.family(of: root.name).count {
      let codes = names.compactMap { relation.code(of: $0) }
      // The plus makes SQLite use the rowid: an index on the entity would return the rows out of order.
      conditions = ["+\(column) IN (\(codes.list))"]
    }
    return EntityView(
      name: entity,
      entity: entity,
      columns: columns(of: entity, model, relation),
      table: .objects(relation),
      conditions: conditions
    )
  }

  private static func columns(of entity: String, _ model: Model, _ relation: Relation) -> [EntityView.Column] {
    let lineage = Set(model.lineage(of: entity).map(\.name))
    var names = DistinctNames()
    var columns: [EntityView.Column] = []
    if relation.keyColumn != nil {
      columns.append(
        EntityView.Column(
          name: names.claim(EntityView.key),
          expression: relation.keyName,
          type: ColumnType(attribute: .integer64, isExternal: false)
        )
      )
    }
    columns.append(
      EntityView.Column(
        name: names.claim(EntityView.entityName),
        expression: relation.entityNameExpression ?? entity.sqlText,
        type: ColumnType(attribute: .string, isExternal: false)
      )
    )
    for column in relation.columns {
      guard let property = column.columnRole.property, lineage.contains(property.entity) else {
        continue
      }
      let collation = column.spelling?.collation.map { " COLLATE \($0)" } ?? ""
      // An attribute shows its stored value in every row.
      let value =
        column.conditions.isEmpty ? column.encoding.decoding(column.name.sqlName) : relation.value(of: column)
      columns.append(
        EntityView.Column(
          name: names.claim(property.name),
          expression: value + collation,
          type: ColumnType(attribute: column.type ?? .integer64, isExternal: column.isExternal),
          spelling: column.spelling
        )
      )
    }
    for column in relation.columns {
      // An attribute of that name takes precedence.
      guard case .position(let property) = column.columnRole, lineage.contains(property.entity),
        names.take("\(property.name)_position")
      else { continue }
      columns.append(
        EntityView.Column(
          name: "\(property.name)_position",
          expression: column.name.sqlName,
          type: ColumnType(attribute: .integer64, isExternal: false)
        )
      )
    }
    return columns
  }
}

extension Relation {
  /// The name of a row's entity as SQL, or `nil` if the table has no entity column.
  fileprivate var entityNameExpression: String? {
    guard let entityColumn, !entities.isEmpty else { return nil }
    guard !namesEntities else { return entityColumn.sqlName }
    let cases = entities.map { "WHEN \($0.code) THEN \($0.name.sqlText)" }
    return "CASE \(entityColumn.sqlName) \(cases.joined(separator: " ")) END"
  }
}
