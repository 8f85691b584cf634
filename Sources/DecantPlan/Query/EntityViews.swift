package import DecantBase
package import DecantStore
package import DecantSQLite

/// The entities of a store as SQL over their names sees them: what `--where` and `query` read.
///
/// A view for each entity with its objects and those of everything below it: `_id`, the key;
/// `_entity`, the name of the object's own entity; attributes and to-one relationships by name, the
/// latter as the key they lead to; `<relationship>_position` where the other end is ordered. A view
/// `<Entity>_<relationship>` for each to-many relationship that is kept apart from both its ends.
package struct EntityViews: Sendable {
  let model: Model
  package let layout: Layout
  /// The views of entities in the model's order, then those of links, then the store's own.
  package let views: [EntityView]
  /// What else may be read under the name that the store gives it.
  let stored: StoredTables

  /// Names everything there is; `stored` is what a query may read beside entities and links.
  package init(model: Model, layout: Layout, stored: StoredTables = StoredTables()) {
    self.model = model
    self.layout = layout
    var names = DistinctNames()
    func named(_ views: [EntityView]) -> [EntityView] {
      views.map { view in
        // SQLite keeps names that begin so to itself.
        let isReserved = view.name.lowercased().hasPrefix("sqlite_")
        return view.named(names.claim(isReserved ? "_" + view.name : view.name))
      }
    }
    let entities = model.entities.filter { entity in
      let root = model.root(of: entity.name)?.name ?? entity.name
      return !stored.isVirtual(layout.relation(of: root)?.table)
    }
    let objects = named(entities.compactMap { EntityViews.view(of: $0.name, model, layout) })
    // Under another name a virtual table could not be searched.
    self.stored = stored.with { names.take($0) }
    views = objects + named(EntityViews.linkViews(model, layout)) + named(stored.views)
  }

  /// The names of all that can be read.
  var readableNames: [String] {
    let own = views.map(\.name)
    return own + stored.names.filter { !own.contains($0) }
  }

  /// Returns the view named `name`, as SQLite compares names.
  package subscript(name: String) -> EntityView? {
    views.first { $0.name.lowercased() == name.lowercased() }
  }

  /// Makes the views on a connection where the store is attached as `schema`.
  package func offer(in schema: String, on connection: Connection) throws(DecantError) {
    for view in views {
      try explaining("cannot register \(view.name) in SQL") { () throws(SQLiteError) in
        try connection.run("DROP VIEW IF EXISTS temp.\(view.name.quotedName)")
        try connection.run(view.creation(in: schema))
      }
    }
  }

  /// Returns a connection that holds nothing but empty tables that look like the views: what does
  /// not compile there reads something else.
  ///
  /// - Parameters:
  ///   - authorizer: Asked about what is compiled.
  ///   - twin: Names one more column for a column, to find out what a statement means by its name.
  /// - Returns: The connection.
  /// - Throws: `SQLiteError` where a table cannot be made.
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

  /// The objects of exactly `entity` as a relation in parentheses, with the columns of its view.
  package func objects(of entity: String, in schema: String) -> String? {
    EntityViews.view(of: entity, model, layout, isAlone: true)?.relation(in: schema)
  }

  /// The view of `entity`: its objects, and unless it `isAlone` those of everything below it.
  private static func view(of entity: String, _ model: Model, _ layout: Layout, isAlone: Bool = false) -> EntityView? {
    guard let root = model.root(of: entity), let relation = layout.relation(of: root.name) else {
      return nil
    }
    let names = isAlone ? [entity] : model.family(of: entity).map(\.name)
    var conditions: [String] = []
    if let column = relation.entityCode(), names.count < model.family(of: root.name).count {
      let codes = names.compactMap { relation.code(of: $0) }
      // The plus keeps SQLite on the rowid: an index on the entity would hand the rows out of order.
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
      columns.append(
        EntityView.Column(
          name: names.claim(property.name),
          // An attribute shows what stands there in every row.
          expression: column.conditions.isEmpty
            ? column.encoding.decoding(column.name.sqlName) : relation.value(of: column),
          type: ColumnType(attribute: column.type ?? .integer64, isExternal: column.isExternal)
        )
      )
    }
    for column in relation.columns {
      // An attribute that has the name already keeps it.
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
  /// The name of a row's entity as SQL, or `nil` where the table does not tell.
  fileprivate var entityNameExpression: String? {
    guard let entityColumn, !entities.isEmpty else { return nil }
    guard !namesEntities else { return entityColumn.sqlName }
    let cases = entities.map { "WHEN \($0.code) THEN \($0.name.sqlText)" }
    return "CASE \(entityColumn.sqlName) \(cases.joined(separator: " ")) END"
  }
}
