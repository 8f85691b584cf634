internal import DecantBase
internal import DecantStore
internal import DecantSQLite

/// Reads the references of one site in key order and records the new value of each.
struct ReferenceWalk {
  let site: ReferenceSite
  let resolver: ReferenceResolver
  let work: ReferenceWork
  let connection: Connection
  /// Whether an earlier run has already changed bare keys for this copy.
  let isMarked: Bool
  let batchSize: Int64

  /// The counts, and whether any bare keys are changed.
  struct Result {
    var place: RepointReport.Place
    var changesKeys = false
  }

  /// Reads all references; `progress` receives the number of rows after each batch.
  func run(_ progress: (Int64) throws(DecantError) -> Void) throws(DecantError) -> Result {
    var result = Result(place: RepointReport.Place(name: "\(site.place)"))
    let statement = try explaining("cannot read \(site.place.property)") {
      () throws(SQLiteError) in
      try connection.prepare(sql)
    }
    var next: Int64? = Int64.min
    while let first = next {
      let before = result.place.count
      next = try batch(statement, from: first, &result)
      try progress(result.place.count - before)
    }
    return result
  }

  private var sql: String {
    let key = "o.\(site.relation.keyName)"
    let value = site.column.name.sqlName(in: "o")
    let entity = site.entityColumn.map { $0.name.sqlName(in: "o") } ?? "NULL"
    let conditions = [
      "\(key) >= ?1", "\(value) IS NOT NULL", site.condition(on: "o"),
    ].compactMap(\.self)
    return SelectStatement(
      columns: [key, value, entity],
      source: "\(site.table) AS o",
      conditions: conditions,
      order: [key]
    ).sql + "\nLIMIT ?2"
  }

  /// Reads one batch; returns the first key of the next one, or `nil` at the end.
  private func batch(_ statement: Statement, from first: Int64, _ result: inout Result) throws(DecantError) -> Int64? {
    defer { statement.reset() }
    var count: Int64 = 0
    var last = first
    try explaining("cannot read \(site.place.property)") { () throws(SQLiteError) in
      try statement.bind([.integer(first), .integer(batchSize)])
    }
    while try isNext(statement) {
      count += 1
      last = statement.integer(at: 0)
      try take(statement, key: last, &result)
    }
    return count < batchSize || last == Int64.max ? nil : last + 1
  }

  private func isNext(_ statement: Statement) throws(DecantError) -> Bool {
    try explaining("cannot read \(site.place.property)") { () throws(SQLiteError) in
      try statement.step()
    }
  }

  private func take(_ row: Statement, key: Int64, _ result: inout Result) throws(DecantError) {
    result.place.count += 1
    let name = site.entityColumn == nil ? nil : row.text(at: 2, byteLimit: 1_000)
    switch try resolver.outcome(of: row, 1, entityName: name, at: site, isMarked: isMarked) {
    case .settled: result.place.settledCount += 1
    case .kept(let reason):
      result.place.keep(
        reason,
        RepointReport.Example(entity: site.entity, key: key, value: row.text(at: 1, byteLimit: 200) ?? "")
      )
    case .changed(let value, let entity, let isKey):
      if isKey { result.changesKeys = true }
      result.place.changedCount += 1
      try explaining("cannot record the changes") { () throws(SQLiteError) in
        try work.add(site, key, value, entity: entity)
      }
    }
  }
}
