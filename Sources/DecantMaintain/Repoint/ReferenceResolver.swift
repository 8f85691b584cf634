internal import DecantBase
internal import DecantPlan
internal import DecantStore
internal import DecantSQLite

/// Determines the new value of single references.
final class ReferenceResolver {
  let reader: ReferenceReader
  let ids: KeptIDTable?
  let target: TargetStore?
  let toIdentity: Bool
  private let place: String

  /// The result for a reference.
  enum Outcome {
    /// The reference gets this value; an attribute that names its entity is set to `entity`.
    case changed(Binding, entity: String?, isKey: Bool)
    /// The reference already leads to the right object.
    case settled
    case kept(RepointReport.Reason)
  }

  /// Throws if references would be ambiguous, before any is read.
  init(
    _ repoint: Repoint,
    notation: any ReferenceNotation,
    ids: KeptIDTable?,
    target: TargetStore?,
    on connection: Connection
  ) throws(DecantError) {
    reader = ReferenceReader(notation: notation)
    self.ids = ids
    self.target = target
    toIdentity = repoint.becomesIdentity
    place = repoint.store.place
    guard let ids else { return }
    if let target, ids.destinationUUID != target.store.identity.uuid ?? "" {
      throw DecantError(
        .wrongFile,
        "“\(ids.path)” is the ID table of a different copy",
        place:
          "its destination is \(ids.destinationUUID.isEmpty ? "without an identifier" : ids.destinationUUID), "
          + "“\(target.store.identity.place)” is \(target.store.identity.uuid ?? "without one")",
        remedy: "pass the file that was written when this copy was made, and the store that was copied into"
      )
    }
    let isSame = ids.sourceUUID == ids.destinationUUID && !ids.sourceUUID.isEmpty
    guard isSame, !toIdentity else { return }
    let isSettled = try explaining("cannot read the ID table “\(ids.path)”") {
      () throws(SQLiteError) in
      try ids.isSettled(on: connection)
    }
    guard isSettled else {
      throw DecantError(
        .unsupportedRequest,
        "the store kept its identifier, but its objects got new keys: old references cannot be "
          + "distinguished from new ones",
        place: "“\(ids.path)”",
        remedy: "convert them to identities: \(say: .toIdentity) \(say: .store) STORE"
      )
    }
  }

  /// Returns the result for the reference in the column `column` of the current row.
  ///
  /// - Parameters:
  ///   - row: The row.
  ///   - column: The column of the reference.
  ///   - entityName: The entity of a bare key, if another attribute names it.
  ///   - site: The site.
  ///   - isMarked: Whether an earlier run has already changed the site's bare keys for this copy.
  /// - Returns: The result.
  /// - Throws: `DecantError` if references of this kind cannot be changed as requested.
  func outcome(
    of row: Statement,
    _ column: Int,
    entityName: String?,
    at site: ReferenceSite,
    isMarked: Bool
  ) throws(DecantError) -> Outcome {
    let storage = row.type(at: column)
    switch reader.reference(in: row, column, site) {
    case .temporary: return .kept(.temporary)
    case .named(let store, let entity, let key):
      return try outcome(store, entity, key, storage, site)
    case .key(let key, let spelling):
      if isMarked, try isNew(key, entity(entityName, site)) { return .settled }
      return try outcome(of: key, spelling, entityName, storage, site)
    case .other(let text):
      guard let text else { return .kept(.noReference) }
      if toIdentity, let target, try target.hasIdentity(text) { return .settled }
      guard site.place.target != nil, let name = entity(entityName, site), let ids else {
        return .kept(.noReference)
      }
      if isMarked, try isNew(text, name, ids) { return .settled }
      return try outcome(ofTextKey: text, name, ids, site)
    }
  }

  /// Returns the entity of a bare key.
  func entity(_ name: String?, _ site: ReferenceSite) -> String? {
    if case .entity(let name) = site.place.target { return name }
    return name
  }
}

