internal import DecantBase
internal import DecantPlain
internal import DecantPostgres
internal import DecantSQLite
internal import DecantServerSchema
internal import DecantStore

/// The tables of a PostgreSQL schema that decant did not create, in the form in which a plain database holds them.
struct CatalogSchema {
  /// The tables, with the expressions that read their columns.
  private(set) var schema = ServerSchema()
  /// The statements that make the tables in SQLite.
  private(set) var statements: [String] = []
  private(set) var notes: [ReportNote] = []
  /// Notes about the parts of the tables that exist only on the server.
  private(set) var left: [ReportNote] = []
  /// Names that differ from others only in case, which SQLite does not distinguish, with their names in SQLite.
  private(set) var alike: [(name: String, other: String, own: String)] = []
  /// Names that SQLite reserves for itself, with their names in SQLite.
  private var reserved: [String] = []
  private var tableNames = PlainNames()
  /// The names of the unique indexes with a condition that are made in SQLite, too.
  private var partialIndexes: [String] = []
  /// How the columns of foreign keys are read.
  private let linked: LinkedValues
  /// The server, which is asked for the spellings of some types, and these types.
  private let asked: AskedServer
  private var askedTypes: [String: AskedType] = [:]

  /// The clause that maps each type, even a domain of a domain, to the type of its values and their limits: `base`.
  static let baseTypes = """
    WITH RECURSIVE base AS (
      SELECT oid, oid AS base, typtype, typbasetype, typtypmod, -1 AS limits FROM pg_catalog.pg_type
      UNION ALL SELECT d.oid, t.oid, t.typtype, t.typbasetype, t.typtypmod, d.typtypmod
      FROM base AS d JOIN pg_catalog.pg_type AS t ON t.oid = d.typbasetype WHERE d.typtype = 'd'
    )
    """

  /// The condition that the server generates a value of the column `a` for a row without one.
  static let hasDefault = """
    (a.atthasdef OR a.attidentity <> '' OR EXISTS (
      SELECT FROM pg_catalog.pg_type AS t WHERE t.oid = a.atttypid AND t.typtype = 'd' AND t.typdefault IS NOT NULL))
    """

  /// The query for the parts that remain on the server: restrictions of values first.
  private static let only = """
    WITH own AS (
      SELECT c.oid, c.relname FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
      WHERE n.nspname = $1 AND c.relkind IN ('r', 'p') AND NOT c.relispartition
    )
    SELECT what FROM (
      SELECT DISTINCT 1, 'the unique index ' || x.relname FROM own JOIN pg_catalog.pg_index AS i ON i.indrelid = own.oid
      JOIN pg_catalog.pg_class AS x ON x.oid = i.indexrelid
      WHERE i.indisunique AND (i.indpred IS NOT NULL OR i.indexprs IS NOT NULL) AND x.relname <> ALL ($2::pg_catalog.name[])
      UNION SELECT 2, 'the exclusion of ' || own.relname FROM own
      JOIN pg_catalog.pg_constraint AS k ON k.conrelid = own.oid AND k.contype = 'x'
      UNION SELECT 3, 'the conditions (CHECK) of ' || own.relname FROM own
      JOIN pg_catalog.pg_constraint AS k ON k.conrelid = own.oid AND k.contype = 'c'
      UNION SELECT 4, 'the triggers of ' || own.relname FROM own
      JOIN pg_catalog.pg_trigger AS t ON t.tgrelid = own.oid AND NOT t.tgisinternal
      UNION SELECT 5, 'the policies of ' || own.relname FROM own JOIN pg_catalog.pg_policy AS p ON p.polrelid = own.oid
      UNION SELECT CASE a.attgenerated WHEN '' THEN 7 ELSE 6 END,
        CASE a.attgenerated WHEN '' THEN 'the default of ' ELSE 'the expression of ' END || own.relname || '.' || a.attname
      FROM own JOIN pg_catalog.pg_attribute AS a ON a.attrelid = own.oid AND a.atthasdef AND NOT a.attisdropped
      WHERE NOT EXISTS (
        SELECT FROM pg_catalog.pg_constraint AS k
        WHERE k.conrelid = own.oid AND k.contype = 'p' AND k.conkey = ARRAY[a.attnum])
    ) AS found (place, what) ORDER BY place, what
    """

