public import DecantBase
internal import DecantPlan
internal import DecantSQLite
internal import DecantStore

/// Binary attributes, such as pictures.
extension Store {
  /// Returns a binary value, from the store or its external file, or `nil` if there is none.
  ///
  /// - Throws: `DecantError` if the object or the external file does not exist.
  public func bytes<Object: EntityObject>(
    of id: ObjectID<Object>,
    _ field: (Object.Fields) -> Field<[UInt8]>
  ) throws(DecantError) -> [UInt8]? {
    var bytes: [UInt8]?
    try forEachPiece(of: id, field) { piece in
      bytes = bytes ?? []
      bytes?.append(contentsOf: piece)
      return true
    }
    return bytes
  }

  /// Passes a binary value in pieces to `body`, until `body` returns false.
  ///
  /// An empty value is one call with no bytes; without a value `body` is not called.
  ///
  /// - Throws: `DecantError` if the object or the external file does not exist.
  public func forEachPiece<Object: EntityObject>(
    of id: ObjectID<Object>,
    _ field: (Object.Fields) -> Field<[UInt8]>,
    _ body: (UnsafeRawBufferPointer) -> Bool
  ) throws(DecantError) {
    let name = field(Object.Fields(ObjectPath(FieldPath()))).path.name
    do throws(DecantError) { return try lend(id, name, body) } catch {
      // A commit in between may have removed the file of the old value; the next state has the new value.
      guard error.code == .fileNotFound else { throw error }
    }
    try lend(id, name, body)
  }

  private func lend<Object: EntityObject>(
    _ id: ObjectID<Object>,
    _ name: String,
    _ body: (UnsafeRawBufferPointer) -> Bool
  ) throws(DecantError) {
    try readers.reading { reader throws(DecantError) in
      var request = ObjectRequest(entity: Object.entity)
      request.conditions = [.compared(FieldPath(), .isEqual, .integer(id.key))]
      var statement = reader.newStatement
      let sql = try statement.select(request, bytes: name)
      var isFound = false
      try reader.forEachRow(sql, statement.bindings) { row throws(DecantError) in
        isFound = true
        let isExternal = try statement.view(request.entity).columns.first { $0.name == name }?.type?.isExternal
        try lend(row, isExternal == true ? reader.storage : nil, "\(Object.entity) \(id)", body)
        return false
      }
      guard isFound else { throw DecantError(.objectNotFound, "there is no \(Object.entity) \(id)") }
    }
  }

  private func lend(
    _ row: Statement,
    _ storage: (any ExternalStorage)?,
    _ name: String,
    _ body: (UnsafeRawBufferPointer) -> Bool
  ) throws(DecantError) {
    let place = ObjectRow.leadingCount
    guard row.type(at: place) != .null else { return }
    guard let storage, row.withBytes(at: place, { storage.fileName(in: $0) != nil }) else {
      return try explaining("cannot read a value") { () throws(SQLiteError) in
        _ = try row.withLentBytes(at: place) { body(storage?.inlineContent(of: $0) ?? $0) }
      }
    }
    guard let path = row.withBytes(at: place, { storage.file(for: $0) }) else {
      throw DecantError(.fileNotFound, "an external file of \(name) does not exist")
    }
    if FileStatus(path)?.byteCount == 0 { return _ = body(UnsafeRawBufferPointer(start: nil, count: 0)) }
    try explaining { () throws(SystemError) in
      try Files.forEachPiece(of: path) { piece in !ReadStop.isStopped && body(piece) }
    }
    try ReadStop.check()
  }
}
