package import DecantBase
internal import DecantPlan
package import DecantStore
internal import DecantSQLite

/// A SELECT of a relationship's links in a store, wherever they are stored: rows of `owner` and `target`.
package struct LinkEnds {
  package let sql: String
  private let destination: String

  /// Finds the links of `property`; `nil` if the store cannot hold them.
  init?(_ property: Property, in source: any SourceStore) {
    self.init(property, source.model, source.layout, in: CopySession.source)
  }

  /// Finds the links of `property` of a store that is attached as `schema`; `nil` if the store cannot hold them.
  package init?(_ property: Property, _ model: Model, _ layout: Layout, in schema: String) {
    guard let relationship = model.relationship(property),
      let link = layout.link(property, inverse: model.inverseProperty(of: relationship))
    else { return nil }
    destination = relationship.destination
    sql = link.rows(in: schema)
  }

  /// Returns a SELECT of the keys of possible link targets that are of none of `entities`.
  func targets(outside entities: [String], in source: any SourceStore) -> String {
    guard let relation = LinkEnds.relation(of: destination, source.model, source.layout) else {
      return "SELECT NULL WHERE 0"
    }
    var select = SelectStatement(columns: [relation.keyName], source: relation.sqlTable(in: CopySession.source))
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
}
