internal import DecantBase
internal import DecantPlan
internal import DecantStore
internal import DecantSQLite

// Bytes of the store's values.
extension PageStore {
  /// Returns the bytes that `object` holds in `column`; `nil` if it holds none.
  ///
  /// For an archived picture, as Core Data stores a `UIImage`, these are the bytes of the picture within.
  func bytes(of object: PageObject, _ column: Int) throws(DecantError) -> PageBytes? {
    guard case .bytes(let count, let content) = object.values[column], count > 0 else { return nil }
    let bytes = try whole(object, column, count: count, content: content)
    guard bytes.format == nil, bytes.isReachable, let picture = try archivedPicture(in: bytes)
    else { return bytes }
    return picture
  }

  private func whole(
    _ object: PageObject,
    _ column: Int,
    count: Int,
    content: [UInt8]?
  ) throws(DecantError) -> PageBytes {
    if let content { return PageBytes(memory: content) }
    guard let reference = object.reference else {
      return PageBytes(place: .outOfReach, count: count, format: nil)
    }
    let head = try self.head(reference, column, count)
    let isExternal = relation(reference.relation).columns[column].isExternal
    guard isExternal, let storage else {
      return PageBytes(place: .stored(reference, column: column), count: count, format: ImageFormat(head: head))
    }
    return try head.withBytes { head throws(DecantError) in
      if head.count == count, storage.fileName(in: head) != nil {
        return try file(storage, head)
      }
      let inline = storage.inlineContent(of: head)
      let start = head.count - inline.count
      return PageBytes(
        place: .stored(reference, column: column),
        start: start,
        count: count - start,
        format: ImageFormat(head: inline)
      )
    }
  }

  private func file(_ storage: any ExternalStorage, _ value: UnsafeRawBufferPointer) throws(DecantError) -> PageBytes {
    guard let path = storage.file(for: value), let status = FileStatus(unfollowed: path) else {
      if let obstacle = storage.obstacle(before: value) {
        // A file in an unreadable folder does not count as lost.
        throw DecantError(.systemFailed, "cannot read a file of the store: \(obstacle)", cause: obstacle)
      }
      return PageBytes(place: .lost, count: 0, format: nil)
    }
    let start = Files.start(of: path, count: ImageFormat.headByteCount)
    return PageBytes(place: .file(path), count: Int(status.byteCount), format: ImageFormat(head: start))
  }

  /// Returns the first bytes of a value; all of them if it may refer to a file.
  private func head(_ reference: PageReference, _ column: Int, _ count: Int) throws(DecantError) -> [UInt8] {
    let wanted = min(count, 64)
    let relation = relation(reference.relation)
    return try reading(relation.root) { () throws(SQLiteError) in
      guard let handle = try handle(reference, column) else {
        let name = relation.columns[column].name.sqlName
        return try connection.bytes(
          """
          SELECT substr(\(name), 1, \(wanted)) FROM \(relation.sqlTable(in: schema)) \
          WHERE \(relation.keyName) = ?1
          """,
          .integer(reference.key)
        ) ?? []
      }
      let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: min(wanted, handle.byteCount), alignment: 16)
      defer { buffer.deallocate() }
      try handle.read(into: buffer, at: 0)
      return Array(buffer)
    }
  }

  /// Returns a handle for reading the value without loading it into memory; `nil` if the table has no row numbers.
  private func handle(_ reference: PageReference, _ column: Int) throws(SQLiteError) -> BlobHandle? {
    let relation = relation(reference.relation)
    guard relation.opensValues else { return nil }
    return try BlobHandle(
      schema,
      relation.table,
      relation.columns[column].name,
      rowID: reference.key,
      on: connection
    )
  }

  /// Passes the bytes to `body` piece by piece.
  func forEachPiece(
    of bytes: PageBytes,
    _ body: (UnsafeRawBufferPointer) throws(DecantError) -> Void
  ) throws(DecantError) {
    var offset = 0
    func take(_ piece: UnsafeRawBufferPointer) throws(DecantError) {
      if let part = bytes.part(of: piece, at: offset) { try body(part) }
      offset += piece.count
    }
    switch bytes.place {
    case .lost, .outOfReach: return
    case .memory(let content): try content.lend(take)
    case .file(let path): try Files.lend(path, take)
    case .stored(let reference, let column):
      try forEachPiece(of: column, of: reference, upTo: bytes.start + bytes.count, take)
    }
  }

  private func forEachPiece(
    of column: Int,
    of reference: PageReference,
    upTo end: Int,
    _ body: (UnsafeRawBufferPointer) throws(DecantError) -> Void
  ) throws(DecantError) {
    let relation = relation(reference.relation)
    let opened = try reading(relation.root) { () throws(SQLiteError) in
      try handle(reference, column)
    }
    guard let opened else {
      let name = relation.columns[column].name.sqlName
      let content = try reading(relation.root) { () throws(SQLiteError) in
        try connection.bytes(
          """
          SELECT \(name) FROM \(relation.sqlTable(in: schema)) \
          WHERE \(relation.keyName) = ?1
          """,
          .integer(reference.key)
        ) ?? []
      }
      return try content.lend(body)
    }
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)
    defer { buffer.deallocate() }
    var offset = 0
    let end = min(end, opened.byteCount)
    while offset < end {
      let piece = UnsafeMutableRawBufferPointer(rebasing: buffer[..<min(buffer.count, end - offset)])
      try reading(relation.root) { () throws(SQLiteError) in
        try opened.read(into: piece, at: offset)
      }
      try body(UnsafeRawBufferPointer(piece))
      offset += piece.count
    }
  }
}

extension [UInt8] {
  /// Passes all of them to `body` and returns its result.
  fileprivate func withBytes<Result>(
    _ body: (UnsafeRawBufferPointer) throws(DecantError) -> Result
  ) throws(DecantError) -> Result {
    let outcome = withUnsafeBytes { bytes in
      Swift.Result { () throws(DecantError) in try body(bytes) }
    }
    return try outcome.get()
  }
}
