internal import DecantArchive
internal import DecantBase
internal import DecantJSON
internal import DecantPostgres
internal import DecantStore

/// The facts about the tables of a schema that a change needs, from the server's catalog.
struct ServerCatalog {
  /// A column.
  struct Column {
    /// The type with its limits, and the one for casts of values, which includes a domain or a limit.
    var type: String
    var base: String
    /// Whether the value is computed by the server.
    var isGenerated: Bool
    /// Whether the server generates a value if none is given.
    var hasDefault: Bool
    /// The sequence that assigns values.
    var sequence: Sequence?
    /// Whether its numbers are the values, unchanged.
    var isCounted = false
    /// Whether each row must have a value.
    var isRequired = false
  }

  /// A sequence.
  struct Sequence: Hashable {
    /// Its OID.
    var number: String
    /// Its qualified name.
    var name: String
    var increment: Int64
    /// The highest number that it can return.
    var limit: Int64
  }

  /// A unique index.
  struct UniqueIndex {
    var name: String
    /// Its OID.
    var number: String
    var columns: [String]
    /// The operators that compare the columns; `nil` if it has conditions or expressions.
    var operators: [String]?
    /// Whether the columns can be the key of a row.
    var canBeKey: Bool
  }

  /// A table.
  struct Table {
    var columns: [String: Column] = [:]
    /// The columns that identify its rows, none of which may be NULL; empty if there are none.
    var key: [String] = []
    /// The operators that compare the columns of the key, in the form used in statements.
    var keyOperators: [String] = []
    var uniqueIndexes: [UniqueIndex] = []
    /// The enabled triggers.
    var triggers: [String] = []
    /// Whether one of them can set values of a row that is written.
    var fillsRows = false
    /// Whether the role has the rights of the owner.
    var isOwned = false
  }

  /// A foreign key.
  struct Reference {
    var name: String
    var table: String
    var columns: [String]
    /// The referenced table, if it is in the schema, and its columns.
    var target: String?
    var targetColumns: [String]
    /// The operators that compare a target's columns with the referring ones, in the form used in statements.
    var operators: [String]
    var isDeferrable: Bool
    /// Whether a row cannot be deleted in any statement before the rows that refer to it.
    var restrictsDeletion: Bool
  }

  /// A foreign key of any table through which the server changes its rows when their targets are deleted or changed.
  struct ActingReference {
    /// The table, in the form used in statements.
    var table: String
    /// The name of the table, if it is in the schema.
    var name: String?
    var columns: [String]
    var target: String
    var targetColumns: [String]
    /// The operators that compare a target's columns with the referring ones, in the form used in statements.
    var operators: [String]
    /// Whether rows change when their targets are deleted, and when the values of these are changed.
    var actsOnDeletion: Bool
    var actsOnChange: Bool
  }

  /// The operator `o` of the schema `q`, in the form used in statements: one of an extension needs its schema.
  private static let qualifiedOperator = "'OPERATOR(' || pg_catalog.quote_ident(q.nspname) || '.' || o.oprname || ')'"

  /// The operators that compare the columns of a target with those of the foreign key `k`.
  private static let operators = """
    pg_catalog.array_to_json(ARRAY(
      SELECT \(qualifiedOperator) FROM pg_catalog.unnest(k.conpfeqop) WITH ORDINALITY AS p (number, place)
      JOIN pg_catalog.pg_operator AS o ON o.oid = p.number JOIN pg_catalog.pg_namespace AS q ON q.oid = o.oprnamespace
      ORDER BY p.place))
    """

  private(set) var tables: [String: Table] = [:]
  private(set) var references: [Reference] = []
  private(set) var actingReferences: [ActingReference] = []

  private let server: Server
  private let connection: PostgresConnection

  /// Whether no column of a foreign key can be empty.
  func isRequired(_ reference: Reference) -> Bool {
    reference.columns.allSatisfy { tables[reference.table]?.columns[$0]?.isRequired == true }
  }

  /// Reads the catalog.
  init(_ server: Server, _ connection: PostgresConnection) throws(DecantError) {
    (self.server, self.connection) = (server, connection)
    try readTables()
    try readIndexes()
    try readReferences()
    try readActingReferences()
  }