  /// Whether the tables will be changed: then columns whose values the server generates may be omitted.
  private let isToChange: Bool
  /// The names of tables whose rows are links, in the form in which SQLite compares names.
  private let links: Set<String>

  /// Reads the catalog; if `changed` is given, only that of the tables with these names, for changing them.
  ///
  /// Of tables called `links` only the foreign keys are read then, if their key consists of them and the server can make the
  /// other values.
  init(
    _ server: Server,
    _ connection: PostgresConnection,
    toChange changed: Set<String>? = nil,
    links: Set<String> = []
  ) throws(DecantError) {
    isToChange = changed != nil
    self.links = links
    asked = AskedServer(server)
    let context = "cannot read the catalog"
    func rows(_ sql: String, _ others: String...) throws(DecantError) -> [[String?]] {
      try server.explaining(context) { () throws(PostgresError) in try connection.rows(sql, [server.schema] + others) }
    }
    let relations = try rows(
      """
      SELECT c.oid, c.relname, c.relkind, c.relispartition,
        pg_catalog.has_table_privilege(c.oid, 'SELECT') OR pg_catalog.has_any_column_privilege(c.oid, 'SELECT'),
        c.relkind = 'r' AND c.relhassubclass
      FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
      WHERE n.nspname = $1 AND c.relkind IN ('r', 'p', 'v', 'm', 'f') ORDER BY c.oid
      """
    )
    let tables = relations.filter { relation in
      ["r", "p"].contains(relation[2]) && relation[3] == "f" && changed?.contains(relation[1] ?? "") != false
    }
    let hidden = tables.filter { $0[4] != "t" }.compactMap { $0[1] }
    guard hidden.isEmpty else {
      throw DecantError(
        .accessDenied,
        "the role \(connection.user) may not read \(hidden.joined(separator: ", "))",
        place: server.place,
        remedy: "the owner has to run: GRANT USAGE ON SCHEMA \(ServerNames.quoted(server.schema)) TO "
          + "\(ServerNames.quoted(connection.user)); GRANT SELECT ON "
          + hidden.map { "\(ServerNames.quoted(server.schema)).\(ServerNames.quoted($0))" }.joined(separator: ", ")
          + " TO \(ServerNames.quoted(connection.user))",
        remedies: []
      )
    }
    let columns = Dictionary(
      grouping: try rows(
        """
        \(CatalogSchema.baseTypes)
        SELECT a.attrelid, a.attname, b.typname, pg_catalog.format_type(a.atttypid, a.atttypmod), a.attnotnull, a.attnum,
          \(CatalogSchema.hasDefault), pg_catalog.format_type(d.base, greatest(a.atttypmod, d.limits)),
          pg_catalog.format_type(d.base, -1), d.typtype = 'e',
          b.typnamespace = 'pg_catalog'::pg_catalog.regnamespace
        FROM pg_catalog.pg_attribute AS a JOIN pg_catalog.pg_class AS c ON c.oid = a.attrelid
        JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
        JOIN base AS d ON d.oid = a.atttypid AND d.typtype <> 'd' JOIN pg_catalog.pg_type AS b ON b.oid = d.base
        WHERE n.nspname = $1 AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attrelid, a.attnum
        """
      ),
      by: { $0[0] ?? "" }
    )
    let constraints =
      try rows(
        """
        SELECT k.conrelid, k.contype, pg_catalog.array_to_string(k.conkey, ','), k.confrelid,
          pg_catalog.array_to_string(k.confkey, ','), k.confdeltype, k.confupdtype, pg_catalog.array_to_string(ARRAY(
            SELECT pg_catalog.quote_ident(s.nspname) || '.' || o.oprname
            FROM pg_catalog.unnest(k.conpfeqop) WITH ORDINALITY AS e (number, place)
            JOIN pg_catalog.pg_operator AS o ON o.oid = e.number JOIN pg_catalog.pg_namespace AS s ON s.oid = o.oprnamespace
            ORDER BY e.place), ',')
        FROM pg_catalog.pg_constraint AS k JOIN pg_catalog.pg_namespace AS n ON n.oid = k.connamespace
        WHERE n.nspname = $1 AND k.contype IN ('p', 'f', 'u') AND k.conparentid = 0 ORDER BY k.oid
        """
      )
      + rows(
        """
        SELECT i.indrelid, 'u', pg_catalog.array_to_string(ARRAY(
            SELECT p.number FROM pg_catalog.unnest(i.indkey) WITH ORDINALITY AS p (number, place)
            WHERE p.place <= i.indnkeyatts ORDER BY p.place), ','), NULL, NULL, NULL, NULL
        FROM pg_catalog.pg_index AS i JOIN pg_catalog.pg_class AS c ON c.oid = i.indrelid
        JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
        WHERE n.nspname = $1 AND i.indisunique AND i.indisvalid AND i.indpred IS NULL AND i.indexprs IS NULL
          AND NOT EXISTS (SELECT FROM pg_catalog.pg_constraint AS k WHERE k.conindid = i.indexrelid AND k.contype IN ('p', 'u'))
        ORDER BY i.indexrelid
        """
      )
    let partial = try rows(
      """
      SELECT i.indrelid, x.relname, pg_catalog.array_to_string(ARRAY(
          SELECT p.number FROM pg_catalog.unnest(i.indkey) WITH ORDINALITY AS p (number, place)
          WHERE p.place <= i.indnkeyatts ORDER BY p.place), ','), pg_catalog.pg_get_expr(i.indpred, i.indrelid)
      FROM pg_catalog.pg_index AS i JOIN pg_catalog.pg_class AS c ON c.oid = i.indrelid
      JOIN pg_catalog.pg_class AS x ON x.oid = i.indexrelid JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
      WHERE n.nspname = $1 AND i.indisunique AND i.indisvalid AND i.indpred IS NOT NULL AND i.indexprs IS NULL
      ORDER BY i.indexrelid
      """)
    let statements = ServerStatements(place: server.schema)
    let sources = tables.map { ($0[0] ?? "", ($0[2] == "r" ? "ONLY " : "") + statements.qualified($0[1] ?? "")) }
    linked = LinkedValues(columns.values.flatMap(\.self), constraints, in: Dictionary(uniqueKeysWithValues: sources))
    var names: [String: String] = [:]
    // Names must not depend on the order of creation: unambiguous ones are kept, and similar ones then get free names.
    let folded = Dictionary(grouping: tables.compactMap { $0[1] }, by: \.foldedName)
    func rank(_ name: String) -> (Int, String) { ((folded[name.foldedName]?.count ?? 1) > 1 ? 1 : 0, name) }
    for table in tables.sorted(by: { rank($0[1] ?? "") < rank($1[1] ?? "") }) {
      let own = tableNames.claim(table[1] ?? "")
      names[table[0] ?? ""] = own
      noteAlike(table[1] ?? "", own, among: folded[(table[1] ?? "").foldedName] ?? [])
    }
    var (asText, asTargets, decimals): ([String], [String], [String]) = ([], [], [])
    for table in tables {
      let (number, name) = (table[0] ?? "", table[1] ?? "")
      let own = constraints.filter { $0[0] == number }
      add(name, names[number] ?? name, columns[number] ?? [], own, columns, names, &asText, &asTargets, &decimals)
      if table[5] == "t", let last = schema.tables.indices.last, schema.tables[last].name == name {
        schema.tables[last].hasHeirs = true
      }
    }
    for index in partial {
      guard let table = tables.first(where: { $0[0] == index[0] }) else { continue }
      add(index[1] ?? "", names[table[0] ?? ""] ?? "", columns[table[0] ?? ""] ?? [], index[2], index[3])
    }
    if !alike.isEmpty {
      notes.append(
        ReportNote(
          .notInModel,
          "renamed, because SQLite does not distinguish names that differ in case only: "
            + alike.map { "\($0.name) is \($0.own)" }.joined(separator: ", ")))
    }
    if !reserved.isEmpty {
      notes.append(
        ReportNote(
          .notInModel,
          "renamed, because SQLite reserves names that begin with sqlite_: \(reserved.joined(separator: ", "))"))
    }
    if !asText.isEmpty {
      notes.append(
        ReportNote(
          .notInModel, "read as texts, because SQLite has no such type: \(asText.joined(separator: ", "))"))
    }
    if !asTargets.isEmpty {
      notes.append(
        ReportNote(
          .notInModel,
          "read as the equal values to which they refer, if these are written differently: "
            + asTargets.joined(separator: ", ")))
    }
    if !decimals.isEmpty {
      notes.append(
        ReportNote(
          .notInModel,
          "read as texts, to keep all digits: "
            + decimals.joined(separator: ", ")))
    }
    try noteLargeObjects(tables, columns, server, connection)
    let only = try rows(CatalogSchema.only, ServerNames.array(partialIndexes)).compactMap { $0[0] }
    if !only.isEmpty {
      left.append(
        ReportNote(
          .schemaNotCopied, "not read, and so not copied: \(only.joined(separator: ", "))"))
    }
    let bare = tables.filter { columns[$0[0] ?? ""] == nil }.compactMap { $0[1] }
    if !bare.isEmpty {
      notes.append(ReportNote(.tableNotRead, "tables without columns are not read: \(bare.joined(separator: ", "))"))
    }
    let others = relations.filter { !["r", "p"].contains($0[2]) }.compactMap { $0[1] }
    if !others.isEmpty {
      notes.append(
        ReportNote(.tableNotRead, "views and foreign tables are not read: \(others.joined(separator: ", "))"))
    }
  }

