internal import DecantBase
internal import DecantPlan
internal import DecantStore

/// The common part of two stores' models: the shared entities, attributes and relationships, and their tables.
///
/// A comparison views both stores through it, so that it can report other differences instead of refusing.
struct SharedModel {
  let models: Sided<Model>
  let layouts: Sided<Layout>

  /// The shared attributes and relationships, by the entity that declares them.
  private let attributes: Set<Property>
  private let relationships: Set<Property>
  /// Columns of plain tables that are a link in one store only, and are compared as values.
  private let values: Set<Property>
  private let roots: Set<String>

  /// Finds the common part of two stores; `nil` if that is everything.
  init?(_ models: Sided<Model>, _ layouts: Sided<Layout>) {
    guard !SharedModel.areAlike(models, layouts) else { return nil }
    let roots = SharedModel.roots(models, layouts)
    let families = models.source.entities.filter { entity in
      models.source.root(of: entity.name).map { roots.contains($0.name) } ?? false
    }
    let relationships = SharedModel.relationships(families, models, layouts, roots)
    let values = SharedModel.values(families, layouts, relationships)
    self.roots = roots
    self.relationships = relationships
    self.values = values
    attributes = SharedModel.attributes(families, models, layouts).union(values)
    self.models = models
    self.layouts = layouts
  }

  /// Returns the store on one side, limited to what the other can hold.
  func narrowed(_ store: any SourceStore, _ side: MatchSide) -> NarrowedStore {
    NarrowedStore(base: store, model: model(of: side), layout: layout(of: side))
  }

  /// Returns whether each store can hold everything that the other may contain.
  private static func areAlike(_ models: Sided<Model>, _ layouts: Sided<Layout>) -> Bool {
    let misfits = [(models.source, models.destination), (models.destination, models.source)]
      .contains { !ModelMisfits(from: $0, to: $1).all.isEmpty }
    guard !misfits else { return false }
    // A store of another kind keeps the same model in other tables.
    guard models.source.isFromTables, models.destination.isFromTables else { return true }
    return models.source.roots.allSatisfy { haveSameKeys($0.name, layouts) }
      && layouts.source.linkRelations.count == layouts.destination.linkRelations.count
  }

  /// Returns the root entities of both stores that have the same sub-entities and keys of the same kind.
  private static func roots(_ models: Sided<Model>, _ layouts: Sided<Layout>) -> Set<String> {
    func family(_ root: String, _ model: Model) -> [[String?]] {
      model.family(of: root).map { [$0.name, $0.superentity] }
    }
    return Set(
      models.source.roots.map(\.name).filter { name in
        models.destination[name] != nil
          && family(name, models.source) == family(name, models.destination)
          && haveSameKeys(name, layouts)
      }
    )
  }

  /// Returns whether the objects of `root` have keys of the same kind in both stores.
  private static func haveSameKeys(_ root: String, _ layouts: Sided<Layout>) -> Bool {
    guard let a = layouts.source.relation(of: root), let b = layouts.destination.relation(of: root)
    else {
      return layouts.source.relation(of: root) == nil
        && layouts.destination.relation(of: root) == nil
    }
    let isAlike =
      switch (a.key, b.key) {
      case (.integer, .integer), (.none, .none): true
      case (.values(let own), .values(let other)): own == other
      default: false
      }
    guard isAlike, (a.entityColumn == nil) == (b.entityColumn == nil) else { return false }
    // A column that is a key in one store and a plain value in the other could not be compared.
    return [(a, b), (b, a)].allSatisfy { one, other in
      one.columns.filter(\.columnRole.isKey).allSatisfy { key in
        other.column(key.columnRole) != nil || !other.columns.contains { $0.name == key.name }
      }
    }
  }

