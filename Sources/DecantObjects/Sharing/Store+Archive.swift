public import DecantBase
internal import DecantPlan
internal import DecantSQLite
internal import DecantStore
internal import DecantTransfer

/// The compression of an archive.
public struct ArchivePacking: Sendable, Hashable {
  let suffix: String

  /// No compression: plain lines of JSON.
  public static let none = ArchivePacking(suffix: "")
  /// gzip, available on every system.
  public static let gzip = ArchivePacking(suffix: ".gz")
  /// Zstandard: fast, and small files.
  public static let zstd = ArchivePacking(suffix: ".zst")
  /// xz: slow, and the smallest files.
  public static let xz = ArchivePacking(suffix: ".xz")
}

/// Objects as an archive that other stores can import.
extension Store {
  /// Writes objects, and the objects that they need by the model, to an archive.
  ///
  /// - Parameters:
  ///   - objects: Objects of this store; the objects that they own are included, as in ``Export``.
  ///   - path: The archive to create; its name ends in `.decant`, followed by `.gz`, `.zst`, `.xz`, `.lz4` or `.zip` to
  ///     compress it.
  /// - Returns: The report of the export.
  /// - Throws: `DecantError`; then nothing is left at `path`.
  @discardableResult
  public func archive<Object>(_ objects: Objects<Object>, to path: String) throws(DecantError) -> CopyReport {
    guard objects.store === self else {
      throw DecantError(
        .unsuitableOption, "the objects are those of another store",
        remedy: "call archive on the store whose objects they are")
    }
    guard objects.origin.block == nil else { throw BlockReader.isOver }
    let roots = try objects.roots()
    var export = Export(from: location.description, to: path)
    export.reading = readers.options.reading
    if roots.isEmpty {
      // A selection of nothing, which a list of roots cannot express.
      export.selection.conditions = model.roots.map { EntityCondition(entity: $0.name, expression: "0") }
    } else {
      export.selection.roots = roots
    }
    return try export.run(cancellation: Cancellation.current ?? Cancellation())
  }

  /// Passes an archive of objects in pieces to `body`, until `body` returns false; memory use stays constant.
  ///
  /// The archive is first written to a temporary folder: it is complete and checked when `body` gets its first piece.
  public func archive<Object>(
    _ objects: Objects<Object>,
    packed packing: ArchivePacking = .none,
    _ body: (UnsafeRawBufferPointer) -> Bool
  ) throws(DecantError) {
    let folder = try ScratchFolder()
    let path = "\(folder.path)/objects.decant\(packing.suffix)"
    try archive(objects, to: path)
    try explaining { () throws(SystemError) in
      try Files.forEachPiece(of: path) { piece in !ReadStop.isStopped && body(piece) }
    }
    try ReadStop.check()
  }

  /// Returns the archive of objects, in memory.
  public func archive<Object>(_ objects: Objects<Object>, packed packing: ArchivePacking = .none)
    throws(DecantError) -> [UInt8]
  {
    var bytes: [UInt8] = []
    try archive(objects, packed: packing) { piece in
      bytes.append(contentsOf: piece)
      return true
    }
    return bytes
  }

  /// Writes objects to an archive, on a thread of the store.
  @discardableResult
  public func archive<Object>(_ objects: Objects<Object>, to path: String) async throws(DecantError) -> CopyReport {
    try await readers.onThread { () throws(DecantError) in try self.archive(objects, to: path) }
  }

  /// Returns the archive of objects, in memory; runs on a thread of the store.
  public func archive<Object>(_ objects: Objects<Object>, packed packing: ArchivePacking = .none)
    async throws(DecantError) -> [UInt8]
  {
    try await readers.onThread { () throws(DecantError) in try self.archive(objects, packed: packing) }
  }
}

extension Objects {
  /// Returns the objects as conditions on their keys.
  fileprivate func roots() throws(DecantError) -> [EntityCondition] {
    guard !request.conditions.isEmpty || request.limit != nil || request.owner != nil else {
      return [EntityCondition(entity: request.entity, expression: "1")]
    }
    var lists: [String] = []
    var count = 0
    try store.readers.reading { reader throws(DecantError) in
      var statement = reader.newStatement
      let sql = try statement.select(request, [])
      try reader.forEachRow(sql, statement.bindings) { row throws(DecantError) in
        guard let key = row.integerOrNil(at: 0) else { throw ObjectStatement.lacksKey(request.entity) }
        if count % keysPerCondition == 0 { lists.append("\(key)") } else { lists[lists.count - 1] += ",\(key)" }
        count += 1
        return true
      }
    }
    return lists.map { EntityCondition(entity: request.entity, expression: "\(EntityView.key) IN (\($0))") }
  }
}

/// The number of keys in one condition: SQLite sorts them, and the text stays far below its limit.
private let keysPerCondition = 50_000