  /// Records that `own` replaces a name, of a column if `table` is given, because of a similar one.
  private mutating func noteAlike(_ name: String, _ own: String, among names: [String], of table: String? = nil) {
    let prefix = table.map { "\($0)." } ?? ""
    if name.foldedName.hasPrefix("sqlite_") { reserved.append("\(prefix)\(name) is \(own)") }
    guard own.foldedName != name.foldedName, let other = names.first(where: { $0 != name && $0.isSameName(as: name) })
    else { return }
    alike.append((prefix + name, prefix + other, own))
  }

  /// Adds notes about columns that hold numbers of large objects, whose contents are not in any table.
  private mutating func noteLargeObjects(
    _ tables: [[String?]],
    _ columns: [String: [[String?]]],
    _ server: Server,
    _ connection: PostgresConnection
  ) throws(DecantError) {
    // Other engines lack this table, and some administrators revoke the right to read it.
    let isReadable = try server.explaining("cannot read the catalog") { () throws(PostgresError) in
      try connection.text(
        """
        SELECT pg_catalog.has_table_privilege(pg_catalog.to_regclass('pg_catalog.pg_largeobject_metadata')::pg_catalog.oid,
          'SELECT')
        """)
    }
    guard isReadable == "t" else { return }
    let statements = ServerStatements(place: server.schema)
    var found: [String] = []
    for table in schema.tables {
      guard let number = tables.first(where: { $0[1] == table.name })?[0] else { continue }
      let names = (columns[number] ?? []).filter { $0[2] == "oid" }.compactMap { $0[1] }
      guard !names.isEmpty else { continue }
      let counts = names.map { name in
        "count(*) FILTER (WHERE \(ServerNames.quoted(name)) IN (SELECT oid FROM pg_catalog.pg_largeobject_metadata))"
      }
      let row = try server.explaining("cannot count the large objects of \(table.name)") { () throws(PostgresError) in
        try connection.rows(
          """
          SELECT \(counts.joined(separator: ", ")) FROM \(statements.source(table))
          WHERE EXISTS (SELECT FROM pg_catalog.pg_largeobject_metadata)
          """
        ).first ?? []
      }
      for (name, count) in zip(names, row) {
        guard let count, count != "0" else { continue }
        found.append("\(table.name).\(name) (\(count))")
      }
    }
    guard !found.isEmpty else { return }
    notes.append(
      ReportNote(
        .tableNotRead, "large objects are not read, only their numbers: \(found.joined(separator: ", "))",
        remedy: "lo_get(number) reads one: keep the contents in a column of the type bytea to have them read"))
  }

