internal import DecantBase
internal import DecantPlain
internal import DecantPlan
internal import DecantSQLite
internal import DecantStore

/// The schema for the tables of a plain database, whose columns get the type that all their values have.
struct PlainServerSchema {
  private(set) var schema = ServerSchema()
  private(set) var notes: [ReportNote] = []
  private let source: PlainSource
  private var names: PlainNames

  /// Chooses the tables for `source`, which is read once; `leftOut` are tables that are not copied.
  init(_ source: PlainSource, leavingOut leftOut: [String]) throws(DecantError) {
    self.source = source
    let tables = source.file.schema.tables.filter { table in
      !leftOut.contains { $0.isSameName(as: table.name) }
    }
    if let table = tables.first(where: { $0.virtual?.content == .own }) {
      throw DecantError(
        .unsupportedContent,
        "the virtual table \(table.name) has rows of its own, for which a server has no such table",
        remedy: "use \(say: .leaveOut, table.name) to exclude it"
      )
    }
    let wanted = tables.filter { $0.virtual == nil }
    names = PlainNames(Set(wanted.map { ServerNames.small($0.name).foldedName }), limit: ServerNames.limit)
    var tableNames = PlainNames(limit: ServerNames.limit)
    let session = try CopySession(source: source, encoding: "UTF-8")
    var misfits: [String] = []
    for table in wanted {
      let made = try self.table(table, tableNames.claim(ServerNames.small(table.name)), session, &misfits)
      schema.tables.append(made)
    }
    guard misfits.isEmpty else {
      throw DecantError(
        .unsupportedRequest,
        "a column of a server has values of one type, but \(misfits.joined(separator: "; "))",
        place: "\(source.identity.place)",
        remedy:
          "correct these values in a copy of the database, or leave the rows out with \(say: .where) in a copy to a "
          + "file, and copy that file"
      )
    }
    for table in wanted { try addKeys(of: table, session) }
    let virtual = tables.filter { $0.virtual != nil }.map(\.name)
    if !virtual.isEmpty {
      notes.append(
        ReportNote(
          .tablesNotCopied, "not on the server, but made again by a copy back: \(virtual.joined(separator: ", "))"))
    }
  }

  private func table(
    _ table: TableSchema,
    _ name: String,
    _ session: CopySession,
    _ misfits: inout [String]
  ) throws(DecantError) -> ServerSchema.Table {
    var names = PlainNames(limit: ServerNames.limit)
    let columns = table.columns.filter { !$0.isGenerated }
    let place = "\(CopySession.source).\(table.name.sqlName)"
    let classes = ["integer", "real", "text", "blob"]
    let counts = try explaining("cannot read the table \(table.name)") { () throws(SQLiteError) -> [[Int64]] in
      let sums = columns.map { column in
        let value = column.name.sqlName
        return classes.map { "total(typeof(\(value)) = '\($0)')" }.joined(separator: ", ")
          + ", total(typeof(\(value)) = 'integer' AND \(value) NOT IN (0, 1))"
      }
      var counts: [[Int64]] = []
      try session.connection.forEachRow("SELECT \(sums.joined(separator: ", ")) FROM \(place)") { row in
        counts = columns.indices.map { column in
          (0...classes.count).map { Int64(row.real(at: column * (classes.count + 1) + $0)) }
        }
      }
      return counts
    }
    var made = ServerSchema.Table(name: name, columns: [], key: [])
    made.origin = table.name
    for (column, count) in zip(columns, counts) {
      let type = PlainServerSchema.type(of: column, count)
      let fitting = PlainServerSchema.fitting(type, count)
      let all = count[..<4].reduce(0, +)
      if fitting < all {
        let others = classes.enumerated().filter { count[$0.offset] > 0 }.map { "\(count[$0.offset]) \($0.element)" }
        misfits.append("\(table.name).\(column.name) has \(others.joined(separator: ", "))")
      }
      var own = ServerSchema.Column(name: names.claim(ServerNames.small(column.name)), type: type)
      own.origin = column.name
      own.wantsValue = column.isRequired || table.primaryKey.contains(column.name)
      own.defaultValue = PlainServerSchema.defaultValue(of: column, type)
      made.columns.append(own)
    }
    let key = table.rowIDAlias.map { [$0] } ?? table.primaryKey
    made.key = key.compactMap { name in made.columns.first { $0.origin == name }?.name }
    if made.key.count != key.count { made.key = [] }
    made.isIdentity = made.key.count == 1 && made.columns.first { $0.name == made.key[0] }?.type == .bigint
    if table.rowIDAlias == nil, let rowID = table.rowID { made.rowID = rowID }
    return made
  }

