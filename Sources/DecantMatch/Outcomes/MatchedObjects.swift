package import DecantSQLite

/// The objects of one root entity that the destination has already: for each, which one it is there, and
/// what becomes of it.
///
/// Sets of keys in memory, a bit for each, and the pairs in a temporary table: for an object that is new
/// nothing is looked up on disk.
package final class MatchedObjects {
  /// Keys of the source whose objects are merged; others are only led to.
  package let scope: KeySet
  /// Keys of the source whose objects are there.
  package let matched: KeySet
  /// Keys of the source whose objects count as another one of the source.
  package let duplicates: KeySet
  /// Objects that were there with other values and stay so, beside the source's.
  package private(set) var keptCopies: KeySet?
  /// Those that differ; the others are equal.
  package private(set) var changed: KeySet?
  /// Those that take values of the source, and how.
  package private(set) var updated: KeySet?
  /// Those of them that take values only where they have none.
  package private(set) var filled: KeySet?
  /// Parts that are not added, as what they belong to is there and keeps its own.
  package var surplus: KeySet?
  /// The ordered lists of those that count as one.
  package var lists: JoinedLists?
  /// The columns of the destination in which kept copies differ from their like.
  package let distinctColumns: [String]
  /// The same of those that a person sees.
  package let titleColumns: [String]
  /// Objects of the source that say nothing new.
  let settled: KeySet?
  /// Objects of the destination that get no links from the source: its keys.
  package var closed: KeySet?
  /// The table of the duplicates: `source`, and `representative`, which it counts as.
  package let duplicateTable: TemporaryTable
  /// The table of the pairs; `nil` where no more is kept than which objects have a partner.
  package let pairTable: TemporaryTable?
  /// The other tables that are looked into.
  private let tables: [TemporaryTable]
  private let connection: Connection
  private let lookup: Statement
  private let reverseLookup: Statement?
  private let knownLookup: Statement
  private let representativeLookup: Statement
  private let keptCopyLookup, titleLookup: Statement

  /// Takes over `pairs`, which are complete.
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

  /// Enters which of the objects differ, and which of these take values of the source.
  package func settle(changed: KeySet, updated: KeySet, filled: KeySet) {
    self.changed = changed
    self.updated = updated
    self.filled = filled
  }

  /// Returns the number by which `key`, one of the `keptCopies`, gets an identity of its own.
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

  /// Whether `key` stays beside its like.
  func isKeptCopy(_ key: Int64) throws(SQLiteError) -> Bool {
    guard let keptCopies else { return false }
    return try keptCopies.contains(key)
  }

  /// By what the object of the source was found.
  package func found(_ key: Int64) throws(SQLiteError) -> ObjectPairs.Found {
    defer { knownLookup.reset() }
    try knownLookup.bind(.integer(key), at: 1)
    guard try knownLookup.step() else { return .content }
    return ObjectPairs.Found(rawValue: knownLookup.integer(at: 0)) ?? .content
  }

  /// Returns the object of the source that `key` of the destination is; `nil` where no one is.
  package func source(of key: Int64) throws(SQLiteError) -> Int64? {
    guard let reverseLookup else { return nil }
    defer { reverseLookup.reset() }
    try reverseLookup.bind(.integer(key), at: 1)
    return try reverseLookup.step() ? reverseLookup.integer(at: 0) : nil
  }

  /// Returns the object of the source that `key`, one of the `duplicates`, counts as.
  package func representative(of key: Int64) throws(SQLiteError) -> Int64? {
    defer { representativeLookup.reset() }
    try representativeLookup.bind(.integer(key), at: 1)
    return try representativeLookup.step() ? representativeLookup.integer(at: 0) : nil
  }

  /// Returns the key of the object that `key` of the source is in the destination; it must be `matched`.
  package func destination(of key: Int64) throws(SQLiteError) -> Int64? {
    defer { lookup.reset() }
    try lookup.bind(.integer(key), at: 1)
    return try lookup.step() ? lookup.integer(at: 0) : nil
  }

  /// The keys that `select` gives, all of them among `existing`.
  static func keys(_ select: String, among existing: KeySet, on connection: Connection) throws(SQLiteError) -> KeySet {
    let set = try KeySet(like: existing, on: connection)
    try connection.forEachRow(select) { row throws(SQLiteError) in
      try set.insert(row.integer(at: 0))
    }
    try set.seal()
    return set
  }
}