  private static func attributes(
    _ entities: [Entity],
    _ models: Sided<Model>,
    _ layouts: Sided<Layout>
  ) -> Set<Property> {
    let isTyped = !(models.source.isFromTables && models.destination.isFromTables)
    var found: Set<Property> = []
    for entity in entities {
      for attribute in entity.attributes {
        guard
          let other = models.destination[entity.name]?.attributes.first(where: {
            $0.name == attribute.name
          }), attribute.isTransient == other.isTransient
        else { continue }
        if isTyped,
          attribute.type.name != other.type.name
            || attribute.allowsExternalStorage != other.allowsExternalStorage
        {
          continue
        }
        found.insert(Property(entity.name, attribute.name))
      }
    }
    return found
  }

  /// Returns the relationships that are the same in both stores, including their inverses.
  private static func relationships(
    _ entities: [Entity],
    _ models: Sided<Model>,
    _ layouts: Sided<Layout>,
    _ roots: Set<String>
  ) -> Set<Property> {
    var found: [Property: Relationship] = [:]
    for entity in entities {
      for relationship in entity.relationships {
        guard
          let other = models.destination[entity.name]?.relationships.first(where: {
            $0.name == relationship.name
          }), relationship.differences(from: other).isEmpty,
          let target = models.source.root(of: relationship.destination)?.name,
          roots.contains(target)
        else { continue }
        let property = Property(entity.name, relationship.name)
        let isLink = { (layout: Layout) in
          layout.linkRelations.contains { $0.relationship == property || $0.inverse == property }
        }
        guard
          models.source.terms == .objects || isLink(layouts.source) == isLink(layouts.destination)
        else { continue }
        let ends = { (layout: Layout) in
          layout.nonIntegerKeys.first { $0.relationship == property }.map {
            [$0.columns, $0.targetColumns]
          }
        }
        guard ends(layouts.source) == ends(layouts.destination) else { continue }
        found[property] = relationship
      }
    }
    // A relationship whose inverse is not shared is not shared either.
    while true {
      let lone = found.filter { _, relationship in
        guard let inverse = relationship.inverse else { return false }
        return !models.source.lineage(of: relationship.destination).contains {
          found[Property($0.name, inverse)] != nil
        }
      }
      guard !lone.isEmpty else { return Set(found.keys) }
      for property in lone.keys { found[property] = nil }
    }
  }

  /// Returns the columns of plain tables that are values in both stores, treating links of one store only as values.
  private static func values(
    _ entities: [Entity],
    _ layouts: Sided<Layout>,
    _ relationships: Set<Property>
  ) -> Set<Property> {
    func columns(_ root: String, _ layout: Layout) -> [Property: ColumnRole] {
      guard let relation = layout.relation(of: root), relation.terms == .rows else { return [:] }
      var found: [Property: ColumnRole] = [:]
      for column in relation.columns where !column.isConditional || !column.exceptions.isEmpty {
        switch column.columnRole {
        case .attribute(let property), .target(let property): found[property] = column.columnRole
        default: continue
        }
      }
      return found
    }
    var found: Set<Property> = []
    for entity in entities {
      let (a, b) = (columns(entity.name, layouts.source), columns(entity.name, layouts.destination))
      for (property, columnRole) in a where !relationships.contains(property) {
        guard let other = b[property] else { continue }
        if columnRole == .target(property) || other == .target(property) { found.insert(property) }
      }
    }
    return found
  }
}

extension SharedModel {
  /// Returns the model of one store, limited to what the other can hold.
  private func model(of side: MatchSide) -> Model {
    let model = models[side]
    let entities = model.entities.compactMap { entity -> Entity? in
      guard let root = model.root(of: entity.name), roots.contains(root.name) else { return nil }
      var entity = entity
      entity.attributes.removeAll { !attributes.contains(Property(entity.name, $0.name)) }
      entity.attributes += values.filter { value in
        value.entity == entity.name && !entity.attributes.contains { $0.name == value.name }
      }.map { Attribute(name: $0.name, type: .integer64, isOptional: true) }
      entity.attributes.sort { $0.name < $1.name }
      entity.relationships.removeAll { !relationships.contains(Property(entity.name, $0.name)) }
      entity.uniquenessConstraints.removeAll { names in
        !names.allSatisfy { isShared($0, by: entity.name, in: model) }
      }
      return entity
    }
    var narrowed = Model(entities: entities, versionIdentifiers: model.versionIdentifiers)
    narrowed.isFromTables = model.isFromTables
    return narrowed
  }

