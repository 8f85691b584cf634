package import DecantBase
package import DecantPlain
package import DecantPlan
internal import DecantPostgres
internal import DecantSQLite
package import DecantStore

/// The schema for the tables of a plain database, whose columns have the type that fits all their values.
package struct PlainServerSchema {
  package private(set) var schema = ServerSchema()
  package private(set) var notes: [ReportNote] = []
  private let source: PlainSource
  private let options: CopyOptions
  private var names: PlainNames
  /// The encodings of columns that may have other values, whose rows are rejected.
  package private(set) var encodings: [Property: ValueEncoding] = [:]
  private var choices: ColumnChoices
  /// The columns of a server whose types are not kept.
  private var lost: [String] = []
  /// The parts of the database that tables on a server do not have.
  private var left: [String] = []

  /// The maximum number of columns of a table in PostgreSQL.
  private static let columnLimit = 1_600
  /// The maximum number of bytes in a row of a server with pages of 8,192 bytes, and those before its values.
  package static let (rowLimit, rowHeader): (Int64, Int64) = (8_160, 24)
  /// The first table of which every row has more bytes, with its number of columns and the least number of bytes.
  package private(set) var wideTable: (name: String, columnCount: Int, byteCount: Int64)?

  /// The columns of type `numeric` with infinite values, with their numbers.
  private var infinite: [String] = []

  /// Chooses the tables for `source`, which is read once.
  package init(_ source: PlainSource, _ options: CopyOptions) throws(DecantError) {
    (self.source, self.options) = (source, options)
    let tables = source.file.schema.tables.filter { table in
      !options.leftOutTables.contains { $0.isSameName(as: table.name) }
    }
    if let table = tables.first(where: { $0.virtual?.content == .own }) {
      throw DecantError(
        .unsupportedContent,
        "the virtual table \(table.name) has rows of its own, and the server has no table of this kind",
        remedy: "use \(say: .leaveOut, table.name) to exclude it"
      )
    }
    let wanted = tables.filter { $0.virtual == nil }
    names = PlainNames()
    choices = try ColumnChoices(
      options,
      known: wanted.flatMap { table in
        table.columns.filter { !$0.isGenerated }.map { Property(table.name, $0.name) }
      })
    var tableNames = PlainNames(limit: ServerNames.limit)
    let session = try CopySession(source: source, encoding: nil)
    var misfits: [String] = []
    for table in wanted {
      let made = try self.table(
        table, tableNames.claim(ServerNames.plain(table.name, options.tableNames)), session, &misfits)
      schema.tables.append(made)
    }
    try choices.check(source.identity.place)
    guard misfits.isEmpty || options.onError == .reject || options.choosesObjects else {
      throw DecantError(
        .unsupportedRequest,
        "a column of a server has values of one type, but \(misfits.joined(separator: "; "))",
        place: "\(source.identity.place)",
        remedy:
          "\(option: .type, "table.column: text") keeps numbers as their digits, \(option: .where) chooses the rows, \(option: .onError, "reject") leaves out those whose values do not fit; "
          + "or correct the values in a copy of the database"
      )
    }
    // Tables and indexes share one namespace, with those that the server makes for keys.
    let taken = schema.tables.flatMap { table in
      // A key with NULL is only unique.
      let unique = ServerNames.made(from: table.name, column: table.key.joined(separator: "_"), "key")
      return [table.name, unique] + schema.namesMade(with: table)
    }
    names = PlainNames(Set(taken.map(\.foldedName)), limit: ServerNames.limit)
    for table in wanted { try addKeys(of: table, session) }
    for table in tables {
      if table.virtual != nil { left.append("the virtual table \(table.name)") }
      if table.hasChecks { left.append("the conditions (CHECK) of \(table.name)") }
      left += table.columns.filter(\.isGenerated).map { "the generated column \(table.name).\($0.name)" }
      left += table.columns.filter { (table.uniqueCollations[$0.name.foldedName] ?? "binary") != "binary" }
        .map { "the collation of \(table.name).\($0.name)" }
    }
    left += try programs(session)
    if !infinite.isEmpty {
      notes.append(
        ReportNote(
          .valuesRounded,
          "infinite numbers become numbers of 1,000 digits on the server, and infinite again in a copy back: \(infinite.joined(separator: ", "))",
          remedy: "\(option: .type, "table.column: double precision") keeps them infinite"))
    }
    if !lost.isEmpty {
      notes.append(
        ReportNote(
          .schemaNotCopied,
          "columns that get another type than on the server they come from: \(lost.joined(separator: ", "))"))
    }
    if !left.isEmpty {
      notes.append(
        ReportNote(
          .tablesNotCopied, "not on the server, but made again by a copy back: \(left.joined(separator: ", "))"))
    }
  }

  /// Returns the views and triggers, by name.
  private func programs(_ session: CopySession) throws(DecantError) -> [String] {
    try explaining("cannot read the schema") { () throws(SQLiteError) in
      var found: [String] = []
      try session.connection.reader(of: CopySession.source).forEachRow(
        "SELECT type, name FROM \(CopySession.source).sqlite_schema WHERE type IN ('view', 'trigger') ORDER BY type DESC, name"
      ) { row in found.append("the \(row.text(at: 0) ?? "") \(row.text(at: 1) ?? "")") }
      return found
    }
  }

  private mutating func table(
    _ table: TableSchema,
    _ name: String,
    _ session: CopySession,
    _ misfits: inout [String]
  ) throws(DecantError) -> ServerSchema.Table {
    var names = PlainNames(ServerNames.systemColumns, limit: ServerNames.limit)
    let columns = table.columns.filter { !$0.isGenerated }
    guard !table.name.isEmpty, !columns.contains(where: \.name.isEmpty) else {
      throw DecantError(
        .unsupportedContent,
        table.name.isEmpty ? "a table has an empty name" : "a column of \(table.name) has an empty name",
        place: "\(source.identity.place)",
        remedy: "rename it in a copy of the database, or use \(say: .leaveOut, table.name)"
      )
    }
    guard columns.count <= PlainServerSchema.columnLimit else {
      throw DecantError(
        .unsupportedContent,
        "\(table.name) has \(Int64(columns.count).counted("column")), of which a table of PostgreSQL has at most 1600",
        place: "\(source.identity.place)",
        remedy: "use \(say: .leaveOut, table.name) to exclude it"
      )
    }
    let counts = try self.counts(columns, of: table, session)
    var made = ServerSchema.Table(name: name, columns: [], key: [])
    made.origin = table.name
    for (column, count) in zip(columns, counts) {
      var chosen = try chosenType(of: column, table, session)
      if chosen == nil { chosen = try keptType(of: column, table, session) }
      let type = chosen?.type ?? count.type(declared: column.declaredType)
      if let spelling = source.spellings[Property(table.name, column.name)], spelling.isLost(in: type) {
        lost.append("\(table.name).\(column.name) (\(spelling.fullName) becomes \(type.rawValue))")
      }
      let fits = chosen != nil || count.fitting(type) == count.all
      if type == .numeric, count.infinite > 0 { infinite.append("\(table.name).\(column.name) (\(count.infinite))") }
      if !fits { misfits.append("\(table.name).\(column.name) has \(count.text)") }
      if let chosen {
        encodings[Property(table.name, column.name)] = chosen.encoding
      } else if !fits || type == .text {
        encodings[Property(table.name, column.name)] = .strict(type.strictType)
      }
      var own = ServerSchema.Column(name: names.claim(ServerNames.plain(column.name, options.tableNames)), type: type)
      own.origin = column.name
      own.form = chosen?.form
      let isWanted = column.isRequired || table.primaryKey.contains(column.name)
      own.wantsValue = isWanted && count.nulls == 0
      if isWanted, !own.wantsValue { notes.append(.missingValues(of: ["\(table.name).\(column.name)"])) }
      if chosen == nil || chosen?.form.kind == .same {
        own.defaultValue = PlainServerSchema.defaultValue(of: column, type)
      }
      if own.defaultValue == nil, let value = column.defaultValue, !value.isSameName(as: "NULL") {
        left.append("the default of \(table.name).\(column.name)")
      }
      made.columns.append(own)
    }
    let key = table.rowIDAlias.map { [$0] } ?? table.primaryKey
    made.key = made.names(of: key) ?? []
    // A key that is not an alias of the row number may contain NULL.
    let isWhole = zip(columns, counts).allSatisfy { column, count in
      count.nulls == 0 || !key.contains { $0.isSameName(as: column.name) }
    }
    let width = zip(made.columns, counts).filter { $1.nulls == 0 && $1.all > 0 }
      .reduce(PlainServerSchema.rowHeader) { $0 + $1.0.type.leastByteCount }
    if wideTable == nil, width > PlainServerSchema.rowLimit { wideTable = (table.name, columns.count, width) }
    made.isIdentity = isWhole && made.key.count == 1 && made.type(of: made.key[0]) == .bigint
    if table.rowIDAlias == nil, let rowID = table.rowID { made.rowID = rowID }
    return made
  }

  /// Returns the type that the user chose for a column.
  private mutating func chosenType(
    of column: ColumnSchema,
    _ table: TableSchema,
    _ session: CopySession
  ) throws(DecantError) -> ConvertedType? {
    guard let choice = choices.choice(for: Property(table.name, column.name)) else { return nil }
    return try choices.form(
      choice,
      of: column.name.sqlName,
      "FROM \(CopySession.source).\(table.name.sqlName)",
      column.affinity,
      unitesNumbers: column.affinity != .blob,
      on: session
    )
  }

  /// Returns the type that a column of a server had, if decant makes columns of it and all values fit.
  private func keptType(of column: ColumnSchema, _ table: TableSchema, _ session: CopySession) throws(DecantError)
    -> ConvertedType?
  {
    guard let spelling = source.spellings[Property(table.name, column.name)] else { return nil }
    return try ColumnChoices.kept(
      spelling,
      of: column.name.sqlName,
      "FROM \(CopySession.source).\(table.name.sqlName)",
      unitesNumbers: column.affinity != .blob,
      on: session
    )
  }

  /// Counts the values in the rows that are copied.
  private func counts(_ columns: [ColumnSchema], of table: TableSchema, _ session: CopySession) throws(DecantError)
    -> [ValueCounts]
  {
    let conditions = options.filters.filter { $0.entity.isSameName(as: table.name) }.map(\.expression)
    if !conditions.isEmpty {
      do throws(DecantError) {
        return try ValueCounts.read(columns, of: table.name, where: conditions, on: session)
      } catch {
        // A condition may follow links, which only the plan resolves; the plan also explains an invalid one.
      }
    }
    return try ValueCounts.read(columns, of: table.name, where: [], on: session)
  }

  /// Returns a default value with the same meaning on the server: a number, a quoted text, or the current time.
  private static func defaultValue(of column: ColumnSchema, _ type: ServerType) -> String? {
    let word = column.defaultValue?.uppercased() ?? ""
    if type == .text, let form = timeForms[word] { return "to_char(now() AT TIME ZONE 'UTC', '\(form)')" }
    let truth = ["TRUE": "1", "FALSE": "0"][word]
    guard let literal = column.defaultLiteral ?? truth else { return nil }
    let isText = literal.hasPrefix("'")
    switch type {
    case .text: return isText ? literal : nil
    case .boolean: return literal == "0" ? "false" : literal == "1" ? "true" : nil
    case .smallint, .integer, .bigint: return Int64(literal) == nil ? nil : literal
    case .double, .numeric: return isText ? nil : literal
    case .bytea, .uuid, .timestamp: return nil
    }
  }

  /// The formats of SQLite's keywords for the current time, which is in UTC.
  private static let timeForms = [
    "CURRENT_TIMESTAMP": "YYYY-MM-DD HH24:MI:SS", "CURRENT_DATE": "YYYY-MM-DD", "CURRENT_TIME": "HH24:MI:SS",
  ]

  // MARK: Keys, indexes and references

  private mutating func addKeys(of table: TableSchema, _ session: CopySession) throws(DecantError) {
    guard let made = schema.table(of: table.name) else { return }
    for key in table.uniqueKeys {
      guard let columns = made.names(of: key), columns != made.key else { continue }
      let name = names.claim("\(made.name)_\(columns.joined(separator: "_"))_key")
      schema.indexes.append(
        ServerSchema.Index(name: name, table: made.name, columns: columns, isUnique: true))
    }
    try addIndexes(of: table, made, session)
    for link in table.foreignKeys where link.isDeclared {
      guard let target = schema.table(of: link.table), let columns = made.names(of: link.columns),
        let targets = target.names(of: link.targets)
      else { continue }
      // A key of the same columns in another order will do.
      let wanted = Set(targets)
      let isKey =
        wanted == Set(target.key)
        || schema.indexes.contains { $0.isUnique && $0.table == target.name && Set($0.columns) == wanted }
        || source.file.schema.table(link.table)?.uniqueKeys.contains { Set($0) == Set(link.targets) } == true
      let types = zip(columns, targets).allSatisfy { made.type(of: $0) == target.type(of: $1) }
      guard isKey, types, !comparesByCollation(link) else {
        notes.append(
          ReportNote(
            .schemaNotCopied,
            "no foreign key from \(made.name) (\(columns.joined(separator: ", "))) to \(target.name): its columns are no key "
              + "there, of another type, or compared by a collation such as NOCASE"))
        continue
      }
      let rules = ["CASCADE", "SET NULL", "SET DEFAULT", "RESTRICT"]
      func rule(_ action: String) -> String { rules.first { $0.isSameName(as: action) } ?? "NO ACTION" }
      schema.references.append(
        ServerSchema.Reference(
          name: names.claim("\(made.name)_\(columns.joined(separator: "_"))_fkey"),
          table: made.name,
          columns: columns,
          target: target.name,
          targetColumns: targets,
          onDelete: rule(link.onDelete),
          onUpdate: rule(link.onUpdate)
        )
      )
    }
  }

  /// Whether the values of a link and its target may be equal without being the same bytes.
  private func comparesByCollation(_ link: ForeignKey) -> Bool {
    guard let table = source.file.schema.table(link.table) else { return false }
    return link.targets.contains { (table.uniqueCollations[$0.foldedName] ?? "binary") != "binary" }
  }

  /// Adds the indexes that were created by separate statements.
  private mutating func addIndexes(of table: TableSchema, _ made: ServerSchema.Table, _ session: CopySession)
    throws(DecantError)
  {
    let reader = session.connection.reader(of: CopySession.source)
    var found: [(name: String, columns: [String]?)] = []
    try explaining("cannot read the indexes of \(table.name)") { () throws(SQLiteError) in
      var list: [(String, Bool)] = []
      try reader.forEachRow(
        "SELECT name, \"unique\", partial FROM pragma_index_list(?1, ?2) WHERE origin = 'c' ORDER BY name",
        .text(table.name),
        .text(CopySession.source)
      ) { row in
        let isUnique = row.integer(at: 1) == 1
        let isPartial = row.integer(at: 2) == 1
        // Indexes that are unique for all rows become keys.
        if !isUnique || isPartial { list.append((row.text(at: 0) ?? "", isPartial)) }
      }
      for (name, isPartial) in list {
        var columns: [String]? = []
        try reader.forEachRow(
          "SELECT name FROM pragma_index_xinfo(?1, ?2) WHERE key = 1 ORDER BY seqno",
          .text(name),
          .text(CopySession.source)
        ) { row in
          if let column = row.text(at: 0) { columns?.append(column) } else { columns = nil }
        }
        found.append((name, isPartial ? nil : columns))
      }
    }
    var left: [String] = []
    for (name, columns) in found {
      guard let columns, let own = made.names(of: columns) else {
        left.append(name)
        continue
      }
      schema.indexes.append(
        ServerSchema.Index(
          name: names.claim(ServerNames.plain(name, options.tableNames)), table: made.name, columns: own))
    }
    if !left.isEmpty {
      notes.append(
        ReportNote(
          .schemaNotCopied, "indexes with conditions or expressions are not made: \(left.joined(separator: ", "))"))
    }
  }
}

