internal import DecantPlan
internal import DecantStore
internal import DecantSQLite

/// One end of a link by values in both stores, as SELECTs of its values `v0`, `v1` and so on, and of the key `k`.
struct NonIntegerKeyEnd {
  let root: String
  /// The index of its step in the plan, and its relation in the destination.
  let step: Int
  let relation: Relation
  /// The columns of the destination that hold the values.
  let columns: [String]
  /// Whether its rows have integer keys.
  let hasKeys: Bool
  /// The subqueries for reading either store.
  let source: String
  let destination: String
  private let values: Sided<[String]>
  private let tables: Sided<String>
  private let assignments: [CopyStep.Assignment]
  private let identityColumns: Set<String>

  /// Finds the rows of `root`; `nil` if the plan does not write them, or not all of `columns`.
  init?(_ root: String, _ columns: [String], _ plan: CopyPlan, _ layouts: Sided<Layout>, _ schemas: Sided<String>) {
    let index = plan.steps.firstIndex { step in
      switch step.kind {
      case .objects(root), .unkeyed(root, _): true
      case .objects, .unkeyed, .links, .rows: false
      }
    }
    guard let index, let here = layouts.source.relation(of: root),
      let there = layouts.destination.relation(of: root)
    else { return nil }
    let step = plan.steps[index]
    var values = Sided<[String]>([], [])
    for column in columns {
      if column == there.keyColumn {
        values.source.append("id(\(root.sqlText), \(here.keyName))")
        values.destination.append(there.keyName)
        continue
      }
      guard let proof = step.assignments.first(where: { $0.column == column })?.proof else {
        return nil
      }
      values.source.append(proof.expected)
      values.destination.append(proof.actual)
    }
    self.root = root
    self.step = index
    relation = there
    self.columns = columns
    self.values = values
    hasKeys = there.keyColumn != nil
    assignments = step.assignments
    identityColumns = step.identityColumns
    tables = Sided(here.sqlTable(in: schemas.source), there.sqlTable(in: schemas.destination))
    source = NonIntegerKeyEnd.select(values.source, here, tables.source)
    destination = NonIntegerKeyEnd.select(values.destination, there, tables.destination)
  }

  /// The number of the link's values.
  var count: Int { columns.count }

  /// The values of a missing row.
  var nothing: String { columns.indices.map { ", NULL AS v\($0)" }.joined() }

  /// Returns the key in the destination of the object with `key` in the source.
  func image(_ key: String) -> String { "id(\(root.sqlText), \(key))" }

  /// Returns the outcome for the object with `key` in the source.
  func outcome(_ key: String) -> String { "merge_outcome(\(root.sqlText), \(key))" }

  /// The columns that identify its rows, if known.
  var identity: [String]? {
    let columns = assignments.map(\.column).filter { identityColumns.contains($0) }
    return columns.count == identityColumns.count && !columns.isEmpty ? columns : nil
  }

  /// Returns the same rows with their identity added as `i0` and so on, and those of the source with `outcome`, an
  /// expression over the source's table.
  func rows(with identity: [String], outcome: String? = nil) -> (source: String, destination: String)? {
    let proofs = identity.compactMap { name in
      assignments.first { $0.column == name }?.proof
    }
    guard proofs.count == identity.count else { return nil }
    func select(_ values: [String], _ identity: [String], _ table: String, _ outcome: String? = nil) -> String {
      let columns =
        values.enumerated().map { "\($1) AS v\($0)" }
        + identity.enumerated().map { "\($1) AS i\($0)" } + (outcome.map { ["\($0) AS outcome"] } ?? [])
      return "(SELECT \(columns.joined(separator: ", ")) FROM \(table))"
    }
    return (
      select(values.source, proofs.map(\.expected), tables.source, outcome),
      select(values.destination, proofs.map(\.actual), tables.destination)
    )
  }

  /// Returns the condition that `holder` refers to the row `target`, compared by the target's collations.
  static func leads(_ holder: String, to target: String, _ count: Int) -> String {
    (0..<count).map { "\(target).v\($0) = \(holder).v\($0)" }.joined(separator: " AND ")
  }

  /// Returns the rows of `relation` in the store attached as `schema`, with the values of `link`.
  static func rows(of link: NonIntegerKey, _ relation: Relation, in schema: String) -> String {
    select(link.columns.map(\.sqlName), relation, relation.sqlTable(in: schema))
  }

  private static func select(_ values: [String], _ relation: Relation, _ table: String) -> String {
    var columns = values.enumerated().map { "\($1) AS v\($0)" }
    if relation.keyColumn != nil { columns.append("\(relation.keyName) AS k") }
    return "(SELECT \(columns.joined(separator: ", ")) FROM \(table))"
  }
}
