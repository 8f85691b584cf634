internal import DecantBase
internal import DecantStore
internal import DecantSQLite

/// A kept ID table, ready to be asked for single objects.
///
/// The file is a list of runs without an index, and its texts may be encoded otherwise than the store's:
/// its rows are taken into an indexed table on disk once, so that memory does not grow with them.
final class KeptIDTable {
  /// What became of an object.
  enum Destination {
    /// The table says nothing of it.
    case unknown
    /// It was left out.
    case rejected
    /// It became this one: its key, and where a mapping was used its root entity.
    case object(Binding, entity: String?)
    /// It became several.
    case several
  }

  let path: String
  /// The identifiers of the two stores; empty for one that has none.
  let sourceUUID: String
  let destinationUUID: String
  /// What tells this copy from every other.
  let copy: String
  /// The root entities of the source that the table knows, each with what its objects became: empty where
  /// the entity stayed.
  private let entities: [String: [String]]
  private let lookup: Statement
  private let exact: Statement
  private let reverse: Statement
  private let reverseText: Statement

  static let table = "temp.decant_kept_ids"
  /// For each run of keys that were given the end of all those that begin with it or before: runs overlap where several
  /// objects became one.
  static let given = "temp.decant_given_keys"

  /// Reads the table at `path` into a temporary one on `connection`.
  init(_ path: String, on connection: Connection) throws(DecantError) {
    self.path = path
    guard FileStatus(path) != nil else {
      throw DecantError(
        .fileNotFound,
        "there is no ID table at “\(path)”",
        place: "\(option: .ids)",
        remedy: "create one with copy \(option: .keepIDs) FILE"
      )
    }
    let about: [String: String]
    let entities: [String: [String]]
    do throws(DecantError) {
      let file = try DatabaseFile.open(path)
      (about, entities) = try KeptIDTable.read(file, into: connection)
    } catch {
      // What is wrong with the file is wrong with it as a table, too.
      guard error.family == .corruptStore else { throw error }
      throw KeptIDTable.damaged(path, error.message, error)
    }
    self.entities = entities
    sourceUUID = about["source.uuid"] ?? ""
    destinationUUID = about["destination.uuid"] ?? ""
    copy = "\(about["plan"] ?? "") \(about["time"] ?? "")"
    do throws(SQLiteError) {
      let table = KeptIDTable.table
      lookup = try connection.prepare(
        """
        SELECT source, destination, count, outcome FROM \(table)
        WHERE entity = ?1 AND became = ?2 AND source <= ?3 ORDER BY source DESC LIMIT 1
        """
      )
      exact = try connection.prepare(
        "SELECT destination, outcome FROM \(table) WHERE entity = ?1 AND became = ?2 AND source = ?3"
      )
      reverse = try connection.prepare(
        """
        SELECT first, beyond FROM \(KeptIDTable.given)
        WHERE root = ?1 AND first <= ?2 ORDER BY first DESC LIMIT 1
        """
      )
      reverseText = try connection.prepare("SELECT 1 FROM \(table) WHERE root = ?1 AND destination = ?2")
    } catch {
      throw DecantError("cannot query the ID table “\(path)”", cause: error)
    }
  }

  /// Whether the source had the root entity `name`.
  func has(_ name: String) -> Bool { entities[name] != nil }

  /// Returns what the object with the integer `key` became.
  func destination(of key: Int64, in root: String) throws(SQLiteError) -> Destination {
    var found = Destination.unknown
    for became in entities[root] ?? [] {
      defer { lookup.reset() }
      try lookup.bind([.text(root), .text(became), .integer(key)])
      guard try lookup.step(), lookup.type(at: 0) == .integer,
        let offset = KeptIDTable.offset(of: key, from: lookup.integer(at: 0), lookup.integer(at: 2))
      else { continue }
      let entity = became.isEmpty ? nil : became
      guard lookup.type(at: 1) == .integer, lookup.text(at: 3) != "rejected" else {
        // One that was left out on one way may have come through on another.
        if case .unknown = found { found = .rejected }
        continue
      }
      if case .object = found { return .several }
      found = .object(.integer(lookup.integer(at: 1) + offset), entity: entity)
    }
    return found
  }

  /// Returns what the object with a key that is a text became.
  func destination(of key: String, in root: String) throws(SQLiteError) -> Destination {
    var found = Destination.unknown
    for became in entities[root] ?? [] {
      defer { exact.reset() }
      try exact.bind([.text(root), .text(became), .text(key)])
      guard try exact.step() else { continue }
      guard exact.type(at: 0) != .null, exact.text(at: 1) != "rejected" else {
        if case .unknown = found { found = .rejected }
        continue
      }
      if case .object = found { return .several }
      found = .object(try exact.exactValue(at: 0), entity: became.isEmpty ? nil : became)
    }
    return found
  }

  /// Whether the table says that an object of the root entity `root` got `key`.
  func gave(_ key: Int64, in root: String) throws(SQLiteError) -> Bool {
    defer { reverse.reset() }
    try reverse.bind([.text(root), .integer(key)])
    return try reverse.step() && key < reverse.integer(at: 1)
  }

  /// How far behind `first` the key is; `nil` where it is not among `count` from there on.
  private static func offset(of key: Int64, from first: Int64, _ count: Int64) -> Int64? {
    // Between a negative key and a high one lies more than a signed number holds.
    let offset = UInt64(bitPattern: key &- first)
    return key >= first && offset < UInt64(max(0, count)) ? Int64(offset) : nil
  }

  /// Whether the table says that an object of the root entity `root` got a key that is a text.
  func gave(_ key: String, in root: String) throws(SQLiteError) -> Bool {
    defer { reverseText.reset() }
    try reverseText.bind([.text(root), .text(key)])
    return try reverseText.step()
  }

  /// The root entities that objects of the source's root entity `root` became.
  func destinations(of root: String) -> [String] {
    (entities[root] ?? []).map { $0.isEmpty ? root : $0 }
  }

  /// Whether every object kept its entity and its key, or became one that did: then a key that is followed twice is
  /// followed once.
  func isSettled(on connection: Connection) throws(SQLiteError) -> Bool {
    try connection.integer(
      """
      SELECT EXISTS (SELECT 1 FROM \(KeptIDTable.table) AS moved
        WHERE destination IS NOT NULL AND (root <> entity OR destination <> source AND (
          typeof(destination) <> 'integer' OR (
            SELECT kept.source = kept.destination
              AND kept.source + kept.count >= moved.destination + moved.count
            FROM \(KeptIDTable.table) AS kept
            WHERE kept.entity = moved.entity AND kept.became = moved.became
              AND kept.source <= moved.destination
            ORDER BY kept.source DESC LIMIT 1
          ) IS NOT 1)))
      """
    ) == 0
  }
}
