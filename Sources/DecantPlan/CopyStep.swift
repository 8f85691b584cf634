internal import DecantBase
package import DecantStore
internal import DecantSQLite

/// A step of a copy: one pass over the objects of a root entity, or the links of a relationship.
package struct CopyStep: Sendable, Hashable {
  package enum Kind: Sendable, Hashable {
    /// The objects of a root entity and its subentities, read in key order.
    case objects(root: String)
    /// The objects of an entity without integer key, read by the values of `key`; all at once if that is empty.
    case unkeyed(root: String, key: [String])
    /// The rows of a link table, read in rowid order.
    case links(LinkRelation)
    /// The rows of another table, read in rowid order if it has rowids.
    case rows(PlainTable)
  }

  /// The name of the root entity or relationship, for plans and progress.
  package var name: String
  package var kind: Kind
  /// The source of the rows, in parentheses, with the column `_id`.
  package var source: String
  /// The table behind it and its column for `_id`, as SQL names, for the proof.
  package var sourceTable: String
  package var sourceKey: String
  /// The source's entity column, and its codes.
  package var sourceEntityColumn: String?
  package var sourceEntities: [Relation.EntityCode] = []
  /// The source's relation of the objects, for their names; `nil` for links and other tables.
  package var relation: Relation?
  /// The destination table, unquoted.
  package var table: String
  /// The destination's key column, or its rowid.
  package var keyColumn: String
  package var assignments: [Assignment]
  /// Whether triggers of the destination's table handle conflicts themselves.
  package var leavesConflictsToTriggers = false
  /// Whether some objects are left out, so that every row must be checked.
  package var isSelective = false
  /// Whether some objects already exist in the destination, and are not written again.
  package var isMerging = false
  /// The conditions of objects without integer key, on the relation `r`.
  package var filters: [String] = []
  /// The conditions of rows of links, on `r`: both ends are copied.
  package var endConditions: [String] = []
  /// The columns of the destination that keep their values in a merge, each with the codes of the entities concerned.
  package var kept: [String: [Int64]] = [:]
  /// The columns of the destination whose targets may be closed to new links, each with their root entity.
  package var closedOwners: [String: String] = [:]
  /// The condition that a row of links already exists in the destination, on `r`.
  package var presence: String?
  /// The condition that a row of links needs its stub object, on `r`.
  package var stubCondition: String?
  /// The conditions of rows of links on the source's table, for the proof.
  package var proofConditions: [String] = []
  /// Whether the copied rows have no key in the destination: the sum of the whole table is used, minus the sum before
  /// the copy.
  package var isAnonymous = false
  /// The columns of the destination that identify a row without integer key in a merge; empty if all do.
  package var identityColumns: Set<String> = []
  /// The columns of the destination that have one meaning together, as a key and its type.
  package var jointColumns: [Set<String>] = []
  /// The functions that map values to equal ones if their collation treats them as equal, by column.
  package var foldings: [String: String] = [:]
  /// The rule for rows without integer key that have other values in the destination.
  package var rowRule: MergeRules.Rule?
  /// The column with the time of change of such a row, if it matters.
  package var rowTime: String?
  /// The conditions of the destination's rows that a comparison of two stores includes.
  package var actualConditions: [String]?
  /// Whether links that become identical may have several positions in a list, of which the first is used.
  package var takesFirstPlace = false
  /// Whether some value is too large for memory; the plan's text does not depend on it.
  package var hasLargeValues = false

  /// A column of the destination and its value.
  package struct Assignment: Sendable, Hashable {
    package var column: String
    /// The value that the copy writes: an expression on the relation `r`.
    package var expression: SQLExpression
    /// The same value for the proof, without counting links; `nil` if it is not verified.
    package var proof: Proof?
    /// The storage of the values, for a column of bytes of any length.
    package var stream: StreamedColumn?
    package var role = Role.value
    /// The role of the column; `nil` for a key, an entity, and the ends of a link table.
    package var columnRole: ColumnRole?

    package init(
      column: String,
      expression: SQLExpression,
      proof: Proof? = nil,
      stream: StreamedColumn? = nil,
      role: Role = Role.value,
      columnRole: ColumnRole? = nil
    ) {
      (self.column, self.expression, self.proof) = (column, expression, proof)
      (self.stream, self.role, self.columnRole) = (stream, role, columnRole)
    }

    /// The role of the column in a merge or a comparison.
    package enum Role: Sendable, Hashable {
      case value
      /// The position of a link in the list of the end with this index: 0 for the owner, 1 for the target.
      case place(inListOf: Int)
      /// A key that is also verified as a link; nothing is written.
      case keyLink
    }
  }

  /// The proof of a column: the two values that are hashed.
  package struct Proof: Sendable, Hashable {
    /// The expected value, on the source's table.
    package var expected: String
    /// The actual value, on the destination's table.
    package var actual: String
    /// The property's name, for reporting a difference.
    package var property: String
    /// Whether 1 and 1.0 are equal, as the column's affinity may convert one to the other.
    package var isNumeric: Bool

    package init(expected: String, actual: String, property: String, isNumeric: Bool) {
      (self.expected, self.actual, self.property) = (expected, actual, property)
      self.isNumeric = isNumeric
    }
  }

  /// Returns the text of a row's key; by default as that of an object.
  package func keyText(_ key: Int64) -> String { relation?.keyText(key) ?? Terms.objects.key(key) }

  /// The way in which the rows of a step are divided into batches.
  package enum Batching: Sendable, Hashable {
    /// A range of `_id`, an object's key or a rowid.
    case range
    /// A range of this number of key values `_k0`, `_k1` and so on.
    case values(Int)
    /// All rows at once.
    case once
  }

  package var batching: Batching {
    switch kind {
    case .objects: .range
    case .unkeyed(_, let key): key.isEmpty ? .once : .values(key.count)
    case .links(let links): links.rowID == nil ? .values(2) : .range
    case .rows(let table): table.hasRowID ? .range : .once
    }
  }

  /// Returns the statement that copies one batch.
  ///
  /// For a range the parameters ?1 and ?2 are its ends. For values they are those before the batch, unless it is the
  /// first, and then those at its end.
  package func insertion(into schema: String, isFirst: Bool = false) -> String {
    let columns = self.columns
    var select = SelectStatement(
      columns: columns.map(\.expression.description),
      source: "\(source) AS r",
      conditions: (endConditions + filters).map { "(\($0))" }
    )
    select.conditions += batchConditions(isFirst: isFirst)
    if let selection { select.conditions.append(selection) }
    // The table's key index cannot be dropped: rows in its order fill it fastest.
    if case .links = kind { select.order = ["1", "2"] }
    // Two links of the source may become identical if their ends were merged.
    let isOnce = if case .links = kind { isMerging } else { false }
    return select.inserting(
      into: "\(schema.sqlName).\(table.sqlName)",
      columns: columns.map(\.name.sqlName),
      or: isOnce ? "IGNORE" : leavesConflictsToTriggers ? nil : "ABORT"
    ).replacing(CopyStep.written, with: schema.sqlName)
  }

  /// A SELECT of the first row that the step would write.
  package var firstRow: String {
    var select = SelectStatement(
      columns: ["1"],
      source: "\(source) AS r",
      conditions: (endConditions + filters).map { "(\($0))" }
    )
    if let selection { select.conditions.append(selection) }
    return "\(select.sql)\nLIMIT 1".replacing(CopyStep.written, with: "main")
  }

  /// Returns the conditions of a batch's rows on `r`.
  package func batchConditions(isFirst: Bool) -> [String] {
    switch batching {
    case .range: return ["r._id >= ?1", "r._id <= ?2"]
    case .values(let count):
      let end = CopyStep.comparison("<=", count, from: isFirst ? 1 : count + 1)
      return isFirst ? [end] : [CopyStep.comparison(">", count, from: 1), end]
    // The batch has no range, but both parameters are bound, so the condition must use them.
    case .once: return ["?1 <= ?2"]
    }
  }

  /// The written columns with their values.
  ///
  /// Properties of sibling entities may share a column: in every row all but one of their values are NULL.
  private var columns: [(name: String, expression: SQLExpression)] {
    var columns: [(name: String, expression: SQLExpression)] = []
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

  /// Returns the assignment of the destination's `column`; if several share a name, the one with the same role.
  package func assignment(of column: RelationColumn) -> Assignment? {
    index(of: column).map { assignments[$0] }
  }

  /// The placeholder in a step's expressions for the schema of the written store.
  package static let written = "{written}"

  /// Returns the index of the assignment of `column`.
  package func index(of column: RelationColumn) -> Int? {
    assignments.firstIndex { $0.isOf(column) }
  }

  /// Returns the values of a row's key, in parentheses.
  package static func keyTuple(_ count: Int) -> String {
    "(" + (0..<count).map { "r._k\($0)" }.joined(separator: ", ") + ")"
  }

  private static func comparison(_ sign: String, _ count: Int, from first: Int) -> String {
    let parameters = (first..<first + count).map { "?\($0)" }.joined(separator: ", ")
    return "\(keyTuple(count)) \(sign) (\(parameters))"
  }

  /// The title of the step, in words.
  package var title: String {
    switch kind {
    case .objects, .unkeyed, .rows: name
    case .links: "the links \(name)"
    }
  }

  /// The hashed columns, in the same order on both sides.
  package var proofs: [Proof] { assignments.compactMap(\.proof) }

  /// The condition for copying a row of the source; `nil` for all rows.
  var selection: String? {
    guard case .objects(let root) = kind else { return nil }
    if isMerging { return "is_new(\(root.sqlText), r._id)" }
    return isSelective ? "id(\(root.sqlText), r._id) IS NOT NULL" : nil
  }
}

extension CopyStep.Assignment {
  /// Returns whether the assignment fills `column`.
  func isOf(_ column: RelationColumn) -> Bool {
    self.column == column.name && (columnRole ?? column.columnRole) == column.columnRole
  }
}

extension Relation {
  /// Returns the column that `assignment` fills.
  package func column(of assignment: CopyStep.Assignment) -> RelationColumn? {
    columns.first { assignment.isOf($0) }
  }
}

extension CopyStep {
  /// Whether it copies objects, or links between them.
  package var isOfObjects: Bool { if case .rows = kind { false } else { true } }
}

extension Relation {
  /// The kind of step that copies the objects.
  package var stepKind: CopyStep.Kind {
    switch key {
    case .integer: .objects(root: root)
    case .values(let key): .unkeyed(root: root, key: key)
    case .none: .unkeyed(root: root, key: [])
    }
  }
}