  private mutating func add(
    _ name: String,
    _ own: String,
    _ columns: [[String?]],
    _ constraints: [[String?]],
    _ all: [String: [[String?]]],
    _ tables: [String: String],
    _ asText: inout [String],
    _ asTargets: inout [String],
    _ decimals: inout [String]
  ) {
    guard !columns.isEmpty else { return }
    let (columns, linkKey) =
      isToChange && links.contains(name.foldedName) ? linkColumns(columns, constraints) : (columns, nil)
    var names = PlainNames()
    var table = ServerSchema.Table(name: name, columns: [], key: [])
    table.origin = own
    var declared: [(name: String, type: String, isRequired: Bool)] = []
    for column in columns {
      let (label, base, full) = (column[1] ?? "", column[2] ?? "", column[3] ?? "")
      let (reading, targetType) = linked.reading(of: column[0] ?? "", column[5] ?? "")
      if targetType != nil { asTargets.append("\(name).\(label)") }
      var made = ServerSchema.Column(name: label, type: reading.type)
      made.expression = reading.expression
      let isLinked = linked.contains(column[0], column[5])
      // As the value of a target of another type it has that one's text.
      let asked = targetType == nil || targetType == base ? askedSpelling(column) : nil
      made.spelling =
        asked
        ?? (targetType != nil
          ? ValueSpelling(Self.kind(of: reading.type))
          : CatalogSchema.spelling(base, column[7] ?? "", isLinked: isLinked))
      made.origin = names.claim(label)
      noteAlike(label, made.own, among: columns.compactMap { $0[1] }, of: name)
      table.columns.append(made)
      // Any value that differs from row to row will do, since the server generates another one.
      let makesUp = isToChange && column[4] == "t" && column[6] == "t" && !isLinked
      declared.append((made.own, reading.declaration + (makesUp ? " DEFAULT (random())" : ""), column[4] == "t"))
      if base == "numeric" { decimals.append("\(name).\(label)") }
      if reading.isForeign { asText.append("\(name).\(label) (\(full))") }
    }
    func numbered(_ numbers: String?, of list: [[String?]]) -> [String] {
      var names = PlainNames()
      var byNumber: [String: String] = [:]
      for column in list { byNumber[column[5] ?? ""] = names.claim(column[1] ?? "") }
      return (numbers ?? "").split(separator: ",").compactMap { byNumber[String($0)] }
    }
    let key = (linkKey ?? constraints.first { $0[1] == "p" }).map { numbered($0[2], of: columns) } ?? []
    let isNumber = key.count == 1 && declared.first { $0.name == key[0] }?.type.hasPrefix("INTEGER") == true
    var lines = declared.map { column in
      isNumber && key == [column.name]
        ? "\(column.name.sqlName) INTEGER PRIMARY KEY"
        : "\(column.name.sqlName) \(column.type)" + (column.isRequired ? " NOT NULL" : "")
    }
    func list(_ names: [String]) -> String { names.map(\.sqlName).joined(separator: ", ") }
    if !key.isEmpty, !isNumber { lines.append("PRIMARY KEY (\(list(key)))") }
    for constraint in constraints {
      let columns = numbered(constraint[2], of: columns)
      // A column that is left out would make it stricter.
      let isWhole = columns.count == (constraint[2] ?? "").split(separator: ",").count
      if constraint[1] == "u", !columns.isEmpty, isWhole { lines.append("UNIQUE (\(list(columns)))") }
      guard constraint[1] == "f" else { continue }
      guard let target = tables[constraint[3] ?? ""] else {
        notes.append(
          ReportNote(
            .schemaNotCopied,
            "no foreign key from \(name) (\(columns.joined(separator: ", "))): its target is not in this schema"))
        continue
      }
      let targets = numbered(constraint[4], of: all[constraint[3] ?? ""] ?? [])
      guard !columns.isEmpty, columns.count == targets.count else { continue }
      let rules = ["c": "CASCADE", "n": "SET NULL", "d": "SET DEFAULT", "r": "RESTRICT"]
      let acts = [("DELETE", constraint[5]), ("UPDATE", constraint[6])].compactMap { event, rule in
        rules[rule ?? ""].map { " ON \(event) \($0)" }
      }
      lines.append(
        "FOREIGN KEY (\(list(columns))) REFERENCES \(target.sqlName) (\(list(targets)))" + acts.joined())
    }
    schema.tables.append(table)
    statements.append("CREATE TABLE \(own.sqlName) (\n  \(lines.joined(separator: ",\n  "))\n)")
  }

