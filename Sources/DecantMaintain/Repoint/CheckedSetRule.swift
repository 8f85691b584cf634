internal import DecantBase
internal import DecantPlan
internal import DecantStore
internal import DecantSQLite

/// A rule for a value that is set with a reference, compiled and located in the store.
struct CheckedSetRule {
  let rule: SetRule
  let expression: Expression
  let column: RelationColumn
  /// The view on which the expression is evaluated.
  let view: String
  /// The storage classes that the attribute accepts; `nil` for any.
  let classes: [String]?
  let isOptional: Bool

  var option: DecantError.Text { "\(option: .set) '\(rule.attribute) = …'" }

  /// Compiles `rules`, each for the entity of one of `sites`; returns them by entity.
  static func check(
    _ rules: [SetRule],
    _ sites: [ReferenceSite],
    _ store: any EditableStore,
    _ views: EntityViews
  ) throws(DecantError) -> [String: [CheckedSetRule]] {
    var checked: [String: [CheckedSetRule]] = [:]
    for rule in rules {
      let (entity, found) = try check(rule, sites, store, views)
      if checked[entity]?.contains(where: { $0.column.name == found.column.name }) == true {
        throw DecantError(
          .conflictingOptions,
          "\(entity).\(rule.attribute) is set twice",
          place: "\(option: .set)",
          remedy: "give it once"
        )
      }
      checked[entity, default: []].append(found)
    }
    return checked
  }

  private static func check(
    _ rule: SetRule,
    _ sites: [ReferenceSite],
    _ store: any EditableStore,
    _ views: EntityViews
  ) throws(DecantError) -> (String, CheckedSetRule) {
    let option: DecantError.Text = "\(option: .set) '\(rule.attribute) = …'"
    let entities = Set(sites.map(\.entity))
    let name = rule.entity ?? (entities.count == 1 ? entities.first : nil)
    guard let name, let site = sites.first(where: { $0.entity.lowercased() == name.lowercased() })
    else {
      throw DecantError(
        .unsuitableOption,
        rule.entity == nil
          ? "the entity of \(rule.attribute) is ambiguous"
          : "no references of \(rule.entity ?? "") are repointed",
        place: option,
        remedy:
          "write \(say: .set) 'Entity.\(rule.attribute) = …' with an entity of \(option: .at): "
          + "\(entities.sorted().joined(separator: ", "))"
      )
    }
    let (_, _, column) = try ReferenceSites(store: store).find(Property(site.entity, rule.attribute), option)
    let isReference = sites.contains {
      $0.relation.table == site.relation.table
        && ($0.column.name == column.name || $0.entityColumn?.name == column.name)
    }
    guard !isReference, !column.isGenerated, !column.isExternal, column.encoding == .asIs else {
      throw DecantError(
        .unsuitableOption,
        isReference
          ? "\(rule.attribute) is given in \(option: .at): it gets the new reference"
          : "\(rule.attribute) cannot be set",
        place: option,
        remedy: "use another attribute"
      )
    }
    let expression: Expression
    do throws(Expression.Mistake) {
      expression = try Expression(rule.expression, over: site.entity, views: views)
    } catch {
      throw DecantError(
        error.code,
        "cannot use the expression of \(option: .set) “\(rule.attribute) = \(rule.expression)”: \(error.message)",
        remedy: error.remedy.map { "\($0)" },
        remedies: error.remedies
      )
    }
    let attribute = store.model.attributes(of: site.entity).first { $0.name == rule.attribute }
    let set = CheckedSetRule(
      rule: rule,
      expression: expression,
      column: column,
      view: views[site.entity]?.name ?? site.entity,
      classes: store.model.isFromTables ? nil : classes(of: column.type),
      isOptional: attribute?.isOptional ?? true
    )
    return (site.entity, set)
  }

  /// Returns the storage classes used for a Core Data attribute.
  private static func classes(of type: AttributeType?) -> [String]? {
    switch type {
    case .string, .uri: ["text"]
    case .integer16, .integer32, .integer64, .boolean: ["integer"]
    case .double, .float, .date, .decimal: ["real", "integer"]
    case .binary, .uuid, .transformable: ["blob"]
    case .undefined, .objectID, .composite, nil: nil
    }
  }

  /// Throws if an object of `sites` received a value that its attribute cannot hold.
  func checkValues(of sites: [ReferenceSite], _ work: ReferenceWork, on connection: Connection) throws(DecantError) {
    guard let site = sites.first, let classes else { return }
    let value = "o.\(column.name.sqlName)"
    let wrong =
      "typeof(\(value)) NOT IN (\((classes + ["null"]).map(\.sqlText).joined(separator: ", ")))"
    let missing = isOptional ? "" : " OR \(value) IS NULL"
    var found: (key: Int64, type: String)?
    try explaining("cannot read \(site.entity)") { () throws(SQLiteError) in
      try connection.forEachRow(
        """
        SELECT o.\(site.relation.keyName), typeof(\(value)) FROM \(site.table) AS o
        WHERE o.\(site.relation.keyName) IN (\(work.keys(of: sites))) AND (\(wrong)\(missing)) LIMIT 1
        """
      ) { row in
        found = (row.integer(at: 0), row.text(at: 1) ?? "")
      }
    }
    guard let found else { return }
    throw DecantError(
      .invalidExpression,
      found.type == "null"
        ? "the expression gives \(site.object(found.key)) no \(rule.attribute), which is required"
        : "the expression gives \(site.object(found.key)) a value of type \(found.type), but "
          + "\(rule.attribute) is of type \(column.type?.name ?? "")",
      place: option,
      remedy: "change the expression; CAST(… AS TEXT) produces text"
    )
  }
}
