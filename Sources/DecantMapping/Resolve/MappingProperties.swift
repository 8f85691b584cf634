internal import DecantBase
internal import DecantPlan
internal import DecantStore
internal import DecantSQLite

/// Determines the values of mapped objects' attributes and links.
struct MappingProperties {
  let resolver: MappingResolver
  let roots: [MappedRoot]

  var mapping: Mapping { resolver.mapping }
  var source: MappingResolver.ModelSide { resolver.source }
  var destination: MappingResolver.ModelSide { resolver.destination }

  /// Fills in the values of `part`.
  func fill(_ part: inout MappedPart) throws(DecantError) {
    if let rule = part.rule {
      try check(rule, part)
      for word in rule.settings.map(\.property)
      where destination.relationship(word.text, of: part.entity)?.1.isToMany == true {
        part.displaced.insert(word.text)
      }
    }
    guard let relation = destination.relation(of: part.entity) else { return }
    let lineage = destination.lineage(of: part.entity)
    for column in relation.columns {
      switch column.columnRole {
      case .attribute(let property):
        guard lineage.contains(property.entity), !column.isGenerated else { continue }
        try fill(column, property, in: &part)
      case .target(let property):
        guard lineage.contains(property.entity) else { continue }
        try fillLink(column, property, in: &part)
      case .owner(let property):
        fillOwner(property, in: &part)
      case .unnamed, .revision:
        guard let own = source.relation(of: part.source)?.column(column.columnRole) else { continue }
        part.values[column.columnRole] = .column(own)
      // Columns that belong to a link are filled with it; an object's key is its own.
      case .targetEntity, .position, .ownerPosition, .key: continue
      }
    }
    fillOwners(&part)
    try fillPlaces(&part)
    try anonymization(&part)
  }

  /// Checks that the names in a rule exist.
  private func check(_ rule: Mapping.EntityRule, _ part: MappedPart) throws(DecantError) {
    let attributes = destination.attributeNames(of: part.entity)
    let names = attributes + destination.relationshipNames(of: part.entity)
    let places = listLinks(of: part).map(MappingProperties.placeName)
    for word in rule.settings.map(\.property) where !(names + places).contains(word.text) {
      throw unknown(word, of: part.entity, among: names + places, "attribute or relationship")
    }
    for word in rule.identity where !names.contains(word.text) {
      throw unknown(word, of: part.entity, among: names, "attribute or relationship")
    }
    try checkManyLinks(rule, part)
    try checkNotDropped(rule, part)
    let made = rule.generated.map(\.attribute) + rule.anonymized.map(\.attribute)
    let contents = rule.generated.flatMap { generated -> [Mapping.Word] in
      if case .content(let words) = generated.generator { words } else { [] }
    }
    let kept = rule.merge.map { $0.keep + [$0.by].compactMap(\.self) } ?? []
    for word in made + contents where !attributes.contains(word.text) {
      throw unknown(word, of: part.entity, among: attributes, "attribute")
    }
    for word in kept where !names.contains(word.text) {
      throw unknown(word, of: part.entity, among: names, "attribute or relationship")
    }
    try checkCycles(rule)
    try checkTime(rule, part)
    // If several entities become one, each may have properties that the others lack.
    let sources = rule.sources.isEmpty ? [part.source] : rule.sources.map(\.text)
    let there = sources.flatMap { entity in
      source.model.family(of: entity).flatMap {
        source.attributeNames(of: $0.name) + source.relationshipNames(of: $0.name)
      }
    }
    for word in rule.dropped where !there.contains(word.text) {
      throw mapping.mistake(
        "\(sources.joined(separator: ", ")) of “\(source.place)” has no property \(word.text) to drop",
        at: word.mark,
        remedy: word.text.nearest(in: there).map { "did you mean \($0)?" },
        code: .unknownName,
        remedies: [.correctName(word.text, among: there)]
      )
    }
  }