  /// Returns the columns of foreign keys, and the constraint that makes them the key, if the rows of a table are links;
  /// otherwise all columns, and no constraint.
  ///
  /// Some frameworks add a key of its own, which the server assigns, and make the links unique.
  private func linkColumns(_ columns: [[String?]], _ constraints: [[String?]]) -> ([[String?]], [String?]?) {
    let keys = columns.filter { linked.contains($0[0], $0[5]) }
    func isKey(_ constraint: [String?]) -> Bool {
      let numbers = (constraint[2] ?? "").split(separator: ",").map(String.init)
      return !numbers.isEmpty && numbers.allSatisfy { number in keys.contains { $0[5] == number && $0[4] == "t" } }
    }
    let key = ["p", "u"].lazy.compactMap { type in constraints.first { $0[1] == type && isKey($0) } }.first
    let canBeMade = columns.allSatisfy { column in keys.contains(column) || column[4] != "t" || column[6] == "t" }
    return key != nil && canBeMade ? (keys, key) : (columns, nil)
  }

  /// Adds a unique index with a condition, if SQLite understands that in the same way.
  private mutating func add(
    _ name: String, _ table: String, _ columns: [[String?]], _ numbers: String?, _ condition: String?
  ) {
    // Of a table of links, columns may be left out.
    let made = schema.tables.first { $0.own == table }?.columns ?? []
    let own = Dictionary(made.map { ($0.name, $0.own) }) { first, _ in first }
    let labels = (numbers ?? "").split(separator: ",").map { number in
      columns.first { $0[5] == String(number) }?[1] ?? ""
    }
    let names = labels.compactMap { own[$0] }
    guard !names.isEmpty, names.count == labels.count, let condition = ServerCondition(condition ?? "", own)?.sql
    else { return }
    partialIndexes.append(name)
    statements.append(
      "CREATE UNIQUE INDEX \(tableNames.claim(name).sqlName) ON \(table.sqlName) "
        + "(\(names.map(\.sqlName).joined(separator: ", "))) WHERE \(condition)")
  }