  /// Takes columns for the key of a table that has none on the server, as a partitioned table with parts on other
  /// servers, if each of its rows has other integers there.
  mutating func assume(_ key: [String], of table: String) {
    guard tables[table]?.key.isEmpty == true, !key.isEmpty else { return }
    tables[table]?.key = key
    tables[table]?.keyOperators = key.map { _ in "OPERATOR(pg_catalog.=)" }
  }

  /// Takes a unique index on columns that meet `condition` for the key of a table.
  mutating func takeKey(of table: String, where condition: ([String]) -> Bool) {
    let index = tables[table]?.uniqueIndexes.first { $0.canBeKey && condition($0.columns) }
    guard let index, let operators = index.operators else { return }
    tables[table]?.key = index.columns
    tables[table]?.keyOperators = operators
  }

  /// Returns the names of the tables of `server.schema`.
  static func tableNames(_ server: Server, _ connection: PostgresConnection) throws(DecantError) -> [String] {
    try server.explaining("cannot read the catalog") { () throws(PostgresError) in
      try connection.rows(
        """
        SELECT c.relname FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
        WHERE n.nspname = $1 AND c.relkind IN ('r', 'p') AND NOT c.relispartition ORDER BY c.relname
        """,
        [server.schema]
      ).compactMap { $0[0] }
    }
  }

  private func rows(_ sql: String) throws(DecantError) -> [[String?]] {
    try server.explaining("cannot read the catalog") { () throws(PostgresError) in
      try connection.rows(sql, [server.schema])
    }
  }

  private mutating func readTables() throws(DecantError) {
    for row in try rows(
      """
      SELECT c.relname, pg_catalog.pg_has_role(c.relowner, 'USAGE'),
        (SELECT pg_catalog.string_agg(t.tgname, ', ' ORDER BY t.tgname) FROM pg_catalog.pg_trigger AS t
          WHERE t.tgrelid = c.oid AND NOT t.tgisinternal AND t.tgenabled <> 'D'),
        -- BEFORE (2) each ROW (1) of an INSERT (4) or an UPDATE (16).
        EXISTS (SELECT FROM pg_catalog.pg_trigger AS t WHERE t.tgrelid = c.oid AND NOT t.tgisinternal
          AND t.tgenabled <> 'D' AND t.tgtype & 3 = 3 AND t.tgtype & 20 <> 0)
      FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
      WHERE n.nspname = $1 AND c.relkind IN ('r', 'p') AND NOT c.relispartition
      """
    ) {
      var table = Table()
      table.isOwned = row[1] == "t"
      table.triggers = row[2].map { [$0] } ?? []
      table.fillsRows = row[3] == "t"
      tables[row[0] ?? ""] = table
    }
    for row in try rows(
      """
      \(CatalogSchema.baseTypes)
      SELECT c.relname, a.attname, pg_catalog.format_type(a.atttypid, a.atttypmod),
        pg_catalog.format_type(b.base, -1), a.attgenerated <> '', s.oid, s.name, s.increment, s.max,
        \(CatalogSchema.hasDefault),
        b.base IN ('int2'::pg_catalog.regtype, 'int4'::pg_catalog.regtype, 'int8'::pg_catalog.regtype)
          AND (a.attidentity <> '' OR EXISTS (SELECT FROM pg_catalog.pg_attrdef AS v WHERE v.adrelid = c.oid AND v.adnum = a.attnum
            AND pg_catalog.pg_get_expr(v.adbin, v.adrelid) ~ '^nextval[(]''[^'']+''::regclass[)]$')), a.attnotnull
      FROM pg_catalog.pg_attribute AS a JOIN pg_catalog.pg_class AS c ON c.oid = a.attrelid
      JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
      JOIN base AS b ON b.oid = a.atttypid AND b.typtype <> 'd'
      LEFT JOIN LATERAL (
        SELECT q.oid, pg_catalog.quote_ident(m.nspname) || '.' || pg_catalog.quote_ident(q.relname) AS name,
          p.seqincrement AS increment, p.seqmax AS max
        FROM pg_catalog.pg_class AS q JOIN pg_catalog.pg_namespace AS m ON m.oid = q.relnamespace
        JOIN pg_catalog.pg_sequence AS p ON p.seqrelid = q.oid
        WHERE EXISTS (
          SELECT 1 FROM pg_catalog.pg_depend AS d WHERE d.classid = 'pg_class'::pg_catalog.regclass AND d.objid = q.oid
          AND d.refclassid = 'pg_class'::pg_catalog.regclass AND d.refobjid = c.oid AND d.refobjsubid = a.attnum
          AND d.deptype IN ('i', 'a')
        ) OR EXISTS (
          SELECT 1 FROM pg_catalog.pg_depend AS d JOIN pg_catalog.pg_attrdef AS v ON v.oid = d.objid
          WHERE d.classid = 'pg_attrdef'::pg_catalog.regclass AND d.refclassid = 'pg_class'::pg_catalog.regclass
          AND d.refobjid = q.oid AND v.adrelid = c.oid AND v.adnum = a.attnum
        ) LIMIT 1
      ) AS s ON true
      WHERE n.nspname = $1 AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND a.attnum > 0 AND NOT a.attisdropped
      """
    ) {
      var column = Column(type: row[2] ?? "", base: row[3] ?? "", isGenerated: row[4] == "t", hasDefault: row[9] == "t")
      column.isRequired = row[11] == "t"
      if let number = row[5], let name = row[6], let increment = row[7].flatMap({ Int64($0) }) {
        let limit = row[8].flatMap { Int64($0) } ?? Int64.max
        column.sequence = Sequence(number: number, name: name, increment: increment, limit: limit)
        column.isCounted = row[10] == "t"
      }
      tables[row[0] ?? ""]?.columns[row[1] ?? ""] = column
    }
  }

