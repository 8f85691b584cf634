package import DecantBase
internal import DecantPlan
package import DecantSQLite

/// The pairs of one root entity's objects of source and destination, in a temporary table, so that memory use does not
/// grow.
package final class ObjectPairs {
  package let root: MatchRoot
  /// The method by which a pair was found.
  package enum Found: Hashable {
    /// By equal content.
    case content
    /// By their identity.
    case identity
    /// By their key, as both stores have a common ancestor.
    case key
    /// By their owner, and their position there.
    case owner
    /// By equal content that others share without a distinction: in key order.
    case tie
    /// By another uniqueness constraint than their identity.
    case furtherIdentity
    /// By a unique index with a condition.
    case partialKey
    /// By equal content except for one-to-one links that the destination lacks.
    case almost
    /// By most of their values, as the common ancestor or an earlier merge has the object under another key.
    case moved
    /// By one of the source's own methods, of this rank; a settled pair adds nothing to the destination.
    case likeness(rank: Int, isSettled: Bool)

    /// The method in reports.
    package var way: EntityReport.Pairing.Way {
      switch self {
      case .content, .tie, .almost, .moved: .content
      case .identity, .furtherIdentity, .partialKey: .identity
      case .key: .key
      case .owner: .owner
      case .likeness: .likeness
      }
    }
  }

  /// The table of pairs: `source`, the primary key, `destination`, and `known`, a `Found`.
  package let table: TemporaryTable
  /// The duplicates in the source: `source`, and the object `representative` that is used instead.
  package let duplicates: TemporaryTable
  /// The objects of the source that are kept beside their originals.
  ///
  /// The columns are `source`; `number`, from which each gets a new identity, NULL if it got one in an earlier merge
  /// and is paired with its result; `original`, the matching object in the destination; `open`, 1 until the number is
  /// known.
  package let keptCopies: TemporaryTable
  /// The new objects that extend an object of the destination, under its key.
  package var continued: StoredPairs?
  /// The statements that look up the hash of an unpaired object with the same content as others.
  var alike: Sided<Statement>?
  /// The tables of such objects, by their `key`.
  var waiting: Sided<TemporaryTable>?
  /// The outcome for objects that differ.
  package var outcome: PairOutcome?
  /// The columns of the destination in which kept copies differ from their originals.
  package var distinctColumns: [String] = []
  /// Those of them that are visible to users; they differ only if the object is not part of another kept copy.
  package var titleColumns: [String] = []
  /// The matched objects of the source without new content; `nil` if there are none.
  package var settled: KeySet?
  private let connection: Connection
  private let found: TemporaryTable
  private let insertion: Statement
  private let duplicateInsertion: Statement
  private let doubleInsertion: Statement
  private let reverse: Statement
  private var keys: Sided<KeySet?> = Sided { _ in nil }
  private var keptCopyKeys: KeySet?
  private var originals: KeySet?
  private let reverseOriginal: Statement
  private var duplicateKeys: KeySet?
  private let representativeLookup: Statement
  private var last: (key: Int64, origin: Int64)?
  private var isStepwise = false
  /// Whether anything other than pairs was added since the last call of `settle`.
  private var isChanged = true
  private let directInsertion: Statement
  /// The matched objects of the source, if partners are not kept.
  private let lone: KeySet?

  /// Begins without pairs.
  ///
  /// - Parameters:
  ///   - root: The root entity.
  ///   - keys: All objects of the source.
  ///   - keepsPartners: Whether the partner of each object is kept; otherwise only that it has one.
  ///   - connection: The connection with both stores.
  /// - Throws: `SQLiteError` if temporary tables cannot be created.
  init(_ root: MatchRoot, among keys: KeySet?, keepsPartners: Bool, on connection: Connection) throws(SQLiteError) {
    self.root = root
    lone =
      if !keepsPartners, let keys, let bounds = try keys.bounds() {
        try KeySet(range: bounds, expecting: keys.count, on: connection)
      } else {
        nil
      }
    self.connection = connection
    table = try TemporaryTable(
      "(source INTEGER PRIMARY KEY, destination INTEGER NOT NULL, known INTEGER)",
      on: connection
    )
    found = try TemporaryTable("(source INTEGER, destination INTEGER, known INTEGER)", on: connection)
    duplicates = try TemporaryTable("(source INTEGER PRIMARY KEY, representative INTEGER NOT NULL)", on: connection)
    keptCopies = try TemporaryTable(
      "(source INTEGER PRIMARY KEY, number INTEGER, original INTEGER, open INTEGER, isPart INTEGER NOT NULL DEFAULT 0)",
      on: connection
    )
    insertion = try connection.prepare("INSERT INTO \(found) VALUES (?1, ?2, ?3)")
    directInsertion = try connection.prepare("INSERT INTO \(table) VALUES (?1, ?2, ?3)")
    duplicateInsertion = try connection.prepare("INSERT INTO \(duplicates) VALUES (?1, ?2)")
    doubleInsertion = try connection.prepare(
      """
      INSERT OR IGNORE INTO \(keptCopies)
      SELECT ?1, 2, (SELECT destination FROM \(table) WHERE source = ?1), 1, ?2
      """
    )
    representativeLookup = try connection.prepare("SELECT representative FROM \(duplicates) WHERE source = ?1")
    reverseOriginal = try connection.prepare("SELECT source FROM \(keptCopies) WHERE original = ?1 LIMIT 1")
    // Of several objects with one partner, the settled ones add nothing: parts belong to the other.
    reverse = try connection.prepare(
      "SELECT source FROM \(table) WHERE destination = ?1 ORDER BY known < 0, source LIMIT 1"
    )
  }

  package func add(_ source: Int64, _ destination: Int64, _ known: Found) throws(SQLiteError) {
    if let lone { return try lone.insert(source) }
    if isStepwise {
      try directInsertion.run(.integer(source), .integer(destination), .integer(known.rawValue))
      try keys.source?.insert(source)
      try keys.destination?.insert(destination)
      return
    }
    try insertion.run(.integer(source), .integer(destination), .integer(known.rawValue))
  }

  /// Whether the partner of each object is kept.
  package var keepsPartners: Bool { lone == nil }

  /// Adds the pairs of `select` and settles them; returns their number.
  func add(_ select: String, _ known: Found) throws(SQLiteError) -> Int64 {
    try connection.run("INSERT INTO \(found) SELECT *, \(known.rawValue) FROM (\(select))")
    let count = connection.changeCount
    if count > 0 { try settle() }
    return Int64(count)
  }

  func add(_ source: Int64, representative: Int64) throws(SQLiteError) {
    isChanged = true
    try duplicateInsertion.run(.integer(source), .integer(representative))
    if isStepwise { try duplicateKeys?.insert(source) }
  }

  /// Adds `source` as a kept copy: by its own outcome, or as part of one.
  package func add(keptCopy source: Int64, isPart: Bool = false) throws(SQLiteError) {
    isChanged = true
    try doubleInsertion.run(.integer(source), .integer(isPart ? 1 : 0))
  }

  /// Records that `source`, which has a partner, was kept beside `original` of the destination in an earlier merge.
  func add(keptCopy source: Int64, beside original: Int64) throws(SQLiteError) {
    isChanged = true
    try connection.run(
      "INSERT OR IGNORE INTO \(keptCopies) VALUES (?1, NULL, ?2, 0, 0)",
      .integer(source),
      .integer(original)
    )
  }

  /// Removes the numbers of kept copies that have a partner: they were added in an earlier merge.
  package func forgetNumbers() throws(SQLiteError) {
    try connection.run(
      "UPDATE \(keptCopies) SET number = NULL WHERE number IS NOT NULL AND source IN (SELECT source FROM \(table))"
    )
  }

  /// Begins a mode in which every pair is known as soon as it is added, as others depend on it.
  func beginStepwise(_ bounds: Sided<ClosedRange<Int64>>, _ count: Int64) throws(SQLiteError) {
    keys = Sided(
      try KeySet(range: bounds.source, expecting: count, on: connection),
      try KeySet(range: bounds.destination, expecting: count, on: connection)
    )
    duplicateKeys = try KeySet(range: bounds.source, expecting: count, on: connection)
    (isStepwise, isChanged) = (true, true)
    try indexPartners()
  }

  /// Creates the index for finding pairs by objects of the destination.
  private func indexPartners() throws(SQLiteError) {
    try connection.run("CREATE INDEX IF NOT EXISTS \(table)_back ON \(table.name) (destination)")
  }

  /// Removes the additions since the last call of `settle`.
  func forget() throws(SQLiteError) { try connection.run("DELETE FROM \(found)") }

  /// Commits the additions to the tables: from then on the objects have tokens.
  package func settle() throws(SQLiteError) {
    if let lone { return try lone.seal() }
    isStepwise = false
    // They were found in hash order; a table is filled fastest in key order.
    try connection.run("INSERT INTO \(table) SELECT * FROM \(found) ORDER BY source")
    guard connection.changeCount > 0 || isChanged else { return }
    isChanged = false
    try connection.run("DELETE FROM \(found)")
    // Creating an index is faster than updating it.
    try indexPartners()
    keys = Sided(try keys(of: "source", table), try keys(of: "destination", table))
    duplicateKeys = try keys(of: "source", duplicates)
    keptCopyKeys = try keys(of: "source", keptCopies)
    originals = try keys(of: "original", keptCopies)
    last = nil
  }

  /// A SELECT of the objects of the source that have a partner with equal content under another key.
  var movedContent: String {
    let ways = [Found.content, .tie].map { "\($0.rawValue)" }.joined(separator: ", ")
    return "SELECT source FROM \(table) WHERE source <> destination AND known IN (\(ways))"
  }

  /// A SELECT of the highest key under which both stores have the same object, by content or identity.
  var highestKept: String {
    let ways = [Found.content, .tie, .identity].map { "\($0.rawValue)" }.joined(separator: ", ")
    return "SELECT max(source) FROM \(table) WHERE source = destination AND known IN (\(ways))"
  }

  /// Returns whether objects of different keys were paired by content.
  package func hasMovedContent() throws(SQLiteError) -> Bool {
    try connection.integer("SELECT EXISTS (\(movedContent))") == 1
  }

  /// Returns the condition that an object is neither a kept copy nor the original of one.
  func openConditions(_ key: String, _ side: MatchSide) -> [String] {
    guard keptCopyKeys != nil else { return [] }
    let column = side == .source ? "source" : "original"
    return ["\(key) NOT IN (SELECT \(column) FROM \(keptCopies) WHERE \(column) IS NOT NULL)"]
  }

  /// Returns the number of objects of the source with a partner.
  func count() throws(SQLiteError) -> Int64 {
    try connection.integer("SELECT count(*) FROM \(table)") ?? 0
  }

  /// Returns whether every object of the source has a partner.
  func isComplete(among keys: KeySet) throws(SQLiteError) -> Bool { try count() >= keys.count }

  /// Returns the objects of the source that have a partner.
  package func matched(among existing: KeySet) throws(SQLiteError) -> KeySet {
    if let lone { return lone }
    return try MatchedObjects.keys("SELECT source FROM \(table)", among: existing, on: connection)
  }

  /// Records that `source` has a partner, as an earlier run recorded it.
  func note(_ source: Int64) throws(SQLiteError) { try lone?.insert(source) }

  /// Returns the number of kept copies, including those of earlier merges.
  package func doubleCount() throws(SQLiteError) -> Int64 {
    try connection.integer("SELECT count(*) FROM \(keptCopies)") ?? 0
  }

  /// Returns whether the object of the source is a kept copy, including those of earlier merges.
  func isKeptCopy(_ key: Int64) throws(SQLiteError) -> Bool { try keptCopyKeys?.contains(key) ?? false }

  private func keys(of column: String, _ table: TemporaryTable) throws(SQLiteError) -> KeySet? {
    guard let set = try KeySet(for: column, in: "\(table)", on: connection) else { return nil }
    try connection.forEachRow("SELECT \(column) FROM \(table) WHERE \(column) IS NOT NULL") {
      row throws(SQLiteError) in
      try set.insert(row.integer(at: 0))
    }
    try set.seal()
    return set
  }

  /// Returns the object of the source of which `key` is a duplicate; `nil` if it is none.
  func representative(of key: Int64) throws(SQLiteError) -> Int64? {
    guard try duplicateKeys?.contains(key) == true else { return nil }
    defer { representativeLookup.reset() }
    try representativeLookup.bind(.integer(key), at: 1)
    return try representativeLookup.step() ? representativeLookup.integer(at: 0) : nil
  }

  /// Returns the token of the object `key`, equal in both stores; `nil` if only its own store has it.
  func token(of key: Int64, _ side: MatchSide) throws(SQLiteError) -> Int64? {
    if side == .source, let representative = try representative(of: key) { return try token(of: representative, side) }
    guard let keys = keys[side], try keys.contains(key) else { return try hash(of: key, side) }
    guard side == .destination else { return ObjectToken.number(of: key, Int64(root.number)) }
    // Links to the same object are often adjacent.
    if let last, last.key == key {
      return ObjectToken.number(of: last.origin, Int64(root.number))
    }
    defer { reverse.reset() }
    try reverse.bind(.integer(key), at: 1)
    guard try reverse.step() else { return nil }
    let origin = reverse.integer(at: 0)
    last = (key, origin)
    return ObjectToken.number(of: origin, Int64(root.number))
  }
}

