package import DecantBase
internal import DecantPlan
package import DecantStore
internal import DecantSQLite

/// The model of a plain database and the layout of its objects, derived from its tables and keys.
///
/// A table is an entity of the same name, a column an attribute. A column that holds keys of a table is a relationship
/// to it; a table with only two such columns, which together are its key, is a many-to-many relationship.
package struct PlainLayout {
  /// The model.
  package let model: Model
  /// The layout; its root entities are named after tables.
  package let layout: Layout

  /// Derives the model and layout of `schema`.
  package init(_ schema: PlainSchema) {
    let domains = KeyDomains(schema)
    let guesses = LinkGuesses(schema: schema, domains: domains)
    var relations: [Relation] = []
    var links: [LinkRelation] = []
    var entities: [Entity] = []
    var nonIntegerKeys: [NonIntegerKey] = []
    var partialLinks: [NonIntegerKey] = []
    for table in schema.readableTables {
      if let link = PlainLayout.link(table, domains) {
        links.append(link)
        continue
      }
      let relation = PlainLayout.relation(table, schema, domains, guesses)
      relations.append(relation)
      let own = PlainLayout.nonIntegerKeys(table, relation)
      nonIntegerKeys += own
      partialLinks += PlainLayout.partialLinks(table, relation, schema)
      entities.append(PlainLayout.entity(table, relation, own))
    }
    for link in links {
      for end in [link, link.reversed].compactMap(\.self) {
        guard let index = entities.firstIndex(where: { $0.name == end.ownerRoot }) else { continue }
        entities[index].relationships.append(
          Relationship(
            name: end.relationship.name,
            destination: end.targetRoot,
            inverse: end.inverse?.name,
            isToMany: true
          )
        )
        entities[index].relationships.sort { $0.name < $1.name }
      }
    }
    var model = Model(entities: entities)
    model.isFromTables = true
    self.model = model
    var layout = Layout(relations: relations, linkRelations: links)
    layout.nonIntegerKeys = nonIntegerKeys
    layout.partialLinks = partialLinks
    layout.computedLinks = PlainLayout.computedLinks(schema)
    layout.textIndexes = schema.tables.compactMap { $0.textIndex(schema) }
    self.layout = layout
  }

  private static func relation(
    _ table: TableSchema,
    _ schema: PlainSchema,
    _ domains: KeyDomains,
    _ guesses: LinkGuesses
  ) -> Relation {
    let key = schema.key(of: table)
    var columns = table.columns.flatMap { column -> [RelationColumn] in
      let property = Property(table.name, column.name)
      let target = domains.target(of: column.name, in: table)
      if let key, key.isShown, key.column == column.name {
        return [
          RelationColumn(
            name: column.name,
            columnRole: .key(property),
            type: .integer64,
            targetRoot: target,
            linkHint: target != nil
              ? nil
              : table.virtual == nil
                ? guesses.hint(of: column, in: table) : guesses.hint(ofRowsOf: table)
          )
        ]
      }
      guard let target, !column.isGenerated else {
        var read = RelationColumn(
          name: column.name,
          columnRole: .attribute(property),
          type: column.attributeType,
          linkHint: guesses.hint(of: column, in: table)
        )
        read.isGenerated = column.isGenerated
        read.defaultLiteral = column.defaultLiteral
        read.conversion =
          switch column.affinity {
          case .text: .toText
          case .integer, .real, .numeric: .toNumber
          case .blob: .none
          }
        read.foldingFunction =
          ["nocase": "lower", "rtrim": "rtrim"][
            table.uniqueCollations[column.name.foldedName] ?? ""
          ]
        let links = PlainLayout.conditionalLinks(in: column, of: table, schema)
        read.exceptions = links.flatMap(\.conditions)
        return [read] + links
      }
      var link = RelationColumn(
        name: column.name,
        columnRole: .target(property),
        targetRoot: target,
        keepsUnresolvedKeys: true
      )
      // SQLite still compares such values with integers.
      link.isRequired = column.isRequired
      let rules = table.foreignKeys.filter { $0.columns == [column.name] && $0.table == target }.compactMap(
        \.deleteRule)
      link.onDelete = rules.contains(.cascade) ? .cascade : rules.first
      link.holdsLooseIntegers = column.holdsLooseIntegers
      return [link]
    }
    if let key, !key.isShown, table.virtual != nil {
      let target = domains.target(of: key.column, in: table)
      columns.insert(
        RelationColumn(
          name: key.column,
          columnRole: .key(Property(table.name, key.column)),
          type: .integer64,
          targetRoot: target,
          linkHint: target == nil ? guesses.hint(ofRowsOf: table) : nil
        ),
        at: 0
      )
    }
    let rowKey: Relation.RowKey =
      if let key {
        .integer(column: key.column, isRowID: key.isRowID)
      } else {
        table.hasRowID && table.rowIDAlias == nil ? .none : .values(table.primaryKey)
      }
    var relation = Relation(
      root: table.name,
      table: table.name,
      key: rowKey,
      entityColumn: nil,
      entities: [Relation.EntityCode(name: table.name, code: 0)],
      columns: columns,
      keySpace: domains.family(of: table.name)
    )
    relation.terms = .rows
    relation.rowNames = RowIdentities(schema: schema, domains: domains).names(of: table)
    relation.isVirtual = table.virtual != nil
    relation.keyMayBeData = key != nil && !relation.isVirtual && !table.numbersOnce
    relation.numbersOnce = key != nil && !relation.isVirtual && table.numbersOnce
    if let key, !key.isShown { relation.ownKey = table.primaryKey }
    relation.partialKeys = table.partialKeys
    return relation
  }

  /// Returns the links in `column` of which a row holds at most one: the first whose condition it meets.
  private static func conditionalLinks(
    in column: ColumnSchema,
    of table: TableSchema,
    _ schema: PlainSchema
  ) -> [RelationColumn] {
    var links: [RelationColumn] = []
    for said in schema.conditionalLinks where said.isOf(column.name, in: table) {
      guard let condition = said.condition else { continue }
      let prefix = condition.keyPrefix
      let name = prefix.map { "\(column.name) \($0)" } ?? column.name
      let property = Property(table.name, "\(said.target) (\(name))")
      if let place = links.firstIndex(where: { $0.columnRole == .target(property) }) {
        links[place].conditions.append(condition)
        continue
      }
      var link = RelationColumn(
        name: column.name,
        columnRole: .target(property),
        targetRoot: said.target,
        keepsUnresolvedKeys: true
      )
      link.isRequired = column.isRequired
      link.holdsLooseIntegers = column.holdsLooseIntegers
      link.keyPrefix = prefix
      link.conditions = [condition]
      links.append(link)
    }
    for place in links.indices {
      links[place].exceptions = links[..<place].flatMap(\.conditions)
    }
    return links
  }

  /// Returns foreign keys with a generated column at either end.
  private static func computedLinks(_ schema: PlainSchema) -> [NonIntegerKey] {
    schema.readableTables.flatMap { table in
      table.foreignKeys.compactMap { key in
        let target = schema.table(key.table)
        let isComputed =
          key.columns.contains { table.column($0)?.isGenerated == true }
          || key.targets.contains { target?.column($0)?.isGenerated == true }
        guard isComputed else { return nil }
        return NonIntegerKey(
          Property(table.name, key.columns.joined(separator: ", ")),
          root: table.name,
          columns: key.columns,
          targetRoot: key.table,
          targetColumns: key.targets
        )
      }
    }
  }

  /// Returns foreign keys whose values are not integer keys.
  private static func nonIntegerKeys(_ table: TableSchema, _ relation: Relation) -> [NonIntegerKey] {
    var names = Set(table.columns.map(\.name.foldedName))
    return table.foreignKeys.compactMap { key in
      guard !key.columns.contains(where: { relation.isLink($0) }) else { return nil }
      let columns = key.columns.joined(separator: ", ")
      // The column's own name is already that of an attribute.
      let wanted = key.columns.count == 1 ? key.table : "\(key.table) (\(columns))"
      let candidates = [wanted, "\(key.table) (\(columns))", "\(key.table) (\(columns)) again"]
      guard let name = candidates.first(where: { names.insert($0.foldedName).inserted }) else {
        return nil
      }
      return nonIntegerKey(named: name, table, key)
    }
  }

  /// Returns foreign keys of which one part is a separate link, and that consist of more than that link.
  private static func partialLinks(
    _ table: TableSchema,
    _ relation: Relation,
    _ schema: PlainSchema
  ) -> [NonIntegerKey] {
    var names: Set<String> = []
    return table.foreignKeys.compactMap { key in
      guard key.columns.contains(where: { relation.isLink($0) }) else { return nil }
      if key.columns.count == 1, let target = schema.table(key.table),
        schema.key(of: target)?.column == key.targets[0],
        relation.columns.contains(where: {
          $0.name == key.columns[0] && $0.targetRoot == key.table
        })
      {
        return nil
      }
      let name = "\(key.table) (\(key.columns.joined(separator: ", ")))"
      guard names.insert(name.foldedName).inserted else { return nil }
      return nonIntegerKey(named: name, table, key)
    }
  }

  private static func nonIntegerKey(named name: String, _ table: TableSchema, _ key: ForeignKey) -> NonIntegerKey {
    var link = NonIntegerKey(
      Property(table.name, name),
      root: table.name,
      columns: key.columns,
      targetRoot: key.table,
      targetColumns: key.targets
    )
    link.requiredColumns = Set(key.columns.filter { table.column($0)?.isRequired == true })
    link.isRequired = link.requiredColumns.count == key.columns.count
    link.onDelete = key.deleteRule
    return link
  }

  private static func entity(_ table: TableSchema, _ relation: Relation, _ links: [NonIntegerKey]) -> Entity {
    var attributes: [Attribute] = []
    var relationships = links.map {
      Relationship(name: $0.relationship.name, destination: $0.targetRoot)
    }
    for column in relation.columns {
      let schema = table.column(column.name)
      let isOptional =
        schema.map { !$0.isRequired || $0.hasDefault || $0.isGenerated } ?? true
      switch column.columnRole {
      case .target(let property):
        relationships.append(
          Relationship(
            name: property.name,
            destination: column.targetRoot ?? "",
            isOptional: isOptional || column.isConditional
          )
        )
      case .key, .attribute:
        attributes.append(
          Attribute(
            name: column.name,
            type: column.type ?? .binary,
            isOptional: column.columnRole.isKey ? true : isOptional
          )
        )
      case .targetEntity, .position, .owner, .ownerPosition, .unnamed, .revision: continue
      }
    }
    let key = relation.keyColumn == nil || !relation.columns.contains { $0.columnRole.isKey }
    return Entity(
      name: table.name,
      attributes: attributes,
      relationships: relationships,
      uniquenessConstraints: (key && !table.primaryKey.isEmpty ? [table.primaryKey] : [])
        + table.uniqueKeys.filter { !key || $0 != table.primaryKey }
    )
  }

  /// Returns the relationship that a table of two keys represents.
  private static func link(_ table: TableSchema, _ domains: KeyDomains) -> LinkRelation? {
    guard table.virtual == nil, table.columns.count == 2, table.primaryKey.count == 2,
      !table.hasRowID || table.rowID != nil,
      let owner = domains.target(of: table.primaryKey[0], in: table),
      let target = domains.target(of: table.primaryKey[1], in: table),
      table.columns.allSatisfy({ $0.affinity == .integer && !$0.isGenerated })
    else { return nil }
    let isWithItself = owner == target
    var link = LinkRelation(
      relationship: Property(owner, table.name),
      inverse: Property(target, isWithItself ? "\(table.name) (\(table.primaryKey[0]))" : table.name),
      table: table.name,
      ownerColumn: table.primaryKey[0],
      targetColumn: table.primaryKey[1],
      ownerRoot: owner,
      targetRoot: target
    )
    link.rowID = table.rowID
    link.keepsUnresolvedKeys = true
    return link
  }
}

extension ColumnSchema {
  /// Whether integers may be stored as text or with a zero fraction.
  fileprivate var holdsLooseIntegers: Bool { [.text, .real, .blob].contains(affinity) }
}

extension Relation {
  /// Returns whether the column called `name` is a link.
  fileprivate func isLink(_ name: String) -> Bool {
    columns.contains { $0.name == name && $0.targetRoot != nil }
  }
}
