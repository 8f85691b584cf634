internal import Decant
internal import Glibc
internal import SQLite

/// Fills the tables of a database with the objects of an archive, line by line.
///
/// What it makes is a store like any other, in a folder of its own: to be copied, compared or looked at.
final class ArchiveStager: ArchiveTaker, ObjectSink {
  /// The store; complete after `finish`.
  let path: String
  private let folder: String
  private let spool: BlobSpool
  private let keepsReferences: Bool
  /// The model that values of rejected objects are held against; `nil` for the header's own.
  private let model: Model?
  /// Whether objects wait that lead to rejected ones which were not mended.
  private let holdsBack: Bool
  private var untakenObjects: UntakenObjects?
  /// What the object at hand belongs to, in a file of rejects: places among its entity's ends, and keys.
  private var owners: [(place: Int, key: Int64)] = []
  /// Rejected objects that were not mended.
  private(set) var untaken = UntakenRejects()
  private var stubs = ReferenceStubs()
  /// How many links to objects that are only referred to are left empty.
  private(set) var unfollowedCount: Int64 = 0
  /// Whether an object has a key of those that stand for objects which are not there.
  @exclusivity(unchecked) private var hasHighKey = false
  private(set) var header: ArchiveHeader?
  private var template: StagedTemplate?
  @exclusivity(unchecked) private var tables: StagedTables?
  private var connection: Connection?
  private lazy var lines = ObjectLines(self)

  /// Whether texts are kept in UTF-16.
  @exclusivity(unchecked) private var isWide = false

  // The object at hand.
  @exclusivity(unchecked) private var entity: StagedEntity?
  @exclusivity(unchecked) private var key: Int64?
  /// What names the object where that is no integer: the owner of links that is not there.
  @exclusivity(unchecked) private var owner = Binding.null
  @exclusivity(unchecked) private var reject: ArchivedReject?
  /// The links of the object that are empty as nothing stands for what they refer to.
  private var unfollowed: [String] = []
  private var large: [(column: String, mark: [UInt8], entry: BlobSpool.Entry)] = []
  @exclusivity(unchecked) private var list: StagedList?
  @exclusivity(unchecked) private var buffer: [UInt8] = []

