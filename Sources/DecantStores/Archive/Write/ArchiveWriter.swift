internal import Decant
internal import Digests
internal import JSON
internal import SQLite

/// Writes all objects of a store as the lines of an archive, in one pass and with flat memory.
final class ArchiveWriter {
  /// The name under which the store is attached.
  static let schema = "source"
  /// Values of more bytes than this go into pieces of their own.
  private static let inlineLimit = 64 << 10

  private let source: any SourceStore
  private let connection: Connection
  private let output: ArchiveOutput
  private let blobs: BlobLines
  private let encoder: ValueEncoder
  private let cancellation: Cancellation
  /// Told after some thousand objects how many there are so far.
  private let onProgress: (_ entity: String, _ objects: Int64, _ bytes: Int64) -> Void
  private var line = LineBuffer()
  private var values = LineBuffer()
  private var total: Int64 = 0
  /// Files that objects refer to: how many were written, how many are not there.
  private(set) var files: (copied: Int64, missing: Int64) = (0, 0)

  /// Prepares to write `source`, which is attached to `connection` as `schema` and held in one state.
  init(
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
    encoder = ValueEncoder(isWide: source.textEncoding != "UTF-8")
    blobs = try explaining("cannot make a temporary table") { () throws(SQLiteError) in
      try BlobLines(output, on: connection)
    }
  }

  /// Writes header, objects and receipt.
  ///
  /// - Parameters:
  ///   - header: Everything the header says.
  ///   - template: The file of the store without its objects, if one is to travel along.
  ///   - parts: How many parts there are, and the bytes of the headers of all but the first.
  func write(
    _ header: ArchiveHeader,
    template: String?,
    parts: () -> (count: Int, byteCount: Int64)
  ) throws(DecantError) {
    line.removeAll()
    var text = header.json.text
    text.withUTF8 { line.append(raw: UnsafeRawBufferPointer($0)) }
    guard line.count < ArchiveHeader.byteLimit else {
      throw DecantError(
        .failed,
        "the model of “\(source.identity.place)” is too large for the header of an archive",
        place: "\(line.count) bytes of at most \(ArchiveHeader.byteLimit)"
      )
    }
    try output.append(&line)
    if let template {
      var reference = LineBuffer()
      try blobs.write(BlobLines.content(ofFile: template), isText: false, to: &reference)
    }
    for relation in source.layout.relations {
      for entity in relation.entities {
        try write(ArchivedEntity(entity, in: relation, of: source))
      }
    }
    for list in source.layout.linkRelations { try writeStray(list) }
    output.end()
    try output.flush()
    try writeReceipt(parts())
    try output.flush()
  }

  private func writeReceipt(_ parts: (count: Int, byteCount: Int64)) throws(DecantError) {
    line.removeAll()
    let sums = output.sums.sorted { $0.key < $1.key }
    let receipt = JSONValue.object([
      ("end", .bool(true)), ("parts", .integer(Int64(parts.count))),
      ("counts", .object(sums.map { ($0.key, .integer($0.value.objects)) })),
      ("links", .object(sums.map { ($0.key, .integer($0.value.links)) })),
      ("hashes", .object(sums.map { ($0.key, .string(ArchiveWriter.hex($0.value.checksum))) })),
      ("blobs", .integer(blobs.count)), ("bytes", .integer(output.byteCount + parts.byteCount)),
    ])
    var text = receipt.text
    text.withUTF8 { line.append(raw: UnsafeRawBufferPointer($0)) }
    try output.append(&line)
  }

  static func hex(_ checksum: UInt32) -> String {
    let digits = String(checksum, radix: 16)
    return String(repeating: "0", count: 8 - digits.count) + digits
  }

