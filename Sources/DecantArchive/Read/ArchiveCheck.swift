package import DecantBase
package import DecantJSON
internal import DecantSQLite

/// Reads an archive only to verify that every line is readable and every large value is present.
package final class ArchiveCheck: ArchiveTaker, ObjectSink {
  private let connection: Connection
  private let insertion: Statement
  private let lookup: Statement
  private var entities: Set<String> = []
  @exclusivity(unchecked) private var entity = ""
  @exclusivity(unchecked) private var lastName: [UInt8] = []

  package init() throws(DecantError) {
    (connection, insertion, lookup) = try explaining("cannot open a database in memory") {
      () throws(SQLiteError) in
      let connection = try Connection(":memory:", mode: .create)
      try connection.run("CREATE TEMP TABLE blobs (hash TEXT PRIMARY KEY, size) WITHOUT ROWID")
      return (
        connection, try connection.prepare("INSERT INTO temp.blobs VALUES (?1, ?2)"),
        try connection.prepare("SELECT size FROM temp.blobs WHERE hash = ?1")
      )
    }
  }

  private lazy var lines = ObjectLines(self)

  package func take(_ header: ArchiveHeader) throws {
    entities = Set(header.model.model.entities.map(\.name))
  }

  package func take(piece: UnsafeRawBufferPointer, of blob: ArchiveBlob) throws {}

  package func take(finished blob: ArchiveBlob) throws {
    do throws(SQLiteError) {
      try insertion.run(.text(blob.hash), .integer(blob.byteCount))
    } catch {
      guard error.isConstraint else { throw error }
      throw ArchiveFault("a large value appears twice: \(blob.hash.prefix(12))…")
    }
  }

  package func take(object line: inout JSONReader) throws -> ArchiveObject {
    let read = try lines.read(&line)
    return ArchiveObject(entity: entity, links: read.links, isMore: read.isMore)
  }

  func begin(_ name: UnsafeRawBufferPointer) throws {
    guard entity.isEmpty || !name.isEqual(to: lastName) else { return }
    lastName = Array(name)
    entity = String(decoding: name, as: UTF8.self)
    guard entities.contains(entity) else {
      throw ArchiveFault("the header has no entity “\(entity.prefix(60))”")
    }
  }

  func take(id: ArchivedValue) throws {}
  func take(revision: Int64?) throws {}

  func take(
    _ value: ArchivedValue,
    _ place: ArchivedValue.Place,
    of name: UnsafeRawBufferPointer,
    isUnnamed: Bool
  ) throws {
    guard case .blob(let hash, let size, _) = value else { return }
    try lookup.bind([.text(String(decoding: hash, as: UTF8.self))])
    defer { lookup.reset() }
    guard try lookup.step(), lookup.integer(at: 0) == size else {
      throw ArchiveFault("a large value is used before it is defined")
    }
  }

  func take(link: ArchivedLink, of name: UnsafeRawBufferPointer, isOwner: Bool) throws {}
  func take(listed link: ArchivedLink, of name: UnsafeRawBufferPointer) throws {}
}

/// Keeps the reader of object lines for a sink that is a class.
final class ObjectLines<Sink: ObjectSink> {
  @exclusivity(unchecked) private var reader: ObjectLineReader<Sink>

  init(_ sink: Sink) { reader = ObjectLineReader(sink) }

  func read(_ cursor: inout JSONReader) throws -> (links: Int64, isMore: Bool) {
    try reader.read(&cursor)
  }
}