  /// Makes a store in `folder`; with `keepsReferences` also an object for each that is only referred to,
  /// which is none of the store's own.
  ///
  /// - Parameters:
  ///   - folder: Where the store and what it is made of lie.
  ///   - keepsReferences: Whether links to objects that are not in the archive are kept.
  ///   - model: The model that values of rejected objects are held against; `nil` for the header's own.
  ///   - holdsBack: Whether objects wait that lead to rejected ones which were not mended.
  /// - Throws: `DecantError` where nothing can be written there.
  init(
    in folder: String,
    keepsReferences: Bool,
    model: Model? = nil,
    holdsBack: Bool = false
  ) throws(DecantError) {
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
      untakenObjects = try UntakenObjects(on: opened.connection)
    }
  }

  func take(object line: inout JSONCursor) throws -> ArchiveObject {
    if tables == nil {
      guard header?.source.template == nil else {
        throw ArchiveFault("an object comes before the tables that the header names")
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
      return DecantError("cannot keep an object of the archive in “\(folder)”", cause: error)
    }
    let name = entity?.name ?? ""
    return ArchiveFault(
      "an object of \(name) cannot be stored: \(error.message)\(key.map { ", id \($0)" } ?? "")"
    )
  }

  private func insert(_ entity: StagedEntity) throws {
    guard key != nil || entity.keyParameter == nil else {
      throw ArchiveFault("an “id” is no integer")
    }
    guard let insertion = entity.insertion, let connection else {
      throw ArchiveFault("\(entity.name) is abstract: there are no objects of it alone")
    }
    // Only owners of links are told by a text.
    guard key != nil else { throw ArchiveFault("an “id” is no integer") }
    if let reject {
      if let reason = try insert(entity, insertion, reject) {
        untaken.note("\(entity.name) p\(key ?? 0)", reason)
        try untakenObjects?.note(key, of: entity, owners: owners)
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

  /// Inserts an object that was rejected; returns why not, where something is still as it was.
  private func insert(
    _ entity: StagedEntity,
    _ insertion: Statement,
    _ reject: ArchivedReject
  ) throws -> String? {
    let lacking = reject.lacks.filter { !entity.has($0) }
    guard lacking.isEmpty else {
      return "its line says nothing of \(lacking.joined(separator: ", "))"
    }
    if holdsBack, let name = entity.lacksLink(among: reject.untold) {
      return RejectCode.link.message(
        "its link \(entity.name).\(name) must not be empty, and its line does not say where it leads"
      )
    }
    if holdsBack, let name = entity.requiredLink(among: unfollowed) {
      return RejectCode.link.message(
        "its link \(entity.name).\(name) must not be empty, and leads to what is not in the file"
      )
    }
    for (name, parameter) in entity.defaults where !entity.has(name) {
      insertion.bind(integer: 1, at: parameter)
    }
    if reject.isOfValues, let place = entity.strictParameter {
      insertion.bind(integer: 1, at: place)
    }
    defer { insertion.reset() }
    do throws(SQLiteError) {
      _ = try insertion.step()
      return nil
    } catch {
      if error.constraint == .unique {
        return RejectCode.unique.message(
          "another rejected object has the same values, \(error.message)"
        )
      }
      guard error.isGeneral, let marked = RejectCode.marked(error.message) else {
        // The tables are those that have refused it.
        guard error.isConstraint else { throw error }
        return RejectCode(error).message(error.message)
      }
      return marked.code.message(marked.text)
    }
  }

  /// Completes the store: indexes, counters, trees for searching.
  func finish() throws {
    guard tables != nil || header?.source.template == nil else {
      throw ArchiveFault(
        "it is cut off, or damaged, before its first object: there is nothing that could be saved",
        remedy: "get it again from where it came from"
      )
    }
    try open()
    guard let header, let template, let connection, tables != nil else {
      throw ArchiveFault("the tables that the header names are missing")
    }
    guard !hasHighKey || stubs.counts.isEmpty else {
      throw ArchiveFault(
        "it refers to objects that are not in it, and others have ids from \(ReferenceStubs.firstKey) on",
        remedy: "such ids are left to decant where an archive refers to objects: give them others"
      )
    }
    if holdsBack, let entities = tables?.entities.values {
      try untakenObjects?.settle(entities.sorted { $0.name < $1.name }, into: &untaken)
    }
    untakenObjects = nil
    // Statements hold the tables that indexes are made on.
    tables = nil
    entity = nil
    list = nil
    stubs.end()
    try template.finish(header, on: connection)
    self.connection = nil
  }
}

// The members of a line.
extension ArchiveStager {
  func begin(_ name: UnsafeRawBufferPointer) throws {
    if entity?.isCalled(name) != true {
      let name = String(decoding: name, as: UTF8.self)
      guard let found = tables?.entities[name] else {
        guard header?.model.model[name]?.isAbstract == true else {
          throw ArchiveFault("the header knows no entity “\(name.prefix(60))”")
        }
        throw ArchiveFault("\(name.prefix(60)) is abstract: there are no objects of it alone")
      }
      entity = found
    }
    entity?.beginObject()
    owners.removeAll(keepingCapacity: true)
    if let insertion = entity?.insertion {
      insertion.clearBindings()
      if let place = entity?.revisionParameter { insertion.bind(integer: 1, at: place) }
    }
  }

  func take(id: ArchivedValue) throws {
    switch id {
    case .integer(let integer):
      key = integer
      if integer >= ReferenceStubs.firstKey { hasHighKey = true }
      if let place = entity?.keyParameter {
        entity?.insertion?.bind(integer: integer, at: place)
      }
    case .null: owner = .null
    case .real(let real): owner = .real(real)
    case .text(let bytes): owner = .utf8(Array(bytes))
    case .bytes(let bytes): owner = .blob(Array(bytes))
    case .blob, .missing: throw ArchiveFault("an “id” is no integer")
    }
  }

  func take(reject: ArchivedReject) {
    if header?.rejectCount != nil { self.reject = reject }
  }

  func take(revision: Int64?) throws {
    guard let place = entity?.revisionParameter else { return }
    if let revision {
      entity?.insertion?.bind(integer: revision, at: place)
    } else {
      entity?.insertion?.bindNull(at: place)
    }
  }

  func take(
    _ value: ArchivedValue,
    _ place: ArchivedValue.Place,
    of name: UnsafeRawBufferPointer,
    isUnnamed: Bool
  ) throws {
    guard let entity, let insertion = entity.insertion else { return }
    guard let slot = try (isUnnamed ? entity.unnamed : entity.values).slot(name) else {
      throw ArchiveFault(
        "\(entity.name) has no attribute “\(String(decoding: name, as: UTF8.self).prefix(60))”"
      )
    }
    guard slot.parameter > 0 else { return }
    switch value {
    case .bytes(let bytes) where slot.isExternal && !place.isRaw:
      guard let file = place.file else {
        buffer.removeAll(keepingCapacity: true)
        buffer.append(contentsOf: slot.inlineMark)
        buffer.append(contentsOf: bytes)
        return try buffer.withUnsafeBytes {
          try insertion.bind($0, isText: false, at: slot.parameter)
        }
      }
      try bind(file: file, slot, insertion) { body in try body(bytes) }
    case .blob(let hash, let byteCount, let isText):
      let entry = try spool.entry(hash, byteCount: byteCount)
      if slot.isExternal, !place.isRaw, let file = place.file {
        try bind(file: file, slot, insertion) { [spool] body in
          try spool.forEachPiece(of: entry, body)
        }
      } else {
        let mark = slot.isExternal && !place.isRaw ? slot.inlineMark : []
        try bind(entry, hash, mark, isText: isText, slot, entity, insertion)
      }
    case .missing(let name):
      guard slot.isExternal, let storage = tables?.storage else {
        throw ArchiveFault("a file is missing where values do not lie in files")
      }
      try storage.checkedReference(Array(name)).withUnsafeBytes {
        try insertion.bind($0, isText: false, at: slot.parameter)
      }
    default: try bind(value, insertion, at: slot.parameter)
    }
  }

  /// Binds a large value, whole where it is small enough.
  private func bind(
    _ entry: BlobSpool.Entry,
    _ hash: UnsafeRawBufferPointer,
    _ mark: [UInt8],
    isText: Bool,
    _ slot: StagedEntity.Slot,
    _ entity: StagedEntity,
    _ insertion: Statement
  ) throws {
    guard !isText, entry.byteCount > BlobSpool.memoryLimit, entity.hasRowNumbers else {
      let bytes = try spool.bytes(of: entry, hash)
      return try (mark.isEmpty ? bytes : mark + bytes).withUnsafeBytes {
        try bind(isText ? .text($0) : .bytes($0), insertion, at: slot.parameter)
      }
    }
    try insertion.bindZeros(entry.byteCount + Int64(mark.count), at: slot.parameter)
    large.append((slot.column, mark, entry))
  }

  private func bind(_ value: ArchivedValue, _ statement: Statement, at place: Int) throws {
    switch value {
    case .null: statement.bindNull(at: place)
    case .integer(let integer): statement.bind(integer: integer, at: place)
    case .real(let real): statement.bind(real: real, at: place)
    case .text(let bytes):
      if isWide {
        try statement.bind(.utf8(Array(bytes)), at: place)
      } else {
        try statement.bind(bytes, isText: true, at: place)
      }
    case .bytes(let bytes): try statement.bind(bytes, isText: false, at: place)
    case .blob, .missing: throw ArchiveFault("a large value stands where it cannot")
    }
  }

  func take(link: ArchivedLink, of name: UnsafeRawBufferPointer, isOwner: Bool) throws {
    guard let entity, let insertion = entity.insertion else { return }
    var link = link
    if let reference = link.reference {
      guard let stub = try stub(reference) else {
        return unfollowed.append(String(decoding: name, as: UTF8.self))
      }
      link.target = .integer(stub)
      link.entity = reference.entity
    }
    guard let slot = try (isOwner ? entity.owners : entity.links).slot(name) else {
      let name = String(decoding: name, as: UTF8.self).prefix(60)
      throw ArchiveFault("\(entity.name) has no relationship “\(name)” that it holds itself")
    }
    guard slot.parameter > 0 else { return }
    try bind(link.target, insertion, at: slot.parameter)
    if untakenObjects != nil, case .integer(let key) = link.target, key < ReferenceStubs.firstKey {
      let place = entity.ends.firstIndex {
        $0.isOwner && $0.list == nil && $0.column == slot.column
      }
      if let place { owners.append((place, key)) }
    }
    if let place = slot.entityParameter {
      let code: Int64?
      if let other = link.entity {
        code = slot.entityCodes[String(decoding: other, as: UTF8.self)]
        guard code != nil else {
          throw ArchiveFault("a link names an entity that it cannot lead to")
        }
      } else {
        code = slot.destinationCode
      }
      if let code { insertion.bind(integer: code, at: place) }
    }
    if let place = slot.placeParameter { try bind(link.place, insertion, at: place) }
  }

  func take(listed link: ArchivedLink, of name: UnsafeRawBufferPointer) throws {
    if list.map({ name.isEqual(to: $0.name) }) != true {
      guard let found = entity?.lists.first(where: { name.isEqual(to: $0.name) }) else {
        let name = String(decoding: name, as: UTF8.self).prefix(60)
        throw ArchiveFault("\(entity?.name ?? "") has no list “\(name)” that it holds itself")
      }
      list = found
    }
    guard let list else { return }
    var link = link
    if let reference = link.reference {
      guard let stub = try stub(reference) else { return }
      link.target = .integer(stub)
    }
    list.insertion.clearBindings()
    if let key {
      list.insertion.bind(integer: key, at: 1)
    } else {
      try list.insertion.bind(owner, at: 1)
    }
    try bind(link.target, list.insertion, at: 2)
    if list.hasOwnPlace {
      try bind(link.ownPlace, list.insertion, at: list.ownPlaceParameter)
    }
    if list.hasPlace { try bind(link.place, list.insertion, at: list.placeParameter) }
    _ = try list.insertion.step()
    list.insertion.reset()
  }

  /// Writes a file of its own for a value, and binds the reference to it.
  private func bind(
    file name: [UInt8],
    _ slot: StagedEntity.Slot,
    _ insertion: Statement,
    _ content: ((UnsafeRawBufferPointer) throws -> Void) throws -> Void
  ) throws {
    guard let storage = tables?.storage else { return }
    var reference = try storage.checkedReference(name)
    try explaining { () throws(SystemError) in try Files.makeFolder(storage.folder) }
    var path = "\(storage.folder)/\(String(decoding: name, as: UTF8.self))"
    if FileStatus(unfollowed: path) != nil {
      // Two objects with one file: each gets its own.
      let other = storage.newFileName(after: "\(path) \(entity?.name ?? "") \(key ?? 0)")
      path = "\(storage.folder)/\(other)"
      reference = storage.reference(to: other)
    }
    let descriptor = Glibc.open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw DecantError(SystemError("write", path)) }
    defer { close(descriptor) }
    try content { piece in
      try explaining { () throws(SystemError) in
        try Files.write(piece, to: descriptor, of: path)
      }
    }
    try reference.withUnsafeBytes { try insertion.bind($0, isText: false, at: slot.parameter) }
  }
}

extension ArchiveStager {
  /// How many objects there are, by entity, that are only referred to; their keys begin at
  /// `ReferenceStubs.firstKey`.
  var stubCounts: [String: Int64] { stubs.counts }
  /// The names of the attributes by which they are known, by entity.
  var stubKeys: [String: [String]] { stubs.keyNames }

  /// Returns the key of the object that stands for `reference`; `nil` where it cannot stand for it.
  private func stub(_ reference: ArchivedReference) throws -> Int64? {
    guard keepsReferences, let connection else {
      unfollowedCount += 1
      return nil
    }
    let name = String(decoding: reference.entity, as: UTF8.self)
    guard let entity = tables?.entities[name], entity.insertion != nil else {
      throw ArchiveFault("a reference names an entity that the header does not know")
    }
    return try stubs.key(of: reference, entity, isWide: isWide, on: connection)
  }
}

extension ExternalStorage {
  /// The reference to the file `name`, which must be a name of this storage's making, and no way to
  /// anywhere else.
  fileprivate func checkedReference(_ name: [UInt8]) throws(ArchiveFault) -> [UInt8] {
    let text = String(decoding: name, as: UTF8.self)
    let reference = self.reference(to: text)
    guard reference.withUnsafeBytes({ fileName(in: $0) }) == text else {
      throw ArchiveFault("the name of a file is none that a store gives: it has to be a UUID")
    }
    return reference
  }
}