extension ObjectPairs {
  /// Returns the hash of an object without partner that may still get one.
  private func hash(of key: Int64, _ side: MatchSide) throws(SQLiteError) -> Int64? {
    guard let lookup = alike?[side] else { return nil }
    defer { lookup.reset() }
    try lookup.bind(.integer(key), at: 1)
    return try lookup.step() ? lookup.integer(at: 0) : nil
  }

  /// Returns the same token, but for a kept copy that of its original.
  func looseToken(of key: Int64, _ side: MatchSide) throws(SQLiteError) -> Int64? {
    switch side {
    case .source: if try isKeptCopy(key) { return ObjectToken.number(of: key, Int64(root.number)) }
    case .destination:
      guard try originals?.contains(key) == true else { break }
      defer { reverseOriginal.reset() }
      try reverseOriginal.bind(.integer(key), at: 1)
      guard try reverseOriginal.step() else { break }
      return ObjectToken.number(of: reverseOriginal.integer(at: 0), Int64(root.number))
    }
    return try token(of: key, side)
  }
}

extension ObjectPairs.Found {
  /// The methods without further values.
  private static let plain: [Self] = [
    .content, .identity, .key, .owner, .tie, .furtherIdentity, .almost, .partialKey, .moved,
  ]
  /// The number of the first of the source's own methods; negative for a settled pair.
  private static let firstLikeness: Int64 = 16