  private func unknown(_ word: Mapping.Word, of entity: String, among names: [String], _ kind: String) -> DecantError {
    mapping.mistake(
      "\(entity) of the destination has no \(kind) \(word.text)",
      at: word.mark,
      remedy: word.text.nearest(in: names).map { "did you mean \($0)?" }
        ?? "it has \(names.sorted().joined(separator: ", "))",
      code: .unknownName,
      remedies: [.correctName(word.text, among: names)]
    )
  }

  // MARK: Attributes

  private func fill(_ column: RelationColumn, _ property: Property, in part: inout MappedPart) throws(DecantError) {
    if let made = part.rule?.generated.first(where: { $0.attribute.text == property.name }) {
      guard column.type == .uuid || column.type == .string || destination.model.isFromTables else {
        throw mapping.mistake(
          "\(part.entity).\(property.name) is of type \(column.type?.name ?? "undefined"), which cannot hold a UUID",
          at: made.attribute.mark,
          remedy: "generate only attributes of type uuid or string"
        )
      }
      part.values[column.columnRole] = .generated(made.generator)
      return
    }
    guard let setting = setting(of: property.name, part) else {
      guard !isDropped(property.name, part),
        let own = source.column(property.name, of: part.source, { .attribute($0) })
      else {
        return try checkMayLack(column, property, part)
      }
      return try fill(column, property, from: own, at: part.rule?.name.mark, in: &part)
    }
    guard !setting.isOwnObject else {
      throw mapping.mistake(
        "\(part.entity).\(property.name) is an attribute, but $self is an object",
        at: setting.value.mark
      )
    }
    if let name = setting.value.text.plainName,
      let own = source.column(name, of: part.source, { .attribute($0) })
    {
      part.displaced.insert(property.name)
      return try fill(column, property, from: own, at: setting.value.mark, in: &part)
    }
    let subject = "the expression of \(part.entity).\(property.name)"
    let expression = try resolver.expression(setting.value, over: part.source, subject)
    noteUse(of: expression, in: &part)
    if !expression.reads.isEmpty { part.displaced.insert(property.name) }
    let value = converted("(\(expression.text)\n)", to: column, property, part)
    part.values[column.columnRole] = .expression(value)
  }

  /// Fills an attribute from a source attribute, unchanged if the types agree.
  private func fill(
    _ column: RelationColumn,
    _ property: Property,
    from own: RelationColumn,
    at mark: Mapping.Mark?,
    in part: inout MappedPart
  ) throws(DecantError) {
    guard case .attribute(let declared) = own.columnRole else { return }
    part.used.insert(declared)
    // Columns of plain tables may hold any value, which a column of another type could convert.
    let isSameType =
      destination.model.isFromTables
      ? column.conversion == .none
        || own.conversion == column.conversion
          && own.encoding == column.encoding
      : own.type == column.type
    let needsValue = isRequired(property) && !isRequired(declared, in: source) && !own.isExternal
    guard !isSameType || needsValue else {
      part.values[column.columnRole] = .column(own)
      return
    }
    guard !own.isExternal else {
      throw mapping.mistake(
        "\(part.source).\(declared.name) is \(own.type?.name ?? "undefined") in external files, but "
          + "\(part.entity).\(property.name) is \(column.type?.name ?? "undefined")",
        at: mark ?? .start,
        remedy: "map it to an attribute of the same type, or drop it"
      )
    }
    if let (from, to) = unrelatedTypes(own, column) {
      throw mapping.mistake(
        "\(part.source).\(declared.name) has the type \(from), but \(part.entity).\(property.name) the type \(to): "
          + "which number stands for which date is not known",
        at: mark ?? .start,
        remedy: "set it by an expression, such as \(property.name): \(declared.name) + 0, or drop it"
      )
    }
    var value = declared.name.quotedName
    // A value that is no UUID is kept, and rejected later; a date without a text stays the number of its seconds.
    if column.type == .string, let function = [.uuid: "uuid_text", .date: "date_text"][own.type] {
      value = "coalesce(\(function)(\(value)), \(value))"
    }
    if needsValue, let literal = attribute(property)?.defaultValue?.sqlLiteral {
      value = "coalesce(\(value), \(literal))"
    }
    part.values[column.columnRole] = .expression(converted(value, to: column, property, part))
  }

