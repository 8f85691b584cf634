internal import DecantBase
internal import DecantPlan
internal import DecantStore
internal import DecantSQLite

/// The objects of one root entity of the destination, as a relation over the source.
///
/// If only names differ, it is the source's own table under other names. Otherwise it is a view with the rows of each
/// part under the destination's names, including expressions.
struct MappedRelation {
  let mapped: MappedRoot
  let store: MappedTables
  /// The columns of the view; `nil` for all.
  var only: Set<ColumnRole>?
  /// Whether positions in lists are the source's own, NULL if it has none.
  var showsSourcePlaces = false

  private var source: MappingResolver.ModelSide { store.source }
  private var destination: MappingResolver.ModelSide { store.destination }
  private var target: Relation? { destination.layout.relation(of: mapped.root) }

  /// The name of the view of the objects.
  var viewName: String { "mapped \(mapped.root)" }

  /// Returns the relation, and the SELECT of its view if it is a view.
  func relation(in schema: String) throws(DecantError) -> (relation: Relation, view: String?) {
    let stubs = store.stubs(of: mapped)
    if let direct, stubs == nil { return (direct, nil) }
    for part in mapped.parts where source.relation(of: part.source)?.keyColumn == nil {
      throw store.mapping.mistake(
        "\(part.source) of “\(source.place)” has no integer key: it can only be copied unchanged",
        at: part.rule?.name.mark ?? .start,
        remedy: "give the table an INTEGER PRIMARY KEY, or remove the rules that change it"
      )
    }
    let columns = columns(in: schema)
    var selects = mapped.parts.enumerated().map { index, part in
      select(part, index, columns, in: schema)
    }
    var relation = Relation(
      root: mapped.root,
      table: viewName,
      key: .integer(column: EntityView.key, isRowID: false),
      entityColumn: EntityView.entityName,
      entities: entities,
      columns: columns.map(\.column)
    )
    relation.schema = "temp"
    relation.keyTable = store.keys(of: mapped)?.name
    relation.ownKey = ownKey(among: relation.columns)
    if let stubs {
      selects += entities.compactMap { entity in
        guard let index = mapped.parts.firstIndex(where: { $0.entity == entity.name }) else {
          return nil
        }
        let part = mapped.parts[index]
        let empty = columns.map { column in
          let columnRole = column.column.columnRole
          return (name: column.column.name, columnRole: columnRole, empty: emptyValue(columnRole, part))
        }
        return stubs.missingRows(part, index, code: entity.code, empty)
      }
      if let direct {
        relation.keySpace = direct.keySpace
        relation.columns += direct.columns.filter(\.columnRole.isKey).map { column in
          var column = column
          column.name = EntityView.key
          return column
        }
      }
    }
    let outlines = store.outlines(of: mapped.parts, in: schema)
    return (relation, outlines + selects.joined(separator: "\nUNION ALL\n"))
  }

  /// The entities that get objects, with their codes in the view.
  private var entities: [Relation.EntityCode] {
    let names = Set(mapped.parts.map(\.entity))
    let all = target?.entities ?? []
    // Codes of the view's own, if the destination's table does not distinguish entities.
    return all.count > 1 || target?.entityColumn != nil
      ? all.filter { names.contains($0.name) }
      : names.sorted().enumerated().map { Relation.EntityCode(name: $1, code: Int64($0 + 1)) }
  }

  /// Returns the code in the view for the objects of a part.
  func code(of part: MappedPart) -> Int64 {
    entities.first { $0.name == part.entity }?.code ?? 1
  }

  // MARK: The source's table under other names

  /// The source's own relation with the roles of the destination's columns; `nil` if a view is needed.
  private var direct: Relation? {
    guard !mapped.needsKeys, let first = mapped.parts.first,
      let own = source.layout.relation(of: first.sourceRoot),
      Set(mapped.parts.map(\.source)) == Set(own.entities.map(\.name))
    else { return nil }
    var names: [String: String] = [:]
    for part in mapped.parts { names[part.source] = part.entity }
    guard !own.namesEntities || names.allSatisfy({ $0.key == $0.value }) else { return nil }
    var relation = own
    relation.root = mapped.root
    relation.entities = own.entities.map {
      Relation.EntityCode(name: names[$0.name] ?? $0.name, code: $0.code)
    }
    relation.columns = []
    for columnRole in columnRoles {
      guard let column = column(columnRole, of: own) else { return nil }
      relation.columns.append(column)
    }
    relation.columns += own.columns.filter { column in
      // Columns that belong to a key are kept with it here as well.
      guard column.columnRole.isKey, let property = column.columnRole.property else { return false }
      return target?.column(column.columnRole) != nil && property.entity == mapped.root
    }
    relation.ownKey = ownKey(among: relation.columns)
    return relation
  }

