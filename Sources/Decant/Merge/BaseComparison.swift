internal import SQLite

/// Two stores of which each object of the first one is found in the second, as a merge would find it.
final class BaseComparison {
  let comparison: Comparison
  private var partners: [String: Survivors] = [:]
  /// What tells which objects own which; of the first store.
  let hashes: MatchHashes
  /// For each relationship the objects of the first store that lost their link only because its target never
  /// came there.
  private(set) var unsent: [String: KeySet] = [:]
  /// In which properties objects of the first store differ from what they are in the second one, by root entity.
  private(set) var changes: [String: PropertyKeys] = [:]

  var connection: Connection { comparison.connection }

  /// Matches the objects.
  ///
  /// - Parameters:
  ///   - comparison: The two stores.
  ///   - rules: What tells objects apart; nothing becomes of anything here.
  ///   - findsUnsent: Whether the first store may have got a part of what the second one has.
  /// - Throws: `DecantError` where a store cannot be read.
  init(_ comparison: Comparison, _ rules: MergeRules, findsUnsent: Bool) throws(DecantError) {
    self.comparison = comparison
    var rules = rules
    rules.rule = MergeRules.Rule(.skip)
    rules.rules = [:]
    rules.isAboutAncestor = true
    rules.takeLikeness(of: comparison.source, comparison.destination.layout)
    var included: [String: KeySet] = [:]
    for relation in comparison.source.layout.relations {
      included[relation.root] = comparison.ids.map(of: relation.root)?.existing
    }
    let proof = comparison.proof(comparison.plan)
    let what = "cannot compare “\(comparison.source.identity.place)”"
    let matching = try explaining(what) { () throws(SQLiteError) in
      try proof.prepare(comparison.connection)
      return try Matcher(
        comparison.plan,
        model: comparison.source.model,
        layouts: Sided(comparison.source.layout, comparison.destination.layout),
        schemas: Sided(Workbench.source, Planner.destination),
        rules: rules,
        included: included,
        keepsPartners: true,
        on: comparison.connection
      )
    }
    hashes = matching.hashes
    var unsent: [String: KeySet] = [:]
    matching.findsProperties = true
    if findsUnsent {
      matching.findsUnsent = true
      let choice = MergeChoice(
        connection: comparison.connection,
        rules: rules,
        hashes: matching.hashes
      )
      matching.onMatched = { pairs throws(SQLiteError) in
        guard let existing = included[pairs.root.name] else { return }
        try choice.forEachUnsent(pairs) { name, key throws(SQLiteError) in
          if unsent[name] == nil {
            unsent[name] = try KeySet(
              range: try existing.bounds() ?? 0...0,
              expecting: existing.count,
              on: comparison.connection
            )
          }
          try unsent[name]?.insert(key)
        }
      }
    }
    let found = try matching.run()
    matching.onMatched = { _ throws(SQLiteError) in }
    for (root, pairs) in found {
      guard let existing = included[root] else { continue }
      changes[root] = pairs.outcome?.properties
      partners[root] = try explaining(what) { () throws(SQLiteError) in
        let survivors = try Survivors(
          pairs,
          among: existing,
          scope: existing,
          on: comparison.connection
        )
        if let outcome = pairs.outcome {
          survivors.settle(
            changed: outcome.changed,
            updated: outcome.updated,
            filled: outcome.filled
          )
        }
        return survivors
      }
    }
    self.unsent = unsent
  }

  /// Ends reading the stores: all that is asked from now on is in memory and in temporary tables.
  func release() throws(DecantError) {
    try explaining("cannot end reading") { () throws(SQLiteError) in
      try comparison.bench.endReading()
      try connection.detach(Planner.destination)
      try connection.run("PRAGMA shrink_memory")
    }
  }

  /// How many objects of the first store the second one has.
  var pairCount: Int64 { partners.values.reduce(0) { $0 + $1.matched.count } }

  /// The objects of the first store, by root entity.
  func existing(_ root: String) -> KeySet? { comparison.ids.map(of: root)?.existing }

  /// A set for keys of the second store; `nil` where that has no object of the root entity.
  func keysThere(_ name: String) throws(SQLiteError) -> KeySet? {
    guard let root = hashes.root(name) else { return nil }
    let (key, table) = (root.key(.destination), root.table(.destination))
    guard let low = try connection.integer("SELECT min(\(key)) FROM \(table)"),
      let high = try connection.integer("SELECT max(\(key)) FROM \(table)"),
      let count = try connection.integer("SELECT count(*) FROM \(table)")
    else { return nil }
    return try KeySet(range: low...high, expecting: count, on: connection)
  }

  /// Whether the second store has the object, whatever it holds there.
  func has(_ key: Int64, of root: String) throws(SQLiteError) -> Bool {
    guard let partners = partners[root] else { return false }
    if try partners.matched.contains(key) { return true }
    return try partners.twins.contains(key)
  }

  /// Returns the object's key in the second store.
  func partner(of key: Int64, _ root: String) throws(SQLiteError) -> Int64? {
    guard let partners = partners[root], try partners.matched.contains(key) else { return nil }
    return try partners.destination(of: key)
  }

  /// Returns the key in the first store of the object that `key` of the second one is; `nil` where that lacks it.
  func origin(of key: Int64, _ root: String) throws(SQLiteError) -> Int64? {
    try partners[root]?.source(of: key)
  }

  /// By what the object of the first store was found in the second one.
  func found(_ key: Int64, _ root: String) throws(SQLiteError) -> ObjectPairs.Found {
    try partners[root]?.found(key) ?? .content
  }

  /// Calls `body` with every object of the first store that the second one has: its key there and here.
  func forEachPair(of root: String, do body: (Int64, Int64) throws(SQLiteError) -> Void)
    throws(SQLiteError)
  {
    guard let table = partners[root]?.pairTable else { return }
    try connection.forEachRow("SELECT source, destination FROM \(table)") {
      row throws(SQLiteError) in
      try body(row.integer(at: 0), row.integer(at: 1))
    }
  }

  /// Whether the second store has the object, and equal.
  func isUnchanged(_ key: Int64, of root: String) throws(SQLiteError) -> Bool {
    guard let partners = partners[root], try partners.matched.contains(key) else { return false }
    guard let changed = partners.changed else { return true }
    return try !changed.contains(key)
  }
}
