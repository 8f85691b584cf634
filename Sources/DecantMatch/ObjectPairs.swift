package import DecantBase
internal import DecantPlan
package import DecantSQLite

/// Objects of one root entity of the source and the objects that they are in the destination, as they are
/// found: in a temporary table, so that memory does not grow with them.
package final class ObjectPairs {
  package let root: MatchRoot
  /// By what a pair was found.
  package enum Found: Hashable {
    /// Both hold the same.
    case content
    /// By their identity.
    case identity
    /// By their key, as both stores go back to one.
    case key
    /// By the object that they belong to, and their place there.
    case owner
    /// Both hold the same, as others do, and nothing tells which is which: in the order of their keys.
    case tie
    /// By another uniqueness constraint than their identity.
    case furtherIdentity
    /// Both hold the same but for links from one to one which the destination lacks.
    case almost
    /// By a way that the source supplies, of this rank; a settled one adds nothing to the destination.
    case likeness(rank: Int, isSettled: Bool)

    /// What reports call it.
    package var way: EntityReport.Pairing.Way {
      switch self {
      case .content, .tie, .almost: .content
      case .identity, .furtherIdentity: .identity
      case .key: .key
      case .owner: .owner
      case .likeness: .likeness
      }
    }
  }

  /// The pairs' table: `source`, the primary key, `destination`, and `known`, a `Found`.
  package let table: TemporaryTable
  /// Objects of the source that count as another one of the source: `source` and `representative`, which is that one.
  package let duplicates: TemporaryTable
  /// Objects of the source that stay beside their like.
  ///
  /// `source`; `number`, by which each gets an identity of its own, NULL for one that got one in an earlier merge
  /// and is paired with what it became then; `original`, its like in the destination; `open`, 1 until its
  /// number is known.
  package let keptCopies: TemporaryTable
  /// New objects that continue one which the destination has, under its key.
  package var continued: StoredPairs?
  /// Looks up the hash of an object that holds the same as others and has no partner yet.
  var alike: Sided<Statement>?
  /// The tables of such objects, by their `key`.
  var waiting: Sided<TemporaryTable>?
  /// What becomes of those that differ.
  package var outcome: PairOutcome?
  /// The columns of the destination in which kept copies differ from their like.
  package var distinctColumns: [String] = []
  /// The same of those that a person sees: they differ only in what is no part of another double.
  package var titleColumns: [String] = []
  /// The objects of the source that are there and say nothing new; `nil` where there are none.
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
  /// Whether anything was added since it was settled, besides pairs.
  private var isChanged = true
  private let directInsertion: Statement
  /// The objects of the source that have a partner, where nobody needs to know which.
  private let lone: KeySet?

  /// Begins without pairs.
  ///
  /// - Parameters:
  ///   - root: The root entity.
  ///   - keys: All objects of the source.
  ///   - keepsPartners: Whether it matters which object of the destination each one is; else no more is kept
  ///     than that it is one.
  ///   - connection: The one that has both stores.
  /// - Throws: `SQLiteError` where temporary tables cannot be made.
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
    // Of several that are one the settled ones add nothing: parts belong to the other.
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

  /// Whether it is kept which object of the destination each one is.
  package var keepsPartners: Bool { lone == nil }

  /// Adds the pairs that `select` gives, and takes them in; returns how many.
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

  /// Has `source` stay beside its like: for its own sake, or as a part of one that does.
  package func add(keptCopy source: Int64, isPart: Bool = false) throws(SQLiteError) {
    isChanged = true
    try doubleInsertion.run(.integer(source), .integer(isPart ? 1 : 0))
  }

  /// Notes that `source`, which has a partner, was kept beside `original` of the destination in an earlier merge.
  func add(keptCopy source: Int64, beside original: Int64) throws(SQLiteError) {
    isChanged = true
    try connection.run(
      "INSERT OR IGNORE INTO \(keptCopies) VALUES (?1, NULL, ?2, 0, 0)",
      .integer(source),
      .integer(original)
    )
  }

  /// Has the objects that have a partner stay beside none any more: they became it in an earlier merge.
  package func forgetNumbers() throws(SQLiteError) {
    try connection.run(
      "UPDATE \(keptCopies) SET number = NULL WHERE number IS NOT NULL AND source IN (SELECT source FROM \(table))"
    )
  }

  /// Has every pair known as soon as it is added, where others wait for it.
  func beginStepwise(_ bounds: Sided<ClosedRange<Int64>>, _ count: Int64) throws(SQLiteError) {
    keys = Sided(
      try KeySet(range: bounds.source, expecting: count, on: connection),
      try KeySet(range: bounds.destination, expecting: count, on: connection)
    )
    duplicateKeys = try KeySet(range: bounds.source, expecting: count, on: connection)
    (isStepwise, isChanged) = (true, true)
    try indexPartners()
  }

  /// Makes the index by which an object of the destination is looked up.
  private func indexPartners() throws(SQLiteError) {
    try connection.run("CREATE INDEX IF NOT EXISTS \(table)_back ON \(table.name) (destination)")
  }

  /// Forgets what was added since it was settled.
  func forget() throws(SQLiteError) { try connection.run("DELETE FROM \(found)") }

  /// Takes in what was added: from now on it has tokens.
  package func settle() throws(SQLiteError) {
    if let lone { return try lone.seal() }
    isStepwise = false
    // They were found in the order of hashes; in that of keys a table is filled fast.
    try connection.run("INSERT INTO \(table) SELECT * FROM \(found) ORDER BY source")
    guard connection.changeCount > 0 || isChanged else { return }
    isChanged = false
    try connection.run("DELETE FROM \(found)")
    // An index is made faster than kept up.
    try indexPartners()
    keys = Sided(try keys(of: "source", table), try keys(of: "destination", table))
    duplicateKeys = try keys(of: "source", duplicates)
    keptCopyKeys = try keys(of: "source", keptCopies)
    originals = try keys(of: "original", keptCopies)
    last = nil
  }

  /// The select of the objects of the source that hold the same as one of the destination under another key.
  var movedContent: String {
    let ways = [Found.content, .tie].map { "\($0.rawValue)" }.joined(separator: ", ")
    return "SELECT source FROM \(table) WHERE source <> destination AND known IN (\(ways))"
  }

  /// Whether objects of unequal keys are pairs as they hold the same.
  package func hasMovedContent() throws(SQLiteError) -> Bool {
    try connection.integer("SELECT EXISTS (\(movedContent))") == 1
  }

  /// The condition that an object stays beside none, nor any beside it.
  func openConditions(_ key: String, _ side: MatchSide) -> [String] {
    guard keptCopyKeys != nil else { return [] }
    let column = side == .source ? "source" : "original"
    return ["\(key) NOT IN (SELECT \(column) FROM \(keptCopies) WHERE \(column) IS NOT NULL)"]
  }

  /// How many objects of the source have a partner.
  func count() throws(SQLiteError) -> Int64 {
    try connection.integer("SELECT count(*) FROM \(table)") ?? 0
  }

  /// Whether no object of the source is left without partner.
  func isComplete(among keys: KeySet) throws(SQLiteError) -> Bool { try count() >= keys.count }

  /// The objects of the source that have a partner.
  package func matched(among existing: KeySet) throws(SQLiteError) -> KeySet {
    if let lone { return lone }
    return try MatchedObjects.keys("SELECT source FROM \(table)", among: existing, on: connection)
  }

  /// Notes that `source` has a partner, whichever that is: what an earlier run wrote down.
  func note(_ source: Int64) throws(SQLiteError) { try lone?.insert(source) }

  /// How many objects of the source stay, or have stayed, beside their like.
  package func doubleCount() throws(SQLiteError) -> Int64 {
    try connection.integer("SELECT count(*) FROM \(keptCopies)") ?? 0
  }

  /// Whether the object of the source stays, or has stayed, beside its like.
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

  /// The object of the source that `key` counts as; `nil` for one that stands for itself.
  func representative(of key: Int64) throws(SQLiteError) -> Int64? {
    guard try duplicateKeys?.contains(key) == true else { return nil }
    defer { representativeLookup.reset() }
    try representativeLookup.bind(.integer(key), at: 1)
    return try representativeLookup.step() ? representativeLookup.integer(at: 0) : nil
  }

  /// A number that stands for the object `key` in both stores; `nil` for one that only its own has.
  func token(of key: Int64, _ side: MatchSide) throws(SQLiteError) -> Int64? {
    if side == .source, let representative = try representative(of: key) { return try token(of: representative, side) }
    guard let keys = keys[side], try keys.contains(key) else { return try hash(of: key, side) }
    guard side == .destination else { return ObjectToken.number(of: key, Int64(root.number)) }
    // What leads to one object often stands together.
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
  /// What stands for an object without partner: the hash of one that may still find one.
  private func hash(of key: Int64, _ side: MatchSide) throws(SQLiteError) -> Int64? {
    guard let lookup = alike?[side] else { return nil }
    defer { lookup.reset() }
    try lookup.bind(.integer(key), at: 1)
    return try lookup.step() ? lookup.integer(at: 0) : nil
  }

  /// The same, but that an object which stays beside its like counts as that one.
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
  /// The ways whose numbers say no more than themselves.
  private static let plain: [Self] = [
    .content, .identity, .key, .owner, .tie, .furtherIdentity, .almost,
  ]
  /// The number of the first way that a source supplies; the same below zero where it is settled.
  private static let firstLikeness: Int64 = 16

  /// The number under which the table of pairs knows it: those that need no comparison are not above zero.
  var rawValue: Int64 {
    guard case .likeness(let rank, let isSettled) = self else {
      return Int64(Self.plain.firstIndex(of: self) ?? 0)
    }
    return (Self.firstLikeness + Int64(rank)) * (isSettled ? -1 : 1)
  }

  /// What stands in the table of pairs as `rawValue`.
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
  /// Has the pairs of objects that `select` names say nothing new.
  func settleLikeness(of select: String) throws(SQLiteError) {
    try connection.run(
      "UPDATE \(table) SET known = -known "
        + "WHERE known >= \(Found.likeness(rank: 0, isSettled: false).rawValue) AND source IN (\(select))"
    )
  }

  /// The objects among `keys` that say nothing new; `nil` where there are none.
  func settledKeys(among keys: KeySet) throws(SQLiteError) -> KeySet? {
    let set = try MatchedObjects.keys("SELECT source FROM \(table) WHERE known < 0", among: keys, on: connection)
    return set.count > 0 ? set : nil
  }
}
