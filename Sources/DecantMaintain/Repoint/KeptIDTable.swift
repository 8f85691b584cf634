internal import DecantBase
internal import DecantStore
internal import DecantSQLite

/// A kept ID table, prepared for looking up single objects.
///
/// The file is a list of key ranges without an index, and its text encoding may differ from the store's. Its rows are
/// read once into an indexed table on disk, so that memory does not grow with them.
final class KeptIDTable {
  /// The fate of an object.
  enum Destination {
    /// The table does not contain it.
    case unknown
    /// It was rejected.
    case rejected
    /// It became the object with this key and, if a mapping was used, this root entity.
    case object(Binding, entity: String?)
    /// It became several objects.
    case several
  }

  let path: String
  /// The identifiers of the two stores; empty for a store that has none.
  let sourceUUID: String
  let destinationUUID: String
  /// The destination's place in reports; empty if it is not known.
  let destinationPlace: String
  /// The identification of the copy.
  let copy: String
  /// The source's root entities in the table, each with the entities its objects became; an empty name means the same
  /// entity.
  private let entities: [String: [String]]
  private let lookup: Statement
  private let exact: Statement
  private let reverse: Statement
  private let reverseText: Statement

  static let table = "temp.decant_kept_ids"
  /// For each range of assigned keys, the end of all ranges up to it; ranges overlap if several objects became one.
  static let given = "temp.decant_given_keys"

  /// Reads the table at `path` into a temporary table on `connection`.
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
      // A damaged file is reported as a damaged ID table.
      guard error.family == .corruptStore else { throw error }
      throw KeptIDTable.damaged(path, error.message, error)
    }
    self.entities = entities
    sourceUUID = about["source.uuid"] ?? ""
    destinationUUID = about["destination.uuid"] ?? ""
    destinationPlace = about["destination.place"] ?? ""
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
        // An object rejected by one mapping may have been copied by another.
        if case .unknown = found { found = .rejected }
        continue
      }
      if case .object = found { return .several }
      found = .object(.integer(lookup.integer(at: 1) + offset), entity: entity)
    }
    return found
  }

  /// Returns what the object with a text key became.
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

  /// Whether, according to the table, an object of the root entity `root` got `key`.
  func gave(_ key: Int64, in root: String) throws(SQLiteError) -> Bool {
    defer { reverse.reset() }
    try reverse.bind([.text(root), .integer(key)])
    return try reverse.step() && key < reverse.integer(at: 1)
  }

  /// Returns the offset of the key from `first`; `nil` if it is not among the `count` keys from there.
  private static func offset(of key: Int64, from first: Int64, _ count: Int64) -> Int64? {
    // The difference between a negative and a high key may exceed a signed integer.
    let offset = UInt64(bitPattern: key &- first)
    return key >= first && offset < UInt64(max(0, count)) ? Int64(offset) : nil
  }

  /// Whether, according to the table, an object of the root entity `root` got this text key.
  func gave(_ key: String, in root: String) throws(SQLiteError) -> Bool {
    defer { reverseText.reset() }
    try reverseText.bind([.text(root), .text(key)])
    return try reverseText.step()
  }

  /// Returns the root entities that objects of the source's root entity `root` became.
  func destinations(of root: String) -> [String] {
    (entities[root] ?? []).map { $0.isEmpty ? root : $0 }
  }

  /// Whether every object kept its entity and key, or became one that did, so that following a key twice has the same
  /// result as following it once.
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