  /// Returns the names of the types if one is a date and the other a number, in two stores with models.
  ///
  /// Dates are numbers of seconds there, so that the values themselves would fit. In a plain database the user knows
  /// what the numbers of a column mean.
  private func unrelatedTypes(_ own: RelationColumn, _ column: RelationColumn) -> (from: String, to: String)? {
    guard !source.model.isFromTables, !destination.model.isFromTables, let from = own.type, let to = column.type,
      (from == .date) != (to == .date)
    else { return nil }
    let numbers: [AttributeType] = [.integer16, .integer32, .integer64, .boolean, .decimal, .double, .float]
    return numbers.contains(from == .date ? to : from) ? (from.name, to.name) : nil
  }

  /// Returns the expression that converts `value` to the column's type, or rejects it with the property's name.
  private func converted(
    _ value: String,
    to column: RelationColumn,
    _ property: Property,
    _ part: MappedPart
  ) -> String {
    // A plain table converts values by its column's affinity; the proof reads the result.
    guard !destination.model.isFromTables else {
      switch column.conversion {
      case .none: return value
      case .toText: return "text_of(\(value))"
      case .toNumber: return "number_of(\(value))"
      }
    }
    let name = "\(part.entity).\(property.name)".sqlText
    let type = (column.type ?? .undefined).name.sqlText
    let demand: ConvertedValue.Demand = isRequired(property) ? .required : .optional
    return "converted(\(value), \(type), \(name), \(demand.sql(for: part)))"
  }

  /// Records the properties that an expression uses.
  func noteUse(of expression: Expression, in part: inout MappedPart) {
    for read in expression.reads where read.entity == part.source {
      for declaring in source.model.lineage(of: part.source) {
        part.used.insert(Property(declaring.name, read.name))
      }
    }
  }

  /// Throws if an attribute is required and has no value.
  private func checkMayLack(_ column: RelationColumn, _ property: Property, _ part: MappedPart) throws(DecantError) {
    guard isRequired(property), let attribute = attribute(property), attribute.defaultValue == nil,
      !attribute.isDerived
    else { return }
    throw mapping.mistake(
      "\(part.entity).\(property.name) is required, but \(part.source) has no property with that name",
      at: part.rule?.name.mark ?? .start,
      remedy: "set it under \(part.entity): set: { \(property.name): … }"
    )
  }

  private func attribute(_ property: Property) -> Attribute? {
    destination.model[property.entity]?.attributes.first { $0.name == property.name }
  }

  private func isRequired(_ property: Property) -> Bool { isRequired(property, in: destination) }

  private func isRequired(_ property: Property, in side: MappingResolver.ModelSide) -> Bool {
    let attribute = side.model[property.entity]?.attributes.first { $0.name == property.name }
    return attribute.map { !$0.isOptional } ?? false
  }

  /// Returns whether the file drops the source's property of this name.
  func isDropped(_ name: String, _ part: MappedPart) -> Bool {
    part.rule?.dropped.contains { $0.text == name } ?? false
  }

  func setting(of name: String, _ part: MappedPart) -> Mapping.Setting? {
    part.rule?.settings.first { $0.property.text == name }
  }
}

extension Mapping.Mark {
  /// The beginning of the file, used for missing entries.
  static let start = Mapping.Mark(line: 1, column: 1)
}

extension String {
  /// The name, bare or in double quotes, if this expression is a single name.
  var plainName: String? {
    let text = trimming(while: \.isWhitespace)
    if text.hasPrefix("\""), text.hasSuffix("\""), text.count > 2 {
      let name = text.dropFirst().dropLast()
      return name.contains("\"") ? nil : String(name)
    }
    let isName = text.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "." }
    return isName && !text.isEmpty ? String(text) : nil
  }
}