  /// Returns the columns that are the destination's own key; none if one of them is not filled.
  private func ownKey(among columns: [RelationColumn]) -> [String] {
    let roles = target?.ownKey.compactMap { name in target?.columns.first { $0.name == name }?.columnRole } ?? []
    let found = roles.compactMap { role in columns.first { $0.columnRole == role }?.name }
    return found.count == roles.count ? found : []
  }

  /// Returns the source's column for `columnRole`; `nil` if the parts do not share one column.
  private func column(_ columnRole: ColumnRole, of own: Relation) -> RelationColumn? {
    var found: RelationColumn?
    var codes: [Int64] = []
    for part in mapped.parts {
      guard let value = part.values[columnRole] else {
        // An attribute that only other parts fill has its default value here, which the column cannot provide.
        guard defaultValue(columnRole, part) == "NULL" else { return nil }
        continue
      }
      let column: RelationColumn
      switch value {
      case .column(let plain): column = plain
      case .link(.column(let link), _, let root, let only):
        guard !store.hasKeys(root), only == nil else { return nil }
        var renamed = link
        renamed.targetRoot = root
        column = renamed
      case .expression, .generated, .link, .place: return nil
      }
      guard found == nil || found == column else { return nil }
      found = column
      if let code = own.code(of: part.source) { codes.append(code) }
    }
    guard var column = found else { return nil }
    column.columnRole = columnRole
    if codes.count < own.entities.count || column.onlyIn != nil { column.onlyIn = codes.sorted() }
    column.targetEntities = []
    return column
  }

  /// The column roles for which the parts have values, in the order of the destination's columns.
  private var columnRoles: [ColumnRole] {
    var there = mapped.parts.reduce(into: Set<ColumnRole>()) { $0.formUnion($1.values.keys) }
    if let only { there.formIntersection(only) }
    let known = (target?.columns ?? []).map(\.columnRole).filter { there.contains($0) }
    let others = there.subtracting(known).sorted { "\($0)" < "\($1)" }
    return known + others
  }

  // MARK: A view

  /// A column of the view, and its value in each part.
  private struct ViewColumn {
    let column: RelationColumn
    let values: [String]
  }

  private func columns(in schema: String) -> [ViewColumn] {
    var names = DistinctNames()
    _ = names.take(EntityView.key)
    _ = names.take(EntityView.entityName)
    let stubs = store.stubs(of: mapped)
    return columnRoles.map { columnRole in
      let name = names.claim(MappedRelation.name(of: columnRole))
      var column = RelationColumn(name: name, columnRole: columnRole)
      let there = target?.column(columnRole)
      column.type = there?.type
      column.keepsUnresolvedKeys = false
      if case .link(_, _, let root, _) = mapped.parts.lazy.compactMap({ $0.values[columnRole] }).first {
        column.targetRoot = root
      }
      let plain = mapped.parts.compactMap { part -> RelationColumn? in
        if case .column(let own) = part.values[columnRole] { own } else { nil }
      }
      let isAlike =
        plain.count == mapped.parts.count
        && plain.allSatisfy {
          $0.encoding == plain[0].encoding && $0.isExternal == plain[0].isExternal
            && $0.inlineMark == plain[0].inlineMark
        } && (stubs == nil || takesDefaults(plain.first, columnRole))
      if isAlike, let own = plain.first {
        column.type = own.type
        column.encoding = own.encoding
        column.isExternal = own.isExternal
        column.inlineMark = own.inlineMark
        column.foldingFunction = own.foldingFunction
        column.linkHint = there?.linkHint
      }
      let values = mapped.parts.enumerated().map { index, part in
        let own =
          part.values[columnRole].map { value($0, part, index, columnRole, isVerbatim: isAlike, schema) }
          ?? defaultValue(columnRole, part)
        return stubs?.value(own, orElse: emptyValue(columnRole, part), columnRole, part) ?? own
      }
      return ViewColumn(column: column, values: values)
    }
  }

  private static func name(of columnRole: ColumnRole) -> String {
    switch columnRole {
    case .attribute(let property), .target(let property), .key(let property): property.name
    case .position(let property): "\(property.name)_position"
    case .targetEntity(let property): "\(property.name)_entity"
    case .owner(let property): "\(property) owner"
    case .ownerPosition(let property): "\(property) position"
    case .unnamed(let name): name
    case .revision: "_revision"
    }
  }