  private func write(_ entity: ArchivedEntity) throws(DecantError) {
    let (rows, lists) = try explaining("cannot read \(entity.name)") { () throws(SQLiteError) in
      let rows = try EntityRows(entity, in: ArchiveWriter.schema, on: connection)
      var lists: [LinkRows] = []
      for list in entity.lists where entity.owns(list, in: source.model) {
        lists.append(try LinkRows(list, in: ArchiveWriter.schema, on: connection))
      }
      return (rows, lists)
    }
    output.begin(entity.name)
    let label = LineBuffer.label(entity.name).dropLast()
    var number: Int64 = 0
    while try explaining("cannot read \(entity.name)", { () throws(SQLiteError) in try rows.rows.step() })
    {
      number += 1
      total += 1
      if total & 4095 == 0 {
        guard !cancellation.isCancelled else {
          throw DecantError(.interrupted, "the export was stopped")
        }
        onProgress(entity.name, total, output.byteCount)
      }
      let key = rows.keyPlace.map { rows.rows.integer(at: $0) } ?? number
      var linkCount = 0
      var limit = ArchiveWriter.inlineLimit
      while true {
        line.removeAll()
        line.append(#"{"e":"#)
        line.append(raw: Array(label))
        line.append(#","id":"#)
        line.append(key)
        linkCount = try writeMembers(entity, rows, key, limit: limit)
        // Room for lists is left; they go on in lines of their own.
        if line.count < ArchiveOutput.lineLimit * 3 / 4 { break }
        guard limit > 0 else {
          throw DecantError(
            .failed,
            "an object is too large for a line of an archive",
            place: "\(entity.name) p\(key), \(line.count) bytes without its large values"
          )
        }
        limit = limit > 1024 ? limit / 16 : 0
      }
      try writeLists(lists, of: entity, key, &linkCount)
    }
    output.end()
  }

  /// Writes what one line says of an object but for its lists; returns how many links that were.
  private func writeMembers(
    _ entity: ArchivedEntity,
    _ rows: EntityRows,
    _ key: Int64,
    limit: Int
  ) throws(DecantError) -> Int {
    if let place = rows.revisionPlace, rows.rows.type(at: place) != .integer {
      line.append(#","revision":null"#)
    } else if let place = rows.revisionPlace, rows.rows.integer(at: place) != 1 {
      line.append(#","revision":"#)
      line.append(rows.rows.integer(at: place))
    }
    values.removeAll()
    var spans: [Range<Int>] = []
    for (index, value) in rows.values.enumerated() {
      if index > 0 { values.append(",") }
      values.append(raw: value.label)
      let start = values.count
      try write(value, of: entity, rows, key, limit: limit)
      spans.append(start..<values.count)
    }
    if !entity.key.isEmpty, entity.key.allSatisfy({ rows.rows.type(at: rows.values[$0].place) != .null })
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
      for (index, value) in rows.others.enumerated() {
        if index > 0 { values.append(",") }
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
    }
  }

  private func write(
    _ value: EntityRows.Value,
    of entity: ArchivedEntity,
    _ rows: EntityRows,
    _ key: Int64,
    limit: Int
  ) throws(DecantError) {
    let row = rows.rows
    if let place = value.lengthPlace, row.type(at: place) == .integer {
      let column = value.value.column
      try blobs.write(pieces(of: column, entity, key), isText: false, to: &values)
      if column.isExternal, try !hasMark(column, entity, key) {
        values.amend { line in line.append(#","raw":true"#) }
      }
      return
    }
    if value.value.column.isExternal, row.type(at: value.place) == .blob,
      try writeExternal(value, row, limit: limit)
    {
      return
    }
    let outcome = try explaining("cannot read \(entity.name) p\(key)") { () throws(SQLiteError) in
      try encoder.encode(row, value.place, value.value.coding, limit: limit, to: &values)
    }
    guard case .large(let isText) = outcome else { return }
    let bytes = try explaining("cannot read \(entity.name) p\(key)") { () throws(SQLiteError) in
      switch try row.exactValue(at: value.place) {
      case .utf8(let bytes), .blob(let bytes): bytes
      case .null, .integer, .real, .text: [UInt8]()
      }
    }
    try blobs.write(ArchiveWriter.source(of: bytes), isText: isText, to: &values)
  }

  private static func source(of bytes: [UInt8]) -> BlobLines.Source {
    { take throws(DecantError) in
      let result = bytes.withUnsafeBytes { bytes in
        Result { () throws(DecantError) in try take(bytes) }
      }
      try result.get()
    }
  }

  /// Writes a value that may lie in a file of its own, or has a mark in front; false for one that has not.
  private func writeExternal(_ value: EntityRows.Value, _ row: Statement, limit: Int)
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
      // Without the mark that others have in front: as it stands, wherever it comes from.
      try writeRaw(value, row, limit: limit)
      return true
    }
    guard !found.isLarge else {
      let bytes = try explaining("cannot read a value") { () throws(SQLiteError) in
        try row.withLentBytes(at: value.place) { Array(storage.inlineContent(of: $0)) }
      }
      try blobs.write(ArchiveWriter.source(of: bytes), isText: false, to: &values)
      return true
    }
    found.content.withUnsafeBytes { encoder.encode(bytes: $0, .asStored, to: &values) }
    return true
  }

  /// Writes bytes where all others of their column have a mark in front.
  private func writeRaw(_ value: EntityRows.Value, _ row: Statement, limit: Int)
    throws(DecantError)
  {
    let bytes = try explaining("cannot read a value") { () throws(SQLiteError) in
      try row.withLentBytes(at: value.place) { Array($0) }
    }
    if bytes.count <= limit {
      bytes.withUnsafeBytes { encoder.encode(bytes: $0, .asStored, to: &values) }
    } else {
      try blobs.write(ArchiveWriter.source(of: bytes), isText: false, to: &values)
    }
    values.amend { line in line.append(#","raw":true"#) }
  }

  /// The bytes of a value that is too large for memory.
  private func pieces(of column: RelationColumn, _ entity: ArchivedEntity, _ key: Int64)
    -> BlobLines.Source
  {
    let (connection, table) = (connection, entity.relation.table)
    let mark = column.isExternal ? column.inlineMark : []
    return { take throws(DecantError) in
      var failure: DecantError?
      do throws(SQLiteError) {
        let blob = try BlobHandle(
          ArchiveWriter.schema,
          table,
          column.name,
          rowID: key,
          on: connection
        )
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

  /// Whether a large value has the mark in front that values of its column have.
  private func hasMark(_ column: RelationColumn, _ entity: ArchivedEntity, _ key: Int64)
    throws(DecantError) -> Bool
  {
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

  /// Writes links that stand in the row itself; returns how many. Without `closes` the object stays open
  /// for lists.
  private func writeLinks(
    _ links: [EntityRows.Link],
    _ opening: StaticString,
    _ row: Statement,
    closes: Bool
  ) throws(SQLiteError) -> Int {
    var count = 0
    for link in links where row.type(at: link.place) != .null {
      if count == 0 { line.append(opening) } else { line.append(",") }
      count += 1
      line.append(raw: link.label)
      let name = link.entityPlace.flatMap { place in
        row.type(at: place) == .integer ? link.entityNames[row.integer(at: place)] : nil
      }
      let isOther = name != nil && name != link.link.destination
      let hasPosition = link.positionPlace.map { row.type(at: $0) != .null } ?? false
      guard isOther || hasPosition else {
        _ = try encoder.encode(row, link.place, .asStored, limit: 1 << 16, to: &line)
        continue
      }
      line.append(#"{"to":"#)
      _ = try encoder.encode(row, link.place, .asStored, limit: 1 << 16, to: &line)
      if let name, isOther {
        line.append(#","e":"#)
        line.append(string: name)
      }
      if let place = link.positionPlace, hasPosition {
        line.append(#","at":"#)
        _ = try encoder.encode(row, place, .asStored, limit: 1 << 16, to: &line)
      }
      line.append("}")
    }
    if closes, count > 0 { line.append("}") }
    hasOpenLinks = !closes && count > 0
    return count
  }

  /// Whether the line has links already, to which lists are added.
  private var hasOpenLinks = false

  /// Writes the lists of the object, ends its line, and writes what did not fit into further ones.
  private func writeLists(
    _ lists: [LinkRows],
    of entity: ArchivedEntity,
    _ key: Int64,
    _ linkCount: inout Int
  ) throws(DecantError) {
    var isMore = false
    for list in lists {
      guard try explaining("cannot read \(list.list.relationship)", { () throws(SQLiteError) in
        try list.moves(to: key)
      }) else { continue }
      if !isMore, !hasOpenLinks { line.append(#","r":{"#) } else if hasOpenLinks { line.append(",") }
      hasOpenLinks = true
      line.append(raw: list.label)
      line.append("[")
      var isFirst = true
      repeat {
        if !isFirst { line.append(",") }
        isFirst = false
        linkCount += 1
        try explaining("cannot read \(list.list.relationship)") { () throws(SQLiteError) in
          try list.write(encoder, to: &line)
        }
        let goesOn = try explaining("cannot read \(list.list.relationship)") {
          () throws(SQLiteError) in try list.moves(to: key)
        }
        guard goesOn else { break }
        guard line.count < ArchiveOutput.lineLimit * 7 / 8 else {
          line.append("]}}")
          try output.append(object: &line, links: linkCount, isMore: isMore)
          linkCount = 0
          isMore = true
          beginMore(entity.name) { line in line.append(key) }
          line.append(raw: list.label)
          line.append("[")
          isFirst = true
          continue
        }
      } while true
      line.append("]")
    }
    line.append(hasOpenLinks ? "}}" : "}")
    hasOpenLinks = false
    try output.append(object: &line, links: linkCount, isMore: isMore)
  }

  private func beginMore(_ entity: String, _ key: (inout LineBuffer) -> Void) {
    line.removeAll()
    line.append(#"{"e":"#)
    line.append(string: entity)
    line.append(#","id":"#)
    key(&line)
    line.append(#","more":{"#)
  }

  /// Writes links whose owner is not there: in a plain database they stay what they are.
  private func writeStray(_ list: LinkRelation) throws(DecantError) {
    guard let owners = source.layout.relation(of: list.ownerRoot) else { return }
    let name = list.relationship.entity
    try explaining("cannot read \(list.relationship)") { () throws(SQLiteError) in
      let rows = try LinkRows(
        strayOf: list,
        owners: owners,
        in: ArchiveWriter.schema,
        on: connection
      )
      while try rows.movesOn() {
        line.removeAll()
        line.append(#"{"e":"#)
        line.append(string: name)
        line.append(#","id":"#)
        try rows.writeOwner(encoder, to: &line)
        line.append(#","more":{"#)
        line.append(raw: rows.label)
        line.append("[")
        try rows.write(encoder, to: &line)
        line.append("]}}")
        output.begin(name)
        do throws(DecantError) {
          try output.append(object: &line, links: 1, isMore: true)
        } catch {
          throw SQLiteError(code: SQLiteError.internalCode, message: error.message)
        }
      }
    }
  }
}
