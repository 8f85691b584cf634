public import DecantBase
internal import DecantPlan
internal import DecantSQLite
internal import DecantStore
internal import DecantTransfer

/// How an archive is packed.
public struct ArchivePacking: Sendable, Hashable {
  let suffix: String

  /// Lines of JSON as they are.
  public static let none = ArchivePacking(suffix: "")
  /// By gzip, which every system has.
  public static let gzip = ArchivePacking(suffix: ".gz")
  /// By Zstandard: fast, and small.
  public static let zstd = ArchivePacking(suffix: ".zst")
  /// By xz: slow, and smallest.
  public static let xz = ArchivePacking(suffix: ".xz")
}

/// Objects as an archive that other stores take.
extension Store {
  /// Writes objects, and what they need by the model, into an archive.
  ///
  /// - Parameters:
  ///   - objects: Objects of this store; those that they own come along, as ``Export`` has it.
  ///   - path: The archive to make: a name that ends in `.decant`, with `.gz`, `.zst`, `.xz`, `.lz4` or `.zip` behind it
  ///     where it is to be packed.
  /// - Returns: The report of the export.
  /// - Throws: `DecantError`; nothing is left at `path` then.
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
      // A choice of nothing, which no root would be.
      export.selection.conditions = model.roots.map { EntityCondition(entity: $0.name, expression: "0") }
    } else {
      export.selection.roots = roots
    }
    return try export.run(cancellation: ReadStop.cancellation ?? Cancellation())
  }

  /// Lends an archive of objects piece by piece until `body` returns false; memory stays flat.
  ///
  /// The archive is made in a temporary folder first: it is complete and checked when `body` gets its first piece.
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

  /// The archive of objects, in memory.
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

  /// As `archive(_:to:)`, on a thread of the store's.
  @discardableResult
  public func archive<Object>(_ objects: Objects<Object>, to path: String) async throws(DecantError) -> CopyReport {
    try await readers.onThread { () throws(DecantError) in try self.archive(objects, to: path) }
  }

  /// The archive of objects, in memory; made on a thread of the store's.
  public func archive<Object>(_ objects: Objects<Object>, packed packing: ArchivePacking = .none)
    async throws(DecantError) -> [UInt8]
  {
    try await readers.onThread { () throws(DecantError) in try self.archive(objects, packed: packing) }
  }
}

extension Objects {
  /// The objects as conditions over their keys.
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

/// How many keys one condition has: SQLite sorts them, and the text stays far from what it takes.
private let keysPerCondition = 50_000
