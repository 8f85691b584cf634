internal import DecantBase
internal import DecantPlan
internal import DecantStore
internal import DecantSQLite

/// The source's tables as a mapping's statements read them, and how keys and identifiers are made of them.
struct MappedTables {
  let mapping: Mapping
  let source: MappingResolver.ModelSide
  let destination: MappingResolver.ModelSide
  let roots: [MappedRoot]
  /// The source's own identifier, if it has one.
  let storeUUID: String?
  /// Random bytes for identifiers that are another each time.
  let seed: [UInt8]
  /// Links that have tables of their own.
  var links: [MappedLinks] = []
  /// For which root entities empty objects are made.
  var stubRules = StubRules()
  /// Whether an identifier that is wanted and not made ends what reads it.
  var missesIdentifiers = true

  // MARK: Rows

  /// The objects of exactly `entity` as a relation in parentheses: attributes by name in the canonical form, and
  /// every column as it is.
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

  /// The name under which `rows` has `column` as it is.
  func rawName(of column: RelationColumn, in part: MappedPart) -> String {
    let index = source.relation(of: part.source)?.columns.firstIndex {
      $0.columnRole == column.columnRole
    }
    return MappedTables.rawName(index ?? 0)
  }

  private static func rawName(_ index: Int) -> String { "raw \(index)" }

  /// What expressions may read beside the object at hand, as common table expressions in front of a SELECT.
  ///
  /// The views of the same names on the connection are the destination's entities.
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

  /// The table of the keys that objects of `mapped` get; `nil` where the source's keys are theirs.
  func keys(of mapped: MappedRoot) -> MappedKeys? {
    mapped.needsKeys ? MappedKeys(mapped: mapped, tables: self) : nil
  }

  /// The empty objects that are made of `mapped`; `nil` where no rule has any made.
  func stubs(of mapped: MappedRoot) -> MappedStubs? {
    stubRules.roots.contains(mapped.root) ? MappedStubs(mapped: mapped, tables: self) : nil
  }

  /// The key, as SQL, under which the object `base` of `sourceRoot` is one of `root`.
  ///
  /// One that leads nowhere stays a key of nothing, so that it is counted.
  ///
  /// - Parameters:
  ///   - base: The key in the source, as SQL.
  ///   - sourceRoot: The root entity of the source that the key is one of.
  ///   - root: The root entity of the destination.
  ///   - only: The entities of the destination that are meant; `nil` for all of `root`.
  ///   - schema: The name under which the source is attached.
  /// - Returns: The key in the view of `root`'s objects, NULL where `base` is.
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

  /// The key `base` itself, where the source has an object of one of `entities` under it.
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

  /// The identifier, as SQL, that `generator` makes for the objects of a part.
  ///
  /// Content that is not there makes none, which is refused where the attribute must have a value.
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
    // Of objects that are left out nothing is wanted, and a merge reads them all the same.
    let isWanted = part.condition.map { "CASE WHEN (\($0)\n) THEN 1 ELSE 0 END" } ?? "1"
    return "converted(\(made), \(type.name.sqlText), \(name), \(isWanted))"
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

  /// How many parts before this one make the same entity of the same objects.
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
  /// Makes `table`, named as SQL names it, with `columns`; without rows if it is there already.
  func makeEmpty(_ table: String, _ columns: String) throws(SQLiteError) {
    try run("CREATE TABLE IF NOT EXISTS \(table) (\(columns))")
    try run("DELETE FROM \(table)")
  }
}
