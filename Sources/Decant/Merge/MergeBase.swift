internal import SQLite

/// What two stores had when they parted: tells of an object that differs which of them has changed it since.
///
/// The base is a store like any other, the archive that was sent for one. It is compared with both as a merge
/// would compare them, each on a connection of its own, before anything is written.
final class MergeBase {
  /// Who has changed an object since.
  enum Change { case here, there, both }

  /// An object that was changed on both sides.
  struct Conflict: Hashable {
    let root: String
    /// Its key in the source, and in the destination.
    let source, destination: Int64
  }

  /// The source, held against the base; and the base, held against the destination.
  private let source, destination: BaseComparison
  private let fingerprint: Fingerprint
  /// The rules of the merge, with what tells objects apart where nobody said it.
  let rules: MergeRules
  /// What the reader should know of that.
  let notes: [String]
  /// The first few objects that were found changed on both sides.
  private(set) var conflicts: [Conflict] = []

  /// How many conflicts are named.
  static let conflictLimit = 20

  private init(
    _ source: BaseComparison,
    _ destination: BaseComparison,
    _ fingerprint: Fingerprint,
    _ rules: MergeRules,
    notes: [String]
  ) {
    self.source = source
    self.destination = destination
    self.fingerprint = fingerprint
    self.rules = rules
    self.notes = notes
  }

  /// Opens what the rules of a merge name as its base, and compares it with both stores.
  ///
  /// - Returns: `nil` where nothing is asked of it.
  /// - Throws: `DecantError` where it cannot be opened, or does not belong to such stores.
  static func open(
    _ source: StoreLocation,
    _ destination: StoreLocation,
    _ options: CopyOptions,
    _ opener: any StoreOpener,
    _ cancellation: Cancellation
  ) throws(DecantError) -> MergeBase? {
    guard var rules = options.merge, rules.needsBase, let base = rules.base else { return nil }
    guard options.commit == .run else {
      throw DecantError(
        .usage,
        "a merge with what both had before is made in one transaction",
        place: "--merge three-way",
        remedy: "leave --commit batch away"
      )
    }
    func comparison(_ first: StoreLocation, _ second: StoreLocation) throws(DecantError)
      -> Comparison
    {
      let request = Comparison.Request(
        source: first,
        destination: second,
        model: options.model,
        idTableFile: nil,
        links: options.links,
        opener: opener
      )
      return try Comparison(request, cancellation)
    }
    let there = try comparison(source, base)
    let here = try comparison(base, destination)
    let fingerprint = try explaining("cannot read “\(destination.place)”") {
      () throws(SQLiteError) in
      try Fingerprint(of: Planner.destination, on: here.connection)
    }
    let identities = try explaining("cannot find out what tells objects apart") {
      () throws(SQLiteError) in
      try GuessedIdentities(rules, [there, here])
    }
    rules.identities.merge(identities.names) { said, _ in said }
    return MergeBase(
      try BaseComparison(there, rules),
      try BaseComparison(here, rules),
      fingerprint,
      rules,
      notes: identities.notes
    )
  }

  /// Makes sure that the destination is what the base was compared with.
  ///
  /// - Parameters:
  ///   - schema: The name under which it is attached.
  ///   - connection: The one that reads it now.
  ///   - place: Where it is.
  /// - Throws: `DecantError` where somebody has written to it since.
  func checkIsCurrent(_ schema: String, on connection: Connection, place: String)
    throws(DecantError)
  {
    let now = try explaining("cannot read “\(place)”") { () throws(SQLiteError) in
      try Fingerprint(of: schema, on: connection)
    }
    guard now != fingerprint else { return }
    throw DecantError(
      .failed,
      "“\(place)” was written to while it was compared with what both had before",
      remedy: "run this again, once nobody else writes to it"
    )
  }

  /// Returns who has changed an object that differs; `both` also where the base does not have it.
  ///
  /// - Parameters:
  ///   - key: Its key in the source.
  ///   - image: Its key in the destination.
  ///   - root: Its root entity.
  /// - Throws: `SQLiteError` where a store cannot be read.
  func changed(_ key: Int64, _ image: Int64, of root: String) throws(SQLiteError) -> Change {
    if try source.isUnchanged(key, of: root) { return .here }
    if let before = try source.partner(of: key, root),
      try destination.isUnchanged(before, of: root),
      try destination.partner(of: before, root) == image
    {
      return .there
    }
    let conflict = Conflict(root: root, source: key, destination: image)
    if conflicts.count < Self.conflictLimit, !conflicts.contains(conflict) {
      conflicts.append(conflict)
    }
    return .both
  }

  /// Whether the object `key` of the source is as it was, while the destination has it no more.
  func isRemovedHere(_ key: Int64, of root: String) throws(SQLiteError) -> Bool {
    guard try source.isUnchanged(key, of: root), let before = try source.partner(of: key, root)
    else { return false }
    return try !destination.has(before, of: root)
  }
}

/// Two stores of which each object of the first one is found in the second.
private final class BaseComparison {
  private let comparison: Comparison
  private var partners: [String: Survivors] = [:]

  /// Matches the objects as a merge by `rules` would.
  init(_ comparison: Comparison, _ rules: MergeRules) throws(DecantError) {
    self.comparison = comparison
    var rules = rules
    // Nothing becomes of anything here.
    rules.rule = MergeRules.Rule(.skip)
    rules.rules = [:]
    var included: [String: KeySet] = [:]
    for relation in comparison.source.layout.relations {
      included[relation.root] = comparison.ids.map(of: relation.root)?.existing
    }
    let proof = comparison.proof(comparison.plan)
    let place = comparison.source.identity.place
    let matching = try explaining("cannot compare “\(place)”") { () throws(SQLiteError) in
      try proof.prepare(comparison.connection)
      return try MergeMatching(
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
    for (root, pairs) in try matching.run() {
      guard let existing = included[root] else { continue }
      partners[root] = try explaining("cannot compare “\(place)”") { () throws(SQLiteError) in
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
    // All that is asked from now on is in memory and in temporary tables.
    try explaining("cannot end reading") { () throws(SQLiteError) in
      try comparison.bench.endReading()
      try comparison.connection.detach(Planner.destination)
    }
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

  /// Whether the second store has the object, and equal.
  func isUnchanged(_ key: Int64, of root: String) throws(SQLiteError) -> Bool {
    guard let partners = partners[root], try partners.matched.contains(key) else { return false }
    guard let changed = partners.changed else { return true }
    return try !changed.contains(key)
  }
}