  private mutating func readIndexes() throws(DecantError) {
    let found = try rows(
      """
      SELECT c.relname, x.relname, x.oid,
        pg_catalog.array_to_json(ARRAY(
          SELECT a.attname FROM pg_catalog.unnest(i.indkey) WITH ORDINALITY AS p (number, place)
          JOIN pg_catalog.pg_attribute AS a ON a.attrelid = c.oid AND a.attnum = p.number
          WHERE p.place <= i.indnkeyatts ORDER BY p.place)),
        i.indpred IS NULL AND i.indexprs IS NULL, i.indimmediate AND NOT EXISTS (
          SELECT 1 FROM pg_catalog.unnest(i.indkey) AS p (number)
          JOIN pg_catalog.pg_attribute AS a ON a.attrelid = c.oid AND a.attnum = p.number WHERE NOT a.attnotnull),
        pg_catalog.array_to_json(ARRAY(
          SELECT \(ServerCatalog.qualifiedOperator) FROM pg_catalog.unnest(i.indclass) WITH ORDINALITY AS p (number, place)
          JOIN pg_catalog.pg_opclass AS f ON f.oid = p.number
          JOIN pg_catalog.pg_amop AS m ON m.amopfamily = f.opcfamily AND m.amoplefttype = f.opcintype
            AND m.amoprighttype = f.opcintype AND m.amopstrategy = 3 AND m.amopmethod = f.opcmethod
          JOIN pg_catalog.pg_operator AS o ON o.oid = m.amopopr JOIN pg_catalog.pg_namespace AS q ON q.oid = o.oprnamespace
          ORDER BY p.place))
      FROM pg_catalog.pg_index AS i JOIN pg_catalog.pg_class AS c ON c.oid = i.indrelid
      JOIN pg_catalog.pg_class AS x ON x.oid = i.indexrelid
      JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
      WHERE n.nspname = $1 AND i.indisunique AND i.indisvalid AND c.relkind IN ('r', 'p') AND NOT c.relispartition
      ORDER BY NOT i.indisprimary, i.indexrelid
      """
    )
    for row in found {
      let (table, name) = (row[0] ?? "", row[1] ?? "")
      let columns = try names(row[3])
      // Each column has an operator, since a unique index is sorted.
      let operators = row[4] == "t" ? try names(row[6]) : []
      let isPlain = !columns.isEmpty && operators.count == columns.count
      let canBeKey = isPlain && row[5] == "t"
      if tables[table]?.key.isEmpty == true, canBeKey {
        tables[table]?.key = columns
        tables[table]?.keyOperators = operators
      }
      tables[table]?.uniqueIndexes.append(
        UniqueIndex(
          name: name, number: row[2] ?? "", columns: columns, operators: isPlain ? operators : nil, canBeKey: canBeKey))
    }
  }