  /// Returns the kind of spelling of values that are read as a type.
  private static func kind(of type: ServerType) -> ValueSpelling.Kind {
    switch type {
    case .smallint: .smallint
    case .integer: .integer
    case .bigint: .bigint
    case .boolean: .boolean
    case .double: .double
    case .bytea: .bytea
    default: .text
    }
  }

  /// The types whose values decant spells itself, and those that keep each text.
  private static let ownSpelling: Set<String> = [
    "int2", "int4", "int8", "oid", "bool", "float4", "float8", "bytea", "text", "varchar", "bpchar", "uuid", "numeric",
    "date", "time", "timestamp", "timestamptz", "jsonb", "citext", "json", "xml",
  ]

  /// Returns the spelling of a column of a type for which the server is asked; `nil` for others.
  private mutating func askedSpelling(_ column: [String?]) -> ValueSpelling? {
    let isEnumeration = column[9] == "t"
    guard let name = column[2], let full = column[7], let base = column[8], !isEnumeration,
      !CatalogSchema.ownSpelling.contains(name)
    else { return nil }
    let type = askedTypes[full] ?? asked.type(.init(name: name, full: full, base: base, isOwn: column[10] == "t"))
    askedTypes[full] = type
    return ValueSpelling(asking: type)
  }

  /// Returns the spelling of the values of a column, by its type, without and with its limits.
  private static func spelling(_ type: String, _ full: String, isLinked: Bool) -> ValueSpelling {
    func limit(_ form: Regex<(Substring, Substring)>) -> Int? {
      full.prefixMatch(of: form).flatMap { Int($0.output.1) }
    }
    return switch type {
    case "int2": ValueSpelling(.smallint)
    case "int4": ValueSpelling(.integer)
    case "int8", "oid": ValueSpelling(.bigint)
    case "bool": ValueSpelling(.boolean)
    case "float4": ValueSpelling(.real)
    case "float8": ValueSpelling(.double)
    case "bytea": ValueSpelling(.bytea)
    case "varchar": ValueSpelling(.text, scale: limit(/character varying\((\d+)\)/))
    case "bpchar": ValueSpelling(.bpchar, scale: limit(/character\((\d+)\)/))
    case "numeric": ValueSpelling(.numeric, scale: limit(/numeric\(\d+,(\d+)\)/), isTrimmed: isLinked)
    case "time", "timestamp", "timestamptz":
      ValueSpelling(ValueSpelling.Kind(rawValue: type) ?? .text, scale: limit(/[a-z]+\((\d+)\)/))
    default: ValueSpelling(ValueSpelling.Kind(rawValue: type) ?? .text)
    }
  }

