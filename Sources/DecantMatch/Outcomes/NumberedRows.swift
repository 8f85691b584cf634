package import DecantBase
package import DecantPlan
package import DecantStore
package import DecantSQLite

/// Rows without an integer key, numbered for one run, so that they can be merged with a base like objects with keys.
///
/// A temporary table contains a number for each row, in key order: two connections on the same state of a store use the
/// same numbers. A view shows the rows with their numbers. It is used for matching and comparing; writes go to the
/// table itself, by the values of its key.
package struct NumberedRows {
  /// The root entities of such rows.
  package let roots: Set<String>
  private let layouts: Sided<Layout>
  /// The steps that would copy the rows by number.
  package var steps: [CopyStep] = []

  /// The column of the numbers, without underscores that make it unique in the table.
  private static let column = "decant_number"

  /// Finds the tables whose rows are merged with a base; `nil` if there are none.
  ///
  /// - Parameters:
  ///   - rules: The rules of the merge.
  ///   - model: The model of both stores.
  ///   - layouts: The layouts of both stores.
  package init?(_ rules: MergeRules, _ model: Model, _ layouts: Sided<Layout>) {
    let found = layouts.source.relations.filter { relation in
      guard let there = layouts.destination.relation(of: relation.root), !there.isFilledByTriggers,
        case .values(let key) = relation.key, case .values(let other) = there.key
      else { return false }
      return key == other && rules.rule(of: relation.root, in: model).policy == .threeWay
    }
    guard !found.isEmpty else { return nil }
    roots = Set(found.map(\.root))
    self.layouts = layouts
  }

  // MARK: Reading

  /// Returns the layout of one store, attached as `schema`, in which the rows have numbers as keys.
  package func layout(_ side: MatchSide, in schema: String) -> Layout {
    var layout = layouts[side]
    for index in layout.relations.indices where roots.contains(layout.relations[index].root) {
      let relation = layout.relations[index]
      guard case .values(let key) = relation.key else { continue }
      layout.relations[index].key = .integer(column: column(of: relation), isRowID: false)
      layout.relations[index].ownKey = key
      layout.relations[index].isNumbered = true
      layout.relations[index].table = view(relation, schema)
      layout.relations[index].keyTable = table(relation, schema)
      layout.relations[index].schema = "temp"
    }
    return layout
  }

  /// Numbers the rows of one store, attached as `schema`, unless `connection` has the numbers already.
  package func offer(_ side: MatchSide, in schema: String, on connection: Connection) throws(SQLiteError) {
    for relation in layouts[side].relations where roots.contains(relation.root) {
      guard case .values(let key) = relation.key else { continue }
      let table = table(relation, schema)
      let known = "SELECT 1 FROM temp.sqlite_schema WHERE name = ?1"
      guard try connection.integer(known, .text(table)) == nil else { continue }
      let forms = try NumberedRows.forms(of: relation.table, schema, on: connection)
      let rows = relation.sqlTable(in: schema)
      let columns = key.indices.map { "c\($0)" }.joined(separator: ", ")
      let values = key.map(\.sqlName).joined(separator: ", ")
      let declared = key.enumerated().map { "c\($0) \(forms[$1.foldedName] ?? "")" }
      let number = column(of: relation).sqlName
      try connection.run(
        """
        CREATE TABLE temp.\(table.sqlName) (\(number) INTEGER PRIMARY KEY, \(declared.joined(separator: ", ")),
          UNIQUE (\(columns)))
        """
      )
      try connection.run(
        "INSERT INTO temp.\(table.sqlName) (\(columns)) SELECT \(values) FROM \(rows) ORDER BY \(values)"
      )
      let isSame = key.enumerated().map { "t.\($1.sqlName) = n.c\($0)" }
      try connection.run(
        """
        CREATE TEMP VIEW \(view(relation, schema).sqlName) AS SELECT n.\(number), t.* FROM \(rows) AS t
        JOIN temp.\(table.sqlName) AS n ON \(isSame.joined(separator: " AND "))
        """
      )
    }
  }

  /// Returns the declared affinity and collation of the columns of `table`, by name in lower case.
  private static func forms(of table: String, _ schema: String, on connection: Connection)
    throws(SQLiteError) -> [String: String]
  {
    var forms: [String: String] = [:]
    try connection.forEachRow(
      """
      SELECT c.name, CASE WHEN c.type LIKE '%int%' THEN 'INTEGER'
          WHEN c.type LIKE '%char%' OR c.type LIKE '%clob%' OR c.type LIKE '%text%' THEN 'TEXT'
          WHEN c.type = '' OR c.type LIKE '%blob%' THEN 'BLOB'
          WHEN upper(c.type) = 'ANY' AND (SELECT strict FROM pragma_table_list WHERE schema = ?2 AND name = ?1) THEN 'BLOB'
          WHEN c.type LIKE '%real%' OR c.type LIKE '%floa%' OR c.type LIKE '%doub%' THEN 'REAL' ELSE 'NUMERIC' END,
        (SELECT x.coll FROM pragma_index_list(?1, ?2) AS l, pragma_index_xinfo(l.name, ?2) AS x
          WHERE l.origin = 'pk' AND x.name = c.name AND x."key")
      FROM pragma_table_xinfo(?1, ?2) AS c
      """,
      .text(table),
      .text(schema)
    ) { row in
      let collation = row.text(at: 2).map { " COLLATE \($0.sqlName)" } ?? ""
      forms[(row.text(at: 0) ?? "").foldedName] = (row.text(at: 1) ?? "") + collation
    }
    return forms
  }

  // MARK: Writing

  /// Returns SQL for the number of a row of the source, as the copy reads the row, and on the source's table; `nil` for
  /// rows that are not numbered.
  package func sourceNumbers(of root: String) -> (written: String, proven: String)? {
    guard let (relation, key) = keyed(root, .source) else { return nil }
    func number(_ values: [String]) -> String {
      let isSame = values.enumerated().map { "\($1) = n.c\($0)" }
      let table = table(relation, CopySession.source).sqlName
      return "(SELECT n.\(column(of: relation).sqlName) FROM temp.\(table) AS n "
        + "WHERE \(isSame.joined(separator: " AND ")))"
    }
    return (number(key.indices.map { "r._k\($0)" }), number(key.map { "\(relation.table.sqlName).\($0.sqlName)" }))
  }

  /// Returns the condition that a row of the destination, attached as `schema`, has a number in `select`; `nil` for
  /// rows that are not numbered.
  package func isAmong(_ select: String, of root: String, in schema: String) -> String? {
    guard let (relation, key) = keyed(root, .destination) else { return nil }
    let columns = key.indices.map { "c\($0)" }.joined(separator: ", ")
    return "(\(key.map(\.sqlName).joined(separator: ", "))) IN (SELECT \(columns) "
      + "FROM temp.\(table(relation, schema).sqlName) WHERE \(column(of: relation).sqlName) IN (\(select)))"
  }

  private func keyed(_ root: String, _ side: MatchSide) -> (Relation, [String])? {
    guard roots.contains(root), let relation = layouts[side].relation(of: root),
      case .values(let key) = relation.key
    else { return nil }
    return (relation, key)
  }

  // MARK: Names

  private func table(_ relation: Relation, _ schema: String) -> String {
    "decant_numbers \(schema) \(relation.table)"
  }

  private func view(_ relation: Relation, _ schema: String) -> String {
    "decant_rows \(schema) \(relation.table)"
  }

  private func column(of relation: Relation) -> String {
    var name = NumberedRows.column
    while relation.columns.contains(where: { $0.name.foldedName == name }) { name += "_" }
    return name
  }
}

extension NumberedRows {
  /// Numbers the rows of both stores; the destination is attached as `schema`.
  package func offer(on connection: Connection, _ schema: String) throws(DecantError) {
    try explaining("cannot number rows") { () throws(SQLiteError) in
      try offer(.source, in: CopySession.source, on: connection)
      try offer(.destination, in: schema, on: connection)
    }
  }

  /// Returns `plan`, with the steps of such rows treated as steps of objects.
  package func numbered(_ plan: CopyPlan) -> CopyPlan {
    var numbered = plan
    for index in numbered.steps.indices {
      guard case .unkeyed(let root, _) = numbered.steps[index].kind, roots.contains(root),
        let step = steps.first(where: { $0.kind == .objects(root: root) })
      else { continue }
      numbered.steps[index] = step
    }
    return numbered
  }

  /// Returns the layouts of both stores; the destination is attached as `schema`.
  package func layouts(_ schema: String) -> Sided<Layout> {
    Sided(layout(.source, in: CopySession.source), layout(.destination, in: schema))
  }
}
