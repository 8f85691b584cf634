internal import DecantBase
internal import DecantStore
internal import DecantSystem
internal import DecantSQLite

/// Receiving the members of a line.
extension ArchiveStager {
  func begin(_ name: UnsafeRawBufferPointer) throws {
    if entity?.isCalled(name) != true {
      let name = String(decoding: name, as: UTF8.self)
      guard let found = tables?.entities[name] else {
        guard header?.model.model[name]?.isAbstract == true else {
          throw ArchiveFault("the header has no entity “\(name.prefix(60))”")
        }
        throw ArchiveFault("\(name.prefix(60)) is abstract: it cannot have objects of its own")
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
    case .blob, .missing: throw ArchiveFault("an “id” is not an integer")
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
      throw ArchiveFault("\(entity.name) has no attribute “\(String(decoding: name, as: UTF8.self).prefix(60))”")
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
        throw ArchiveFault("a file is missing, but this attribute does not use files")
      }
      try storage.checkedReference(Array(name)).withUnsafeBytes {
        try insertion.bind($0, isText: false, at: slot.parameter)
      }
    default: try bind(value, insertion, at: slot.parameter)
    }
  }

  /// Binds a large value, as a whole if it is small enough.
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
    case .blob, .missing: throw ArchiveFault("a large value is not allowed here")
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
      throw ArchiveFault("\(entity.name) does not store a relationship “\(name)”")
    }
    guard slot.parameter > 0 else { return }
    try bind(link.target, insertion, at: slot.parameter)
    if skippedObjects != nil, case .integer(let key) = link.target, key < ReferenceStubs.firstKey {
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
          throw ArchiveFault("a link names an entity that its relationship does not allow")
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
        throw ArchiveFault("\(entity?.name ?? "") does not store a list “\(name)”")
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
    defer { list.insertion.reset() }
    _ = try list.insertion.step()
  }

  /// Writes an external file for a value, and binds the reference to it.
  private func bind(
    file name: [UInt8],
    _ slot: StagedEntity.Slot,
    _ insertion: Statement,
    _ content: ((UnsafeRawBufferPointer) throws -> Void) throws -> Void
  ) throws {
    guard let storage = tables?.storage else { return }
    _ = try storage.checkedReference(name)
    let name = String(decoding: name, as: UTF8.self)
    try storage.write(name, of: "\(entity?.name ?? "") \(key ?? 0)", content).withUnsafeBytes {
      try insertion.bind($0, isText: false, at: slot.parameter)
    }
  }

  /// Returns the key of the stub for `reference`; `nil` if there cannot be one.
  private func stub(_ reference: ArchivedReference) throws -> Int64? {
    guard keepsReferences, let connection else {
      unfollowedCount += 1
      return nil
    }
    let name = String(decoding: reference.entity, as: UTF8.self)
    guard let entity = tables?.entities[name], entity.insertion != nil else {
      throw ArchiveFault("a reference names an entity that is not in the header")
    }
    return try stubs.key(of: reference, entity, isWide: isWide, on: connection)
  }
}

extension ExternalStorage {
  /// Returns the reference to the file `name`, which must be a valid name of this storage and no path to elsewhere.
  fileprivate func checkedReference(_ name: [UInt8]) throws(ArchiveFault) -> [UInt8] {
    let text = String(decoding: name, as: UTF8.self)
    let reference = self.reference(to: text)
    guard reference.withUnsafeBytes({ fileName(in: $0) }) == text else {
      throw ArchiveFault("a file name is not valid: it must be a UUID")
    }
    return reference
  }
}
