internal import DecantBase
internal import DecantStore

/// A relationship from one to one of which both ends are columns, seen from the end that is looked at.
struct SingleLinkPair {
  /// The relationship, and the column that holds its links.
  let property: Property
  let relation: Relation
  let column: RelationColumn
  /// The other end.
  let other: Relation
  let opposite: Property
  let back: RelationColumn
  /// The columns beside them that name the entity of what they lead to, where there are such.
  let entity: RelationColumn?
  let backEntity: RelationColumn?

  /// Every such relationship of the store that is written, from either end.
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
