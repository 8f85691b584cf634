internal import DecantBase
internal import DecantStore

/// Determines the layout of a Core Data store: the tables and columns of its model, looked up in the file.
///
/// The rules are those of the format; where the file has the information, it takes precedence.
struct CoreDataLayout {
  let model: Model
  let numbers: [String: Int64]
  let columns: [String: [String]]
  let place: String

  /// Returns the layout; throws if a table or column is missing.
  func layout() throws(DecantError) -> Layout {
    var relations: [Relation] = []
    for root in model.roots {
      relations.append(try relation(of: root))
    }
    let joins = JoinTables(model: model, numbers: numbers, columns: columns, place: place)
    return Layout(relations: relations, linkRelations: try joins.relations())
  }

  /// Returns the name of the table with the objects of `root` and its subentities.
  static func tableName(of root: String) -> String { "Z" + root.uppercased() }

  private func relation(of root: Entity) throws(DecantError) -> Relation {
    let table = CoreDataLayout.tableName(of: root.name)
    guard let present = columns[table] else {
      throw DecantError(
        .damaged,
        "“\(place)” has no table \(table)",
        place: "entity \(root.name)",
        remedy: "the file is damaged, or the model is not the one it was created with"
      )
    }
    var naming = ColumnNaming(table: table, present: present, place: place)
    try naming.checkOwnColumns(of: root.name)
    let family = model.family(of: root.name).sorted { number($0.name) < number($1.name) }
    var columns: [RelationColumn] = []
    for entity in family {
      let codes = self.codes(of: entity, within: root)
      for attribute in entity.attributes {
        columns += try attributeColumns(attribute, of: entity, codes, &naming)
      }
      for relationship in entity.relationships where !relationship.isToMany {
        columns += try linkColumns(relationship, of: entity, codes, &naming)
      }
    }
    columns += try ownerColumns(on: root, &naming)
    columns.append(RelationColumn(name: "Z_OPT", columnRole: .revision))
    // Columns that belong to no property are copied with the objects as well.
    for column in present where naming.claim(column) {
      columns.append(RelationColumn(name: column, columnRole: .unnamed(column)))
    }
    var relation = Relation(
      root: root.name,
      table: table,
      keyColumn: "Z_PK",
      entityColumn: "Z_ENT",
      entities: family.filter { !$0.isAbstract }.map(code),
      columns: columns
    )
    // The counter is in Z_PRIMARYKEY.
    relation.numbersOnce = true
    return relation
  }

  private func attributeColumns(
    _ attribute: Attribute,
    of entity: Entity,
    _ codes: [Int64]?,
    path: String = "",
    _ naming: inout ColumnNaming
  ) throws(DecantError) -> [RelationColumn] {
    guard !attribute.isTransient, attribute.type != .undefined else { return [] }
    let name = path + attribute.name
    if case .composite(let leaves) = attribute.type {
      var columns: [RelationColumn] = []
      for leaf in leaves {
        columns += try attributeColumns(leaf, of: entity, codes, path: name + ".", &naming)
      }
      return columns
    }
    var column = RelationColumn(
      name: try naming.column(of: attribute.name, entity: entity.name),
      columnRole: .attribute(Property(entity.name, name)),
      onlyIn: codes,
      type: attribute.type,
      isExternal: attribute.allowsExternalStorage
    )
    if column.isExternal { column.inlineMark = CoreDataExternalStorage.inlineMark }
    return [column]
  }

  private func linkColumns(
    _ relationship: Relationship,
    of entity: Entity,
    _ codes: [Int64]?,
    _ naming: inout ColumnNaming
  ) throws(DecantError) -> [RelationColumn] {
    guard !relationship.isTransient else { return [] }
    let property = Property(entity.name, relationship.name)
    let column = try naming.column(of: relationship.name, entity: entity.name)
    var columns = [
      RelationColumn(
        name: column,
        columnRole: .target(property),
        onlyIn: codes,
        targetRoot: model.root(of: relationship.destination)?.name
      )
    ]
    let destinations = model.family(of: relationship.destination)
    let discriminator = "Z\(number(relationship.destination))_\(column.dropFirst())"
    if destinations.count > 1, naming.claim(discriminator) {
      columns.append(
        RelationColumn(
          name: discriminator,
          columnRole: .targetEntity(property),
          onlyIn: codes,
          targetEntities: destinations.filter { !$0.isAbstract }.map(code)
        )
      )
    }
    let position = "Z_FOK_\(column.dropFirst())"
    if model.inverse(of: relationship)?.isOrdered == true, naming.claim(position) {
      columns.append(RelationColumn(name: position, columnRole: .position(property), onlyIn: codes))
    }
    return columns
  }