  private mutating func readReferences() throws(DecantError) {
    for row in try rows(
      """
      SELECT k.conname, c.relname, pg_catalog.array_to_json(ARRAY(
          SELECT a.attname FROM pg_catalog.unnest(k.conkey) WITH ORDINALITY AS p (number, place)
          JOIN pg_catalog.pg_attribute AS a ON a.attrelid = c.oid AND a.attnum = p.number ORDER BY p.place)),
        CASE WHEN t.relnamespace = c.relnamespace THEN t.relname END, k.condeferrable, pg_catalog.array_to_json(ARRAY(
          SELECT a.attname FROM pg_catalog.unnest(k.confkey) WITH ORDINALITY AS p (number, place)
          JOIN pg_catalog.pg_attribute AS a ON a.attrelid = t.oid AND a.attnum = p.number ORDER BY p.place)), k.confdeltype,
        \(ServerCatalog.operators)
      FROM pg_catalog.pg_constraint AS k JOIN pg_catalog.pg_class AS c ON c.oid = k.conrelid
      JOIN pg_catalog.pg_class AS t ON t.oid = k.confrelid JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
      WHERE n.nspname = $1 AND k.contype = 'f' AND k.conparentid = 0 AND NOT c.relispartition ORDER BY k.oid
      """
    ) {
      references.append(
        Reference(
          name: row[0] ?? "",
          table: row[1] ?? "",
          columns: try names(row[2]),
          target: row[3],
          targetColumns: try names(row[5]),
          operators: try names(row[7]),
          isDeferrable: row[4] == "t",
          restrictsDeletion: row[6] == "r"
        )
      )
    }
  }

  private mutating func readActingReferences() throws(DecantError) {
    func names(_ numbers: String, of table: String) -> String {
      """
      pg_catalog.array_to_json(ARRAY(
        SELECT a.attname FROM pg_catalog.unnest(k.\(numbers)) WITH ORDINALITY AS p (number, place)
        JOIN pg_catalog.pg_attribute AS a ON a.attrelid = k.\(table) AND a.attnum = p.number ORDER BY p.place))
      """
    }
    for row in try rows(
      """
      SELECT pg_catalog.quote_ident(m.nspname) || '.' || pg_catalog.quote_ident(c.relname),
        CASE WHEN c.relnamespace = t.relnamespace THEN c.relname END, \(names("conkey", of: "conrelid")), t.relname,
        \(names("confkey", of: "confrelid")), \(ServerCatalog.operators),
        k.confdeltype IN ('c', 'n', 'd'), k.confupdtype IN ('c', 'n', 'd')
      FROM pg_catalog.pg_constraint AS k
      JOIN pg_catalog.pg_class AS c ON c.oid = coalesce(pg_catalog.pg_partition_root(k.conrelid)::pg_catalog.oid, k.conrelid)
      JOIN pg_catalog.pg_namespace AS m ON m.oid = c.relnamespace
      JOIN pg_catalog.pg_class AS t
        ON t.oid = coalesce(pg_catalog.pg_partition_root(k.confrelid)::pg_catalog.oid, k.confrelid)
      JOIN pg_catalog.pg_namespace AS n ON n.oid = t.relnamespace
      WHERE n.nspname = $1 AND k.contype = 'f' AND k.conparentid = 0
        AND (k.confdeltype IN ('c', 'n', 'd') OR k.confupdtype IN ('c', 'n', 'd')) ORDER BY 1, k.oid
      """
    ) {
      actingReferences.append(
        ActingReference(
          table: row[0] ?? "",
          name: row[1],
          columns: try self.names(row[2]),
          target: row[3] ?? "",
          targetColumns: try self.names(row[4]),
          operators: try self.names(row[5]),
          actsOnDeletion: row[6] == "t",
          actsOnChange: row[7] == "t"
        )
      )
    }
  }

  /// Reads a list of names from JSON, whose texts can contain any character.
  private func names(_ json: String?) throws(DecantError) -> [String] {
    try ArchiveModel.tree(in: json ?? "[]", place: server.place).values.compactMap(\.string)
  }
}
