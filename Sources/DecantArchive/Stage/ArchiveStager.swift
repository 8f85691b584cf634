internal import DecantBase
internal import DecantJSON
internal import DecantSQLite

/// Fills the tables of a database with the objects of an archive, line by line.
///
/// The result is an ordinary store in a temporary folder, which can be copied, compared or inspected.
final class ArchiveStager: ArchiveTaker, ObjectSink {
  /// The path of the store; complete after `finish`.
  let path: String
  private let folder: String
  let spool: BlobSpool
  let keepsReferences: Bool
  /// The model that values of rejected objects are checked against; `nil` for that of the header.
  private let model: Model?
  /// Whether to skip objects that point to rejected objects which were not repaired.
  let holdsBack: Bool
  var skippedObjects: SkippedObjects?
  /// The owners of the current object, in a file of rejects: positions among its entity's ends, and keys.
  var owners: [(place: Int, key: Int64)] = []
  /// Rejected objects that were not repaired.
  private(set) var skipped = SkippedRejects()
  var stubs = ReferenceStubs()
  /// The number of links to referenced objects that are left empty.
  var unfollowedCount: Int64 = 0
  /// Whether an object has a key in the range reserved for stubs.
  @exclusivity(unchecked) var hasHighKey = false
  private(set) var header: ArchiveHeader?
  private var template: StagedTemplate?
  @exclusivity(unchecked) var tables: StagedTables?
  var connection: Connection?
  private lazy var lines = ObjectLines(self)

  /// Whether texts are stored in UTF-16.
  @exclusivity(unchecked) var isWide = false

  // The current object.
  @exclusivity(unchecked) var entity: StagedEntity?
  @exclusivity(unchecked) var key: Int64?
  /// The key of the object if it is not an integer: the missing owner of links.
  @exclusivity(unchecked) var owner = Binding.null
  @exclusivity(unchecked) var reject: ArchivedReject?
  /// The links of the object that are empty because there is no stub for their target.
  var unfollowed: [String] = []
  var large: [(column: String, mark: [UInt8], entry: BlobSpool.Entry)] = []
  @exclusivity(unchecked) var list: StagedList?
  @exclusivity(unchecked) var buffer: [UInt8] = []

  /// Creates a store in `folder`; with `keepsReferences` also stubs for objects that are only referred to.
  ///
  /// - Parameters:
  ///   - folder: The folder for the store and its temporary files.
  ///   - keepsReferences: Whether to keep links to objects that are not in the archive.
  ///   - model: The model that values of rejected objects are checked against; `nil` for that of the header.
  ///   - holdsBack: Whether to skip objects that point to rejected objects which were not repaired.
  /// - Throws: `DecantError` if the folder cannot be written to.
  init(in folder: String, keepsReferences: Bool, model: Model? = nil, holdsBack: Bool = false) throws(DecantError) {
    self.model = model
    self.holdsBack = holdsBack
    self.folder = folder
    self.keepsReferences = keepsReferences
    path = "\(folder)/store.sqlite"
    spool = try BlobSpool(in: folder)
  }

  func take(_ header: ArchiveHeader) throws {
    self.header = header
    template = try StagedTemplate(header, at: path)
  }

  func take(piece: UnsafeRawBufferPointer, of blob: ArchiveBlob) throws {
    if blob.hash == header?.source.template?.hash {
      try template?.append(piece)
    } else {
      try spool.append(piece, of: blob)
    }
  }

  func take(finished blob: ArchiveBlob) throws {
    guard blob.hash == header?.source.template?.hash else { return try spool.finish(blob) }
    try open()
  }

  /// Opens the tables, once the header and its template have been read.
  private func open() throws {
    guard tables == nil, let header, let template else { return }
    let opened = try template.open(header, model)
    (tables, connection) = (opened.tables, opened.connection)
    isWide = opened.tables.isWide
    if header.rejectCount != nil {
      skippedObjects = try SkippedObjects(on: opened.connection)
    }
  }

  func take(object line: inout JSONReader) throws -> ArchiveObject {
    if tables == nil {
      guard header?.source.template == nil else {
        throw ArchiveFault("an object appears before the tables listed in the header")
      }
      try open()
    }
    key = nil
    owner = .null
    reject = nil
    if !unfollowed.isEmpty { unfollowed.removeAll() }
    if !large.isEmpty { large.removeAll() }
    list = nil
    do {
      let read = try lines.read(&line)
      guard let entity else { throw ArchiveFault("an object has no “e”") }
      if !read.isMore { try insert(entity) }
      return ArchiveObject(entity: entity.name, links: read.links, isMore: read.isMore)
    } catch let error as SQLiteError {
      throw explained(error)
    }
  }

  private func explained(_ error: SQLiteError) -> any Error {
    guard error.isConstraint else {
      return DecantError("cannot store an object of the archive in “\(folder)”", cause: error)
    }
    let name = entity?.name ?? ""
    return ArchiveFault("an object of \(name) cannot be stored: \(error.message)\(key.map { ", id \($0)" } ?? "")")
  }

  private func insert(_ entity: StagedEntity) throws {
    guard key != nil || entity.keyParameter == nil else {
      throw ArchiveFault("an “id” is not an integer")
    }
    guard let insertion = entity.insertion, let connection else {
      throw ArchiveFault("\(entity.name) is abstract: it cannot have objects of its own")
    }
    // Only owners of links can have a text as key.
    guard key != nil else { throw ArchiveFault("an “id” is not an integer") }
    if let reject {
      if let reason = try insert(entity, insertion, reject) {
        skipped.note("\(entity.name) p\(key ?? 0)", reason)
        try skippedObjects?.note(key, of: entity, owners: owners)
        return
      }
    } else {
      // A statement that failed can be used again as well.
      defer { insertion.reset() }
      _ = try insertion.step()
    }
    for value in large {
      let blob = try BlobHandle(
        "main",
        entity.table,
        value.column,
        rowID: connection.lastInsertedRowID,
        isWritable: true,
        on: connection
      )
      try value.mark.withUnsafeBytes { mark in
        if !mark.isEmpty { try blob.write(mark, at: 0) }
      }
      var place = value.mark.count
      try spool.forEachPiece(of: value.entry) { piece in
        try blob.write(piece, at: place)
        place += piece.count
      }
    }
  }

  /// Completes the store: indexes, counters, full-text indexes.
  func finish() throws {
    guard tables != nil || header?.source.template == nil else {
      throw ArchiveFault(
        "it is truncated or damaged before its first object: nothing can be recovered",
        remedy: "get it again from its source"
      )
    }
    try open()
    guard let header, let template, let connection, tables != nil else {
      throw ArchiveFault("the tables listed in the header are missing")
    }
    guard !hasHighKey || stubs.counts.isEmpty else {
      throw ArchiveFault(
        "it refers to objects that are not in it, but other objects use ids from \(ReferenceStubs.firstKey) on",
        remedy: "decant reserves such ids in an archive with references: give those objects other ids"
      )
    }
    if holdsBack, let entities = tables?.entities.values {
      try skippedObjects?.settle(entities.sorted { $0.name < $1.name }, into: &skipped)
    }
    skippedObjects = nil
    // Open statements lock the tables that indexes are made on.
    tables = nil
    entity = nil
    list = nil
    stubs.end()
    try template.finish(header, on: connection)
    self.connection = nil
  }
}

extension ArchiveStager {
  /// The number of stubs by entity; their keys start at `ReferenceStubs.firstKey`.
  var stubCounts: [String: Int64] { stubs.counts }
  /// The names of the attributes that identify stubs, by entity.
  var stubKeys: [String: [String]] { stubs.keyNames }
}
