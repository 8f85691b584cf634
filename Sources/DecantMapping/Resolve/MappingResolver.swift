internal import DecantBase
internal import DecantPlan
internal import DecantStore

/// Resolves a mapping for two models: every name is looked up, and every expression compiled.
///
/// No store is read; errors have their position in the file.
struct MappingResolver {
  let mapping: Mapping
  let source: ModelSide
  let destination: ModelSide

  /// One of the two models, with the layout of its store.
  struct ModelSide {
    let model: Model
    let layout: Layout
    let views: EntityViews
    /// The name of the store in errors.
    let place: String

    init(_ model: Model, _ layout: Layout, place: String) {
      self.model = model
      self.layout = layout
      self.place = place
      views = EntityViews(model: model, layout: layout)
    }

    /// The concrete entities with a table in the store, in the model's order.
    var concreteEntities: [String] {
      let stored = Set(layout.relations.flatMap(\.entities).map(\.name))
      return model.entities.map(\.name).filter {
        stored.contains($0) && model[$0]?.isAbstract == false
      }
    }

    /// Returns the relation of the objects of `entity`.
    func relation(of entity: String) -> Relation? {
      model.root(of: entity).flatMap { layout.relation(of: $0.name) }
    }

    /// Returns the names of `entity` and its ancestors.
    func lineage(of entity: String) -> Set<String> { Set(model.lineage(of: entity).map(\.name)) }

    /// Returns the column of `entity`'s objects with a role of `kind` for the property `name`.
    func column(_ name: String, of entity: String, _ kind: (Property) -> ColumnRole) -> RelationColumn? {
      guard let relation = relation(of: entity) else { return nil }
      for declaring in model.lineage(of: entity) {
        if let column = relation.column(kind(Property(declaring.name, name))) { return column }
      }
      return nil
    }

    /// Returns the stored relationship `name` of `entity`, with the entity that declares it.
    func relationship(_ name: String, of entity: String) -> (declared: Property, Relationship)? {
      for declaring in model.lineage(of: entity) {
        if let found = declaring.relationships.first(where: { $0.name == name && !$0.isTransient }) {
          return (Property(declaring.name, name), found)
        }
      }
      return nil
    }

    /// Returns the inverse relationship, with the entity that declares it.
    func inverse(of relationship: Relationship) -> (declared: Property, Relationship)? {
      relationship.inverse.flatMap { self.relationship($0, of: relationship.destination) }
    }

    /// Returns the names of an entity's attributes that have columns in the store.
    func attributeNames(of entity: String) -> [String] {
      guard let relation = relation(of: entity) else { return [] }
      let lineage = lineage(of: entity)
      return relation.columns.compactMap { column in
        guard case .attribute(let property) = column.columnRole, lineage.contains(property.entity)
        else {
          return nil
        }
        return property.name
      }
    }

    /// Returns the names of an entity's relationships, except transient ones.
    func relationshipNames(of entity: String) -> [String] {
      model.relationships(of: entity).filter { !$0.isTransient }.map(\.name)
    }
  }

  /// Returns the origin of the destination's objects and links.
  ///
  /// - Returns: The root entities that get objects, and the links in link tables.
  /// - Throws: `DecantError` of the family `.usage` for a mistake in the file, `.modelMismatch` if the models require
  ///   something that the file does not define.
  func resolve() throws(DecantError) -> (roots: [MappedRoot], links: [MappedLinks]) {
    var roots = try roots(of: parts())
    let properties = MappingProperties(resolver: self, roots: roots)
    for index in roots.indices {
      for part in roots[index].parts.indices {
        try properties.fill(&roots[index].parts[part])
      }
      place(&roots[index])
    }
    let shares = MappingShares(resolver: self)
    try shares.check()
    try shares.strip(&roots)
    let links = MappingLinks(resolver: self, roots: roots).links()
    try MappingLosses(resolver: self, roots: roots, links: links).check()
    return (roots, links)
  }

