internal import DecantBase
internal import DecantPlan
internal import DecantStore
internal import DecantSQLite

/// Writes the lines of objects.
///
/// A noncopyable value, so that appending to a line has no overhead.
struct ObjectWriter: ~Copyable {
  /// The size from which values are written in separate pieces.
  private static let inlineLimit = 64 << 10

  let source: any SourceStore
  let connection: Connection
  let output: ArchiveOutput
  let blobs: BlobLines
  let encoder: ValueEncoder
  let references: ReferenceLinks?
  var line = LineBuffer()
  var values = LineBuffer()
  /// The range of each value in `values`.
  var spans: [Range<Int>] = []
  /// The number of external files written, and of missing ones.
  var files: (copied: Int64, missing: Int64) = (0, 0)
  /// The number of links to objects that are not in the archive.
  var referenceCount: Int64 = 0

  /// The number of links of listed objects whose targets have no identity.
  var unreportedCount: Int64 = 0

  /// Whether the line already has links, to which lists are added.
  var hasOpenLinks = false

  init(
    _ source: any SourceStore,
    on connection: Connection,
    to output: ArchiveOutput,
    _ blobs: BlobLines,
    _ references: ReferenceLinks?
  ) {
    self.references = references
    self.source = source
    self.connection = connection
    self.output = output
    self.blobs = blobs
    encoder = ValueEncoder(isWide: source.textEncoding != "UTF-8")
  }

