internal import SQLite

/// What tells objects apart in all of several stores, where neither a rule nor the model says it.
///
/// An attribute of a key's name and type, such as a UUID, of which every object of every store has a value of
/// its own. Numbers do not count: two stores number alike.
struct GuessedIdentities {
  /// The attribute, by the entity that declares it.
  private(set) var names: [String: [String]] = [:]
  /// What the reader should know.
  private(set) var notes: [String] = []

  /// Looks through both stores of each comparison.
  init(_ rules: MergeRules, _ comparisons: [Comparison]) throws(SQLiteError) {
    guard let model = comparisons.first?.source.model else { return }
    var lost: [String] = []
    for entity in model.entities {
      let lineage = model.lineage(of: entity.name)
      let isKnown = lineage.contains { ancestor in
        rules.identities[ancestor.name] != nil || names[ancestor.name] != nil
          || ancestor.uniquenessConstraints.contains { !$0.isEmpty }
      }
      guard !isKnown else { continue }
      var found: String?
      for attribute in entity.attributes where found == nil && attribute.mayTellStoresApart {
        let property = Property(entity.name, attribute.name)
        if try GuessedIdentities.isDistinct(property, in: comparisons) { found = attribute.name }
      }
      if let found { names[entity.name] = [found] }
      if found == nil, !entity.isAbstract { lost.append(entity.name) }
    }
    if !names.isEmpty {
      let list = names.sorted { $0.key < $1.key }.map { "\($0.key).\($0.value[0])" }
      notes.append(
        "\(model.terms.objects) are told apart by \(list.joined(separator: ", ")), all of which differ"
      )
    }
    guard !lost.isEmpty else { return }
    notes.append(
      "nothing tells the \(model.terms.objects) of \(lost.joined(separator: ", ")) apart: one that was changed comes as a "
        + "new one; --identity says what does"
    )
  }

  private static func isDistinct(_ property: Property, in comparisons: [Comparison])
    throws(SQLiteError) -> Bool
  {
    for comparison in comparisons {
      let sides = [
        (comparison.source, Workbench.source), (comparison.destination, Planner.destination),
      ]
      for (store, schema) in sides {
        guard let root = store.model.root(of: property.entity)?.name,
          let relation = store.layout.relation(of: root),
          let column = relation.column(.attribute(property))
        else { return false }
        var select = SelectStatement(
          columns: [
            "count(*) = count(\(column.name.sqlName))",
            "count(*) = count(DISTINCT \(column.name.sqlName))",
          ],
          source: relation.sqlTable(in: schema)
        )
        if let codes = column.onlyIn, let entityCode = relation.entityCode() {
          select.conditions = ["\(entityCode) IN (\(codes.list))"]
        }
        var isDistinct = false
        try comparison.connection.forEachRow(select.sql) { row in
          isDistinct = row.integer(at: 0) == 1 && row.integer(at: 1) == 1
        }
        guard isDistinct else { return false }
      }
    }
    return true
  }
}

extension Attribute {
  /// Whether its name and type are those of a key that no two stores give twice.
  fileprivate var mayTellStoresApart: Bool {
    switch type {
    case .uuid: true
    case .string, .uri, .binary: mayBeKey
    default: false
    }
  }
}
