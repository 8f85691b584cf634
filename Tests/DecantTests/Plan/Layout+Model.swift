@testable import DecantBase
@testable import DecantStore

extension Layout {
  /// The layout of a store that names its tables and columns as the model does.
  init(of model: Model) {
    let relations = model.roots.map { root in
      let family = model.family(of: root.name)
      return Relation(
        root: root.name,
        table: root.name,
        keyColumn: "key",
        entityColumn: "kind",
        entities: family.enumerated().map { .init(name: $1.name, code: Int64($0 + 1)) },
        columns: family.flatMap { entity in
          entity.attributes.filter { !$0.isTransient }.map { attribute in
            RelationColumn(
              name: attribute.name,
              columnRole: .attribute(Property(entity.name, attribute.name)),
              type: attribute.type,
              isExternal: attribute.allowsExternalStorage
            )
          }
            + entity.relationships.filter { !$0.isToMany }.map { relationship in
              RelationColumn(
                name: relationship.name,
                columnRole: .target(Property(entity.name, relationship.name)),
                targetRoot: model.root(of: relationship.destination)?.name
              )
            }
        }
      )
    }
    self.init(relations: relations)
  }
}
