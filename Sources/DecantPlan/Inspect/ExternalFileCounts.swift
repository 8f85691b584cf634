public import DecantBase
internal import DecantStore
internal import DecantSQLite

/// The values of one attribute, in objects of one entity, that lie in files of their own.
public struct ExternalFileCounts: Sendable, Hashable {
  /// The attribute, by the entity that declares it.
  public var attribute: Property
  /// The concrete entity of the objects.
  public var entity: String
  /// How many values refer to a file.
  public var referenceCount: Int64 = 0
  /// How many of these files are not there.
  public var missingCount: Int64 = 0
  /// The bytes of those that are.
  public var byteCount: Int64 = 0
  /// How many values neither hold their bytes nor refer to a file.
  public var unreadableCount: Int64 = 0

  /// Counts the values of an attribute.
  public init(
    attribute: Property,
    entity: String,
    referenceCount: Int64 = 0,
    missingCount: Int64 = 0,
    byteCount: Int64 = 0,
    unreadableCount: Int64 = 0
  ) {
    (self.attribute, self.entity, self.referenceCount) = (attribute, entity, referenceCount)
    (self.missingCount, self.byteCount) = (missingCount, byteCount)
    self.unreadableCount = unreadableCount
  }
}

/// Looks for the file of every value that lies in one.
struct ExternalFileCensus {
  let storage: any ExternalStorage
  let schema: String
  /// Whether it is known which values have a form of the storage; else any bytes may only look like it.
  let knowsForms: Bool

  /// No reference is longer; a value that is longer is held inline.
  private static let referenceLimit = 128

  /// Returns the counts, by attribute and concrete entity, where there is anything to count.
  func counts(in layout: Layout, on connection: Connection) throws(SQLiteError) -> [ExternalFileCounts] {
    var counts: [ExternalFileCounts] = []
    for relation in layout.relations {
      for column in relation.columns where column.isExternal {
        guard case .attribute(let property) = column.columnRole else { continue }
        counts += try self.counts(of: column, property, in: relation, on: connection)
      }
    }
    return counts
  }

  private func counts(
    of column: RelationColumn,
    _ property: Property,
    in relation: Relation,
    on connection: Connection
  ) throws(SQLiteError) -> [ExternalFileCounts] {
    var counts: [String: ExternalFileCounts] = [:]
    let name = column.name.sqlName
    // Type and length are known without reading the value: pictures that are held inline stay untouched.
    let isShort =
      "typeof(\(name)) = 'blob' AND length(\(name)) < \(ExternalFileCensus.referenceLimit)"
    let select = SelectStatement(
      columns: [
        relation.entityCode() ?? "NULL", relation.keyName,
        "typeof(\(name)) = 'blob'", "length(\(name))", "CASE WHEN \(isShort) THEN \(name) END",
      ],
      source: relation.sqlTable(in: schema),
      conditions: [knowsForms ? "typeof(\(name)) <> 'null'" : isShort]
    )
    let starts = ValueStarts(schema, relation.table, column.name, on: connection)
    try connection.forEachRow(select.sql) { row throws(SQLiteError) in
      guard let entity = relation.entity(of: row.integerOrNil(at: 0)),
        column.onlyIn?.contains(entity.code) ?? true
      else { return }
      var count =
        counts[entity.name] ?? ExternalFileCounts(attribute: property, entity: entity.name)
      let byteCount = row.integer(at: 3)
      if row.integer(at: 2) == 0 {
        count.unreadableCount += 1
      } else if byteCount < ExternalFileCensus.referenceLimit {
        row.withBytes(at: 4) { add($0, to: &count) }
      } else {
        var start = try starts.firstByte(ofRow: row.integer(at: 1))
        let isKnown = withUnsafeBytes(of: &start) { storage.recognizes($0, byteCount: byteCount) }
        if !isKnown { count.unreadableCount += 1 }
      }
      counts[entity.name] = count
    }
    return relation.entities.compactMap { counts[$0.name] }
      .filter { $0.referenceCount > 0 || $0.unreadableCount > 0 }
  }

  /// Counts a value that is short enough to be a reference.
  private func add(_ value: UnsafeRawBufferPointer, to count: inout ExternalFileCounts) {
    guard storage.fileName(in: value) != nil else {
      let isKnown = !knowsForms || storage.recognizes(value, byteCount: Int64(value.count))
      if !isKnown { count.unreadableCount += 1 }
      return
    }
    count.referenceCount += 1
    if let status = storage.file(for: value).flatMap({ FileStatus(unfollowed: $0) }) {
      count.byteCount += status.byteCount
    } else {
      count.missingCount += 1
    }
  }
}

/// Reads how values of one column begin, without reading them whole.
private final class ValueStarts {
  private let place: (schema: String, table: String, column: String)
  private let connection: Connection
  private var handle: BlobHandle?

  init(_ schema: String, _ table: String, _ column: String, on connection: Connection) {
    place = (schema, table, column)
    self.connection = connection
  }

  /// Returns the first byte of the value in the row `rowID`, which must not be empty.
  func firstByte(ofRow rowID: Int64) throws(SQLiteError) -> UInt8 {
    if let handle {
      try handle.move(to: rowID)
    } else {
      handle = try BlobHandle(place.schema, place.table, place.column, rowID: rowID, on: connection)
    }
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1, alignment: 1)
    defer { buffer.deallocate() }
    try handle?.read(into: buffer, at: 0)
    return buffer[0]
  }
}

extension Relation {
  /// Returns the entity with `code`; where the table does not tell, the only one it holds.
  func entity(of code: Int64?) -> EntityCode? {
    entityColumn == nil ? entities.first : entities.first { $0.code == code }
  }
}