  /// Returns whether both stores have the attribute or relationship `name` of an entity, declared or inherited.
  private func isShared(_ name: String, by entity: String, in model: Model) -> Bool {
    model.lineage(of: entity).contains { ancestor in
      isShared(Property(ancestor.name, name))
    }
  }

  private func isShared(_ property: Property) -> Bool {
    if attributes.contains(property) || relationships.contains(property) { return true }
    // A part of a composite attribute has the attribute's name as a prefix.
    guard models.source.terms == .objects, let dot = property.name.firstIndex(of: ".") else {
      return false
    }
    return attributes.contains(Property(property.entity, String(property.name[..<dot])))
  }

  /// Returns the layout of the common part in one store.
  private func layout(of side: MatchSide) -> Layout {
    let (own, other) = (layouts[side], layouts[side.other])
    var layout = own
    layout.relations = own.relations.compactMap { relation in
      guard roots.contains(relation.root), let there = other.relation(of: relation.root) else {
        return nil
      }
      return narrowed(relation, facing: there)
    }
    layout.linkRelations.removeAll { !relationships.contains($0.relationship) }
    layout.nonIntegerKeys.removeAll { !relationships.contains($0.relationship) }
    func isWhole(_ link: NonIntegerKey) -> Bool {
      let ends = [(link.root, link.columns), (link.targetRoot, link.targetColumns)]
      return ends.allSatisfy { root, columns in
        guard let relation = layout.relation(of: root) else { return false }
        let names = Set(relation.columns.map(\.name) + [relation.keyColumn].compactMap(\.self))
        return columns.allSatisfy(names.contains)
      }
    }
    layout.partialLinks = own.partialLinks.filter(isWhole)
    layout.computedLinks = own.computedLinks.filter(isWhole)
    layout.plainTables += rows(of: side)
    return layout
  }

  private func narrowed(_ relation: Relation, facing other: Relation) -> Relation {
    var relation = relation
    relation.columns = relation.columns.compactMap { column -> RelationColumn? in
      switch column.columnRole {
      case .unnamed, .revision: return column
      case .target(let property) where values.contains(property):
        var value = RelationColumn(name: column.name, columnRole: .attribute(property), type: .integer64)
        value.isGenerated = column.isGenerated
        return value
      case .attribute(let property) where values.contains(property): return column
      case .attribute(let property), .key(let property), .target(let property),
        .targetEntity(let property), .position(let property), .owner(let property),
        .ownerPosition(let property):
        return isShared(property) && other.column(column.columnRole) != nil ? column : nil
      }
    }
    return relation
  }

  /// Returns the tables of both plain databases whose rows have different keys or links in each; they are compared row
  /// by row, by their common columns.
  private func rows(of side: MatchSide) -> [PlainTable] {
    guard models.source.terms == .rows, models.destination.terms == .rows else { return [] }
    let (own, other) = (columns(of: side), columns(of: side.other))
    return own.keys.sorted().compactMap { table in
      guard let there = other[table], let here = own[table] else { return nil }
      let names = here.filter(there.contains).sorted()
      return names.isEmpty ? nil : PlainTable(name: table, columns: names, rowID: nil)
    }
  }

  /// Returns the columns of tables that hold no shared objects or links.
  private func columns(of side: MatchSide) -> [String: [String]] {
    var found: [String: [String]] = [:]
    for relation in layouts[side].relations
    where !roots.contains(relation.root) && !relation.isVirtual {
      // A column with conditional links is listed once for each of them.
      found[relation.table] = Array(Set(relation.columns.map(\.name)))
    }
    for links in layouts[side].linkRelations where !relationships.contains(links.relationship) {
      found[links.table] = [links.ownerColumn, links.targetColumn]
    }
    return found
  }
}
