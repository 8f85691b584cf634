package import DecantSQLite

/// The source objects from which the objects of a mapped root entity are made.
package struct MappedOrigins {
  private let mapped: MappedRoot
  private let find: Statement?

  /// A range of consecutive source keys, and the destination keys they became.
  package struct Run {
    package let entity: String
    package let first: Int64
    package let target: Int64?
    package var count: Int64
    package let outcome: String

    package init(entity: String, first: Int64, target: Int64?, count: Int64, outcome: String) {
      (self.entity, self.first, self.target) = (entity, first, target)
      (self.count, self.outcome) = (count, outcome)
    }
  }

  /// Creates the lookup in the key tables of `connection`.
  init(_ mapped: MappedRoot, _ tables: MappedTables, on connection: Connection) throws(SQLiteError) {
    self.mapped = mapped
    find = try tables.keys(of: mapped).map { keys throws(SQLiteError) in
      let missing = tables.stubs(of: mapped).map { stubs in
        "\nUNION ALL\n" + MissingKeys(mapped: mapped, tables: tables).stubs(stubs)
      }
      return try connection.prepare(
        """
        SELECT "\(MappedKeys.part)", "\(MappedKeys.base)", "\(MappedKeys.id)", NULL FROM \(keys.table)
        WHERE "\(MappedKeys.id)" BETWEEN ?1 AND ?2\(missing ?? "") ORDER BY 3
        """
      )
    }
  }

  /// Calls `body` for the ranges of source keys in a range of keys of mapped objects.
  package func forEachRun(in run: Run, _ body: (Run) throws(SQLiteError) -> Void) throws(SQLiteError) {
    guard let find else {
      return try body(
        Run(
          entity: mapped.parts.first?.sourceRoot ?? run.entity,
          first: run.first,
          target: run.target,
          count: run.count,
          outcome: run.outcome
        )
      )
    }
    var open: Run?
    // The range may contain keys without an object: only existing ones are read.
    try find.bind([.integer(run.first), .integer(run.first &+ (run.count - 1))])
    defer { find.reset() }
    while try find.step() {
      let entity = find.text(at: 3) ?? mapped.parts[Int(find.integer(at: 0))].sourceRoot
      let (base, offset) = (find.integer(at: 1), find.integer(at: 2) &- run.first)
      let target = run.target.map { $0 &+ offset }
      if let last = open, last.entity == entity, last.first &+ last.count == base,
        last.target.map({ $0 &+ last.count }) == target
      {
        open?.count += 1
        continue
      }
      if let open { try body(open) }
      open = Run(entity: entity, first: base, target: target, count: 1, outcome: run.outcome)
    }
    if let open { try body(open) }
  }
}

extension MappedStore {
  /// Returns the origins of the objects of `root`, according to the tables of `connection`.
  package func origins(of root: String, on connection: Connection) throws(SQLiteError) -> MappedOrigins? {
    guard let mapped = tables.roots.first(where: { $0.root == root }) else { return nil }
    return try MappedOrigins(mapped, tables, on: connection)
  }
}