  /// Writes the object of the current row, with its own lists.
  ///
  /// - Parameters:
  ///   - entity: Its entity.
  ///   - rows: The rows, positioned at the object.
  ///   - key: Its key, or a running number.
  ///   - lists: The tables of links in which it may own rows.
  /// - Throws: `DecantError` if the store cannot be read, or the lines cannot be written.
  mutating func write(
    _ entity: ArchivedEntity,
    _ rows: EntityRows,
    _ key: Int64,
    _ lists: [LinkRows]
  ) throws(DecantError) {
    var linkCount = 0
    var limit = ObjectWriter.inlineLimit
    while true {
      line.removeAll()
      line.append(#"{"e":"#)
      line.append(raw: rows.label)
      line.append(#","id":"#)
      line.append(key)
      linkCount = try writeMembers(entity, rows, key, limit: limit)
      // Room is left for lists, which continue in separate lines.
      if line.count < ArchiveOutput.lineLimit * 3 / 4 { break }
      guard limit > 0 else {
        throw DecantError(
          .limitExceeded,
          "an object is too large for a line of an archive",
          place: "\(entity.name) p\(key), \(line.count) bytes without its large values"
        )
      }
      limit = limit > 1024 ? limit / 16 : 0
    }
    try writeLists(lists, of: entity, key, &linkCount)
    try writeListedReferences(entity, key, lists)
  }

  /// Writes the members of an object except its lists to one line; returns the number of links.
  private mutating func writeMembers(
    _ entity: ArchivedEntity,
    _ rows: EntityRows,
    _ key: Int64,
    limit: Int
  ) throws(DecantError) -> Int {
    try writeReject(rows)
    if let place = rows.revisionPlace, rows.rows.type(at: place) != .integer {
      line.append(#","revision":null"#)
    } else if let place = rows.revisionPlace, rows.rows.integer(at: place) != 1 {
      line.append(#","revision":"#)
      line.append(rows.rows.integer(at: place))
    }
    values.removeAll()
    spans.removeAll(keepingCapacity: true)
    for value in rows.values {
      guard !rows.lacks(value) else {
        spans.append(values.count..<values.count)
        continue
      }
      if values.count > 0 { values.append(",") }
      values.append(raw: value.label)
      let start = values.count
      try write(value, of: entity, rows, key, limit: limit)
      spans.append(start..<values.count)
    }
    if !entity.key.isEmpty,
      entity.key.allSatisfy({ rows.rows.type(at: rows.values[$0].place) != .null })
    {
      line.append(#","key":{"#)
      for (index, place) in entity.key.enumerated() {
        if index > 0 { line.append(",") }
        line.append(raw: rows.values[place].label)
        line.append(raw: UnsafeRawBufferPointer(rebasing: values.bytes[spans[place]]))
      }
      line.append("}")
    }
    line.append(#","v":{"#)
    line.append(raw: values.bytes)
    line.append("}")
    if !rows.others.isEmpty {
      values.removeAll()
      for value in rows.others where !rows.lacks(value) {
        if values.count > 0 { values.append(",") }
        values.append(raw: value.label)
        try write(value, of: entity, rows, key, limit: limit)
      }
      line.append(#","columns":{"#)
      line.append(raw: values.bytes)
      line.append("}")
    }
    return try explaining("cannot read \(entity.name) p\(key)") { () throws(SQLiteError) in
      try writeLinks(rows.owners, #","of":{"#, rows.rows, closes: true)
        + writeLinks(rows.links, #","r":{"#, rows.rows, closes: false)
        + writeReferences(entity, rows, key)
    }
  }

  private mutating func write(
    _ value: EntityRows.Value,
    of entity: ArchivedEntity,
    _ rows: EntityRows,
    _ key: Int64,
    limit: Int
  ) throws(DecantError) {
    let row = rows.rows
    if let place = value.lengthPlace, row.type(at: place) == .integer {
      let column = value.column
      try blobs.write(pieces(of: column, entity, key), isText: false, to: &values)
      if column.isExternal, try !hasMark(column, entity, key) {
        values.amend { line in line.append(#","raw":true"#) }
      }
      return
    }
    if value.isExternal, row.type(at: value.place) == .blob,
      try writeExternal(value, row, limit: limit)
    {
      return
    }
    let outcome = try explaining("cannot read \(entity.name) p\(key)") { () throws(SQLiteError) in
      try encoder.encode(row, value.place, value.coding, limit: limit, to: &values)
    }
    guard case .large(let isText) = outcome else { return }
    let bytes = try explaining("cannot read \(entity.name) p\(key)") { () throws(SQLiteError) in
      switch try row.exactValue(at: value.place) {
      case .utf8(let bytes), .blob(let bytes): bytes
      case .null, .integer, .real, .text: [UInt8]()
      }
    }
    try blobs.write(ObjectWriter.source(of: bytes), isText: isText, to: &values)
  }

  private static func source(of bytes: [UInt8]) -> BlobLines.Source {
    { take throws(DecantError) in
      let result = bytes.withUnsafeBytes { bytes in
        Result { () throws(DecantError) in try take(bytes) }
      }
      try result.get()
    }
  }

  /// Writes a value that may be in an external file or has a prefix; returns false if it has neither.
  private mutating func writeExternal(_ value: EntityRows.Value, _ row: Statement, limit: Int)
    throws(DecantError) -> Bool
  {
    guard let storage = source.externalStorage else { return false }
    let found = try explaining("cannot read a value") { () throws(SQLiteError) in
      try row.withLentBytes(at: value.place) { bytes in
        let content = storage.inlineContent(of: bytes)
        return (
          name: storage.fileName(in: bytes), path: storage.file(for: bytes),
          obstacle: storage.obstacle(before: bytes),
          content: bytes.count > limit || content.count == bytes.count ? [] : Array(content),
          isMarked: content.count < bytes.count, isLarge: bytes.count > limit
        )
      }
    }
    if let name = found.name {
      guard let path = found.path else {
        if let obstacle = found.obstacle { throw DecantError(obstacle) }
        files.missing += 1
        values.append(#"{"missing":"#)
        values.append(string: name)
        values.append("}")
        return true
      }
      files.copied += 1
      if let size = FileStatus(path)?.byteCount, size <= Int64(limit) || size == 0 {
        do throws(SystemError) {
          try Files.content(of: path).withUnsafeBytes {
            encoder.encode(bytes: $0, .asStored, to: &values)
          }
        } catch {
          throw DecantError(error)
        }
      } else {
        try blobs.write(BlobLines.content(ofFile: path), isText: false, to: &values)
      }
      values.amend { line in
        line.append(#","file":"#)
        line.append(string: name)
      }
      return true
    }
    guard found.isMarked else {
      // Without the prefix that others have: the bytes are written unchanged.
      try writeRaw(value, row, limit: limit)
      return true
    }
    guard !found.isLarge else {
      let bytes = try explaining("cannot read a value") { () throws(SQLiteError) in
        try row.withLentBytes(at: value.place) { Array(storage.inlineContent(of: $0)) }
      }
      try blobs.write(ObjectWriter.source(of: bytes), isText: false, to: &values)
      return true
    }
    found.content.withUnsafeBytes { encoder.encode(bytes: $0, .asStored, to: &values) }
    return true
  }

  /// Writes bytes without a prefix in a column whose other values have one.
  private mutating func writeRaw(_ value: EntityRows.Value, _ row: Statement, limit: Int) throws(DecantError) {
    let bytes = try explaining("cannot read a value") { () throws(SQLiteError) in
      try row.withLentBytes(at: value.place) { Array($0) }
    }
    if bytes.count <= limit {
      bytes.withUnsafeBytes { encoder.encode(bytes: $0, .asStored, to: &values) }
    } else {
      try blobs.write(ObjectWriter.source(of: bytes), isText: false, to: &values)
    }
    values.amend { line in line.append(#","raw":true"#) }
  }

  /// Returns the bytes of a value that is too large for memory.
  private func pieces(of column: RelationColumn, _ entity: ArchivedEntity, _ key: Int64) -> BlobLines.Source {
    let (connection, table) = (connection, entity.relation.table)
    let mark = column.isExternal ? column.inlineMark : []
    return { take throws(DecantError) in
      var failure: DecantError?
      do throws(SQLiteError) {
        let blob = try BlobHandle(ArchiveWriter.schema, table, column.name, rowID: key, on: connection)
        let hasMark = try mark.isEmpty ? false : blob.begins(with: mark)
        let start = hasMark ? mark.count : 0
        try blob.forEachPiece(from: start) { (piece, _) throws(SQLiteError) in
          do throws(DecantError) { try take(piece) } catch {
            failure = error
            throw SQLiteError(code: SQLiteError.internalCode, message: "stopped")
          }
        }
      } catch {
        throw failure ?? DecantError("cannot read a value of \(entity.name) p\(key)", cause: error)
      }
    }
  }

  /// Whether a large value has the prefix of its column's values.
  private func hasMark(_ column: RelationColumn, _ entity: ArchivedEntity, _ key: Int64) throws(DecantError) -> Bool {
    try explaining("cannot read a value of \(entity.name) p\(key)") { () throws(SQLiteError) in
      try BlobHandle(
        ArchiveWriter.schema,
        entity.relation.table,
        column.name,
        rowID: key,
        on: connection
      ).begins(with: column.inlineMark)
    }
  }
}