  /// Returns how a column of a type is read, and how it is declared in SQLite.
  static func reading(_ column: String, _ type: String) -> LinkedValues.Reading {
    switch type {
    case "int2", "int4", "int8", "oid": (.bigint, "\(column)::bigint", "INTEGER", false)
    case "bool": (.boolean, "\(column)::boolean", "BOOLEAN", false)
    case "float8": (.double, "\(column)::double precision", "REAL", false)
    // The number with the digits that the server shows: 0.1, not 0.10000000149011612.
    case "float4": (.double, "\(column)::text::double precision", "REAL", false)
    case "bytea": (.bytea, column, "BLOB", false)
    case "citext": (.text, "\(column)::text", "TEXT COLLATE NOCASE", true)
    // The digits are exact, unlike SQLite's numbers.
    case "numeric", "text", "varchar", "bpchar", "uuid", "name": (.text, "\(column)::text", "TEXT", false)
    case "timestamptz":
      (
        .text,
        """
        CASE WHEN pg_catalog.isfinite(\(column)) AND \(column) >= '0001-01-01 00:00:00+00' THEN
        pg_catalog.to_char(\(column) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') ELSE \(column)::text END
        """,
        "TEXT", false
      )
    case "date", "timestamp": (.text, "\(column)::text", "TEXT", false)
    // A cast would add a mask to an address without one.
    case "inet": (.text, "pg_catalog.textin(pg_catalog.inet_out(\(column)))", "TEXT", true)
    default: (.text, "\(column)::text", "TEXT", true)
    }
  }
}
