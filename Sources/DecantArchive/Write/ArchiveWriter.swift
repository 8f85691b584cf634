package import DecantBase
package import DecantPlan
internal import DecantStore
internal import DecantDigests
internal import DecantJSON
package import DecantSQLite

/// Writes all objects of a store as the lines of an archive, in one pass with constant memory.
package final class ArchiveWriter {
  /// The schema name under which the store is attached.
  package static let schema = "source"
  let source: any SourceStore
  let connection: Connection
  let output: ArchiveOutput
  let blobs: BlobLines
  private let cancellation: Cancellation
  /// Receives the number of objects so far, after every few thousand.
  private let onProgress: (_ entity: String, _ objects: Int64, _ bytes: Int64) -> Void
  private var total: Int64 = 0
  /// The number of external files written, and of missing ones.
  package private(set) var files: (copied: Int64, missing: Int64) = (0, 0)

  /// The number of links to objects that are not in the archive.
  package private(set) var referenceCount: Int64 = 0
  /// The number of links of listed objects whose targets have no identity.
  package var unreportedCount: Int64 = 0
  /// The references to objects of another store.
  package var references: ReferenceLinks?

  /// Prepares to write `source`, attached to `connection` as `schema` in a read transaction.
  package init(
    _ source: any SourceStore,
    on connection: Connection,
    to output: ArchiveOutput,
    cancellation: Cancellation,
    onProgress: @escaping (_ entity: String, _ objects: Int64, _ bytes: Int64) -> Void
  ) throws(DecantError) {
    self.source = source
    self.connection = connection
    self.output = output
    self.cancellation = cancellation
    self.onProgress = onProgress
    blobs = try explaining("cannot create a temporary table") { () throws(SQLiteError) in
      try BlobLines(output, on: connection)
    }
  }

  /// Writes header, objects and receipt.
  ///
  /// - Parameters:
  ///   - header: The header.
  ///   - template: The file of the empty store, if it should be included.
  ///   - parts: Returns the number of parts, and the bytes of all headers but the first.
  /// - Throws: `DecantError` if the store cannot be read, or the lines cannot be written.
  package func write(
    _ header: ArchiveHeader,
    template: String?,
    parts: () -> (count: Int, byteCount: Int64)
  ) throws(DecantError) {
    try writeHeader(header, template)
    var objects = ObjectWriter(source, on: connection, to: output, blobs, references)
    for relation in source.layout.relations {
      for entity in relation.entities {
        let entity = ArchivedEntity(entity, in: relation, of: source)
        try forEachRow(of: entity, in: ArchiveWriter.schema) {
          rows,
          key,
          lists throws(DecantError) in
          try objects.write(entity, rows, key, lists)
        }
        output.end()
      }
    }
    for list in source.layout.linkRelations { try objects.writeStray(list) }
    output.end()
    files = objects.files
    referenceCount = objects.referenceCount
    try output.flush()
    try writeReceipt(parts())
    try output.flush()
  }

  func writeHeader(_ header: ArchiveHeader, _ template: String?) throws(DecantError) {
    var line = ArchiveWriter.line(header.json)
    guard line.count < ArchiveHeader.byteLimit else {
      throw DecantError(
        .limitExceeded,
        "the model of “\(source.identity.place)” is too large for the header of an archive",
        place: "\(line.count) bytes of at most \(ArchiveHeader.byteLimit)"
      )
    }
    try output.append(&line)
    if let template {
      var reference = LineBuffer()
      // The pages of an empty store are mostly empty.
      try blobs.write(BlobLines.content(ofFile: template), isText: false, packs: true, to: &reference)
    }
  }

  private func writeReceipt(_ parts: (count: Int, byteCount: Int64)) throws(DecantError) {
    let sums = output.sums.sorted { $0.key < $1.key }
    let receipt: [(String, JSONValue)] = [
      ("end", .bool(true)), ("parts", .integer(Int64(parts.count))),
      ("counts", .object(sums.map { ($0.key, .integer($0.value.objects)) })),
      ("links", .object(sums.map { ($0.key, .integer($0.value.links)) })),
      ("hashes", .object(sums.map { ($0.key, .string(ArchiveWriter.hex($0.value.checksum))) })),
      ("blobs", .integer(blobs.count)), ("bytes", .integer(output.byteCount + parts.byteCount)),
    ]
    try append(.object(receipt))
  }

  /// Writes a line that is not an object of the store.
  func append(_ json: JSONValue) throws(DecantError) {
    var line = ArchiveWriter.line(json)
    try output.append(&line)
  }

  private static func line(_ json: JSONValue) -> LineBuffer {
    var line = LineBuffer()
    var text = json.text
    text.withUTF8 { line.append(raw: UnsafeRawBufferPointer($0)) }
    return line
  }

  static func hex(_ checksum: UInt32) -> String {
    let digits = String(checksum, radix: 16)
    return String(repeating: "0", count: 8 - digits.count) + digits
  }

  /// Returns the lists of links in the lines of `entity`, of all objects or of the `listed` ones.
  func lists(of entity: ArchivedEntity, in schema: String, listed: ListedObjects? = nil)
    throws(SQLiteError) -> [LinkRows]
  {
    var lists: [LinkRows] = []
    for list in entity.lists where entity.owns(list, in: source.model) {
      lists.append(try LinkRows(list, in: schema, on: connection, listed: listed))
    }
    return lists
  }

  /// Calls `body` for each row of `entity`, of all objects or of the `listed` ones.
  ///
  /// - Parameters:
  ///   - entity: The entity, whose lines begin.
  ///   - schema: The schema name of its store.
  ///   - listed: The objects; `nil` for all.
  ///   - body: Receives the row, its key, and the lists of links in its line.
  /// - Throws: `DecantError` if the rows cannot be read, or the work is cancelled.
  func forEachRow(
    of entity: ArchivedEntity,
    in schema: String,
    listed: ListedObjects? = nil,
    _ body: (EntityRows, Int64, [LinkRows]) throws(DecantError) -> Void
  ) throws(DecantError) {
    let (rows, lists) = try explaining("cannot read \(entity.name)") { () throws(SQLiteError) in
      (
        try EntityRows(entity, in: schema, on: connection, listed: listed),
        try self.lists(of: entity, in: schema, listed: listed)
      )
    }
    output.begin(entity.name)
    var number: Int64 = 0
    while try explaining("cannot read \(entity.name)", { () throws(SQLiteError) in try rows.rows.step() }) {
      number += 1
      total += 1
      if total & 4095 == 0 {
        guard !cancellation.isCancelled else {
          throw DecantError(.interrupted, "the export was interrupted")
        }
        onProgress(entity.name, total, output.byteCount)
      }
      try body(rows, rows.keyPlace.map { rows.rows.integer(at: $0) } ?? number, lists)
    }
  }
}
