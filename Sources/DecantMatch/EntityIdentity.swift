package import DecantBase
package import DecantPlan
internal import DecantStore
internal import DecantSQLite

/// An identity of an entity's objects: attributes, and to-one links.
package struct EntityIdentity {
  /// The name of the constraint and its entity: objects are compared with those that share it.
  package let name: String
  /// The entity of the objects.
  let entity: String
  /// Whether the model has this uniqueness constraint for the entity, including its subentities.
  package let isPromised: Bool
  /// The values in each store.
  let values: Sided<[String]>
  /// The links: the target's root entity, and the key.
  package let links: [Link]
  /// The attributes of the values.
  package let attributes: [Property]
  /// The names of the constraint: attributes and links.
  package let names: [String]
  /// The values of columns that contain a link in some rows only, in each store.
  private let choices: [Sided<String>]
  /// The condition of the objects that have this identity, as SQL over the columns of the table; `nil` for all.
  private let condition: String?

  /// A link that is part of an identity.
  package struct Link {
    package let root: String
    package let key: Sided<String>
    /// The keys of the possible targets, as a SELECT in parentheses.
    let targets: Sided<String>
    /// The index in `choices` of the column's value in rows where it is not a link.
    var choice: Int?
  }

  /// Returns the identities declared for `entity` or a superentity, otherwise their constraints that exist completely
  /// in both stores, in the model's order.
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

  /// Returns the identities of rows that meet the condition of a unique index, for rows that nothing else has paired.
  ///
  /// The index must contain a text of the row itself: one default address per user does not identify an address.
  static func partial(
    _ entity: String,
    in model: Model,
    _ step: CopyStep,
    _ relations: Sided<Relation>,
    _ layouts: Sided<Layout>,
    schemas: Sided<String>
  ) -> [EntityIdentity] {
    guard let own = model[entity] else { return [] }
    return relations.destination.partialKeys.compactMap { key in
      let isTold = key.columns.contains { name in
        relations.destination.columns.contains {
          $0.columnRole == .attribute(Property(entity, name)) && $0.type == .string
        }
      }
      guard isTold, relations.source.partialKeys.contains(where: { $0.isSame(as: key) }) else { return nil }
      return EntityIdentity(
        key.columns,
        where: key.condition,
        of: own,
        entity,
        in: model,
        step,
        relations,
        layouts,
        schemas,
        isDeclared: false
      )
    }
  }

  /// Creates an identity; `nil` if a store lacks an attribute or link of `constraint` of `ancestor`.
  private init?(
    _ constraint: [String],
    where condition: String? = nil,
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
        // A key is an identity only if declared: every store counts from 1.
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
    self.condition = condition
    name = "\(ancestor.name) \(constraint.joined(separator: ", "))" + (condition.map { " where \($0)" } ?? "")
    self.entity = entity
    isPromised = condition != nil || ancestor.uniquenessConstraints.contains { Set($0) == Set(constraint) }
    self.values = values
    self.links = links
    self.attributes = attributes
    self.choices = choices
    names = constraint
  }

  /// Returns SQL for the hash of an object's identity, NULL if a part is missing.
  ///
  /// With `byEntity` the hashes of objects of different entities differ, even under one constraint.
  func hash(_ side: MatchSide, byEntity: Bool = false, _ token: (Link) -> String) -> String {
    let names = byEntity ? [name, entity] : [name]
    let chosen = choices.enumerated().map { place, value in
      let tokens = links.filter { $0.choice == place }.map(token)
      return "coalesce(\(([value[side], "NULL"] + tokens).joined(separator: ", ")))"
    }
    let parts =
      names.map(\.sqlText) + values[side] + links.filter { $0.choice == nil }.map(token) + chosen
    let hash = "mix_all(\(parts.joined(separator: ", ")))"
    return condition.map { "CASE WHEN \($0) THEN \(hash) END" } ?? hash
  }
}

extension Relation.PartialKey {
  /// Returns whether both indexes mean the same, however their conditions are written.
  fileprivate func isSame(as other: Self) -> Bool {
    func words(_ condition: String) -> [String] {
      SQLTokens(condition).tokens.map { $0.word.isEmpty ? $0.text : $0.word }
    }
    return columns == other.columns && words(condition) == words(other.condition)
  }
}
