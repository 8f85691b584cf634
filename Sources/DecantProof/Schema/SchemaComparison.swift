internal import DecantBase
internal import DecantPlan
internal import DecantStore
internal import DecantSQLite

/// Finds the differences between the schemas of two stores of one kind, by the meaning of their statements.
///
/// For plain databases it compares tables, columns, indexes, triggers and views; for Core Data stores the models, the
/// indexes and triggers of entities, and the app's own tables.
struct SchemaComparison {
  let stores: Sided<any SourceStore>
  let connection: Connection
  private let schemas: Sided<StoredSchema>

  /// Reads the schemas of `stores`, which are attached to `connection`.
  init(_ stores: Sided<any SourceStore>, on connection: Connection) throws(SQLiteError) {
    self.stores = stores
    self.connection = connection
    schemas = Sided(
      try StoredSchema(MatchSide.source.schema, on: connection),
      try StoredSchema(MatchSide.destination.schema, on: connection)
    )
  }

  /// Returns whether both stores have the table `name`, declared alike.
  func isAlike(table name: String) -> Bool {
    guard let a = schemas.source[.table][name.foldedName],
      let b = schemas.destination[.table][name.foldedName]
    else { return false }
    return TableWords(a.sql) == TableWords(b.sql)
  }

  /// Whether both stores have the same kind and terms; otherwise equal content is declared differently.
  private var isComparable: Bool {
    stores.source.identity.kind == stores.destination.identity.kind
      && stores.source.identity.terms == stores.destination.identity.terms
  }

  private var isPlain: Bool { stores.source.identity.terms == .rows }

  /// Finds all differences.
  ///
  /// - Parameter entities: The compared entities, whose tables are searched; `nil` for all.
  /// - Returns: The differences, those of tables first.
  /// - Throws: `SQLiteError` if a store cannot be read.
  func differences(of entities: Set<String>?) throws(SQLiteError) -> [SchemaDifference] {
    guard isComparable else { return [] }
    var found: [SchemaDifference] = []
    if !isPlain { found += try modelDifferences(entities) }
    let tables = comparedTables(entities)
    found += try tableDifferences(tables)
    for kind in [SchemaDifference.Kind.index, .trigger, .view] {
      found += differences(of: kind, tables, isLimited: entities != nil)
    }
    return found
  }

  /// Returns the names of the tables to compare, in lower case.
  private func comparedTables(_ entities: Set<String>?) -> Set<String> {
    guard isPlain || entities != nil else {
      return Set(
        [stores.source, stores.destination].flatMap { store in
          store.layout.relations.map(\.table)
            + store.layout.plainTables.filter { !$0.isSyncMetadata && !$0.isInternal }.map(\.name)
        }.map(\.foldedName)
      )
    }
    guard let entities else {
      return Set([schemas.source, schemas.destination].flatMap { $0[.table].keys })
    }
    return Set(
      [stores.source, stores.destination].flatMap { store in
        store.layout.relations.filter { $0.entities.contains { entities.contains($0.name) } }
          .map(\.table.foldedName)
      }
    )
  }

  /// Compares tables and their columns.
  private func tableDifferences(_ tables: Set<String>) throws(SQLiteError) -> [SchemaDifference] {
    var found: [SchemaDifference] = []
    let entityTables = Set(stores.source.layout.relations.map(\.table.foldedName))
    for table in tables.sorted() where isPlain || !entityTables.contains(table) {
      let (a, b) = (schemas.source[.table][table], schemas.destination[.table][table])
      guard let a, let b else {
        guard let entry = a ?? b else { continue }
        found.append(try lone(entry, a == nil ? .destination : .source))
        continue
      }
      found += try columnDifferences(a, b)
    }
    return found
  }

  private func lone(_ entry: StoredSchema.Entry, _ side: MatchSide) throws(SQLiteError) -> SchemaDifference {
    var difference = SchemaDifference(.table, entry.name, side.onlyThere)
    let table = "\(side.schema.sqlName).\(entry.name.sqlName)"
    if !entry.isVirtual {
      difference.count = try connection.integer("SELECT count(*) FROM \(table)")
    } else if entry.isDerived || isEmpty(table) {
      difference.count = 0
    }
    return difference
  }

  /// Returns whether a virtual table has no rows; false if it cannot be read, as its module may be unknown.
  private func isEmpty(_ table: String) -> Bool {
    do throws(SQLiteError) {
      return try connection.integer("SELECT 1 FROM \(table) LIMIT 1") == nil
    } catch {
      return false
    }
  }

  private func columnDifferences(_ a: StoredSchema.Entry, _ b: StoredSchema.Entry)
    throws(SQLiteError) -> [SchemaDifference]
  {
    let (here, there) = (TableWords(a.sql), TableWords(b.sql))
    guard here != there else { return [] }
    var found: [SchemaDifference] = []
    for column in Set(here.columns.keys).union(there.columns.keys).sorted() {
      let (own, other) = (here.columns[column], there.columns[column])
      guard own != other else { continue }
      var difference = SchemaDifference(.column, "\(a.name).\(column)", .changed)
      if own == nil || other == nil {
        let side: MatchSide = own == nil ? .destination : .source
        let table = "\(side.schema.sqlName).\((side == .source ? a : b).name.sqlName)"
        difference.change = side.onlyThere
        difference.count = try connection.integer("SELECT count(\(column.sqlName)) FROM \(table)")
      }
      found.append(difference)
    }
    if here.others != there.others { found.append(SchemaDifference(.table, a.name, .changed)) }
    return found
  }

