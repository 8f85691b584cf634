package import DecantBase
package import DecantStore

/// The layout in which a plain database holds the objects of a model.
///
/// There is a table for each root entity, a column for each property, and a table for links that no column can hold.
/// The names follow from the model alone, so that anyone who has the model can recognise the database later.
package struct ObjectsLayout {
  package let model: Model
  package private(set) var layout = Layout(relations: [])
  /// The tables of links that the objects hold themselves.
  package private(set) var owners: [HeldOwners] = []
  private let form: ObjectsForm

  /// Chooses the tables and columns for `model`.
  package init(_ model: Model, _ form: ObjectsForm = .sqlite) {
    (self.model, self.form) = (model, form)
    var names = form.names()
    for root in model.roots {
      let name = form.name(root.name)
      let table = form.numbersNames ? names.claim(name) : names.claim(name, "\(name)_objects")
      layout.relations.append(relation(of: root, table: table))
    }
    for links in linkTables {
      let name = "\(form.name(links.owner.name))_\(form.name(links.relationship.name))"
      let table = names.claim(name, "\(name)_links")
      let relation = relation(of: links, table: table)
      if form.holdsOwners, links.inverse == nil, let held = HeldOwners(relation, layout) {
        owners.append(held)
      } else {
        layout.linkRelations.append(relation)
      }
    }
  }

  /// The name of the key column.
  package static let key = "id"
  /// The name of the column with the name of an object's own entity.
  static let entity = "entity"

  /// Returns the number of an entity during a copy; the database stores its name.
  private func code(of entity: String) -> Int64 {
    Int64((model.entities.firstIndex { $0.name == entity } ?? -1) + 1)
  }

  private func relation(of root: Entity, table: String) -> Relation {
    let family = model.family(of: root.name)
    let concrete = family.filter { !$0.isAbstract }
    let isFamily = family.count > 1
    var relation = Relation(
      root: root.name,
      table: table,
      keyColumn: ObjectsLayout.key,
      entityColumn: isFamily ? ObjectsLayout.entity : nil,
      entities: concrete.map { Relation.EntityCode(name: $0.name, code: code(of: $0.name)) },
      columns: []
    )
    relation.namesEntities = isFamily
    var columns = ObjectColumns(model, form, reserved: [ObjectsLayout.key, ObjectsLayout.entity])
    relation.columns = columns.columns(of: family) { entity in
      let own = model.family(of: entity.name).filter { !$0.isAbstract }
      return own.count == concrete.count ? nil : own.map { code(of: $0.name) }
    }
    return relation
  }

  /// A to-many relationship whose links have a table, seen from the end that it is named after.
  private struct LinkTable {
    let owner: Entity
    let relationship: Relationship
    let inverse: (entity: Entity, relationship: Relationship)?
  }

  /// Many-to-many relationships, named after their first end in the model, and to-many ones without an inverse.
  private var linkTables: [LinkTable] {
    var tables: [LinkTable] = []
    var seen: Set<Property> = []
    for entity in model.entities {
      for relationship in entity.relationships
      where relationship.isToMany && !relationship.isTransient {
        let property = Property(entity.name, relationship.name)
        guard !seen.contains(property) else { continue }
        guard relationship.inverse != nil else {
          tables.append(LinkTable(owner: entity, relationship: relationship, inverse: nil))
          continue
        }
        guard let back = model.inverseProperty(of: relationship),
          let declaring = model[back.entity], let inverse = model.relationship(back),
          inverse.isToMany
        else { continue }
        seen.formUnion([property, back])
        tables.append(LinkTable(owner: entity, relationship: relationship, inverse: (declaring, inverse)))
      }
    }
    return tables
  }

  private func relation(of links: LinkTable, table: String) -> LinkRelation {
    let (owner, relationship) = (links.owner.name, links.relationship)
    let isWithItself = relationship.destination.foldedName == owner.foldedName
    var names = form.names()
    let ownerColumn = names.claim("\(form.name(owner))_id")
    let target = isWithItself ? relationship.name : relationship.destination
    let targetColumn = names.claim("\(form.name(target))_id", "\(form.name(relationship.name))_id")
    let inverse = links.inverse?.relationship
    return LinkRelation(
      relationship: Property(owner, relationship.name),
      inverse: links.inverse.map { Property($0.entity.name, $0.relationship.name) },
      table: table,
      ownerColumn: ownerColumn,
      targetColumn: targetColumn,
      ownerRoot: model.root(of: owner)?.name ?? owner,
      targetRoot: model.root(of: links.inverse?.entity.name ?? relationship.destination)?.name
        ?? relationship.destination,
      positionColumn: relationship.isOrdered ? names.claim("position") : nil,
      inversePositionColumn: inverse.flatMap {
        $0.isOrdered ? names.claim("\(form.name($0.name))_position") : nil
      },
      isReflexive: inverse?.name == relationship.name && links.inverse?.entity.name == owner
    )
  }
}
