internal import DecantBase
package import DecantStore
internal import DecantSQLite

/// One pass over a table of the source: the objects of a root entity, or the links of a relationship.
package struct CopyStep: Sendable, Hashable {
  package enum Kind: Sendable, Hashable {
    /// The objects of a root entity and its sub-entities, read in key order.
    case objects(root: String)
    /// The objects of an entity that no integer names, read by the values of `key`; all at once where
    /// that is empty.
    case unkeyed(root: String, key: [String])
    /// The rows of a link table, read in rowid order.
    case links(LinkRelation)
    /// The rows of a table that is neither, read in rowid order where it has rowids.
    case rows(PlainTable)
  }

  /// The root entity's name, or the relationship's, as plans and progress show it.
  package var name: String
  package var kind: Kind
  /// What is read, in parentheses; its rows have `_id`.
  package var source: String
  /// The table behind it as SQL names it, and the column that holds `_id` there: what the proof reads.
  package var sourceTable: String
  package var sourceKey: String
  /// The source's column that tells an object's entity, and what its codes mean.
  package var sourceEntityColumn: String?
  package var sourceEntities: [Relation.EntityCode] = []
  /// The relation of the source whose objects are read, for their names; `nil` for links and other tables.
  package var relation: Relation?
  /// The table that is written, unquoted.
  package var table: String
  /// The destination's key column, or its rowid.
  package var keyColumn: String
  package var assignments: [Assignment]
  /// Whether triggers of the destination's table say themselves what happens in a conflict.
  package var leavesConflictsToTriggers = false
  /// Whether some objects are left out, so that every row must be asked for.
  package var isSelective = false
  /// Whether some objects are in the destination already, and are not written again.
  package var isMerging = false
  /// The conditions that objects without an integer key must meet, over the relation `r`.
  package var filters: [String] = []
  /// Conditions without which a row of links is not written, over `r`: both its ends are copied.
  package var endConditions: [String] = []
  /// The columns of the destination that objects keep in a merge, each with the codes of the entities that do.
  package var kept: [String: [Int64]] = [:]
  /// The columns of the destination that lead to objects which may be closed to new links, each with their root entity.
  package var closedOwners: [String: String] = [:]
  /// The condition that a row of links is in the destination already, over `r`.
  package var presence: String?
  /// The condition without which a row of links leads to an empty object for no reason, over `r`.
  package var stubCondition: String?
  /// The conditions of rows of links over the source's table, for the proof.
  package var proofConditions: [String] = []
  /// Whether no key tells which rows of the destination's table are the copy's: the whole table is
  /// summed up, and what was there before is taken off.
  package var isAnonymous = false
  /// The columns of the destination by which a row without integer key is told from others in a merge; none
  /// where all tell it.
  package var identityColumns: Set<String> = []
  /// The functions that make values of such columns equal which their collation takes for equal, by column.
  package var foldings: [String: String] = [:]
  /// What becomes of rows without integer keys that the destination has with other values.
  package var rowRule: MergeRules.Rule?
  /// The column that tells when such a row was changed, where that matters.
  package var rowTime: String?
  /// Which rows of the destination's table are compared, where a comparison of two stores says so.
  package var actualConditions: [String]?
  /// Whether links that become one and the same may have several places in a list: the first of them counts.
  package var takesFirstPlace = false
  /// Whether some value is too large to be in memory; the plan's text does not depend on it.
  package var hasLargeValues = false

  /// A column of the destination and what fills it.
  package struct Assignment: Sendable, Hashable {
    package var column: String
    /// The value as the copy writes it: an expression over the relation `r`.
    package var expression: SQLExpression
    /// The same value for the proof, without counting links; `nil` for what is not proven.
    package var proof: Proof?
    /// Where the values lie, in a column of bytes that may be of any length.
    package var stream: StreamedColumn?
    package var role = Role.value
    /// What the column stands for here; `nil` for a key, an entity, and the ends of links in a table of their own.
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

    /// What a merge or a comparison has to know of the column.
    package enum Role: Sendable, Hashable {
      case value
      /// The place of a row of links in the list of the end with this index: 0 for the owner, 1 for the target.
      case place(inListOf: Int)
      /// A key that is proven as the link that it is as well; nothing is written.
      case keyLink
    }
  }

  /// How a column is proven equal: the two values of which a hash is taken.
  package struct Proof: Sendable, Hashable {
    /// What should be there: over the source's table.
    package var expected: String
    /// What is there: over the destination's table.
    package var actual: String
    /// The property's name, by which a difference is told.
    package var property: String
    /// Whether 1 and 1.0 are the same value, as the column's affinity may turn one into the other.
    package var isNumeric: Bool

    package init(expected: String, actual: String, property: String, isNumeric: Bool) {
      (self.expected, self.actual, self.property) = (expected, actual, property)
      self.isNumeric = isNumeric
    }
  }

  /// The key of a row in words; as an object's where no relation says otherwise.
  package func keyText(_ key: Int64) -> String { relation?.keyText(key) ?? Terms.objects.key(key) }

  /// How the rows of a step are taken batch by batch.
  package enum Batching: Sendable, Hashable {
    /// A range of `_id`, an object's key or a row's number.
    case range
    /// A range of the values `_k0`, `_k1` and so on, so many.
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

  /// The statement that copies one batch.
  ///
  /// Of a range the parameters are its ends, ?1 to ?2; of values first those after which the batch
  /// begins, unless it is the first, and then those with which it ends.
  package func insertion(into schema: String, isFirst: Bool = false) -> String {
    let columns = self.columns
    var select = SelectStatement(
      columns: columns.map(\.expression.description),
      source: "\(source) AS r",
      conditions: (endConditions + filters).map { "(\($0))" }
    )
    select.conditions += batchConditions(isFirst: isFirst)
    if let selection { select.conditions.append(selection) }
    // The table's key index cannot be dropped: rows that come in its order fill it fastest.
    if case .links = kind { select.order = ["1", "2"] }
    // Two links of the source may be one and the same where their ends were merged.
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

  /// The conditions of a batch's rows over `r`.
  package func batchConditions(isFirst: Bool) -> [String] {
    switch batching {
    case .range: return ["r._id >= ?1", "r._id <= ?2"]
    case .values(let count):
      let end = CopyStep.comparison("<=", count, from: isFirst ? 1 : count + 1)
      return isFirst ? [end] : [CopyStep.comparison(">", count, from: 1), end]
    // The parameters are there all the same.
    case .once: return ["?1 <= ?2"]
    }
  }

  /// The columns that are written, and the value for each.
  ///
  /// Properties of siblings may share a column: in every row all but one of their values are NULL.
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

  /// Returns what fills `column`, of the destination; of several that share one by name, what means the same.
  package func assignment(of column: RelationColumn) -> Assignment? {
    index(of: column).map { assignments[$0] }
  }

  /// What stands in a step's expressions for the schema of the store that is written.
  package static let written = "{written}"

  /// Returns the place of what fills `column`.
  package func index(of column: RelationColumn) -> Int? {
    assignments.firstIndex { $0.isOf(column) }
  }

  /// The values of a row's key, in parentheses.
  package static func keyTuple(_ count: Int) -> String {
    "(" + (0..<count).map { "r._k\($0)" }.joined(separator: ", ") + ")"
  }

  private static func comparison(_ sign: String, _ count: Int, from first: Int) -> String {
    let parameters = (first..<first + count).map { "?\($0)" }.joined(separator: ", ")
    return "\(keyTuple(count)) \(sign) (\(parameters))"
  }

  /// What the step copies, in words.
  package var title: String {
    switch kind {
    case .objects, .unkeyed, .rows: name
    case .links: "the links \(name)"
    }
  }

  /// The columns that are hashed, in an order that both sides share.
  package var proofs: [Proof] { assignments.compactMap(\.proof) }

  /// The condition under which a row of the source is copied, where that is not all of them.
  var selection: String? {
    guard case .objects(let root) = kind else { return nil }
    if isMerging { return "is_new(\(root.sqlText), r._id)" }
    return isSelective ? "id(\(root.sqlText), r._id) IS NOT NULL" : nil
  }
}

extension CopyStep.Assignment {
  /// Whether it fills `column`.
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
  /// How a plan copies the objects.
  package var stepKind: CopyStep.Kind {
    switch key {
    case .integer: .objects(root: root)
    case .values(let key): .unkeyed(root: root, key: key)
    case .none: .unkeyed(root: root, key: [])
    }
  }
}