  /// Compares indexes, triggers or views by name, except those of a table that only one store has.
  private func differences(
    of kind: SchemaDifference.Kind,
    _ tables: Set<String>,
    isLimited: Bool
  ) -> [SchemaDifference] {
    let (a, b) = (schemas.source[kind], schemas.destination[kind])
    var found: [SchemaDifference] = []
    for name in Set(a.keys).union(b.keys).sorted() {
      guard let entry = a[name] ?? b[name], isCompared(entry, tables, isLimited) else { continue }
      switch (a[name], b[name]) {
      case (let own?, let other?):
        if SQLWords(own.sql) != SQLWords(other.sql) {
          found.append(SchemaDifference(kind, own.name, .changed))
        }
      case (_?, nil): found.append(SchemaDifference(kind, entry.name, .onlyInA))
      default: found.append(SchemaDifference(kind, entry.name, .onlyInB))
      }
    }
    return found
  }

  private func isCompared(_ entry: StoredSchema.Entry, _ tables: Set<String>, _ isLimited: Bool) -> Bool {
    let table = entry.table.foldedName
    if entry.kind == .view { return !isLimited }
    let isOfView = schemas.source[.view][table] != nil && schemas.destination[.view][table] != nil
    if isOfView { return !isLimited }
    return tables.contains(table) && schemas.source[.table][table] != nil
      && schemas.destination[.table][table] != nil
  }
}

extension SchemaComparison {
  /// Compares the models of two Core Data stores.
  private func modelDifferences(_ entities: Set<String>?) throws(SQLiteError) -> [SchemaDifference] {
    let models = Sided { stores[$0].model }
    var found: [SchemaDifference] = []
    for side in MatchSide.allCases {
      let other = models[side.other]
      for entity in models[side].entities where entities?.contains(entity.name) ?? true {
        guard let there = other[entity.name] else {
          found.append(try lone(entity, side))
          continue
        }
        let sides = Sided(entity, there)
        for attribute in entity.attributes where !attribute.isTransient {
          found += SchemaComparison.difference(of: attribute, sides, side)
        }
        for relationship in entity.relationships where !relationship.isTransient {
          found += SchemaComparison.difference(of: relationship, sides, side)
        }
        if side == .source, entity.superentity != there.superentity {
          found.append(
            SchemaDifference(
              .entity,
              entity.name,
              .changed,
              detail: "has the parent \(entity.superentity ?? "none") here but "
                + "\(there.superentity ?? "none") there"
            )
          )
        }
      }
    }
    return found
  }

  private func lone(_ entity: Entity, _ side: MatchSide) throws(SQLiteError) -> SchemaDifference {
    var difference = SchemaDifference(.entity, entity.name, side.onlyThere)
    let relation = stores[side].layout.relations.first { relation in
      relation.entities.contains { $0.name == entity.name }
    }
    if let relation, let code = relation.code(of: entity.name), let column = relation.entityColumn,
      !relation.namesEntities
    {
      difference.count = try connection.integer(
        "SELECT count(*) FROM \(relation.sqlTable(in: side.schema)) WHERE \(column.sqlName) = \(code)"
      )
    }
    return difference
  }

  private static func difference(of attribute: Attribute, _ sides: Sided<Entity>, _ side: MatchSide)
    -> [SchemaDifference]
  {
    let name = "\(sides.source.name).\(attribute.name)"
    let other = sides.destination.attributes.first { $0.name == attribute.name && !$0.isTransient }
    guard let other else { return [SchemaDifference(.attribute, name, side.onlyThere)] }
    guard side == .source,
      attribute.type.name != other.type.name
        || attribute.allowsExternalStorage != other.allowsExternalStorage
    else { return [] }
    return [
      SchemaDifference(.attribute, name, .changed, detail: "is \(attribute.kindName) here but \(other.kindName) there")
    ]
  }

  private static func difference(
    of relationship: Relationship,
    _ sides: Sided<Entity>,
    _ side: MatchSide
  ) -> [SchemaDifference] {
    let name = "\(sides.source.name).\(relationship.name)"
    let other = sides.destination.relationships.first {
      $0.name == relationship.name && !$0.isTransient
    }
    guard let other else { return [SchemaDifference(.relationship, name, side.onlyThere)] }
    let differences = side == .source ? relationship.differences(from: other) : []
    guard !differences.isEmpty else { return [] }
    return [
      SchemaDifference(.relationship, name, .changed, detail: differences.joined(separator: ", and "))
    ]
  }
}

extension MatchSide {
  /// The kind of a difference that exists only in this store.
  var onlyThere: DiffReport.Item.Kind { self == .source ? .onlyInA : .onlyInB }
}
