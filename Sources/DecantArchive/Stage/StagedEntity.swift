internal import DecantSystem
internal import DecantBase
internal import DecantStore
internal import DecantSQLite

/// An entity as an archive is read into a database: which name in a line becomes which parameter.
final class StagedEntity {
  /// Where a value goes.
  ///
  /// A class, as it is passed on for every value.
  final class Slot {
    let name: [UInt8]
    /// 0 for what the table computes itself.
    let parameter: Int
    let column: String
    /// Whether values may lie in files of their own, and what stands in front of those that do not.
    var isExternal = false
    var inlineMark: [UInt8] = []
    /// Where the target's entity goes, and by which number each is known.
    var entityParameter: Int?
    var entityCodes: [String: Int64] = [:]
    /// The number of the entity that the model names.
    var destinationCode: Int64?
    /// Where the place in a list goes.
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
  /// Inserts an object; `nil` for an abstract entity, of which there are none.
  let insertion: Statement?
  /// Where the key goes; `nil` where rows have none that is an integer.
  let keyParameter: Int?
  let revisionParameter: Int?
  /// Attributes that must have a value and get the model's where a line of a file of rejects says none, each with the
  /// parameter that says so.
  var defaults: [(name: String, parameter: Int)] = []
  /// Whether the object's values are held against their types; `nil` where none are.
  let strictParameter: Int?
  /// Whether large values can be written piece by piece.
  let hasRowNumbers: Bool
  /// The column that each parameter fills, the first of them for ?1.
  let columns: [String]
  let values: NamedSlots
  let unnamed: NamedSlots
  let links: NamedSlots
  let owners: NamedSlots
  var lists: [StagedList] = []
  /// What links lead to, those of lists included.
  var ends: [StagedLink] = []
  /// The condition, as SQL over the table, under which a row of it is of this entity; `nil` where all are.
  var condition: String?

  /// The column of the key; `nil` where rows have none that is an integer.
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

  /// Whether `name` is this entity's.
  func isCalled(_ name: UnsafeRawBufferPointer) -> Bool { name.isEqual(to: nameBytes) }

  /// Whether the object at hand says something of the attribute or relationship called `name`.
  func has(_ name: String) -> Bool {
    [values, unnamed, links, owners].contains { $0.has(name) }
  }

  /// The name of a link that the object must not be without, among those called `names`, and that it lacks.
  func lacksLink(among names: [String]) -> String? {
    requiredLink(among: names.filter { !links.has($0) })
  }

  /// The name of a link that the object must not be without, among those called `names`.
  func requiredLink(among names: [String]) -> String? {
    names.first { name in
      ends.contains { $0.isRequired && $0.name.hasSuffix(".\(name)") }
    }
  }

  /// Forgets which names the last object had.
  func beginObject() {
    values.begin()
    unnamed.begin()
    links.begin()
    owners.begin()
  }
}

/// Slots by name, looked for where the last object had them.
final class NamedSlots {
  private let slots: [StagedEntity.Slot]
  private let places: [String: Int]
  @exclusivity(unchecked) private var next = 0
  /// For each slot the number of the object that had it last.
  @exclusivity(unchecked) private var seen: [Int]
  @exclusivity(unchecked) private var object = 1

  init(_ slots: [StagedEntity.Slot]) {
    self.slots = slots
    places = Dictionary(slots.enumerated().map { (String(decoding: $1.name, as: UTF8.self), $0) }) { first, _ in first }
    seen = Array(repeating: 0, count: slots.count)
  }

  /// Begins with another object.
  func begin() {
    next = 0
    object += 1
  }

  /// Whether the object at hand has what is called `name`.
  func has(_ name: String) -> Bool { places[name].map { seen[$0] == object } ?? false }

  /// Finds the slot called `name`; `nil` where there is none.
  ///
  /// - Throws: The fault of a name that comes twice in one object.
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

/// A table of links as an archive is read into it.
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

  /// The place of the parameter for the target's place in the owner's list.
  var ownPlaceParameter: Int { 3 }
  /// The place of the parameter for the owner's place in the target's list.
  var placeParameter: Int { hasOwnPlace ? 4 : 3 }
}

extension UnsafeRawBufferPointer {
  /// Whether the bytes are those of `other`.
  @inline(__always)
  func isEqual(to other: [UInt8]) -> Bool {
    guard count == other.count else { return false }
    return other.withUnsafeBytes { bytes in
      guard let one = baseAddress, let two = bytes.baseAddress else { return true }
      return memcmp(one, two, count) == 0
    }
  }
}
