internal import DecantBase
internal import DecantStore

/// A one-to-one relationship whose two ends are both columns, seen from one end.
struct SingleLinkPair {
  /// The relationship, and the column of its links.
  let property: Property
  let relation: Relation
  let column: RelationColumn
  /// The other end.
  let other: Relation
  let opposite: Property
  let back: RelationColumn
  /// The additional columns that name the entity of the target, if there are any.
  let entity: RelationColumn?
  let backEntity: RelationColumn?

  /// Returns every such relationship of the store that is written, from either end.
  static func all(_ model: Model, _ layout: Layout) -> [SingleLinkPair] {
    model.entities.flatMap { entity in
      entity.relationships.compactMap { relationship -> SingleLinkPair? in
        let property = Property(entity.name, relationship.name)
        guard !relationship.isToMany, let opposite = model.inverseProperty(of: relationship),
          model.relationship(opposite)?.isToMany == false, let root = model.root(of: entity.name),
          let other = model.root(of: relationship.destination),
          let here = layout.relation(of: root.name), here.keyColumn != nil,
          let there = layout.relation(of: other.name), there.keyColumn != nil,
          let column = here.column(.target(property)),
          let back = there.column(.target(opposite))
        else { return nil }
        return SingleLinkPair(
          property: property,
          relation: here,
          column: column,
          other: there,
          opposite: opposite,
          back: back,
          entity: here.column(.targetEntity(property)),
          backEntity: there.column(.targetEntity(opposite))
        )
      }
    }
  }
}
