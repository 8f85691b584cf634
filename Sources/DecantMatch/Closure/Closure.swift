package import DecantPlan
internal import DecantStore
package import DecantSQLite

/// The objects that a copy with `--root` includes.
package final class Closure {
  package let plan: ClosurePlan
  package let tables: ClosureTables
  package let connection: Connection
  /// The number of included objects of each root entity.
  package private(set) var counts: [String: Int64] = [:]
  /// The greatest distance of an object from the requested objects.
  package private(set) var depth: Int64 = 0
  /// The statements that look up an included object, by root entity.
  private var lookups: [String: Statement] = [:]

  package init(_ plan: ClosurePlan, _ tables: ClosureTables, on connection: Connection) throws(SQLiteError) {
    self.plan = plan
    self.tables = tables
    self.connection = connection
    for rows in tables.objects {
      let sums = try connection.prepare("SELECT count(*), max(distance) FROM \(rows.members)")
      guard try sums.step() else { continue }
      counts[rows.relation.root] = sums.integer(at: 0)
      depth = max(depth, sums.integer(at: 1))
    }
    for rows in tables.objects where rows.areKnown {
      lookups[rows.relation.root] = try connection.prepare(rows.lookup)
    }
  }

  /// Returns the statement that reads the keys of included objects of `root`, in ascending order.
  package func keys(of root: String) -> String? {
    tables.rows(of: root).map { "SELECT key FROM \($0.members) ORDER BY key" }
  }

  /// Returns whether the object of `root` with this key is included.
  package func contains(_ key: [Binding], of root: String) throws(SQLiteError) -> Bool {
    guard let lookup = lookups[root] else { return false }
    defer { lookup.reset() }
    try lookup.bind(key)
    return try lookup.step()
  }

  /// Returns whether an object is included; the first argument is its entity, the others are its key.
  func contains(_ arguments: borrowing FunctionArguments) throws(SQLiteError) -> Bool {
    guard let lookup = lookups[arguments.text(at: 0)] else { return false }
    defer { lookup.reset() }
    for position in 1..<max(arguments.count, 1) {
      lookup.bind(arguments, at: position, as: position)
    }
    return try lookup.step()
  }
}