  /// Assigns positions in ordered lists if the source has no order for some objects.
  private func place(_ mapped: inout MappedRoot) {
    for column in destination.layout.relation(of: mapped.root)?.columns ?? [] {
      guard case .position(let property) = column.columnRole else { continue }
      let linked = mapped.parts.indices.filter {
        mapped.parts[$0].values[.target(property)] != nil
      }
      let isSaid = linked.contains {
        if case .place = mapped.parts[$0].values[column.columnRole] { true } else { false }
      }
      guard isSaid || linked.contains(where: { mapped.parts[$0].values[column.columnRole] == nil }),
        linked.allSatisfy({ source.relation(of: mapped.parts[$0].source)?.keyColumn != nil })
      else { continue }
      for index in linked {
        switch mapped.parts[index].values[column.columnRole] {
        case .place: continue
        case .column(let own): mapped.parts[index].values[column.columnRole] = .place(own, by: nil)
        default: mapped.parts[index].values[column.columnRole] = .place(nil, by: nil)
        }
      }
    }
  }

  private func roots(of parts: [MappedPart]) -> [MappedRoot] {
    destination.layout.relations.compactMap { relation in
      let own = parts.filter { destination.model.root(of: $0.entity)?.name == relation.root }
      return own.isEmpty ? nil : MappedRoot(root: relation.root, parts: own)
    }
  }

  /// Returns the pairs of entities: those of equal names, unless the file says otherwise.
  private func parts() throws(DecantError) -> [MappedPart] {
    for rule in mapping.entities { try check(rule) }
    for rule in mapping.relationships { try check(rule) }
    let named = Set(mapping.entities.flatMap { $0.sources.map(\.text) })
    let ruled = Set(mapping.entities.map(\.name.text))
    var parts: [MappedPart] = []
    for entity in destination.concreteEntities {
      for rule in mapping.entities where rule.name.text == entity {
        for word in rule.sources.isEmpty ? [rule.name] : rule.sources {
          for name in concrete(word.text, besides: named.union(ruled)) {
            parts.append(try part(entity, from: name, rule))
          }
        }
      }
      if !mapping.isInferred, !ruled.contains(entity), source.concreteEntities.contains(entity) {
        parts.append(try part(entity, from: entity, nil))
      }
    }
    return parts
  }

  /// Returns the entity itself, or for an abstract one its sub-entities without a rule.
  private func concrete(_ name: String, besides spokenOf: Set<String>) -> [String] {
    guard source.model[name]?.isAbstract == true else { return [name] }
    return source.model.family(of: name).map(\.name)
      .filter { source.concreteEntities.contains($0) && !spokenOf.contains($0) }
  }

  private func part(_ entity: String, from name: String, _ rule: Mapping.EntityRule?)
    throws(DecantError) -> MappedPart
  {
    var part = MappedPart(
      entity: entity,
      source: name,
      sourceRoot: source.model.root(of: name)?.name ?? name,
      rule: rule
    )
    if let condition = rule?.condition {
      part.condition = try expression(condition, over: name, "the condition", isCondition: true)
        .text
    }
    return part
  }

  /// Checks that the name of a link rule is a relationship.
  private func check(_ rule: Mapping.RelationshipRule) throws(DecantError) {
    let name = rule.name.text.split(separator: " ").last.map(String.init) ?? rule.name.text
    let parts = name.split(separator: ".", maxSplits: 1).map(String.init)
    guard parts.count == 2 else { return }
    if let entity = target(of: rule) { return try check(rule, entity) }
    let names = destination.relationshipNames(of: parts[0]).map { "\(parts[0]).\($0)" }
    throw mapping.mistake(
      "the destination has no relationship \(name)",
      at: rule.name.mark,
      remedy: name.nearest(in: names).map { "did you mean \($0)?" }
        ?? (names.isEmpty
          ? "\(parts[0]) has none"
          : "\(parts[0]) has \(names.map { String($0.dropFirst(parts[0].count + 1)) }.joined(separator: ", "))"),
      code: .unknownName,
      remedies: [.correctName(name, among: names)]
    )
  }

  /// Returns the target entity of a rule's links; `nil` if the destination has no such relationship.
  func target(of rule: Mapping.RelationshipRule) -> String? {
    let name = rule.name.text.split(separator: " ").last.map(String.init) ?? rule.name.text
    let parts = name.split(separator: ".", maxSplits: 1).map(String.init)
    guard parts.count == 2,
      let (declared, found) = destination.relationship(parts[1], of: parts[0])
    else { return nil }
    let isInverse = rule.name.text.hasPrefix(LinkDirection.inverseMark)
    return isInverse ? declared.entity : found.destination
  }