extension ReferenceResolver {
  /// Returns the result for a reference that names store, entity and key.
  private func outcome(
    _ store: String,
    _ entity: String,
    _ key: Int64,
    _ storage: StorageClass,
    _ site: ReferenceSite
  ) throws(DecantError) -> Outcome {
    let destination = ids?.destinationUUID ?? target?.store.identity.uuid ?? ""
    let isOld = ids.map { same(store, $0.sourceUUID) } ?? false
    if same(store, destination) {
      let isNew =
        if !isOld {
          true
        } else if toIdentity || ids?.sourceUUID != ids?.destinationUUID {
          false
        } else {
          try !becameOther(key, entity)
        }
      if isNew { return try outcomeOfNew(entity, key, storage, site) }
    }
    guard let ids, isOld else { return .kept(.otherStore) }
    guard let root = root(of: entity, ids) else { return .kept(unknown(entity)) }
    let became = try asking { () throws(SQLiteError) in
      try ids.destination(of: key, in: root)
    }
    switch became {
    case .unknown: return .kept(.notInTable)
    case .rejected: return .kept(.rejected)
    case .several: return .kept(.ambiguous)
    case .object(.integer(let new), let other):
      let landed = try landing(new, root: other ?? root, entity: other == nil ? entity : nil)
      guard let landed else { return .kept(.noObject) }
      if toIdentity { return try identity(of: new, landed, storage, site, isKey: false) }
      guard !destination.isEmpty else { throw noReferences(ids, site) }
      let text = reader.notation.text(store: destination, entity: landed, key: new)
      return .changed(try ReferenceValue.value(text, storage, site), entity: nil, isKey: false)
    case .object: return .kept(.notInTable)
    }
  }

  /// Whether, according to the table, the object got another key.
  private func becameOther(_ key: Int64, _ entity: String) throws(DecantError) -> Bool {
    guard let ids, let root = root(of: entity, ids) else { return false }
    let became = try asking { () throws(SQLiteError) in try ids.destination(of: key, in: root) }
    guard case .object(.integer(let new), _) = became else { return false }
    return new != key
  }

  /// Returns the result for a reference that names an object of the target store.
  private func outcomeOfNew(
    _ entity: String,
    _ key: Int64,
    _ storage: StorageClass,
    _ site: ReferenceSite
  ) throws(DecantError) -> Outcome {
    guard let target else { return .settled }
    guard let root = target.root(of: entity) else { return .kept(.unknownEntity) }
    guard let landed = try landing(key, root: root, entity: entity) else { return .kept(.noObject) }
    return toIdentity ? try identity(of: key, landed, storage, site, isKey: false) : .settled
  }

  /// Returns the result for a bare key.
  private func outcome(
    of key: Int64,
    _ spelling: FoundReference.Spelling,
    _ entityName: String?,
    _ storage: StorageClass,
    _ site: ReferenceSite
  ) throws(DecantError) -> Outcome {
    guard let entity = entity(entityName, site) else { return .kept(.unknownEntity) }
    var (new, root, other): (Int64, String, String?) = (key, entity, nil)
    if let ids {
      guard let known = self.root(of: entity, ids) else { return .kept(unknown(entity)) }
      let became = try asking { () throws(SQLiteError) in
        try ids.destination(of: key, in: known)
      }
      switch became {
      case .unknown: return .kept(.notInTable)
      case .rejected: return .kept(.rejected)
      case .several: return .kept(.ambiguous)
      case .object(.integer(let key), let became):
        (new, root, other) = (key, became ?? known, became)
      case .object: return .kept(.notInTable)
      }
    } else if let target {
      guard let known = target.root(of: entity) else { return .kept(.unknownEntity) }
      root = known
    }
    guard let landed = try landing(new, root: root, entity: other == nil ? entity : nil) else {
      return .kept(.noObject)
    }
    if toIdentity { return try identity(of: new, landed, storage, site, isKey: true) }
    if new == key, other == nil || landed == entity { return .settled }
    let value: Binding =
      switch spelling {
      case .integer: .integer(new)
      case .text: try ReferenceValue.value(String(new), storage, site)
      case .prefixed: try ReferenceValue.value("p\(new)", storage, site)
      }
    return .changed(value, entity: other == nil ? nil : landed, isKey: true)
  }

