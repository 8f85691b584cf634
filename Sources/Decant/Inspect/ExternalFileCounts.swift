internal import SQLite

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
}

/// Looks for the file of every value that lies in one.
struct ExternalFileCensus {
  let storage: any ExternalStorage
  let schema: String

  /// No reference is longer; a value that is longer is held inline.
  private static let referenceLimit = 128

  /// Returns the counts, by attribute and concrete entity, where there is anything to count.
  func counts(in layout: Layout, on connection: Connection) throws(SQLiteError)
    -> [ExternalFileCounts]
  {
    var counts: [ExternalFileCounts] = []
    for relation in layout.relations {
      for column in relation.columns where column.isExternal {
        guard case .attribute(let property) = column.meaning else { continue }
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
    // The length is known without reading the value: pictures that are held inline stay untouched.
    let isShort =
      "typeof(\(name)) = 'blob' AND length(\(name)) < \(ExternalFileCensus.referenceLimit)"
    let select = SelectStatement(
      columns: [
        relation.entityColumn?.sqlName ?? "NULL", "CASE WHEN \(isShort) THEN \(name) END",
      ],
      source: "\(schema.sqlName).\(relation.table.sqlName)",
      conditions: [isShort]
    )
    try connection.forEachRow(select.sql) { row throws(SQLiteError) in
      guard let entity = relation.entity(of: row.integerOrNil(at: 0)),
        column.onlyIn?.contains(entity.code) ?? true
      else { return }
      row.withBytes(at: 1) { value in
        guard storage.fileName(in: value) != nil else { return }
        var count =
          counts[entity.name] ?? ExternalFileCounts(attribute: property, entity: entity.name)
        count.referenceCount += 1
        if let status = storage.file(for: value).flatMap({ FileStatus(unfollowed: $0) }) {
          count.byteCount += status.byteCount
        } else {
          count.missingCount += 1
        }
        counts[entity.name] = count
      }
    }
    return relation.entities.compactMap { counts[$0.name] }
  }
}

extension Relation {
  /// Returns the entity with `code`; where the table does not tell, the only one it holds.
  func entity(of code: Int64?) -> EntityCode? {
    entityColumn == nil ? entities.first : entities.first { $0.code == code }
  }
}
