package import DecantSQLite

/// Of which objects of the source the objects of a mapped root entity are made.
package struct MappedOrigins {
  private let mapped: MappedRoot
  private let find: Statement?

  /// One run of keys: the source's, and those of the destination that they became.
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

  /// Asks the key tables that `connection` has.
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

  /// Calls `body` for the runs of the source's keys in a run of keys of the mapped objects.
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
    // Keys of which there is no object belong to the run as well: only those that are there are looked at.
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
  /// Of which objects of the source those of `root` are made, as `connection` knows it.
  package func origins(of root: String, on connection: Connection) throws(SQLiteError) -> MappedOrigins? {
    guard let mapped = tables.roots.first(where: { $0.root == root }) else { return nil }
    return try MappedOrigins(mapped, tables, on: connection)
  }
}