  /// Checks the condition of a rule for links to objects of `entity`, an entity of the destination.
  private func check(_ rule: Mapping.RelationshipRule, _ entity: String) throws(DecantError) {
    guard let condition = rule.condition, destination.views[entity] != nil else { return }
    do throws(Expression.Mistake) {
      let expression = try Expression(condition.text, over: entity, views: destination.views)
      try checkReach(of: expression, in: destination.views)
    } catch {
      throw mapping.mistake(
        "cannot use the condition of \(rule.name.text) “\(condition.text)”: \(error.message)",
        at: condition.mark,
        remedy: error.remedy.map { "\($0)" },
        code: error.code,
        remedies: error.remedies
      )
    }
  }

  /// Checks the entity names in a rule.
  private func check(_ rule: Mapping.EntityRule) throws(DecantError) {
    let name = rule.name.text
    guard let entity = destination.model[name] else {
      throw mapping.mistake(
        "the destination has no entity \(name)",
        at: rule.name.mark,
        remedy: name.remedy(among: destination.concreteEntities),
        code: .unknownName,
        remedies: [.correctName(name, among: destination.concreteEntities)]
      )
    }
    guard !entity.isAbstract else {
      let below = destination.model.family(of: name).map(\.name)
        .filter { destination.concreteEntities.contains($0) }
      throw mapping.mistake(
        "\(name) is abstract: it has no objects of its own",
        at: rule.name.mark,
        remedy: "use its child entities: \(below.joined(separator: ", "))"
      )
    }
    guard destination.concreteEntities.contains(name) else {
      throw mapping.mistake("the destination cannot store objects of \(name)", at: rule.name.mark)
    }
    for word in rule.sources.isEmpty ? [rule.name] : rule.sources
    where source.model[word.text] == nil {
      throw mapping.mistake(
        "“\(source.place)” has no entity \(word.text)",
        at: word.mark,
        remedy: (rule.sources.isEmpty ? "give the source of \(name) with from: " : "")
          + word.text.remedy(among: source.concreteEntities),
        code: .unknownName,
        remedies: [.correctName(word.text, among: source.concreteEntities)]
      )
    }
    for word in rule.sources where rule.sources.count(where: { $0.text == word.text }) > 1 {
      throw mapping.mistake("\(word.text) appears twice", at: word.mark, remedy: "give it once")
    }
  }

  /// Checks an expression over the objects of `entity`, an entity of the source.
  ///
  /// - Parameters:
  ///   - word: The expression, with its position.
  ///   - entity: The entity whose attributes it may name.
  ///   - subject: The name of the expression in errors.
  ///   - isCondition: Whether it is a condition rather than a value.
  /// - Returns: The compiled expression, with the properties it reads.
  /// - Throws: `DecantError` of the family `.usage` if it does not compile or reads something it must not.
  func expression(
    _ word: Mapping.Word,
    over entity: String,
    _ subject: String,
    isCondition: Bool = false
  ) throws(DecantError) -> Expression {
    do throws(Expression.Mistake) {
      let expression = try Expression(word.text, over: entity, views: source.views)
      try checkReach(of: expression, in: source.views, filling: isCondition ? nil : entity)
      return expression
    } catch {
      throw mapping.mistake(
        "cannot use \(subject) “\(word.text)”: \(error.message)",
        at: word.mark,
        remedy: error.remedy.map { "\($0)" },
        code: error.code,
        remedies: error.remedies
      )
    }
  }

  /// Throws if an expression reads values that may be in external files, whose columns hold file names or a marker
  /// byte.
  ///
  /// - Parameters:
  ///   - expression: The expression.
  ///   - views: The views on which it is compiled.
  ///   - entity: The entity whose values it computes; `nil` for a condition.
  /// - Throws: The mistake.
  func checkReach(of expression: Expression, in views: EntityViews, filling entity: String? = nil)
    throws(Expression.Mistake)
  {
    let reads = expression.reads.sorted { "\($0)" < "\($1)" }
    for read in reads {
      let column = views[read.entity]?.columns.first {
        $0.name.lowercased() == read.name.lowercased()
      }
      guard column?.type?.isExternal == true else { continue }
      throw Expression.Mistake(
        message: "\(read) may be stored in external files, which an expression cannot read",
        remedy: entity == nil
          ? "use another attribute"
          : entity == read.entity
            ? "use the attribute alone, which copies it unchanged" : "only the object itself can use it, unchanged"
      )
    }
  }
}