  /// Returns the value of an attribute that only other parts fill; NULL if the objects do not have the attribute.
  private func defaultValue(_ columnRole: ColumnRole, _ part: MappedPart) -> String {
    guard case .attribute(let property) = columnRole,
      destination.lineage(of: part.entity).contains(property.entity),
      let attribute = destination.model[property.entity]?.attributes
        .first(where: { $0.name == property.name })
    else { return "NULL" }
    return attribute.defaultValue?.sqlLiteral ?? target?.column(columnRole)?.defaultLiteral ?? "NULL"
  }

  /// Returns the value of a column to which no value is given.
  private func emptyValue(_ columnRole: ColumnRole, _ part: MappedPart) -> String {
    columnRole == .revision ? "1" : defaultValue(columnRole, part)
  }

  /// Returns whether a column with the encoding of `column` can hold the values of columns to which no value is given.
  private func takesDefaults(_ column: RelationColumn?, _ columnRole: ColumnRole) -> Bool {
    guard let column, column.encoding != .asIs || column.isExternal || !column.inlineMark.isEmpty
    else { return true }
    return mapped.parts.allSatisfy { emptyValue(columnRole, $0) == "NULL" }
  }

  /// Returns the key of a part's object in the view.
  private func key(of part: MappedPart) -> String {
    mapped.needsKeys ? "k.\"\(MappedKeys.id)\"" : "\(part.source.quotedName).\(EntityView.key)"
  }

  /// Returns the SELECT of one part's rows.
  private func select(_ part: MappedPart, _ index: Int, _ columns: [ViewColumn], in schema: String) -> String {
    let keys = store.keys(of: mapped)
    let code = code(of: part)
    let key = key(of: part)
    let values = zip(columns, columns.map { $0.values[index] }).map {
      "\($1) AS \($0.column.name.quotedName)"
    }
    let rows = store.rows(of: part.source, in: schema)
    var select = SelectStatement(
      columns: ["\(key) AS \(EntityView.key)", "\(code) AS \(EntityView.entityName)"] + values,
      source: "\(rows) AS \(part.source.quotedName)"
    )
    if let keys {
      select.source =
        "\(keys.table) AS k CROSS JOIN \(rows) AS \(part.source.quotedName) "
        + "ON \(part.source.quotedName).\(EntityView.key) = k.\"\(MappedKeys.base)\""
      select.conditions = ["k.\"\(MappedKeys.part)\" = \(index)"]
    }
    if let stubs = store.stubs(of: mapped) { select.source += stubs.join(key) }
    return select.sql
  }

  private func value(
    _ value: MappedValue,
    _ part: MappedPart,
    _ index: Int,
    _ columnRole: ColumnRole,
    isVerbatim: Bool,
    _ schema: String
  ) -> String {
    let row = part.source.quotedName
    switch value {
    case .column(let own):
      let raw = "\(row).\(store.rawName(of: own, in: part).quotedName)"
      if isVerbatim { return raw }
      return own.isExternal ? "content('source', \(raw))" : own.encoding.decoding(raw)
    case .expression(let expression): return expression
    case .generated(let generator): return store.identifier(generator, part, index, columnRole)
    case .place(let own, let expression):
      guard !showsSourcePlaces else {
        return expression ?? own.map { "\(row).\(store.rawName(of: $0, in: part).quotedName)" }
          ?? "NULL"
      }
      guard case .position(let property) = columnRole else { return "NULL" }
      return MappedPlaces(root: mapped.root, property: property, tables: store)
        .place(of: self.key(of: part))
    case .link(let key, let sourceRoot, let root, let only):
      func found(_ base: String, of sourceRoot: String) -> String {
        store.key(base, of: sourceRoot, in: root, only: only, schema: schema)
      }
      func raw(_ column: RelationColumn) -> String {
        "\(row).\(store.rawName(of: column, in: part).quotedName)"
      }
      switch key {
      case .column(let link): return found(raw(link), of: sourceRoot)
      case .ownObject: return found("\(row).\(EntityView.key)", of: sourceRoot)
      case .expression(let expression): return found(expression, of: sourceRoot)
      case .backward(let other):
        return MappedBackLinks(relationship: other, tables: store).owner(of: self.key(of: part))
      case .paired(let property, let isReversed):
        let pairs = MappedPairs(property: property, isReversed: isReversed, tables: store)
        return found(pairs.end(of: "\(row).\(EntityView.key)"), of: sourceRoot)
      case .first(let ends):
        let keys = ends.map { found(raw($0.column), of: $0.sourceRoot) }
        return keys.count == 1 ? keys[0] : "coalesce(\(keys.joined(separator: ", ")))"
      }
    }
  }
}
