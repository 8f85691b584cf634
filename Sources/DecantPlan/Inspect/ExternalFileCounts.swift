public import DecantBase
internal import DecantStore
internal import DecantSQLite

/// The external values of one attribute, in objects of one entity.
public struct ExternalFileCounts: Sendable, Hashable {
  /// The attribute, with the entity that declares it.
  public var attribute: Property
  /// The concrete entity of the objects.
  public var entity: String
  /// The number of values that refer to a file.
  public var referenceCount: Int64 = 0
  /// The number of missing files.
  public var missingCount: Int64 = 0
  /// The total size of the existing files, in bytes.
  public var byteCount: Int64 = 0
  /// The number of values that are neither inline data nor references to a file.
  public var unreadableCount: Int64 = 0

  /// Describes the counts of an attribute.
  package init(
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

/// A search for the files of all external values.
struct ExternalFileCensus {
  let storage: any ExternalStorage
  let schema: String
  /// Whether all values have a form of the storage; otherwise bytes may only resemble one.
  let knowsForms: Bool

  /// The maximum length of a reference; longer values are inline.
  private static let referenceLimit = 128

  /// Returns the counts that are not 0, by attribute and concrete entity.
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
    // Type and length are known without reading the value: inline pictures are not read.
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

  /// Counts a value that is short enough for a reference.
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

/// A reader of the first byte of values in one column, without reading them completely.
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
  /// Returns the entity with `code`, or the only entity of a table without codes.
  func entity(of code: Int64?) -> EntityCode? {
    entityColumn == nil ? entities.first : entities.first { $0.code == code }
  }
}
