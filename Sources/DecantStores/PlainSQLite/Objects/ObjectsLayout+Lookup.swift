internal import Decant

extension ObjectsLayout {
  /// Returns the layout with the names as `schema` has them; throws, by name, for the first table or
  /// column that is missing.
  ///
  /// Columns that the model does not know are in it as well: what they hold must not be lost.
  func lookedUp(in schema: PlainSchema, place: String) throws(DecantError) -> Layout {
    let lookup = Lookup(schema: schema, place: place)
    var found = Layout(relations: [])
    for relation in layout.relations {
      found.relations.append(try lookup.relation(relation))
    }
    for links in layout.linkRelations {
      found.linkRelations.append(try lookup.links(links))
    }
    let known = Set(found.relations.map(\.table) + found.linkRelations.map(\.table))
    found.plainTables = schema.tables.values.sorted { $0.name < $1.name }
      .filter { !known.contains($0.name) && !$0.name.lowercased().hasPrefix("decant_") }
      .map { table in
        let taken = Set(table.columns.map { $0.lowercased() })
        let rowID = ["rowid", "_rowid_", "oid"].first { !taken.contains($0) }
        return PlainTable(
          name: table.name,
          columns: table.columns,
          rowID: table.hasRowID ? rowID : nil
        )
      }
    return found
  }
}

/// Finds tables and columns by their names, small letters and capitals being the same.
private struct Lookup {
  let schema: PlainSchema
  let place: String

  func relation(_ wanted: Relation) throws(DecantError) -> Relation {
    let table = try table(wanted.table, of: "entity \(wanted.root)")
    var found = wanted
    found.table = table.name
    found.keyColumn = try column(wanted.keyColumn, of: table, "the key of \(wanted.root)")
    guard table.rowIDColumn == found.keyColumn else {
      throw mismatch(
        "\(table.name).\(found.keyColumn) is not INTEGER PRIMARY KEY",
        "the key of \(wanted.root)"
      )
    }
    if let entity = wanted.entityColumn {
      found.entityColumn = try column(entity, of: table, "entity \(wanted.root)")
    }
    for index in found.columns.indices {
      let column = found.columns[index]
      let property = column.meaning.propertyName.map { "property \($0)" } ?? "entity \(wanted.root)"
      found.columns[index].name = try self.column(column.name, of: table, property)
    }
    let own = [found.keyColumn, found.entityColumn].compactMap(\.self)
    let known = Set(found.columns.map(\.name) + own)
    for column in table.columns where !known.contains(column) {
      found.columns.append(RelationColumn(name: column, meaning: .unnamed(column)))
    }
    return found
  }

  func links(_ wanted: LinkRelation) throws(DecantError) -> LinkRelation {
    let property = "relationship \(wanted.relationship)"
    let table = try table(wanted.table, of: property)
    guard table.hasRowID else {
      throw mismatch("table \(table.name) is one WITHOUT ROWID", property)
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

  private func table(_ name: String, of what: String) throws(DecantError) -> PlainSchema.Table {
    guard let table = schema.tables[name.lowercased()] else {
      throw mismatch("“\(place)” has no table \(name)", what)
    }
    return table
  }

  private func column(_ name: String, of table: PlainSchema.Table, _ what: String)
    throws(DecantError) -> String
  {
    guard let column = table.columns.first(where: { $0.lowercased() == name.lowercased() }) else {
      throw mismatch("“\(place)” has no column \(table.name).\(name)", what)
    }
    return column
  }

  private func mismatch(_ message: String, _ place: String) -> DecantError {
    DecantError(
      .modelMismatch,
      message,
      place: place,
      remedy: "objects of this model lie in the tables that copying a Core Data store makes: "
        + "decant copy STORE sqlite:NEW.db shows them"
    )
  }
}

extension Meaning {
  /// The property whose values or links the column holds.
  fileprivate var propertyName: Property? {
    switch self {
    case .attribute(let property), .target(let property), .targetEntity(let property),
      .position(let property), .owner(let property), .ownerPosition(let property):
      property
    case .unnamed, .revision: nil
    }
  }
}