  /// Returns the result for a text key.
  private func outcome(
    ofTextKey text: String,
    _ entity: String,
    _ ids: KeptIDTable,
    _ site: ReferenceSite
  ) throws(DecantError) -> Outcome {
    guard !toIdentity, let root = root(of: entity, ids) else { return .kept(.noReference) }
    let became = try asking { () throws(SQLiteError) in
      try ids.destination(of: text, in: root)
    }
    switch became {
    case .unknown: return .kept(.notInTable)
    case .rejected: return .kept(.rejected)
    case .several: return .kept(.ambiguous)
    case .object(let value, let other):
      return .changed(value, entity: other, isKey: true)
    }
  }

  /// Whether an earlier run may have written `key`: the copy assigned it, or it is the identity of an object.
  private func isNew(_ key: Int64, _ entity: String?) throws(DecantError) -> Bool {
    if toIdentity { return try target?.hasIdentity(String(key)) ?? false }
    guard let ids, let entity else { return false }
    return try asking { () throws(SQLiteError) in
      for root in destinations(of: entity, ids) where try ids.gave(key, in: root) { return true }
      return false
    }
  }

  /// Whether an earlier run may have written the text key `key`.
  private func isNew(_ key: String, _ entity: String, _ ids: KeptIDTable) throws(DecantError) -> Bool {
    try asking { () throws(SQLiteError) in
      for root in destinations(of: entity, ids) where try ids.gave(key, in: root) { return true }
      return false
    }
  }

  /// Returns the possible root entities in the destination for objects of `entity`, which either store may name.
  private func destinations(of entity: String, _ ids: KeptIDTable) -> [String] {
    let old = root(of: entity, ids).map(ids.destinations) ?? []
    return Array(Set(old + [target?.root(of: entity) ?? entity]))
  }

  /// Returns the concrete entity of the object with `key`; `nil` if it does not exist or is not of `entity`.
  private func landing(_ key: Int64, root: String, entity: String?) throws(DecantError) -> String? {
    guard let target else { return entity ?? root }
    let found = try asking { () throws(SQLiteError) in
      try target.entity(of: key, in: target.root(of: root) ?? root)
    }
    guard let found, let entity, target.store.model[entity] != nil else { return found }
    return target.store.model.lineage(of: found).contains { $0.name == entity } ? found : nil
  }

  /// Returns the identity that replaces a reference to the object of the concrete entity `entity`.
  private func identity(
    of key: Int64,
    _ entity: String,
    _ storage: StorageClass,
    _ site: ReferenceSite,
    isKey: Bool
  ) throws(DecantError) -> Outcome {
    guard let target else { return .kept(.noObject) }
    guard let identity = try target.identity(of: entity) else {
      throw target.noIdentity(of: entity)
    }
    let found = try asking { () throws(SQLiteError) in try identity.value(of: key) }
    switch found {
    case .missing: return .kept(.noIdentity)
    case .shared: return .kept(.ambiguous)
    case .value(let value):
      return .changed(try ReferenceValue.value(value, identity.property, storage, site), entity: nil, isKey: isKey)
    }
  }
}

extension ReferenceResolver {
  /// Returns the root entity that the table uses for `entity`.
  private func root(of entity: String, _ ids: KeptIDTable) -> String? {
    if ids.has(entity) { return entity }
    guard let root = target?.store.model.root(of: entity)?.name, ids.has(root) else { return nil }
    return root
  }

  /// Returns why a reference to an entity missing in the table is kept.
  private func unknown(_ entity: String) -> RepointReport.Reason {
    target?.store.model[entity] == nil ? .unknownEntity : .notInTable
  }

  func same(_ one: String, _ other: String) -> Bool {
    !other.isEmpty && (one == other || one.uppercased() == other.uppercased())
  }

  func asking<Result>(_ body: () throws(SQLiteError) -> Result) throws(DecantError) -> Result {
    try explaining("cannot look up the targets of the references in “\(place)”", body)
  }

  private func noReferences(_ ids: KeptIDTable, _ site: ReferenceSite) -> DecantError {
    DecantError(
      .unsupportedRequest,
      "the copy went into a store without an identifier, so no reference can name its objects",
      place: "\(site.place) · “\(ids.path)”",
      remedy: "convert them to identities: \(say: .toIdentity) \(say: .store) STORE"
    )
  }
}
