internal import DecantSystem
internal import DecantBase
internal import DecantStore
internal import DecantSQLite

/// An entity while an archive is read into a database: maps the names in a line to statement parameters.
final class StagedEntity {
  /// The parameter of a value.
  ///
  /// A class, because it is passed on for every value.
  final class Slot {
    let name: [UInt8]
    /// 0 for a generated column.
    let parameter: Int
    let column: String
    /// Whether values may be in external files, and what precedes those that are not.
    var isExternal = false
    var inlineMark: [UInt8] = []
    /// The parameter of the target's entity, and the numbers of the entities.
    var entityParameter: Int?
    var entityCodes: [String: Int64] = [:]
    /// The number of the entity in the model.
    var destinationCode: Int64?
    /// The parameter of the position in a list.
    var placeParameter: Int?

    init(name: [UInt8], parameter: Int, column: String) {
      self.name = name
      self.parameter = parameter
      self.column = column
    }
  }

  let name: String
  let nameBytes: [UInt8]
  let table: String
  /// The statement that inserts an object; `nil` for an abstract entity.
  let insertion: Statement?
  /// The parameter of the key; `nil` if rows have no integer key.
  let keyParameter: Int?
  let revisionParameter: Int?
  /// Required attributes that get the model's default, each with the parameter for that.
  ///
  /// The default is used if a line of a file of rejects has no value.
  var defaults: [(name: String, parameter: Int)] = []
  /// The parameter for checking the object's values against their types; `nil` if none are checked.
  let strictParameter: Int?
  /// Whether large values can be written piece by piece.
  let hasRowNumbers: Bool
  /// The columns of the parameters, starting with ?1.
  let columns: [String]
  let values: NamedSlots
  let unnamed: NamedSlots
  let links: NamedSlots
  let owners: NamedSlots
  var lists: [StagedList] = []
  /// The links of the entity, including those in lists.
  var ends: [StagedLink] = []
  /// The SQL condition for rows of this entity; `nil` if the table holds no others.
  var condition: String?

  /// The key column; `nil` if rows have no integer key.
  var key: String? { keyParameter.map { columns[$0 - 1] } }

  init(
    _ name: String,
    table: String,
    insertion: Statement?,
    key: Int? = nil,
    revision: Int? = nil,
    strict: Int? = nil,
    hasRowNumbers: Bool = false,
    columns: [String] = [],
    values: [Slot] = [],
    unnamed: [Slot] = [],
    links: [Slot] = [],
    owners: [Slot] = []
  ) {
    self.name = name
    nameBytes = Array(name.utf8)
    self.table = table
    self.insertion = insertion
    keyParameter = key
    revisionParameter = revision
    strictParameter = strict
    self.hasRowNumbers = hasRowNumbers
    self.columns = columns
    self.values = NamedSlots(values)
    self.unnamed = NamedSlots(unnamed)
    self.links = NamedSlots(links)
    self.owners = NamedSlots(owners)
  }

  /// Whether `name` is the name of this entity.
  func isCalled(_ name: UnsafeRawBufferPointer) -> Bool { name.isEqual(to: nameBytes) }

  /// Whether the current object has the attribute or relationship called `name`.
  func has(_ name: String) -> Bool {
    [values, unnamed, links, owners].contains { $0.has(name) }
  }

  /// Returns the name of a required link among `names` that the current object lacks.
  func lacksLink(among names: [String]) -> String? {
    requiredLink(among: names.filter { !links.has($0) })
  }

  /// Returns the name of a required link among `names`.
  func requiredLink(among names: [String]) -> String? {
    names.first { name in
      ends.contains { $0.isRequired && $0.name.hasSuffix(".\(name)") }
    }
  }

  /// Forgets the names of the previous object.
  func beginObject() {
    values.begin()
    unnamed.begin()
    links.begin()
    owners.begin()
  }
}

/// Slots by name; the lookup first tries the slot after the one found last.
final class NamedSlots {
  private let slots: [StagedEntity.Slot]
  private let places: [String: Int]
  @exclusivity(unchecked) private var next = 0
  /// For each slot the number of the last object that had it.
  @exclusivity(unchecked) private var seen: [Int]
  @exclusivity(unchecked) private var object = 1

  init(_ slots: [StagedEntity.Slot]) {
    self.slots = slots
    places = Dictionary(slots.enumerated().map { (String(decoding: $1.name, as: UTF8.self), $0) }) { first, _ in first }
    seen = Array(repeating: 0, count: slots.count)
  }

  /// Starts another object.
  func begin() {
    next = 0
    object += 1
  }

  /// Whether the current object has the member called `name`.
  func has(_ name: String) -> Bool { places[name].map { seen[$0] == object } ?? false }

  /// Finds the slot called `name`; returns `nil` if there is none.
  ///
  /// - Throws: A fault for a duplicate name in one object.
  func slot(_ name: UnsafeRawBufferPointer) throws(ArchiveFault) -> StagedEntity.Slot? {
    var place = next
    if place >= slots.count || !name.isEqual(to: slots[place].name) {
      guard let found = places[String(decoding: name, as: UTF8.self)] else { return nil }
      place = found
    }
    guard seen[place] != object else {
      throw ArchiveFault("“\(String(decoding: name, as: UTF8.self))” appears twice in one object")
    }
    seen[place] = object
    next = place + 1
    return slots[place]
  }
}

/// A table of links while an archive is read into a database.
final class StagedList {
  let name: [UInt8]
  let insertion: Statement
  let hasPlace: Bool
  let hasOwnPlace: Bool

  /// Prepares to add to `list` of the store on `connection`.
  init(_ list: LinkRelation, on connection: Connection) throws(SQLiteError) {
    name = Array(list.relationship.name.utf8)
    hasOwnPlace = list.positionColumn != nil
    hasPlace = list.inversePositionColumn != nil
    let columns = [
      list.ownerColumn, list.targetColumn, list.positionColumn, list.inversePositionColumn,
    ].compactMap(\.self)
    let parameters = columns.indices.map { "?\($0 + 1)" }
    insertion = try connection.prepare(
      "INSERT INTO main.\(list.table.sqlName) "
        + "(\(columns.map(\.sqlName).joined(separator: ", "))) "
        + "VALUES (\(parameters.joined(separator: ", ")))"
    )
  }

  /// The parameter for the target's position in the owner's list.
  var ownPlaceParameter: Int { 3 }
  /// The parameter for the owner's position in the target's list.
  var placeParameter: Int { hasOwnPlace ? 4 : 3 }
}

extension UnsafeRawBufferPointer {
  /// Whether the bytes are equal to `other`.
  @inline(__always)
  func isEqual(to other: [UInt8]) -> Bool {
    guard count == other.count else { return false }
    return other.withUnsafeBytes { bytes in
      guard let one = baseAddress, let two = bytes.baseAddress else { return true }
      return memcmp(one, two, count) == 0
    }
  }
}
