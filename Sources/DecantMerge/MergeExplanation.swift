package import DecantBase
internal import DecantMatch
package import DecantPlan
internal import DecantProof
internal import DecantStore
package import DecantSQLite

/// Explains the outcome of a merge for an object of either store.
///
/// An entity and a key may identify an object in both stores; both are then explained.
package struct MergeExplanation {
  package let connection: Connection
  package let planning: Planning
  package let source: any SourceStore
  package let destination: any DestinationStore
  /// The schema name of the destination.
  package let schema: String
  /// The base, if the merge uses one.
  package let base: MergeBase?

  package init(
    connection: Connection,
    planning: Planning,
    source: any SourceStore,
    destination: any DestinationStore,
    schema: String,
    base: MergeBase?
  ) {
    (self.connection, self.planning, self.source) = (connection, planning, source)
    (self.destination, self.schema, self.base) = (destination, schema, base)
  }

  /// The words for the contents of the source.
  private var terms: Terms { source.model.terms }

  /// Returns the lines, the first of which names the object.
  package func lines(of object: ObjectName) throws(DecantError) -> [String] {
    let model = source.model
    guard let root = model.root(of: object.entity)?.name,
      let relation = source.layout.relation(of: root)
    else {
      throw DecantError(
        .unknownName,
        "there is no \(terms.entity) \(object.entity) in “\(source.identity.place)”",
        place: "\(option: .why, "\(object.entity) \(object.key)")",
        remedy: "\(object.entity.remedy(among: model.entities.map(\.name), of: terms.entities))",
        remedies: [.correctName(object.entity, among: model.entities.map(\.name))]
      )
    }
    let text = object.key.joined(separator: ", ")
    let words = Int64(text).map(terms.key) ?? RowNames.name(of: object.key.map(Binding.text))
    let lines = try explaining("cannot explain \(object.entity) \(text)") {
      () throws(SQLiteError) -> [String] in
      guard let map = planning.ids.keyMap(of: root) else {
        return try UnkeyedExplanation(
          connection: connection,
          planning: planning,
          places: Sided(source.identity.place, destination.identity.place),
          schema: schema
        ).lines(of: root, relation, object.key)
      }
      var there: [String] = []
      if !planning.isNew, let other = destination.layout.relation(of: root),
        let key = try key(object, in: other, schema)
      {
        there = try destinationLines(of: object.entity, key, map)
      }
      guard let key = try key(object, in: relation, CopySession.source),
        try map.existing.contains(key)
      else { return there }
      let name = try relation.entityName(of: key, on: connection) ?? object.entity
      return try ["\(name) \(terms.key(key)) of “\(source.identity.place)”"]
        + reasons(of: key, name, map).map { "  " + $0 } + there
    }
    guard lines.isEmpty else { return lines }
    throw DecantError(
      .objectNotFound,
      "there is no \(object.entity) \(words) in “\(source.identity.place)” or in “\(destination.identity.place)”",
      place: "\(option: .why, "\(object.entity) \(text)")",
      remedy: "list the keys with: "
        + "\(command: "query \(source.identity.place.shellWord) 'SELECT _id FROM \(object.entity)'", app: "the query “SELECT _id FROM \(object.entity)”")"
    )
  }

  /// Returns the integer key of the object in one store; for a table with its own key, the row number.
  private func key(_ object: ObjectName, in relation: Relation, _ schema: String) throws(SQLiteError) -> Int64? {
    guard !relation.ownKey.isEmpty else {
      return object.key.count == 1 ? Int64(object.key[0]) : nil
    }
    guard relation.ownKey.count == object.key.count else { return nil }
    return try connection.integer(
      "SELECT \(relation.keyName) FROM \(relation.sqlTable(in: schema)) WHERE "
        + UnkeyedExplanation.condition(relation.ownKey.map(\.sqlName), object.key)
    )
  }

  /// Returns the explanation of the destination's object with this name; empty if there is none.
  private func destinationLines(of entity: String, _ own: Int64, _ map: IDMap) throws(SQLiteError) -> [String] {
    guard let relation = destination.layout.relation(of: map.root),
      try connection.integer(
        "SELECT 1 FROM \(relation.sqlTable(in: schema)) WHERE \(relation.keyName) = ?1",
        .integer(own)
      ) == 1
    else { return [] }
    let name = "\(entity) \(terms.key(own)) of “\(destination.identity.place)”"
    let place = "“\(source.identity.place)”"
    guard let key = try map.matchedObjects?.source(of: own) else {
      let identity = identityText(of: entity)
      return [
        name,
        "  is not in \(place): no \(terms.object) there \(identity.map { "has the same \($0)" } ?? "has the same values"); it is unchanged",
      ]
    }
    return try [
      name, "  is \(terms.key(key)) of \(place): \(sameness(of: key, entity, map))",
    ]
  }

  /// Returns how a source object was found in the destination.
  private func sameness(of key: Int64, _ entity: String, _ map: IDMap) throws(SQLiteError) -> String {
    switch try map.matchedObjects?.found(key) ?? .content {
    case .identity: "they have the same \(identityText(of: entity) ?? "keys")"
    case .furtherIdentity:
      "they have the same "
        + (planning.plan.mergeRules?.furtherIdentity(of: entity, in: source.model) ?? [])
        .joined(separator: ", ")
    case .partialKey:
      "they have the same "
        + (source.layout.relation(of: map.root)?.partialKeyColumns ?? []).joined(separator: ", ")
        + ", which must be unique where a condition holds"
    case .key: "both stores share a lineage, and they have the same key"
    case .owner: "they belong to the same \(terms.object), at the same position"
    case .content: "they have the same values"
    case .almost: "they have the same values, except for one-to-one links that only the destination has"
    case .likeness(let rank, _):
      "they have the same values for “\(planning.plan.mergeRules?.likenessName(rank) ?? "")”, rule \(rank + 1) of the "
        + "\(planning.plan.mergeRules?.likeness?.ways.count ?? 0) of “\(source.identity.place)”"
    case .moved:
      "most of their values agree, and \(base == nil ? "an earlier merge gave the \(terms.object)" : "the base has the \(terms.object) under") another key"
    case .tie: "several have the same values; these were matched in key order"
    }
  }

  private func reasons(of key: Int64, _ entity: String, _ map: IDMap) throws(SQLiteError) -> [String] {
    let place = "“\(destination.identity.place)”"
    let outcome = try map.outcome(of: key)
    guard let image = try map.destination(of: key) else {
      if try map.matchedObjects?.surplus?.contains(key) == true {
        guard planning.plan.mergeRules?.likeness?.names.contains(entity) != true else {
          return ["is not added: the object it identifies is in \(place) and is unchanged"]
        }
        let rule = planning.plan.mergeRules?.rule(of: entity, in: source.model).policy ?? .skip
        return [
          "is not added: its owner is in \(place) and keeps its own parts (policy \(rule.rawValue))"
        ]
      }
      if try base?.away[map.root]?.contains(key) == true,
        try base?.contested[map.root]?.contains(key) == true
      {
        return [
          "is not added: it was removed here, but changed or newly referenced there, which is a conflict"
        ]
      }
      return [
        try base?.away[map.root]?.contains(key) == true
          ? "is not added: the base had it, it was removed here and is unchanged there"
          : "is not added: a condition excludes it, or it was merged before and deleted since"
      ]
    }
    let identity = identityText(of: entity)
    switch outcome {
    case .leftOut: return []
    case .new:
      return [
        "is new: no \(terms.object) in \(place) \(identity.map { "has the same \($0)" } ?? "has the same values")",
        "gets the \(terms == .rows ? "" : "key ")\(terms.key(image))",
      ]
    case .duplicate:
      let representative = try map.matchedObjects?.representative(of: key) ?? key
      return [
        "is a duplicate of \(entity) \(terms.key(representative)), which has the same identity: \(identity ?? "")"
      ]
    case .keptBoth:
      let number = try map.matchedObjects?.number(of: key) ?? 2
      let isBoth = try planning.ids.conflicts?.contains(key, of: map.root) == true
      return [
        isBoth
          ? "is in \(place) with different values, and both were changed"
          : "is in \(place) with different values, or belongs to such \(terms == .rows ? "a row" : "an object")",
        "is added as \(terms.key(image)), numbered (\(number))",
      ]
    case .same, .skipped, .updated, .filled: break
    }
    var lines = ["is \(terms.key(image)) of \(place): \(try sameness(of: key, entity, map))"]
    guard outcome != .same else { return lines + ["has the same values: no change"] }
    let names = try differing(key, map.root)
    if !names.isEmpty { lines.append("differs in \(names.joined(separator: ", "))") }
    let policy = planning.plan.mergeRules?.rule(of: entity, in: source.model).policy.rawValue ?? ""
    let what =
      switch outcome {
      case .updated: "it takes the source's values"
      case .filled: "it takes the source's values where its own are empty"
      default: base == nil ? "it is unchanged" : "it is unchanged, because only the destination changed it"
      }
    return lines + ["policy \(policy): \(what)"]
  }

  /// Returns the identity of the objects of `entity`.
  private func identityText(of entity: String) -> String? {
    planning.plan.mergeRules?.identity(of: entity, in: source.model)?.joined(separator: ", ")
  }

  /// Returns the properties in which the object differs from its counterpart in the destination.
  private func differing(_ key: Int64, _ root: String) throws(SQLiteError) -> [String] {
    guard
      var step = planning.plan.steps.first(where: {
        if case .objects(root) = $0.kind { true } else { false }
      })
    else { return [] }
    step.isMerging = false
    let proof = CopyProof(
      plan: planning.plan,
      layout: destination.layout,
      ids: planning.ids,
      sourceFiles: source.externalStorage,
      destinationFiles: destination.externalStorage,
      written: schema
    )
    let finder = DifferenceFinder(proof: proof, connection: connection, schema: schema, scope: .above([:]))
    return try finder.changes(of: key, step).map(\.proof.property)
  }
}
