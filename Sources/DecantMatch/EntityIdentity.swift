package import DecantBase
package import DecantPlan
internal import DecantStore
internal import DecantSQLite

/// What the model promises to tell the objects of an entity apart: attributes, and links to one object.
package struct EntityIdentity {
  /// Which constraint of which entity: objects are compared with those that share it.
  package let name: String
  /// The entity whose objects it tells apart.
  let entity: String
  /// Whether the model promises that no two objects of the entity, or of one below it, have the same.
  package let isPromised: Bool
  /// The values on either side.
  let values: Sided<[String]>
  /// The links: the root they lead to, and the key that stands there.
  package let links: [Link]
  /// The attributes whose values these are.
  package let attributes: [Property]
  /// What the constraint names: attributes and links.
  package let names: [String]
  /// The values of columns that hold a link in some rows only, on either side.
  private let choices: [Sided<String>]

  /// A link that is part of an identity.
  package struct Link {
    package let root: String
    package let key: Sided<String>
    /// The keys of the objects it may lead to, as a SELECT in parentheses.
    let targets: Sided<String>
    /// The place among `choices` of what stands in its column where that is no link.
    var choice: Int?
  }

  /// Returns what was declared for `entity` or one it inherits from, else those of their constraints of which both
  /// stores hold all, in the model's order.
  static func all(
    of entity: String,
    in model: Model,
    _ step: CopyStep,
    _ relations: Sided<Relation>,
    _ layouts: Sided<Layout>,
    schemas: Sided<String> = Sided { $0.schema },
    declared: [String: [String]] = [:]
  ) -> [EntityIdentity] {
    let lineage = model.lineage(of: entity)
    let isDeclared = lineage.contains { declared[$0.name] != nil }
    var found: [EntityIdentity] = []
    for ancestor in lineage {
      let constraints =
        isDeclared ? [declared[ancestor.name] ?? []] : ancestor.uniquenessConstraints
      for constraint in constraints where !constraint.isEmpty {
        let identity = EntityIdentity(
          constraint,
          of: ancestor,
          entity,
          in: model,
          step,
          relations,
          layouts,
          schemas,
          isDeclared: isDeclared
        )
        if let identity { found.append(identity) }
      }
    }
    return found
  }

  /// `nil` where a store lacks one of the attributes and links that `constraint` of `ancestor` names.
  private init?(
    _ constraint: [String],
    of ancestor: Entity,
    _ entity: String,
    in model: Model,
    _ step: CopyStep,
    _ relations: Sided<Relation>,
    _ layouts: Sided<Layout>,
    _ schemas: Sided<String>,
    isDeclared: Bool
  ) {
    var values = Sided<[String]>([], [])
    var links: [Link] = []
    var attributes: [Property] = []
    var choices: [Sided<String>] = []
    func link(_ property: Property) -> Link? {
      guard let here = relations.source.column(.target(property)),
        let there = relations.destination.column(.target(property)),
        let root = here.targetRoot, let from = layouts.source.relation(of: root),
        let to = layouts.destination.relation(of: root), from.keyColumn != nil,
        to.keyColumn != nil
      else { return nil }
      return Link(
        root: root,
        key: Sided { relations[$0].value(of: $0 == .source ? here : there) },
        targets: Sided { side in
          let target = side == .source ? from : to
          return "(SELECT \(target.keyName) FROM \(target.sqlTable(in: schemas[side])))"
        }
      )
    }
    let isWhole = constraint.allSatisfy { name in
      for declaring in model.lineage(of: ancestor.name) {
        let property = Property(declaring.name, name)
        if let column = relations.destination.column(.attribute(property)),
          let proof = step.assignment(of: column)?.proof
        {
          attributes.append(property)
          guard !column.isConditional else {
            links += relations.destination.columns.filter { $0.name == column.name }
              .compactMap(\.columnRole.property).compactMap(link).map { link in
                var link = link
                link.choice = choices.count
                return link
              }
            choices.append(Sided(proof.expected, proof.actual))
            return true
          }
          let fold = column.foldingFunction ?? ""
          values.source.append("\(fold)(\(proof.expected))")
          values.destination.append("\(fold)(\(proof.actual))")
          return true
        }
        // A key says something only where somebody says so: every store counts from 1 on.
        if isDeclared, relations.source.column(.key(property)) != nil,
          relations.destination.column(.key(property)) != nil
        {
          values.source.append(relations.source.keyName)
          values.destination.append(relations.destination.keyName)
          return true
        }
        if let link = link(property) {
          links.append(link)
          return true
        }
      }
      return false
    }
    guard isWhole else { return nil }
    name = "\(ancestor.name) \(constraint.joined(separator: ", "))"
    self.entity = entity
    isPromised = ancestor.uniquenessConstraints.contains { Set($0) == Set(constraint) }
    self.values = values
    self.links = links
    self.attributes = attributes
    self.choices = choices
    names = constraint
  }

  /// SQL for the hash of an object's identity, NULL where a part of it is missing.
  ///
  /// With `byEntity` that of objects of different entities differs, though one constraint holds for both.
  func hash(_ side: MatchSide, byEntity: Bool = false, _ token: (Link) -> String) -> String {
    let names = byEntity ? [name, entity] : [name]
    let chosen = choices.enumerated().map { place, value in
      let tokens = links.filter { $0.choice == place }.map(token)
      return "coalesce(\(([value[side], "NULL"] + tokens).joined(separator: ", ")))"
    }
    let parts =
      names.map(\.sqlText) + values[side] + links.filter { $0.choice == nil }.map(token) + chosen
    return "mix_all(\(parts.joined(separator: ", ")))"
  }
}