  /// The number in the table of pairs: methods without need of comparison are not positive.
  var rawValue: Int64 {
    guard case .likeness(let rank, let isSettled) = self else {
      return Int64(Self.plain.firstIndex(of: self) ?? 0)
    }
    return (Self.firstLikeness + Int64(rank)) * (isSettled ? -1 : 1)
  }

  /// Parses the number in the table of pairs.
  package init?(rawValue: Int64) {
    if Self.plain.indices.contains(Int(rawValue)) {
      self = Self.plain[Int(rawValue)]
      return
    }
    guard rawValue.magnitude >= UInt64(Self.firstLikeness) else { return nil }
    self = .likeness(rank: Int(rawValue.magnitude) - Int(Self.firstLikeness), isSettled: rawValue < 0)
  }
}

extension ObjectPairs {
  /// Marks the pairs of objects in `select` as without new content.
  func settleLikeness(of select: String) throws(SQLiteError) {
    try connection.run(
      "UPDATE \(table) SET known = -known "
        + "WHERE known >= \(Found.likeness(rank: 0, isSettled: false).rawValue) AND source IN (\(select))"
    )
  }

  /// Returns the objects among `keys` without new content; `nil` if there are none.
  func settledKeys(among keys: KeySet) throws(SQLiteError) -> KeySet? {
    let set = try MatchedObjects.keys("SELECT source FROM \(table) WHERE known < 0", among: keys, on: connection)
    return set.count > 0 ? set : nil
  }
}
