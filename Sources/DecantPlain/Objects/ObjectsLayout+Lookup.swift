internal import DecantBase
internal import DecantStore

extension ObjectsLayout {
  /// Returns the layout with the names as spelled in `schema`.
  ///
  /// It throws for the first missing table or column, and includes columns that are not in the model, so that their
  /// content is not lost.
  func lookedUp(in file: PlainFile) throws(DecantError) -> Layout {
    let (schema, place) = (file.schema, file.database.path)
    let lookup = Lookup(schema: schema, place: place)
    var found = Layout(relations: [])
    for relation in layout.relations {
      found.relations.append(try lookup.relation(relation))
    }
    for links in layout.linkRelations {
      found.linkRelations.append(try lookup.links(links))
    }
    let known = Set(found.relations.map(\.table) + (found.linkRelations + owners.map(\.links)).map(\.table))
    found.plainTables = schema.tables.sorted { $0.name < $1.name }
      .filter { !known.contains($0.name) && $0.virtual == nil }
      .map { table in
        PlainTable(name: table.name, columns: table.columns.filter { !$0.isGenerated }.map(\.name), rowID: table.rowID)
      }
    return found
  }
}

/// Finds tables and columns by name, ignoring case.
private struct Lookup {
  let schema: PlainSchema
  let place: String

  func relation(_ wanted: Relation) throws(DecantError) -> Relation {
    let table = try table(wanted.table, of: "entity \(wanted.root)")
    var found = wanted
    found.table = table.name
    let key = try column(ObjectsLayout.key, of: table, "the key of \(wanted.root)")
    guard table.rowIDAlias == key else {
      throw mismatch("\(table.name).\(key) is not INTEGER PRIMARY KEY", "the key of \(wanted.root)")
    }
    found.key = .integer(column: key, isRowID: true)
    if let entity = wanted.entityColumn {
      found.entityColumn = try column(entity, of: table, "entity \(wanted.root)")
    }
    for index in found.columns.indices {
      let column = found.columns[index]
      let property = column.columnRole.propertyName.map { "property \($0)" } ?? "entity \(wanted.root)"
      found.columns[index].name = try self.column(column.name, of: table, property)
    }
    let own = [key, found.entityColumn].compactMap(\.self)
    let known = Set(found.columns.map(\.name) + own)
    for column in table.columns where !known.contains(column.name) && !column.isGenerated {
      found.columns.append(RelationColumn(name: column.name, columnRole: .unnamed(column.name)))
    }
    return found
  }

  func links(_ wanted: LinkRelation) throws(DecantError) -> LinkRelation {
    let property = "relationship \(wanted.relationship)"
    let table = try table(wanted.table, of: property)
    guard table.hasRowID else {
      throw mismatch("table \(table.name) is WITHOUT ROWID", property)
    }
    var found = wanted
    found.table = table.name
    found.ownerColumn = try column(wanted.ownerColumn, of: table, property)
    found.targetColumn = try column(wanted.targetColumn, of: table, property)
    if let position = wanted.positionColumn {
      found.positionColumn = try column(position, of: table, property)
    }
    if let position = wanted.inversePositionColumn {
      found.inversePositionColumn = try column(position, of: table, property)
    }
    return found
  }

  private func table(_ name: String, of what: String) throws(DecantError) -> TableSchema {
    guard let table = schema.table(name), table.virtual == nil else {
      throw mismatch("“\(place)” has no table \(name)", what)
    }
    return table
  }

  private func column(_ name: String, of table: TableSchema, _ what: String) throws(DecantError) -> String {
    guard let column = table.column(name), !column.isGenerated else {
      throw mismatch("“\(place)” has no column \(table.name).\(name)", what)
    }
    return column.name
  }

  private func mismatch(_ message: String, _ place: String) -> DecantError {
    DecantError(
      .modelsDiffer,
      "\(message)",
      place: "\(place)",
      remedy: "objects of this model need the tables that a copy of a Core Data store creates: "
        + "\(command: "copy STORE sqlite:NEW.db", app: "a copy to a new database") shows them; for other tables, \(say: .suggestMapping) drafts a mapping file, and "
        + "\(say: .mapping) FILE uses it"
    )
  }
}

extension ColumnRole {
  /// The property whose values or links are in the column.
  fileprivate var propertyName: Property? {
    switch self {
    case .attribute(let property), .target(let property), .targetEntity(let property),
      .position(let property), .owner(let property), .ownerPosition(let property),
      .key(let property):
      property
    case .unnamed, .revision: nil
    }
  }
}
