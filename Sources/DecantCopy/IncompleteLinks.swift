internal import DecantBase
internal import DecantPlan
internal import DecantStore
internal import DecantSQLite

/// The rows of a link table with an end that is not copied or never existed.
struct IncompleteLinks {
  private let links: LinkRelation
  private let step: CopyStep
  private let connection: Connection

  init(_ links: LinkRelation, of step: CopyStep, on connection: Connection) {
    self.links = links
    self.step = step
    self.connection = connection
  }

  /// Returns the counts, with `written` as the number of copied rows, so that existing rows are not counted.
  func count(_ condition: String, _ bindings: [Binding], written: Int64) throws(SQLiteError) -> LinkCounts {
    var counts = try count(condition, bindings)
    // Rows of the table's own are written regardless of their targets.
    if !step.isAnonymous { counts.copied = written }
    return counts
  }

  /// Counts the rows that meet `condition`: those with both ends, with a lost end, and with an end that never existed.
  func count(_ condition: String, _ bindings: [Binding]) throws(SQLiteError) -> LinkCounts {
    let ends = [("_owner", links.ownerRoot), ("_target", links.targetRoot)]
    let areCopied = ends.map { "id(\($1.sqlText), \($0)) IS NOT NULL" }
    let goes = (areCopied + [step.stubCondition].compactMap(\.self)).joined(separator: " AND ")
    let isThere = ends.map { "known(\($1.sqlText), \($0))" }.joined(separator: " AND ")
    let statement = try connection.prepare(
      """
      SELECT coalesce(sum(\(goes)), 0), coalesce(sum(\(isThere) AND NOT (\(goes))), 0),
        coalesce(sum(NOT (\(isThere))), 0)
      FROM \(step.source) AS r WHERE \(condition)
      """
    )
    try statement.bind(bindings)
    guard try statement.step() else { return LinkCounts() }
    return LinkCounts(
      copied: statement.integer(at: 0),
      cut: statement.integer(at: 1),
      dangling: statement.integer(at: 2)
    )
  }
}
