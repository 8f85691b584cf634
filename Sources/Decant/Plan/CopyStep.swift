internal import SQLite

/// One pass over a table of the source: the objects of a root entity, or the links of a relationship.
struct CopyStep: Sendable, Hashable {
  enum Kind: Sendable, Hashable {
    /// The objects of a root entity and its sub-entities, read in key order.
    case objects(root: String)
    /// The rows of a link table, read in rowid order.
    case links(LinkRelation)
    /// The rows of a table that is neither, read in rowid order where it has rowids.
    case rows(PlainTable)
  }

  /// The root entity's name, or the relationship's, as plans and progress show it.
  var name: String
  var kind: Kind
  /// What is read, in parentheses; its rows have `_id`.
  var source: String
  /// The table behind it as SQL names it, and the column that holds `_id` there: what the proof reads.
  var sourceTable: String
  var sourceKey: String
  /// The source's column that tells an object's entity, and what its codes mean.
  var sourceEntityColumn: String?
  var sourceEntities: [Relation.EntityCode] = []
  /// The table that is written, unquoted.
  var table: String
  /// The destination's key column, or its rowid.
  var keyColumn: String
  var assignments: [Assignment]
  /// Whether some objects are left out, so that every row must be asked for.
  var isSelective = false
  /// Whether some value is too large to be in memory; the plan's text does not depend on it.
  var hasLargeValues = false

  /// A column of the destination and what fills it.
  struct Assignment: Sendable, Hashable {
    var column: String
    /// The value as the copy writes it: an expression over the relation `r`.
    var expression: String
    /// The same value for the proof, without counting links; `nil` for what is not proven.
    var proof: Proof?
    /// Where the values lie, in a column of bytes that may be of any length.
    var stream: StreamedColumn?
  }

  /// How a column is proven equal: the two values of which a hash is taken.
  struct Proof: Sendable, Hashable {
    /// What should be there: over the source's table.
    var expected: String
    /// What is there: over the destination's table.
    var actual: String
    /// The property's name, by which a difference is told.
    var property: String
    /// Whether 1 and 1.0 are the same value, as the column's affinity may turn one into the other.
    var isNumeric: Bool
  }

  /// The statement that copies the rows with `_id` from ?1 to ?2.
  func insertion(into schema: String) -> String {
    let columns = self.columns
    var select = SelectStatement(
      columns: columns.map(\.expression),
      source: "\(source) AS r",
      conditions: ["r._id >= ?1", "r._id <= ?2"]
    )
    // Without rowids one batch takes all; the parameters are there all the same.
    if case .rows(let table) = kind, !table.hasRowID { select.conditions = ["?1 <= ?2"] }
    if let selection { select.conditions.append(selection) }
    // The table's key index cannot be dropped: rows that come in its order fill it fastest.
    if case .links = kind { select.order = ["1", "2"] }
    return select.inserting(
      into: "\(schema.sqlName).\(table.sqlName)",
      columns: columns.map(\.name.sqlName)
    )
  }

  /// The columns that are written, and the value for each.
  ///
  /// Properties of siblings may share a column: in every row all but one of their values are NULL.
  private var columns: [(name: String, expression: String)] {
    var columns: [(name: String, expression: String)] = []
    for assignment in assignments {
      if let shared = columns.firstIndex(where: { $0.name == assignment.column }) {
        columns[shared].expression =
          "coalesce(\(columns[shared].expression), \(assignment.expression))"
      } else {
        columns.append((assignment.column, assignment.expression))
      }
    }
    return columns
  }

  /// What the step copies, in words.
  var title: String {
    switch kind {
    case .objects, .rows: name
    case .links: "the links \(name)"
    }
  }

  /// The rows the step reads, and writes unless an end of a link is missing.
  func rowCount(on connection: Connection, ids: IDTable) throws(SQLiteError) -> Int64 {
    switch kind {
    case .objects(let root): ids.map(of: root)?.included.count ?? 0
    case .links(let links):
      try connection.integer(
        "SELECT count(*) FROM \(sourceTable)" + (links.condition.map { " WHERE \($0)" } ?? "")
      ) ?? 0
    case .rows: try connection.integer("SELECT count(*) FROM \(sourceTable)") ?? 0
    }
  }

  /// The columns that are hashed, in an order that both sides share.
  var proofs: [Proof] { assignments.compactMap(\.proof) }

  /// The condition under which a row of the source is copied, where that is not all of them.
  var selection: String? {
    guard isSelective, case .objects(let root) = kind else { return nil }
    return "id(\(root.sqlText), r._id) IS NOT NULL"
  }
}