  /// Returns the columns of to-many relationships without an inverse, which are stored in the rows of their targets.
  private func ownerColumns(on root: Entity, _ naming: inout ColumnNaming) throws(DecantError) -> [RelationColumn] {
    var columns: [RelationColumn] = []
    for owner in model.entities {
      for relationship in owner.relationships
      where relationship.isToMany && relationship.inverse == nil && !relationship.isTransient
        && model.root(of: relationship.destination)?.name == root.name
      {
        let property = Property(owner.name, relationship.name)
        let name = "Z\(number(owner.name))\(relationship.name.uppercased())"
        let column = try naming.numberedColumn(name, property: property.description)
        let codes = model[relationship.destination].flatMap { self.codes(of: $0, within: root) }
        columns.append(
          RelationColumn(
            name: column,
            columnRole: .owner(property),
            onlyIn: codes,
            targetRoot: model.root(of: owner.name)?.name
          )
        )
        let position = "Z_FOK_\(column.dropFirst())"
        if relationship.isOrdered, naming.claim(position) {
          columns.append(RelationColumn(name: position, columnRole: .ownerPosition(property), onlyIn: codes))
        }
      }
    }
    return columns
  }

  private func code(_ entity: Entity) -> Relation.EntityCode {
    Relation.EntityCode(name: entity.name, code: number(entity.name))
  }

  /// Returns the codes of the concrete entities that inherit from `entity`; `nil` if all in the table do.
  private func codes(of entity: Entity, within root: Entity) -> [Int64]? {
    guard entity.name != root.name else { return nil }
    let all = model.family(of: root.name).filter { !$0.isAbstract }
    let own = model.family(of: entity.name).filter { !$0.isAbstract }
    return own.count == all.count ? nil : own.map { number($0.name) }
  }

  private func number(_ entity: String) -> Int64 { numbers[entity] ?? 0 }
}

/// Assigns the columns of one table to the properties of its entities.
///
/// Siblings may use the same name: the first, in the order of entity numbers, has the plain column, the others a number
/// appended.
struct ColumnNaming {
  let table: String
  let present: Set<String>
  let place: String
  private var taken: Set<String> = ["Z_PK", "Z_ENT", "Z_OPT"]

  init(table: String, present: [String], place: String) {
    self.table = table
    self.present = Set(present)
    self.place = place
  }

  /// Throws unless the table has the columns that every table of objects has.
  func checkOwnColumns(of entity: String) throws(DecantError) {
    for column in ["Z_PK", "Z_ENT", "Z_OPT"] where !present.contains(column) {
      throw DecantError(
        .damaged,
        "“\(place)” has no column \(table).\(column)",
        place: "entity \(entity)",
        remedy: "the file is damaged: restore it from a backup"
      )
    }
  }

  /// Assigns the column of the property `name`.
  mutating func column(of name: String, entity: String) throws(DecantError) -> String {
    let base = "Z" + name.uppercased()
    var column = base
    var number = 0
    while taken.contains(column) {
      number += 1
      column = base + String(number)
    }
    guard claim(column) else {
      throw DecantError(
        .damaged,
        "“\(place)” has no column \(table).\(column)",
        place: "property \(entity).\(name)",
        remedy: "the file is damaged, or the model is not the one it was created with"
      )
    }
    return column
  }

  /// Assigns the column called `name`, or `name` with a number appended.
  mutating func numberedColumn(_ name: String, property: String) throws(DecantError) -> String {
    let candidates = present.filter { column in
      column.hasPrefix(name) && column.dropFirst(name.count).allSatisfy(\.isNumber)
    }
    // The plain name first, then 1, 2, …
    let sorted = candidates.sorted { ($0.count, $0) < ($1.count, $1) }
    for column in sorted where claim(column) { return column }
    throw DecantError(
      .damaged,
      "“\(place)” has no column \(table).\(name)",
      place: "property \(property)",
      remedy: "the file is damaged, or the model is not the one it was created with"
    )
  }

  /// Assigns `column` if the table has it and it is not yet assigned.
  mutating func claim(_ column: String) -> Bool {
    guard present.contains(column) else { return false }
    return taken.insert(column).inserted
  }
}