extension ServerSchema {
  /// Returns the table for the one called `origin` in the database that was copied.
  package func table(of origin: String) -> Table? { tables.first { $0.own.isSameName(as: origin) } }

  /// The spellings of values that are read as texts, by table and column in the form in which they are read.
  package var spellings: [Property: ValueSpelling] {
    var spellings: [Property: ValueSpelling] = [:]
    for table in tables {
      for column in table.columns { spellings[Property(table.own, column.own)] = column.spelling }
    }
    return spellings
  }
}

extension ServerSchema.Table {
  /// Returns the names of columns of the database that was copied; `nil` if one has no counterpart.
  package func names(of origins: [String]) -> [String]? {
    let found = origins.compactMap { origin in columns.first { $0.own.isSameName(as: origin) }?.name }
    return found.count == origins.count ? found : nil
  }

  /// Returns the type of the column called `name`.
  package func type(of name: String) -> ServerType? { columns.first { $0.name == name }?.type }
}

extension ValueSpelling {
  /// The name of the type on the server, with its limit.
  fileprivate var fullName: String {
    let name =
      kind == .text ? "varchar" : kind == .bpchar ? "char" : kind == .double ? "double precision" : typeName
    // Of a numeric only the digits after the point are known.
    return name + (scale.map { kind == .numeric ? "(…,\($0))" : "(\($0))" } ?? "")
  }

  /// Whether a column of `type` accepts other values than one of the server's type, or shows them otherwise.
  fileprivate func isLost(in type: ServerType) -> Bool {
    switch (kind, type) {
    case (.text, .text): scale != nil
    case (.asked, .text): false
    case (.numeric, .numeric): scale != nil
    case (.smallint, .smallint), (.integer, .integer), (.bigint, .bigint), (.boolean, .boolean), (.double, .double),
      (.bytea, .bytea), (.uuid, .uuid), (.timestamptz, .timestamp):
      false
    default: true
    }
  }
}

extension ReportNote {
  /// The note that columns are not NOT NULL on the server.
  package static func missingValues(of columns: [String]) -> ReportNote {
    ReportNote(
      .valuesMissing,
      "created without NOT NULL, because some rows have no value although the model requires it: "
        + columns.joined(separator: ", "))
  }
}
