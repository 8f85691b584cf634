internal import DecantBase
internal import DecantPlan
internal import DecantStore
internal import DecantSQLite

/// The source's tables as used in a mapping's statements, and the SQL for keys and identifiers.
struct MappedTables {
  let mapping: Mapping
  let source: MappingResolver.ModelSide
  let destination: MappingResolver.ModelSide
  let roots: [MappedRoot]
  /// The source's identifier, if it has one.
  let storeUUID: String?
  /// Random bytes for random identifiers.
  let seed: [UInt8]
  /// Links in link tables.
  var links: [MappedLinks] = []
  /// The root entities for which empty objects are created.
  var stubRules = StubRules()
  /// Whether a required identifier that cannot be made is an error.
  var missesIdentifiers = true

  // MARK: Rows

  /// Returns the objects of exactly `entity` as a subquery: attributes by name in canonical form, and every raw column.
  func rows(of entity: String, in schema: String) -> String {
    guard let relation = source.relation(of: entity), let view = source.views[entity] else {
      return "(SELECT NULL)"
    }
    let named = view.columns.map { "\($0.expression) AS \($0.name.quotedName)" }
    let raw = relation.columns.enumerated().map { index, column in
      "\(relation.value(of: column)) AS \(MappedTables.rawName(index).quotedName)"
    }
    var select = SelectStatement(columns: named + raw, source: relation.sqlTable(in: schema))
    if let column = relation.entityCode(), relation.entities.count > 1,
      let code = relation.code(of: entity)
    {
      select.conditions = ["+\(column) = \(code)"]
    }
    return "(\(select.sql))"
  }

  /// Returns the name of the raw `column` in `rows`.
  func rawName(of column: RelationColumn, in part: MappedPart) -> String {
    let index = source.relation(of: part.source)?.columns.firstIndex {
      $0.columnRole == column.columnRole
    }
    return MappedTables.rawName(index ?? 0)
  }

  private static func rawName(_ index: Int) -> String { "raw \(index)" }

  /// Returns common table expressions for the other entities that expressions may read.
  ///
  /// Views of the same names on the connection are the destination's entities.
  func outlines(of parts: [MappedPart], in schema: String) -> String {
    var texts = parts.flatMap { part in [part.condition].compactMap(\.self) }
    for value in parts.flatMap(\.values.values) {
      switch value {
      case .expression(let text), .link(.expression(let text), _, _, _), .place(_, by: let text?):
        texts.append(text)
      case .column, .generated, .link, .place: continue
      }
    }
    let words = Set(texts.flatMap { SQLTokens($0).tokens.compactMap { $0.name?.lowercased() } })
    let read = source.views.views.filter { words.contains($0.name.lowercased()) }
    guard !read.isEmpty else { return "" }
    let definitions = read.map { "\($0.name.quotedName) AS \($0.relation(in: schema))" }
    return "WITH \(definitions.joined(separator: ", "))\n"
  }

  // MARK: Keys

  func hasKeys(_ root: String) -> Bool { roots.first { $0.root == root }?.needsKeys ?? false }

  /// Returns the table of keys for the objects of `mapped`; `nil` if they keep the source's keys.
  func keys(of mapped: MappedRoot) -> MappedKeys? {
    mapped.needsKeys ? MappedKeys(mapped: mapped, tables: self) : nil
  }

  /// Returns the empty objects of `mapped`; `nil` if no rule creates any.
  func stubs(of mapped: MappedRoot) -> MappedStubs? {
    stubRules.roots.contains(mapped.root) ? MappedStubs(mapped: mapped, tables: self) : nil
  }

  /// Returns the SQL for the key in `root` of the object `base` of `sourceRoot`.
  ///
  /// The key of a dangling link remains a key without an object, so that it is counted.
  ///
  /// - Parameters:
  ///   - base: The SQL of the key in the source.
  ///   - sourceRoot: The root entity of the key in the source.
  ///   - root: The root entity of the destination.
  ///   - only: The destination entities to consider; `nil` for all of `root`.
  ///   - schema: The schema name of the source.
  /// - Returns: The key in the view of `root`'s objects; NULL if `base` is NULL.
  func key(_ base: String, of sourceRoot: String, in root: String, only: [String]? = nil, schema: String) -> String {
    guard let mapped = roots.first(where: { $0.root == root }) else { return "NULL" }
    let parts = mapped.parts.indices.filter { index in
      mapped.parts[index].sourceRoot == sourceRoot
        && only?.contains(mapped.parts[index].entity) ?? true
    }
    var found: String
    if hasKeys(root) {
      found = self.found(base, in: mapped, parts)
      if stubs(of: mapped) != nil {
        found += ", \(MissingKeys(mapped: mapped, tables: self).key(base, of: sourceRoot))"
      }
    } else if only != nil {
      found = self.there(base, of: sourceRoot, parts.map { mapped.parts[$0].source }, schema)
      if stubs(of: mapped) != nil, let relation = source.layout.relation(of: sourceRoot) {
        let all = there(base, of: sourceRoot, relation.entities.map(\.name), schema)
        found += ", CASE WHEN \(all) IS NULL THEN \(base) END"
      }
    } else {
      return base
    }
    return "coalesce(\(found), CASE WHEN \(base) IS NOT NULL THEN \(MappedKeys.nobody) END)"
  }

