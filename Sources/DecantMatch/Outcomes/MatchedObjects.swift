package import DecantSQLite

/// The objects of one root entity that the destination already has: the matched object of each, and its outcome.
///
/// The keys are in sets in memory, with a bit for each, and the pairs in a temporary table: new objects need no look-up
/// on disk.
package final class MatchedObjects {
  /// The keys of the source's objects that are merged; others are only targets of links.
  package let scope: KeySet
  /// The keys of the source's objects that the destination has.
  package let matched: KeySet
  /// The keys of the source's objects that are duplicates of others.
  package let duplicates: KeySet
  /// The objects that differ from their originals and are kept beside them.
  package private(set) var keptCopies: KeySet?
  /// The objects that differ; the others are equal.
  package private(set) var changed: KeySet?
  /// The objects that take values of the source.
  package private(set) var updated: KeySet?
  /// Those of them that take values only where they have none.
  package private(set) var filled: KeySet?
  /// The objects whose change the destination refused: they stay as they are there, like those out of `scope`.
  package var refused: KeySet?
  /// The parts that are not added, as their owner exists and keeps its own.
  package var surplus: KeySet?
  /// The ordered lists of duplicates.
  package var lists: JoinedLists?
  /// The columns of the destination in which kept copies differ from their originals.
  package let distinctColumns: [String]
  /// Those of them that are visible to users.
  package let titleColumns: [String]
  /// The objects of the source without new content.
  let settled: KeySet?
  /// The objects of the destination that get no links from the source, by the destination's keys.
  package var closed: KeySet?
  /// The table of duplicates: `source`, and the object `representative` that is used instead.
  package let duplicateTable: TemporaryTable
  /// The table of pairs; `nil` if partners are not kept.
  package let pairTable: TemporaryTable?
  /// The other tables that are read.
  private let tables: [TemporaryTable]
  private let connection: Connection
  private let lookup: Statement
  private let reverseLookup: Statement?
  private let knownLookup: Statement
  private let representativeLookup: Statement
  private let keptCopyLookup, titleLookup: Statement

  /// Creates the objects from complete `pairs`.
  package init(
    _ pairs: ObjectPairs,
    among existing: KeySet,
    scope: KeySet,
    on connection: Connection
  ) throws(SQLiteError) {
    self.scope = scope
    self.connection = connection
    distinctColumns = pairs.distinctColumns
    titleColumns = pairs.titleColumns
    settled = pairs.settled
    duplicateTable = pairs.duplicates
    tables = [pairs.table, pairs.keptCopies]
    pairTable = pairs.keepsPartners ? pairs.table : nil
    reverseLookup =
      pairs.keepsPartners
      ? try connection.prepare(
        "SELECT source FROM \(pairs.table) WHERE destination = ?1 ORDER BY known < 0, source LIMIT 1"
      )
      : nil
    lookup = try connection.prepare("SELECT destination FROM \(pairs.table) WHERE source = ?1")
    knownLookup = try connection.prepare("SELECT known FROM \(pairs.table) WHERE source = ?1")
    representativeLookup = try connection.prepare("SELECT representative FROM \(pairs.duplicates) WHERE source = ?1")
    keptCopyLookup = try connection.prepare("SELECT number FROM \(pairs.keptCopies) WHERE source = ?1")
    titleLookup = try connection.prepare("SELECT number FROM \(pairs.keptCopies) WHERE source = ?1 AND NOT isPart")
    matched = try pairs.matched(among: existing)
    duplicates = try MatchedObjects.keys("SELECT source FROM \(pairs.duplicates)", among: existing, on: connection)
    keptCopies = try MatchedObjects.keys(
      "SELECT source FROM \(pairs.keptCopies) WHERE number IS NOT NULL",
      among: existing,
      on: connection
    )
  }

  /// Sets the objects that differ, and those of them that take values of the source.
  package func settle(changed: KeySet, updated: KeySet, filled: KeySet) {
    self.changed = changed
    self.updated = updated
    self.filled = filled
  }

  /// Returns the number of objects in a range of the source's keys that take values of the source.
  package func updatedCount(in range: ClosedRange<Int64>) throws(SQLiteError) -> Int64 {
    try (updated?.count(in: range) ?? 0) - (refused?.count(in: range) ?? 0)
  }

  /// Returns the number from which `key`, one of the `keptCopies`, gets a new identity.
  package func number(of key: Int64) throws(SQLiteError) -> Int64? {
    try number(of: key, keptCopyLookup)
  }

  /// Returns the number that the title of `key`, one of the `keptCopies`, gets; `nil` for a part of another one.
  func titleNumber(of key: Int64) throws(SQLiteError) -> Int64? { try number(of: key, titleLookup) }

  private func number(of key: Int64, _ lookup: Statement) throws(SQLiteError) -> Int64? {
    guard try isKeptCopy(key) else { return nil }
    defer { lookup.reset() }
    try lookup.bind(.integer(key), at: 1)
    return try lookup.step() ? lookup.integerOrNil(at: 0) : nil
  }

  /// Returns whether `key` is a kept copy.
  func isKeptCopy(_ key: Int64) throws(SQLiteError) -> Bool {
    guard let keptCopies else { return false }
    return try keptCopies.contains(key)
  }

  /// Returns the method by which the object of the source was found.
  package func found(_ key: Int64) throws(SQLiteError) -> ObjectPairs.Found {
    defer { knownLookup.reset() }
    try knownLookup.bind(.integer(key), at: 1)
    guard try knownLookup.step() else { return .content }
    return ObjectPairs.Found(rawValue: knownLookup.integer(at: 0)) ?? .content
  }

  /// Returns the object of the source that matches `key` of the destination; `nil` if there is none.
  package func source(of key: Int64) throws(SQLiteError) -> Int64? {
    guard let reverseLookup else { return nil }
    defer { reverseLookup.reset() }
    try reverseLookup.bind(.integer(key), at: 1)
    return try reverseLookup.step() ? reverseLookup.integer(at: 0) : nil
  }

  /// Returns the object of the source of which `key` is a duplicate.
  package func representative(of key: Int64) throws(SQLiteError) -> Int64? {
    defer { representativeLookup.reset() }
    try representativeLookup.bind(.integer(key), at: 1)
    return try representativeLookup.step() ? representativeLookup.integer(at: 0) : nil
  }

  /// Returns the key in the destination of the object `key` of the source, which must be `matched`.
  package func destination(of key: Int64) throws(SQLiteError) -> Int64? {
    defer { lookup.reset() }
    try lookup.bind(.integer(key), at: 1)
    return try lookup.step() ? lookup.integer(at: 0) : nil
  }

  /// Returns the keys of `select`, all of which are in `existing`.
  static func keys(_ select: String, among existing: KeySet, on connection: Connection) throws(SQLiteError) -> KeySet {
    let set = try KeySet(like: existing, on: connection)
    try connection.forEachRow(select) { row throws(SQLiteError) in
      try set.insert(row.integer(at: 0))
    }
    try set.seal()
    return set
  }
}
