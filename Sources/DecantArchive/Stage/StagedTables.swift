internal import DecantCoreData
internal import DecantPlain
internal import DecantBase
internal import DecantMapping
internal import DecantPlan
internal import DecantStore
internal import DecantJSON
internal import DecantSQLite

/// The empty tables of a store, prepared for the objects of an archive.
struct StagedTables {
  /// The entities by name; an abstract entity may own links.
  private(set) var entities: [String: StagedEntity] = [:]
  let storage: (any ExternalStorage)?
  /// Whether texts are stored in UTF-16.
  let isWide: Bool

  /// Finds the tables of a store that has a model.
  ///
  /// - Parameters:
  ///   - source: The store.
  ///   - checks: The model that values of rejected objects are checked against; `nil` for an archive without rejects.
  ///   - connection: The connection that has its tables as `main`.
  /// - Throws: `SQLiteError` if the statements cannot be prepared.
  init(_ source: any SourceStore, checks: Model?, on connection: Connection) throws {
    if checks != nil { try ConvertedValue.register(on: connection, isLenient: false) }
    storage = source.externalStorage
    isWide = source.textEncoding != "UTF-8"
    for relation in source.layout.relations {
      for code in relation.entities {
        let entity = ArchivedEntity(code, in: relation, of: source)
        let staged = try StagedTables.staged(entity, checks, on: connection)
        for list in entity.lists where entity.owns(list, in: source.model) {
          staged.lists.append(try StagedList(list, on: connection))
          staged.ends += [StagedLink(list, in: source)].compactMap(\.self)
        }
        staged.condition = relation.condition(for: code.code)
        staged.ends += (entity.links + entity.owners).compactMap {
          StagedLink($0, of: entity, in: source, checks ?? source.model)
        }
        entities[entity.name] = staged
      }
    }
    for list in source.layout.linkRelations where entities[list.relationship.entity] == nil {
      let name = list.relationship.entity
      let owner = entities[name] ?? StagedEntity(name, table: "", insertion: nil)
      owner.lists.append(try StagedList(list, on: connection))
      entities[name] = owner
    }
  }

  private static func staged(
    _ entity: ArchivedEntity,
    _ checks: Model?,
    on connection: Connection
  ) throws(SQLiteError) -> StagedEntity {
    let relation = entity.relation
    var columns: [String] = []
    var names: [String] = []
    var parameters: [String] = []
    var defaulted: [String] = []
    func parameter(_ column: String) -> Int {
      names.append(column)
      columns.append(column.sqlName)
      parameters.append("?\(parameters.count + 1)")
      return parameters.count
    }
    func slot(_ value: ArchivedEntity.Value) -> StagedEntity.Slot {
      let slot = StagedEntity.Slot(
        name: Array(value.name.utf8),
        parameter: parameter(value.column.name),
        column: value.column.name
      )
      let number = parameters.count - 1
      let attribute = checks?.attribute(value.name, of: entity.name)
      if let attribute {
        parameters[number] = StagedTables.checked(
          parameters[number],
          attribute,
          of: entity.name,
          isExternal: value.column.isExternal
        )
      }
      parameters[number] = value.column.encoding.encoding(parameters[number], of: "\(entity.name).\(value.name)")
      if let attribute, !attribute.isOptional, let literal = attribute.defaultValue?.sqlLiteral {
        let isUnsaid = StagedTables.unsaid(defaulted.count)
        parameters[number] = "CASE WHEN \(isUnsaid) THEN \(literal) ELSE \(parameters[number]) END"
        defaulted.append(value.name)
      }
      slot.isExternal = value.column.isExternal
      slot.inlineMark = value.column.inlineMark
      return slot
    }
    func slot(_ link: ArchivedEntity.Link) -> StagedEntity.Slot {
      let slot = StagedEntity.Slot(
        name: Array(link.name.utf8),
        parameter: parameter(link.column.name),
        column: link.column.name
      )
      if let entity = link.entity {
        slot.entityParameter = parameter(entity.name)
        slot.entityCodes = Dictionary(entity.targetEntities.map { ($0.name, $0.code) }) { first, _ in first }
        slot.destinationCode = slot.entityCodes[link.destination]
      }
      slot.placeParameter = link.position.map { parameter($0.name) }
      return slot
    }
    let key = relation.keyColumn.map(parameter)
    let revision = entity.revision.map { parameter($0.name) }
    let values = entity.values.map(slot)
    let others = entity.others.map(slot)
    let links = entity.links.map(slot)
    let owners = entity.owners.map(slot)
    // The parameter for checking values; no column has it.
    let strict = checks == nil ? nil : parameters.count + 1
    if let strict {
      parameters = parameters.map { $0.replacing(StagedTables.strict, with: "?\(strict)") }
    }
    let firstUnsaid = parameters.count + (strict == nil ? 1 : 2)
    for index in defaulted.indices {
      let number = "?\(firstUnsaid + index)"
      parameters = parameters.map { $0.replacing(StagedTables.unsaid(index), with: number) }
    }
    if let column = relation.entityColumn {
      columns.append(column.sqlName)
      parameters.append(relation.namesEntities ? entity.name.sqlText : "\(entity.code)")
    }
    let staged = StagedEntity(
      entity.name,
      table: relation.table,
      insertion: try connection.prepare(
        "INSERT INTO main.\(relation.table.sqlName) (\(columns.joined(separator: ", "))) "
          + "VALUES (\(parameters.joined(separator: ", ")))"
      ),
      key: key,
      revision: revision,
      strict: strict,
      hasRowNumbers: relation.opensValues,
      columns: names,
      values: values,
      unnamed: others,
      links: links,
      owners: owners
    )
    staged.defaults = defaulted.enumerated().map { ($1, firstUnsaid + $0) }
    return staged
  }
}

