internal import SQLite

/// What the model promises to tell the objects of an entity apart: attributes, and links to one object.
struct EntityIdentity {
  /// Which constraint of which entity: objects are compared with those that share it.
  let name: String
  /// The values on either side.
  let values: Sided<[String]>
  /// The links: the root they lead to, and the key that stands there.
  let links: [Link]

  /// A link that is part of an identity.
  struct Link {
    let root: String
    let key: Sided<String>
    /// The keys of the objects it may lead to, as a SELECT in parentheses.
    let targets: Sided<String>
  }

  /// Returns the first constraint of `entity` or of one it inherits from, of which both stores hold all;
  /// `nil` where there is none.
  init?(
    of entity: String,
    in model: Model,
    _ step: CopyStep,
    _ relations: Sided<Relation>,
    _ layouts: Sided<Layout>
  ) {
    for ancestor in model.lineage(of: entity) {
      for constraint in ancestor.uniquenessConstraints where !constraint.isEmpty {
        var values = Sided<[String]>([], [])
        var links: [Link] = []
        let isWhole = constraint.allSatisfy { name in
          for declaring in model.lineage(of: ancestor.name) {
            let property = Property(declaring.name, name)
            if let column = relations.destination.column(.attribute(property)),
              let proof = step.assignments.first(where: { $0.column == column.name })?.proof
            {
              values.source.append(proof.expected)
              values.destination.append(proof.actual)
              return true
            }
            if let here = relations.source.column(.target(property)),
              let there = relations.destination.column(.target(property)),
              let root = here.targetRoot, layouts.source.relation(of: root)?.keyColumn != nil,
              layouts.destination.relation(of: root)?.keyColumn != nil
            {
              links.append(
                Link(
                  root: root,
                  key: Sided { relations[$0].value(of: $0 == .source ? here : there) },
                  targets: Sided { side in
                    let target = layouts[side].relation(of: root)
                    let table = "\(side.schema.sqlName).\((target?.table ?? root).sqlName)"
                    return "(SELECT \(target?.keyName ?? "NULL") FROM \(table))"
                  }
                )
              )
              return true
            }
          }
          return false
        }
        guard isWhole else { continue }
        self.name = "\(ancestor.name) \(constraint.joined(separator: ", "))"
        self.values = values
        self.links = links
        return
      }
    }
    return nil
  }

  /// SQL for the hash of an object's identity, NULL where a part of it is missing.
  func hash(_ side: MatchSide, _ token: (Link) -> String) -> String {
    let parts = values[side] + links.map(token)
    return "mix_all(\(([name.sqlText] + parts).joined(separator: ", ")))"
  }
}
