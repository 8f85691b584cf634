internal import DecantSQLite

/// The references to change, in a temporary table with one row for each.
///
/// The table is on disk, so that memory does not grow with it; it is separate from the objects, so that a changed
/// reference is never processed again.
struct ReferenceWork {
  static let table = "temp.decant_references"
  private let connection: Connection
  private let insertion: Statement

  /// Creates the table on `connection`.
  init(on connection: Connection) throws(SQLiteError) {
    self.connection = connection
    try connection.run(
      """
      CREATE TEMP TABLE decant_references (site INTEGER, row INTEGER, value, entity TEXT,
        PRIMARY KEY (site, row)) WITHOUT ROWID
      """
    )
    insertion = try connection.prepare("INSERT INTO \(ReferenceWork.table) VALUES (?1, ?2, ?3, ?4)")
  }

  /// Records the new value of the reference at `site` of the object `row`.
  func add(_ site: ReferenceSite, _ row: Int64, _ value: Binding, entity: String?) throws(SQLiteError) {
    try insertion.run(.integer(Int64(site.number)), .integer(row), value, entity.map { .text($0) } ?? .null)
  }

  /// Returns a SELECT of the keys of changed objects of `sites`, as `k`, each once.
  func keys(of sites: [ReferenceSite]) -> String {
    let numbers = sites.map { String($0.number) }.joined(separator: ", ")
    return "SELECT DISTINCT row AS k FROM \(ReferenceWork.table) WHERE site IN (\(numbers))"
  }

  /// Counts the changed objects of the table of `sites`.
  func count(of sites: [ReferenceSite]) throws(SQLiteError) -> Int64 {
    try connection.integer("SELECT count(*) FROM (\(keys(of: sites)))") ?? 0
  }

  /// Calls `body` with ranges of keys that contain at most `limit` rows of `site` each.
  func forEachBatch(
    of site: ReferenceSite,
    limit: Int64,
    _ body: (_ range: ClosedRange<Int64>, _ count: Int64) throws(SQLiteError) -> Void
  ) throws(SQLiteError) {
    let statement = try connection.prepare(
      """
      SELECT min(row), max(row), count(*) FROM (SELECT row FROM \(ReferenceWork.table)
        WHERE site = \(site.number) AND row >= ?1 ORDER BY row LIMIT ?2)
      """
    )
    var next = Int64.min
    while let batch = try nextBatch(statement, from: next, limit) {
      try body(batch.range, batch.count)
      guard batch.range.upperBound < Int64.max else { return }
      next = batch.range.upperBound + 1
    }
  }

  private func nextBatch(_ statement: Statement, from first: Int64, _ limit: Int64)
    throws(SQLiteError) -> (range: ClosedRange<Int64>, count: Int64)?
  {
    defer { statement.reset() }
    try statement.bind([.integer(first), .integer(limit)])
    guard try statement.step(), statement.type(at: 0) != .null else { return nil }
    return (statement.integer(at: 0)...statement.integer(at: 1), statement.integer(at: 2))
  }
}
