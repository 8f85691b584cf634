internal import DecantBase
internal import DecantJSON
internal import DecantSQLite

/// Fills the tables of a database with the objects of an archive, line by line.
///
/// What it makes is a store like any other, in a folder of its own: to be copied, compared or looked at.
final class ArchiveStager: ArchiveTaker, ObjectSink {
  /// The store; complete after `finish`.
  let path: String
  private let folder: String
  let spool: BlobSpool
  let keepsReferences: Bool
  /// The model that values of rejected objects are held against; `nil` for the header's own.
  private let model: Model?
  /// Whether objects wait that lead to rejected ones which were not mended.
  let holdsBack: Bool
  var skippedObjects: SkippedObjects?
  /// What the object at hand belongs to, in a file of rejects: places among its entity's ends, and keys.
  var owners: [(place: Int, key: Int64)] = []
  /// Rejected objects that were not mended.
  private(set) var skipped = SkippedRejects()
  var stubs = ReferenceStubs()
  /// How many links to objects that are only referred to are left empty.
  var unfollowedCount: Int64 = 0
  /// Whether an object has a key of those that stand for objects which are not there.
  @exclusivity(unchecked) var hasHighKey = false
  private(set) var header: ArchiveHeader?
  private var template: StagedTemplate?
  @exclusivity(unchecked) var tables: StagedTables?
  var connection: Connection?
  private lazy var lines = ObjectLines(self)

  /// Whether texts are kept in UTF-16.
  @exclusivity(unchecked) var isWide = false

  // The object at hand.
  @exclusivity(unchecked) var entity: StagedEntity?
  @exclusivity(unchecked) var key: Int64?
  /// What names the object where that is no integer: the owner of links that is not there.
  @exclusivity(unchecked) var owner = Binding.null
  @exclusivity(unchecked) var reject: ArchivedReject?
  /// The links of the object that are empty as nothing stands for what they refer to.
  var unfollowed: [String] = []
  var large: [(column: String, mark: [UInt8], entry: BlobSpool.Entry)] = []
  @exclusivity(unchecked) var list: StagedList?
  @exclusivity(unchecked) var buffer: [UInt8] = []

  /// Makes a store in `folder`; with `keepsReferences` also an object for each that is only referred to,
  /// which is none of the store's own.
  ///
  /// - Parameters:
  ///   - folder: Where the store and what it is made of lie.
  ///   - keepsReferences: Whether links to objects that are not in the archive are kept.
  ///   - model: The model that values of rejected objects are held against; `nil` for the header's own.
  ///   - holdsBack: Whether objects wait that lead to rejected ones which were not mended.
  /// - Throws: `DecantError` where nothing can be written there.
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

  /// Makes the tables ready, once all that they are made of has come.
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
    // Only owners of links are told by a text.
    guard key != nil else { throw ArchiveFault("an “id” is not an integer") }
    if let reject {
      if let reason = try insert(entity, insertion, reject) {
        skipped.note("\(entity.name) p\(key ?? 0)", reason)
        try skippedObjects?.note(key, of: entity, owners: owners)
        return
      }
    } else {
      _ = try insertion.step()
      insertion.reset()
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

  /// Completes the store: indexes, counters, trees for searching.
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
    // Statements hold the tables that indexes are made on.
    tables = nil
    entity = nil
    list = nil
    stubs.end()
    try template.finish(header, on: connection)
    self.connection = nil
  }
}

extension ArchiveStager {
  /// How many objects there are, by entity, that are only referred to; their keys begin at
  /// `ReferenceStubs.firstKey`.
  var stubCounts: [String: Int64] { stubs.counts }
  /// The names of the attributes by which they are known, by entity.
  var stubKeys: [String: [String]] { stubs.keyNames }
}