  /// Returns the type that all values of a column have, or the one that most are meant to have.
  private static func type(of column: ColumnSchema, _ count: [Int64]) -> ServerType {
    let (integers, reals, texts, blobs, large) = (count[0], count[1], count[2], count[3], count[4])
    let declared = column.declaredType.foldedName
    let isEmpty = integers + reals + texts + blobs == 0
    switch column.affinity {
    case .integer: return .bigint
    case .real: return .double
    case .text: return texts == 0 && blobs > 0 ? .bytea : .text
    case .numeric:
      if texts > 0 || (isEmpty && (declared.contains("date") || declared.contains("time"))) { return .text }
      if blobs > 0 { return .bytea }
      if declared.hasPrefix("bool") { return large == 0 && reals == 0 ? .boolean : reals == 0 ? .bigint : .numeric }
      if declared.hasPrefix("dec") || declared.hasPrefix("num") || reals > 0 || isEmpty { return .numeric }
      return .bigint
    case .blob:
      if texts > 0 { return .text }
      if reals > 0 { return .double }
      return integers > 0 ? .bigint : .bytea
    }
  }

  /// Returns the number of values that a column of `type` holds as they are.
  private static func fitting(_ type: ServerType, _ count: [Int64]) -> Int64 {
    switch type {
    case .smallint, .integer, .bigint, .boolean: count[0]
    case .double, .timestamp: count[1]
    case .numeric: count[0] + count[1]
    case .text: count[2]
    case .bytea, .uuid: count[3]
    }
  }

  /// Returns a default value that means the same on the server: a number, or a text in quotation marks.
  private static func defaultValue(of column: ColumnSchema, _ type: ServerType) -> String? {
    guard let literal = column.defaultLiteral else { return nil }
    let isText = literal.hasPrefix("'")
    switch type {
    case .text: return isText ? literal : nil
    case .boolean: return literal == "0" ? "false" : literal == "1" ? "true" : nil
    case .smallint, .integer, .bigint: return Int64(literal) == nil ? nil : literal
    case .double, .numeric: return isText ? nil : literal
    case .bytea, .uuid, .timestamp: return nil
    }
  }

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
    for link in table.foreignKeys {
      guard let target = schema.table(of: link.table), let columns = made.names(of: link.columns),
        let targets = target.names(of: link.targets)
      else { continue }
      let isKey =
        targets == target.key
        || schema.indexes.contains { $0.isUnique && $0.table == target.name && $0.columns == targets }
        || source.file.schema.table(link.table)?.uniqueKeys.contains(link.targets) == true
      let types = zip(columns, targets).allSatisfy { made.type(of: $0) == target.type(of: $1) }
      guard isKey, types else {
        notes.append(
          ReportNote(
            .schemaNotCopied,
            "no foreign key from \(made.name) (\(columns.joined(separator: ", "))) to \(target.name): its columns are no key "
              + "there, or of another type"))
        continue
      }
      let rules = ["CASCADE", "SET NULL", "SET DEFAULT", "RESTRICT"]
      let rule = rules.first { $0.isSameName(as: link.onDelete) } ?? "NO ACTION"
      schema.references.append(
        ServerSchema.Reference(
          name: names.claim("\(made.name)_\(columns.joined(separator: "_"))_fkey"),
          table: made.name,
          columns: columns,
          target: target.name,
          targetColumns: targets,
          onDelete: rule
        )
      )
    }
  }

  /// Adds the indexes that were created by statements of their own.
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
        // Those that are unique for all rows are keys.
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
        ServerSchema.Index(name: names.claim(ServerNames.small(name)), table: made.name, columns: own))
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
  func table(of origin: String) -> Table? { tables.first { $0.own.isSameName(as: origin) } }
}

extension ServerSchema.Table {
  /// Returns the names of columns of the database that was copied; `nil` if one has no counterpart.
  func names(of origins: [String]) -> [String]? {
    let found = origins.compactMap { origin in columns.first { $0.own.isSameName(as: origin) }?.name }
    return found.count == origins.count ? found : nil
  }

  /// Returns the type of the column called `name`.
  func type(of name: String) -> ServerType? { columns.first { $0.name == name }?.type }
}
