internal import DecantBase
internal import DecantPlan
internal import DecantStore

/// Checks the named shares of a mapping, and clears the attributes that the selected share strips.
struct MappingShares {
  let resolver: MappingResolver

  private var destination: MappingResolver.ModelSide { resolver.destination }
  private var mapping: Mapping { resolver.mapping }

  /// Checks all shares, so that a mistake is found even in a share that is not used.
  func check() throws(DecantError) {
    for share in mapping.shares {
      for word in share.stripped { _ = try attribute(word) }
      for root in share.roots { try check(root, share.stripped) }
    }
  }

  /// Clears the values in `roots` that the selected share strips.
  func strip(_ roots: inout [MappedRoot]) throws(DecantError) {
    guard !mapping.stripped.isEmpty else { return }
    for rule in mapping.relationships {
      guard let condition = rule.condition, let entity = resolver.target(of: rule) else { continue }
      try check(condition.text, over: entity, condition, mapping.stripped)
    }
    for word in mapping.stripped {
      let (entity, property) = try attribute(word)
      for root in roots.indices {
        for index in roots[root].parts.indices {
          let part = roots[root].parts[index]
          let columnRole = ColumnRole.attribute(property)
          guard destination.lineage(of: part.entity).contains(entity), part.values[columnRole] != nil
          else { continue }
          roots[root].parts[index].values[columnRole] = .expression("NULL")
        }
      }
    }
  }

  private func check(_ root: Mapping.Root, _ stripped: [Mapping.Word]) throws(DecantError) {
    guard destination.model[root.entity.text] != nil else {
      throw mapping.mistake(
        "the destination has no entity \(root.entity.text)",
        at: root.entity.mark,
        remedy: root.entity.text.remedy(among: destination.concreteEntities),
        code: .unknownName,
        remedies: [.correctName(root.entity.text, among: destination.concreteEntities)]
      )
    }
    guard destination.views[root.entity.text] != nil else { return }
    // The values of the parameters are not known yet, and do not affect the names in the condition.
    let text = ShareParameters(root.condition.text).binding { _ in "NULL" }
    try check(text, over: root.entity.text, root.condition, stripped)
  }

  /// Checks a condition, which must not read stripped attributes.
  private func check(
    _ text: String,
    over entity: String,
    _ word: Mapping.Word,
    _ stripped: [Mapping.Word]
  ) throws(DecantError) {
    let expression: Expression
    do throws(Expression.Mistake) {
      expression = try Expression(text, over: entity, views: destination.views)
      try resolver.checkReach(of: expression, in: destination.views)
    } catch {
      throw mapping.mistake(
        "cannot use the condition “\(word.text)”: \(error.message)",
        at: word.mark,
        remedy: error.remedy.map { "\($0)" },
        code: error.code,
        remedies: error.remedies
      )
    }
    for name in stripped {
      let (entity, property) = try attribute(name)
      let root = destination.model.root(of: entity)?.name
      guard
        expression.reads.contains(where: {
          $0.name == property.name && destination.model.root(of: $0.entity)?.name == root
        })
      else { continue }
      throw mapping.mistake(
        "the condition reads \(name.text), which the share strips",
        at: word.mark,
        remedy: "do not strip it, or use another attribute"
      )
    }
  }

  /// Returns the stripped attribute with its entity in the file; it must be allowed to be empty.
  private func attribute(_ word: Mapping.Word) throws(DecantError) -> (String, Property) {
    let parts = word.text.split(separator: ".", maxSplits: 1).map(String.init)
    let names = parts.first.map { destination.attributeNames(of: $0) } ?? []
    guard parts.count == 2, names.contains(parts[1]),
      let declaring = destination.model.lineage(of: parts[0])
        .first(where: { $0.attributes.contains { $0.name == parts[1] } }),
      let attribute = declaring.attributes.first(where: { $0.name == parts[1] })
    else {
      throw mapping.mistake(
        "the destination has no attribute \(word.text)",
        at: word.mark,
        remedy: parts.last?.nearest(in: names).map { "did you mean \(parts[0]).\($0)?" }
          ?? (names.isEmpty
            ? "write Entity.attribute"
            : "\(parts[0]) has \(names.sorted().joined(separator: ", "))"),
        code: .unknownName,
        remedies: [.correctName(parts.last ?? "", among: names)]
      )
    }
    guard attribute.isOptional else {
      throw mapping.mistake(
        "\(word.text) is required, but would be stripped",
        at: word.mark,
        remedy: "do not strip it, or anonymize it: \(parts[0]): { anonymize: { \(parts[1]): redact } }"
      )
    }
    return (parts[0], Property(declaring.name, parts[1]))
  }
}
