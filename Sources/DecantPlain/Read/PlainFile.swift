package import DecantBase
package import DecantPlan
package import DecantStore
internal import DecantSQLite

/// The schema of a plain SQLite file, read once when it is opened.
package struct PlainFile {
  /// The file, and the way to open it without changing it.
  package let database: DatabaseFile
  /// The tables, with their keys and links.
  package var schema: PlainSchema
  /// The virtual tables that the user excluded.
  package let leftOut: [String]
  /// The shadow tables in which virtual tables keep their content.
  package let shadowTables: [PlainTable]
  /// The text encoding, as returned by `PRAGMA encoding`.
  package let textEncoding: String
  /// The links named by the user, in a form that is valid in other databases.
  private(set) var portableLinks: [CopyOptions.Link] = []

  /// Reads the database at `location`; reads rows only where a declared key may be an integer.
  ///
  /// - Parameters:
  ///   - location: The place of the database.
  ///   - options: The links and identities named by the user, and whether to read a private copy.
  ///   - other: The database whose spelling names adopt if they differ only in case.
  ///   - facing: The tables of the database that rows are copied to or from.
  ///   - isDestination: Whether rows are copied to it: then it must have the tables of all links.
  /// - Throws: `DecantError` of the family `.storeNotFound`, or `.corruptStore` if it is not a database.
  package init(
    _ location: StoreLocation,
    options: CopyOptions,
    spelledLike other: PlainFile? = nil,
    facing: PlainSchema? = nil,
    isDestination: Bool = false
  ) throws(DecantError) {
    try self.init(
      DatabaseFile.open(location.place, privately: options.readsPrivateCopy),
      options: options,
      spelledLike: other,
      facing: facing,
      isDestination: isDestination
    )
  }

  /// Reads the database in `database`.
  ///
  /// In a merge or a comparison, tables of links may be missing that `facing` has, except if it `isDestination`.
  package init(
    _ database: DatabaseFile,
    options: CopyOptions,
    spelledLike other: PlainFile? = nil,
    facing: PlainSchema? = nil,
    isDestination: Bool = false
  ) throws(DecantError) {
    let place = database.path
    do throws(SQLiteError) {
      let connection = try Connection(database.uri, mode: .readOnly)
      connection.setBusyTimeout(milliseconds: 5_000)
      textEncoding = try connection.text("PRAGMA encoding") ?? "UTF-8"
      let tables = try SchemaReader(connection: connection, schema: "main").tables()
      // Tables left by an unfinished copy of decant are not content.
      var schema = PlainSchema(tables: tables.filter { !OwnTables.names.contains($0.name) })
      let excluded = schema.tables.filter { table in
        table.virtual != nil && options.leftOutTables.contains { $0.isSameName(as: table.name) }
      }
      leftOut = excluded.map(\.name)
      schema.tables.removeAll { excluded.contains($0) }
      shadowTables = try SchemaReader(connection: connection, schema: "main").shadowTables()
      for table in tables {
        for (name, column) in table.collatedColumns.sorted(by: { $0.key < $1.key })
        where !SchemaReader.knownCollations.contains(name.foldedName)
          && !schema.unknownCollations.contains(where: { $0.name == name })
        {
          schema.unknownCollations.append(UnknownCollation(name, sorting: "\(table.name).\(column)"))
        }
      }
      schema.integerKeys = try PlainFile.integerKeys(schema, facing, connection)
      self.schema = schema
    } catch {
      throw DecantError(opening: place, error)
    }
    try PlainFile.checkNames(schema, place)
    self.database = database
    if let other { schema = schema.spelled(like: other.schema) }
    schema.noLinks = options.noLinks.map(schema.spelled)
    // Links are compared without the place where the user named them.
    let links = options.links.map { link in
      var spelled = link
      (spelled.property, spelled.place) = (schema.spelled(link.property), nil)
      spelled.target = schema.table(link.target)?.name ?? link.target
      return spelled
    }
    let decided = try NamedLinks(schema: schema, database: database).decided(links)
    schema.take(decided.filter { $0.condition == nil })
    var options = options
    for (place, link) in decided.enumerated() { options.links[place].leadsToRowNumbers = link.leadsToRowNumbers }
    let missing =
      options.merge == nil || isDestination
      ? []
      : links.filter { link in
        // A table that `facing` lacks as well is misspelt; without it the caller compares the names with both stores. A
        // base may lack tables that the destination has.
        schema.table(link.property.entity) == nil
          && (options.merge?.base != nil || facing.map { $0.table(link.property.entity) != nil } ?? true)
      }
    try checkLinks(options, except: Set(missing.map(\.property.entity)))
    portableLinks = options.links
    guard links.contains(where: { $0.condition != nil }) else { return }
    try readConditions(options)
  }

  /// Translates the conditions of links with the rows of the database.
  private mutating func readConditions(_ options: CopyOptions) throws(DecantError) {
    let connection = try database.reader()
    let conditions = LinkConditions(
      identities: RowIdentities(schema: schema, domains: KeyDomains(schema), said: options.merge?.identities ?? [:]),
      connection: connection,
      place: database.path
    )
    portableLinks = []
    for link in options.links {
      guard link.condition != nil, schema.table(link.property.entity) != nil else {
        portableLinks.append(link)
        continue
      }
      for portable in try conditions.portable(link) {
        portableLinks.append(portable)
        var resolved = try conditions.resolved(portable)
        resolved.property = schema.spelled(link.property)
        resolved.target = schema.table(link.target)?.name ?? link.target
        resolved.place = nil
        schema.conditionalLinks.append(resolved)
      }
    }
  }

  /// Throws for names that differ only in their Unicode form.
  ///
  /// SQLite distinguishes them, but users cannot, and one would be taken for the other.
  private static func checkNames(_ schema: PlainSchema, _ place: String) throws(DecantError) {
    let lists =
      [("table", schema.tables.map(\.name))]
      + schema.tables.map { ("column", $0.columns.map(\.name)) }
    for (what, names) in lists where Set(names).count < names.count {
      let name = names.first { name in names.count { $0 == name } > 1 } ?? ""
      throw DecantError(
        .unsupportedContent,
        "“\(place)” has two \(what)s named \(name), which differ only in the code points of a letter",
        remedy: "rename one of them with sqlite3: ALTER TABLE … RENAME"
      )
    }
  }

  /// Finds the columns that are keys, though not row numbers: a declared key with an integer in every row, or a column
  /// with another integer in every row that is the key of the same table in `facing`.
  private static func integerKeys(_ schema: PlainSchema, _ facing: PlainSchema?, _ connection: Connection)
    throws(SQLiteError) -> [String: String]
  {
    var found: [String: String] = [:]
    for table in schema.tables where table.virtual == nil && table.rowIDAlias == nil && table.primaryKey.count <= 1 {
      let other = facing?.table(table.name).flatMap { facing?.key(of: $0) }
      let declared = table.primaryKey.count == 1 ? table.column(table.primaryKey[0]) : nil
      if let declared, declared.affinity == .integer {
        guard !declared.isGenerated, try PlainFile.fault(of: declared, in: table, connection) == nil else { continue }
        found[table.name] = declared.name
      } else if let other, other.isShown, let column = table.column(other.column), !column.isGenerated,
        ![.text, .real].contains(column.affinity), try PlainFile.fault(of: column, in: table, connection) == nil
      {
        found[table.name] = column.name
      }
    }
    return found
  }

  /// Returns why the values of `column` cannot be a key; `nil` if each row has an integer of its own.
  static func fault(of column: ColumnSchema, in table: TableSchema, _ connection: Connection)
    throws(SQLiteError) -> String?
  {
    let (rows, value) = ("main.\(table.name.sqlName)", column.name.sqlName)
    if try connection.integer("SELECT 1 FROM \(rows) WHERE typeof(\(value)) <> 'integer' LIMIT 1") != nil {
      let count = try connection.integer("SELECT count(*) FROM \(rows) WHERE typeof(\(value)) <> 'integer'") ?? 0
      return "\(count.counted("row")) there \(count == 1 ? "has" : "have") no integer in it"
    }
    guard !table.uniqueKeys.contains([column.name]), table.primaryKey != [column.name] else { return nil }
    let doubled = try connection.integer("SELECT \(value) FROM \(rows) GROUP BY \(value) HAVING count(*) > 1 LIMIT 1")
    return doubled.map { "several rows there have the number \($0)" }
  }

  /// Throws for links that name missing tables or columns, except those of tables that only the other database has.
  private func checkLinks(_ options: CopyOptions, except others: Set<String>) throws(DecantError) {
    for link in options.links where !others.contains(link.property.entity) {
      let place: DecantError.Text = link.place.map { "\($0)" } ?? "\(option: .link, "\(link)")"
      try checkColumn(link.property, place)
      guard let target = schema.table(link.target) else {
        throw missing("table \(link.target)", place, schema.tables.map(\.name), link.target)
      }
      let isByValues = schema.valueKey(of: link) != nil
      let isPossible =
        link.condition == nil
        ? isByValues || schema.key(of: target) != nil : !isByValues && schema.key(of: target) != nil
      guard isPossible else {
        throw DecantError(
          .unsuitableOption,
          "\(target.name) has no integer key to refer to",
          place: place,
          remedy: "remove it: other values are copied unchanged and keep their targets"
        )
      }
      guard link.condition != nil, let table = schema.table(link.property.entity) else { continue }
      try checkHasNoOther(link, schema.spelled(link.property).name, table, place)
    }
    for property in options.noLinks {
      let place = options.noLinkPlaces[property]
      try checkColumn(property, place.map { "\($0)" } ?? "\(option: .noLink) \(property)")
    }
  }

  /// Throws for a condition on a column that points to one table in every row, or that cannot be a link.
  private func checkHasNoOther(
    _ link: CopyOptions.Link,
    _ column: String,
    _ table: TableSchema,
    _ place: DecantError.Text
  ) throws(DecantError) {
    let what: String? =
      if schema.key(of: table)?.column == column {
        "\(link.property) is the key of its table"
      } else if table.column(column)?.isGenerated == true {
        "\(link.property) is computed"
      } else {
        KeyDomains(schema).target(of: column, in: table).map {
          "\(link.property) refers to \($0) in every row"
        }
      }
    guard let what else { return }
    throw DecantError(
      .unsuitableOption,
      "\(what), and cannot be a foreign key with a condition",
      place: place,
      remedy: "remove the condition or the foreign key"
    )
  }

  private func checkColumn(_ property: Property, _ place: DecantError.Text) throws(DecantError) {
    guard let table = schema.table(property.entity) else {
      throw missing("table \(property.entity)", place, schema.tables.map(\.name), property.entity)
    }
    guard table.column(property.name) == nil, schema.key(of: table)?.column != property.name else {
      return
    }
    throw missing("column \(property)", place, table.columns.map(\.name), property.name)
  }

  private func missing(_ what: String, _ place: DecantError.Text, _ names: [String], _ name: String) -> DecantError {
    DecantError(
      .unknownName,
      "there is no \(what) in “\(database.path)”",
      place: place,
      remedy: name.nearest(in: names).map { "did you mean \($0)?" }
        ?? "there are \(names.joined(separator: ", "))",
      remedies: [.correctName(name, among: names)]
    )
  }
}

extension DatabaseFile {
  /// Returns a connection that reads the database, and waits for a program that writes to it.
  func reader() throws(DecantError) -> Connection {
    do throws(SQLiteError) {
      let connection = try Connection(uri, mode: .readOnly)
      connection.setBusyTimeout(milliseconds: 5_000)
      return connection
    } catch {
      throw DecantError(opening: path, error)
    }
  }
}