extension StagedTables {
  /// The placeholder for the parameter that controls the checking of values.
  private static let strict = "{strict}"

  /// Returns the placeholder for the parameter that marks an omitted attribute with a default value.
  private static func unsaid(_ index: Int) -> String { "{unsaid \(index)}" }

  /// Returns the value of a parameter, checked against the attribute's type if the object was rejected for its values.
  private static func checked(
    _ parameter: String,
    _ attribute: Attribute,
    of entity: String,
    isExternal: Bool
  ) -> String {
    let name = "\(entity).\(attribute.name)".sqlText
    let isRequired = !attribute.isOptional && !attribute.isTransient && attribute.derivation == nil
    // Bytes may be large: those of an attribute that accepts any are not passed to a function.
    var takesBytes = isExternal
    switch attribute.type {
    case .binary, .transformable, .undefined, .objectID: takesBytes = true
    default: break
    }
    let exception = takesBytes ? " AND typeof(\(parameter)) <> 'blob'" : ""
    return "CASE WHEN \(strict)\(exception) "
      + "THEN converted(\(parameter), \(attribute.type.name.sqlText), \(name), \(isRequired ? 1 : 0)) ELSE \(parameter) END"
  }

  /// Finds the tables of a plain database.
  ///
  /// The header determines which columns are keys and which tables hold links: without rows that does not follow from
  /// the tables alone.
  init(_ file: PlainFile, _ header: ArchiveHeader, on connection: Connection) throws {
    storage = nil
    isWide = file.textEncoding != "UTF-8"
    for entity in header.model.model.entities {
      let name = entity.name
      guard let table = file.schema.table(entity.name) else {
        throw ArchiveFault("the archive has no table for “\(entity.name)”, which its header lists")
      }
      entities[entity.name] = try StagedTables.staged(
        entity.name,
        table,
        key: header.model.keyColumns[entity.name],
        on: connection
      )
      entities[name]?.ends = StagedLink.links(of: name, file, header)
    }
    for (property, written) in header.model.written {
      guard let name = written["table"]?.string else { continue }
      guard let owner = written["owner"]?.string, let target = written["target"]?.string,
        let table = file.schema.table(name), table.column(owner) != nil,
        table.column(target) != nil, let entity = entities[property.entity]
      else {
        throw ArchiveFault("the archive has no table for “\(name)”, which its header lists")
      }
      let list = LinkRelation(
        relationship: property,
        inverse: nil,
        table: name,
        ownerColumn: owner,
        targetColumn: target,
        ownerRoot: property.entity,
        targetRoot: property.entity
      )
      entity.lists.append(try StagedList(list, on: connection))
    }
  }

  private static func staged(
    _ name: String,
    _ table: TableSchema,
    key: String?,
    on connection: Connection
  ) throws -> StagedEntity {
    var columns = table.columns.filter { !$0.isGenerated }.map(\.name)
    if let key, !columns.contains(where: { $0.isSameName(as: key) }) {
      guard ["rowid", "_rowid_", "oid"].contains(key.lowercased()) else {
        throw ArchiveFault("the archive's table “\(name)” has no column “\(key)”, its key")
      }
      columns.append(key)
    }
    var slots = columns.enumerated().map { index, column in
      StagedEntity.Slot(name: Array(column.utf8), parameter: index + 1, column: column)
    }
    // Generated columns are skipped.
    slots += table.columns.filter(\.isGenerated).map {
      StagedEntity.Slot(name: Array($0.name.utf8), parameter: 0, column: $0.name)
    }
    let parameters = columns.indices.map { "?\($0 + 1)" }
    return StagedEntity(
      name,
      table: table.name,
      insertion: try connection.prepare(
        "INSERT INTO main.\(table.name.sqlName) "
          + "(\(columns.map(\.sqlName).joined(separator: ", "))) "
          + "VALUES (\(parameters.joined(separator: ", ")))"
      ),
      key: key.flatMap { key in columns.firstIndex { $0.isSameName(as: key) } }.map { $0 + 1 },
      hasRowNumbers: table.hasRowID && table.virtual == nil
        && !table.columns.contains(where: \.isGenerated),
      columns: columns,
      values: slots,
      links: slots
    )
  }
}
