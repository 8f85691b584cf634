internal import SQLite

/// The links of a relationship of a store as SQL, wherever they are kept: rows of `owner` and `target`.
struct LinkEnds {
  let sql: String
  private let destination: String

  /// Finds the links of `property`; `nil` where the store has no place for them.
  init?(_ property: Property, in source: any SourceStore) {
    self.init(property, source.model, source.layout, in: Workbench.source)
  }

  /// Finds the links of `property` of a store that is attached as `schema`; `nil` where it has no place for them.
  init?(_ property: Property, _ model: Model, _ layout: Layout, in schema: String) {
    guard
      let relationship = model[property.entity]?.relationships
        .first(where: { $0.name == property.name })
    else { return nil }
    destination = relationship.destination
    if let relation = LinkEnds.relation(of: property.entity, model, layout),
      let column = relation.column(.target(property))
    {
      sql = LinkEnds.rows(
        relation,
        schema,
        owner: relation.keyName,
        target: relation.value(of: column)
      )
      return
    }
    if let links = layout.linkRelations.first(where: {
      $0.relationship == property || $0.inverse == property
    }) {
      sql = LinkEnds.rows(links, schema, of: property)
      return
    }
    guard let relation = LinkEnds.relation(of: relationship.destination, model, layout) else {
      return nil
    }
    let back = relationship.inverse.flatMap { name in
      model.lineage(of: relationship.destination).first { entity in
        entity.relationships.contains { $0.name == name }
      }.map { Property($0.name, name) }
    }
    guard let column = relation.column(back.map { .target($0) } ?? .owner(property)) else {
      return nil
    }
    sql = LinkEnds.rows(
      relation,
      schema,
      owner: relation.value(of: column),
      target: relation.keyName
    )
  }

  /// Returns a SELECT of the keys of objects that a link may lead to and that are of none of `entities`.
  func targets(outside entities: [String], in source: any SourceStore) -> String {
    guard let relation = LinkEnds.relation(of: destination, source.model, source.layout) else {
      return "SELECT NULL WHERE 0"
    }
    var select = SelectStatement(
      columns: [relation.keyName],
      source: relation.sqlTable(in: Workbench.source)
    )
    let codes = entities.compactMap { relation.code(of: $0) }
    if let code = relation.entityCode() {
      select.conditions = ["\(code) NOT IN (\(codes.list))"]
    } else if !codes.isEmpty {
      select.conditions = ["0"]
    }
    return select.sql
  }

  private static func relation(of entity: String, _ model: Model, _ layout: Layout) -> Relation? {
    model.root(of: entity).flatMap { layout.relation(of: $0.name) }
  }

  private static func rows(
    _ relation: Relation,
    _ schema: String,
    owner: String,
    target: String
  ) -> String {
    SelectStatement(
      columns: ["\(owner) AS owner", "\(target) AS target"],
      source: relation.sqlTable(in: schema),
      conditions: ["\(owner) IS NOT NULL", "\(target) IS NOT NULL"]
    ).sql
  }

  private static func rows(_ links: LinkRelation, _ schema: String, of property: Property)
    -> String
  {
    func rows(_ owner: String, _ target: String) -> String {
      SelectStatement(
        columns: ["\(owner.sqlName) AS owner", "\(target.sqlName) AS target"],
        source: links.sqlTable(in: schema),
        conditions: links.condition.map { [$0] } ?? []
      ).sql
    }
    let (there, back) = (
      rows(links.ownerColumn, links.targetColumn), rows(links.targetColumn, links.ownerColumn)
    )
    // A row of a relationship that is its own inverse stands for a pair: either finds the other.
    if links.isReflexive { return "\(there)\nUNION\n\(back)" }
    return links.relationship == property ? there : back
  }
}
