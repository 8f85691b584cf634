internal import DecantBase
internal import DecantMatch
internal import DecantPlan
internal import DecantProof
internal import DecantStore
internal import DecantSQLite

/// Two stores, with the objects of the first one matched with those of the second as in a merge.
final class BaseComparison {
  let comparison: Comparison
  private var partners: [String: MatchedObjects] = [:]
  /// The hashes of the objects, which also give their owners in the first store.
  let hashes: MatchHashes
  /// The properties in which objects of the first store differ from those of the second one, by root entity.
  private(set) var changes: [String: PropertyKeys] = [:]
  /// The properties by which objects are compared, by root entity.
  private let labels: [String: Set<String>]

  var connection: Connection { comparison.connection }

  /// Matches the objects.
  ///
  /// - Parameters:
  ///   - comparison: The two stores.
  ///   - ancestor: The one that is the base.
  ///   - rules: The identities of objects; policies are ignored.
  ///   - progress: Reports the progress.
  /// - Throws: `DecantError` if a store cannot be read.
  init(_ comparison: Comparison, ancestor: MatchSide, _ rules: MergeRules, _ progress: SearchProgress)
    throws(DecantError)
  {
    self.comparison = comparison
    var rules = rules
    rules.rule = MergeRules.Rule(.skip)
    rules.rules = [:]
    rules.ancestor = ancestor
    rules.leavesUnknown = false
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
        schemas: Sided(CopySession.source, CopySession.destination),
        rules: rules,
        included: included,
        decider: MergeDecider(findsProperties: true),
        keepsPartners: true,
        on: comparison.connection
      )
    }
    let hashes = matching.hashes
    self.hashes = hashes
    labels = Dictionary(
      hashes.roots.map { root in
        let links = hashes.links(of: root).map(\.columns.destination.columnRole)
        let columnRoles = hashes.comparedProperties(of: root, .destination).map(\.columnRole) + links
        return (root.name, Set(columnRoles.map(\.label)))
      },
      uniquingKeysWith: { first, _ in first }
    )
    matching.progress = progress
    let found = try matching.run()
    for (root, pairs) in found {
      guard let existing = included[root] else { continue }
      changes[root] = pairs.outcome?.properties
      partners[root] = try explaining(what) { () throws(SQLiteError) in
        let matchedObjects = try MatchedObjects(pairs, among: existing, scope: existing, on: comparison.connection)
        if let outcome = pairs.outcome {
          matchedObjects.settle(changed: outcome.changed, updated: outcome.updated, filled: outcome.filled)
        }
        return matchedObjects
      }
    }
  }

  /// Keeps the values of the base, which is the second store, for properties that both `other` and the first store have
  /// changed, for a list of conflicts.
  ///
  /// - Parameters:
  ///   - other: The comparison of the base with the other store.
  ///   - conflicts: Receives the values.
  /// - Throws: `SQLiteError` if the base cannot be read.
  func keepValues(changedAlsoIn other: BaseComparison, in conflicts: Conflicts) throws(SQLiteError) {
    let values = ConflictValues(hashes, on: connection)
    for root in hashes.roots {
      guard let here = changes[root.name], let there = other.changes[root.name] else { continue }
      let columnRoles =
        hashes.comparedProperties(of: root, .destination).map(\.columnRole)
        + hashes.links(of: root).map(\.columns.destination.columnRole)
      let joint = root.relations.destination.jointProperties
      for columnRole in columnRoles {
        let unit = joint.first { $0.contains(columnRole) } ?? [columnRole]
        guard unit.contains(where: here.isChanged), unit.contains(where: there.isChanged) else { continue }
        try forEachPair(of: root.name) { key, before throws(SQLiteError) in
          guard try here.contains(key, anyOf: unit), try there.contains(before, anyOf: unit) else { return }
          let value = try values.value(columnRole, of: before, root.name, .destination)
          try conflicts.keep(value, before: columnRole, of: key, root.name)
        }
      }
    }
  }

  /// Ends reading the stores; later queries use only memory and temporary tables.
  func release() throws(DecantError) {
    try explaining("cannot finish reading") { () throws(SQLiteError) in
      try comparison.session.endReading()
      try connection.detach(CopySession.destination)
      try connection.run("PRAGMA shrink_memory")
    }
  }

  /// The number of objects of the first store that the second one has.
  var pairCount: Int64 { partners.values.reduce(0) { $0 + $1.matched.count } }

  /// Returns whether objects are compared by a property, which requires that both stores have it.
  func compares(_ columnRole: ColumnRole, of root: String) -> Bool {
    labels[root]?.contains(columnRole.label) ?? false
  }

  /// Returns the objects of the first store of a root entity.
  func existing(_ root: String) -> KeySet? { comparison.ids.map(of: root)?.existing }

  /// Returns a set for keys of the second store; `nil` if that has no object of the root entity.
  func keysThere(_ name: String) throws(SQLiteError) -> KeySet? {
    guard let root = hashes.root(name) else { return nil }
    return try KeySet(for: root.key(.destination), in: root.table(.destination), on: connection)
  }

  /// Returns whether the second store has the object, equal or not.
  func has(_ key: Int64, of root: String) throws(SQLiteError) -> Bool {
    guard let partners = partners[root] else { return false }
    if try partners.matched.contains(key) { return true }
    return try partners.duplicates.contains(key)
  }

  /// Returns the object's key in the second store.
  func partner(of key: Int64, _ root: String) throws(SQLiteError) -> Int64? {
    guard let partners = partners[root], try partners.matched.contains(key) else { return nil }
    return try partners.destination(of: key)
  }

  /// Returns the key in the first store of the object with `key` in the second one; `nil` if the first one lacks it.
  func origin(of key: Int64, _ root: String) throws(SQLiteError) -> Int64? {
    try partners[root]?.source(of: key)
  }

  /// Returns how the object of the first store was found in the second one.
  func found(_ key: Int64, _ root: String) throws(SQLiteError) -> ObjectPairs.Found {
    try partners[root]?.found(key) ?? .content
  }

  /// Calls `body` with the two keys of every object of the first store that the second one has.
  func forEachPair(of root: String, do body: (Int64, Int64) throws(SQLiteError) -> Void) throws(SQLiteError) {
    guard let table = partners[root]?.pairTable else { return }
    try connection.forEachRow("SELECT source, destination FROM \(table)") {
      row throws(SQLiteError) in
      try body(row.integer(at: 0), row.integer(at: 1))
    }
  }

  /// Returns whether the second store has an equal object.
  func isUnchanged(_ key: Int64, of root: String) throws(SQLiteError) -> Bool {
    guard let partners = partners[root], try partners.matched.contains(key) else { return false }
    guard let changed = partners.changed else { return true }
    return try !changed.contains(key)
  }
}