  /// Returns the key `base` itself, if the source has an object of one of `entities` with this key.
  private func there(_ base: String, of sourceRoot: String, _ entities: [String], _ schema: String) -> String {
    guard let relation = source.layout.relation(of: sourceRoot), !entities.isEmpty else {
      return "NULL"
    }
    var conditions = ["t.\(relation.keyName) = \(base)"]
    if let code = relation.entityCode(in: "t"), relation.entities.count > 1 {
      let codes = entities.compactMap { relation.code(of: $0) }.map(String.init)
      conditions.append("+(\(code)) IN (\(codes.joined(separator: ", ")))")
    }
    return "(SELECT t.\(relation.keyName) FROM \(relation.sqlTable(in: schema)) AS t "
      + "WHERE \(conditions.joined(separator: " AND ")))"
  }

  private func found(_ base: String, in mapped: MappedRoot, _ parts: [Int]) -> String {
    let keys = MappedKeys(mapped: mapped, tables: self)
    return
      "(SELECT k.\"\(MappedKeys.id)\" FROM \(keys.table) AS k WHERE k.\"\(MappedKeys.base)\" = \(base) "
      + "AND k.\"\(MappedKeys.part)\" IN (\(parts.map(String.init).joined(separator: ", "))) "
      + "ORDER BY k.\"\(MappedKeys.isLeftOut)\", k.\"\(MappedKeys.part)\" LIMIT 1)"
  }

  // MARK: Identifiers

  /// Returns the SQL for the identifier that `generator` makes for the objects of a part.
  ///
  /// Without content there is no identifier, which is an error if the attribute is required.
  func identifier(
    _ generator: Mapping.Generator,
    _ part: MappedPart,
    _ index: Int,
    _ columnRole: ColumnRole
  ) -> String {
    let made = made(generator, part, index, columnRole)
    guard missesIdentifiers, !destination.model.isFromTables, case .content = generator,
      case .attribute(let property) = columnRole,
      let type = destination.relation(of: part.entity)?.column(columnRole)?.type,
      let attribute = destination.model[property.entity]?.attributes
        .first(where: { $0.name == property.name }), !attribute.isOptional
    else { return made }
    let name = "\(part.entity).\(property.name)".sqlText
    return "converted(\(made), \(type.name.sqlText), \(name), \(ConvertedValue.Demand.required.sql(for: part)))"
  }

  private func made(
    _ generator: Mapping.Generator,
    _ part: MappedPart,
    _ index: Int,
    _ columnRole: ColumnRole
  ) -> String {
    let namespace = "x'\((mapping.namespace ?? MappingFunctions.namespace).map(\.hex).joined())'"
    let isText: Bool
    if case .attribute(let property) = columnRole,
      let type = destination.relation(of: part.entity)?.column(.attribute(property))?.type
    {
      isText = type != .uuid
    } else {
      isText = false
    }
    let key = "\(part.source.quotedName).\(EntityView.key)"
    let made: String
    switch generator {
    case .object:
      let name = "\(storeUUID ?? "")/\(part.entity)/\(part.sourceRoot)"
      made = "uuid_of(\(namespace), \(name.sqlText), \(key), \(number(of: part, index)))"
    case .random:
      made =
        "uuid_at_random(x'\(seed.map(\.hex).joined())', \("\(part.entity) \(columnRole)".sqlText), \(key), \(index))"
    case .content(let words):
      let values = words.map { word in
        let property = destination.model.lineage(of: part.entity).lazy
          .map { ColumnRole.attribute(Property($0.name, word.text)) }
          .first { part.values[$0] != nil }
        guard let property, let value = part.values[property] else { return "NULL" }
        return content(of: value, part, index, property)
      }
      made = "uuid_of_content(\(namespace), \(values.joined(separator: ", ")))"
    }
    return isText ? "uuid_text(\(made))" : made
  }

  /// Returns the number of earlier parts that make the same entity from the same objects.
  private func number(of part: MappedPart, _ index: Int) -> Int {
    let root = destination.model.root(of: part.entity)?.name
    let parts = roots.first { $0.root == root }?.parts ?? []
    return parts.prefix(index).count { $0.entity == part.entity && $0.source == part.source }
  }

  private func content(of value: MappedValue, _ part: MappedPart, _ index: Int, _ columnRole: ColumnRole) -> String {
    switch value {
    case .column(let own):
      let raw = "\(part.source.quotedName).\(rawName(of: own, in: part).quotedName)"
      return own.isExternal ? "content('source', \(raw))" : own.encoding.decoding(raw)
    case .expression(let text): return text
    case .generated(let generator): return identifier(generator, part, index, columnRole)
    case .link, .place: return "NULL"
    }
  }
}

extension Connection {
  /// Creates `table`, given with its schema, with `columns`; clears it if it exists.
  func makeEmpty(_ table: String, _ columns: String) throws(SQLiteError) {
    try run("CREATE TABLE IF NOT EXISTS \(table) (\(columns))")
    try run("DELETE FROM \(table)")
  }
}
