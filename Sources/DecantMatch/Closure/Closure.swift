package import DecantPlan
internal import DecantStore
package import DecantSQLite

/// The objects that a copy with `--root` takes, as they were found.
package final class Closure {
  package let plan: ClosurePlan
  package let tables: ClosureTables
  package let connection: Connection
  /// How many objects of each root entity are taken.
  package private(set) var counts: [String: Int64] = [:]
  /// How far the object lies that is furthest from those that were asked for.
  package private(set) var depth: Int64 = 0
  /// Finds an object among those that are taken, by root entity.
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

  /// The statement that reads the keys of the objects of `root` that are taken, in ascending order.
  package func keys(of root: String) -> String? {
    tables.rows(of: root).map { "SELECT key FROM \($0.members) ORDER BY key" }
  }

  /// Whether the object of `root` that these values name is taken.
  package func contains(_ key: [Binding], of root: String) throws(SQLiteError) -> Bool {
    guard let lookup = lookups[root] else { return false }
    defer { lookup.reset() }
    try lookup.bind(key)
    return try lookup.step()
  }

  /// Whether the object of the entity that the first argument names is taken; the others are its key.
  func contains(_ arguments: borrowing FunctionArguments) throws(SQLiteError) -> Bool {
    guard let lookup = lookups[arguments.text(at: 0)] else { return false }
    defer { lookup.reset() }
    for position in 1..<max(arguments.count, 1) {
      lookup.bind(arguments, at: position, as: position)
    }
    return try lookup.step()
  }
}
