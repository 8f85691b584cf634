package import DecantBase
package import DecantPlan
internal import DecantStore
internal import DecantPropertyList
package import DecantSQLite

/// A Core Data store to write to: an existing one, or a new one made from the source or another pattern.
package struct CoreDataDestination: DestinationStore {
  package let about: DestinationDescription
  let path: String
  let numbers: [String: Int64]
  let metadata: StoreMetadata
  let keepsSyncMetadata: Bool
  /// The pattern of a new store, if that is not the source.
  let pattern: StorePattern?
  /// The initial rows of `Z_PRIMARYKEY` of a store made from a pattern.
  let entries: [Bookkeeping.Entry]
  /// The views and triggers of the source that are not copied to a store made from a pattern.
  let lost: LostItems.Names
  /// Whether the source is a Core Data store, whose tables have the same meaning as those of the new store.
  let isSourceCoreData: Bool

  /// Opens an existing store.
  ///
  /// Data of `source` besides objects and links is not copied. A store that CloudKit mirrors is refused unless
  /// `writesMirrored`.
  package init(
    existing file: CoreDataFile,
    for source: CoreDataSource?,
    writesMirrored: Bool = false
  ) throws(DecantError) {
    let isMirrored = file.columns.keys.contains { SyncMetadata.Kind(table: $0) == .cloudKit }
    guard !isMirrored || writesMirrored else {
      throw DecantError(
        .mirroredStore,
        "“\(file.database.path)” is mirrored by CloudKit: added objects may never be sent",
        place: "tables ANSCK…",
        remedy:
          "copy both stores into a new one, without the mirror, or use \(say: .force) to "
          + "add to it anyway",
        remedies: [.chooseAnotherPlace, .setOption(.force, nil)]
      )
    }
    if let gap = file.modelGap { throw gap }
    let own = CoreDataSource(file)
    isSourceCoreData = source != nil
    path = file.database.path
    numbers = file.numbers
    metadata = StoreMetadata(file.metadata, uuid: file.uuid, keepsSyncMetadata: true)
    keepsSyncMetadata = true
    (pattern, entries, lost) = (nil, [], LostItems.Names())
    let history = HistoryEntry.tables.filter { file.tableKinds[$0] != nil }
    let hasHistory = history == HistoryEntry.tables
    var notes: [ReportNote] = []
    if hasHistory {
      notes.append(
        ReportNote(
          .historyRecorded,
          "the store keeps persistent history: the copied objects are recorded there, by “\(HistoryEntry.author)”"))
    }
    if let table = history.first, !hasHistory {
      notes.append(
        ReportNote(
          .historyIncomplete,
          "the store's persistent history is incomplete, it has only \(table): nothing is recorded there"))
    }
    if isMirrored {
      notes.append(
        ReportNote(
          .mirrored,
          hasHistory
            ? "the store is mirrored by CloudKit: whether the mirror sends the objects added to the "
              + "persistent history could not be tested"
            : "the store is mirrored by CloudKit and keeps no persistent history: the added objects are "
              + "unlikely to be sent"))
    }
    let others = source?.otherTables ?? []
    if !others.isEmpty {
      notes.append(
        ReportNote(
          .tablesNotCopied,
          "not copied, because an existing store keeps its own tables: \(others.joined(separator: ", "))"))
    }
    about = CoreDataDestination.description(
      own.identity,
      at: path,
      isNew: false,
      own.model,
      // Tables without objects or links are not copied.
      Layout(relations: own.layout.relations, linkRelations: own.layout.linkRelations),
      notes
    )
  }

  private static func description(
    _ identity: StoreIdentity,
    at path: String,
    isNew: Bool,
    _ model: Model,
    _ layout: Layout,
    _ notes: [ReportNote]
  ) -> DestinationDescription {
    var about = DestinationDescription(identity, at: .file(path), isNew: isNew, model: model, layout: layout)
    about.externalStorage = CoreDataExternalStorage(store: path)
    about.notes = notes
    return about
  }

  /// Plans a new store at `path`, made from `source`.
  ///
  /// With an identity transfer it replaces `source`.
  init(
    new path: String,
    like source: CoreDataSource,
    keepsSyncMetadata: Bool,
    as identityTransfer: IdentityTransfer? = nil
  ) {
    self.path = path
    self.keepsSyncMetadata = keepsSyncMetadata
    metadata = StoreMetadata(
      source.file.metadata,
      uuid: identityTransfer?.uuid ?? StoreMetadata.newUUID(),
      keepsSyncMetadata: keepsSyncMetadata
    )
    var layout = source.layout
    if !keepsSyncMetadata { layout.plainTables.removeAll(where: \.isSyncMetadata) }
    isSourceCoreData = true
    numbers = source.file.numbers
    (pattern, entries, lost) = (nil, [], LostItems.Names())
    let left = keepsSyncMetadata ? [] : SyncMetadata.names(in: source.file)
    var about = CoreDataDestination.description(
      StoreIdentity(kind: CoreDataKind.name, place: path, uuid: metadata.uuid),
      at: path,
      isNew: true,
      source.model,
      layout,
      left.isEmpty
        ? []
        : [
          ReportNote(
            .syncMetadataNotCopied,
            "not copied: \(left.joined(separator: ", "))",
            remedy: "\(say: .keepMetadata) copies them"
          )
        ]
    )
    // The template is the source itself, so that its pages can be copied.
    about.canAdoptPages = true
    about.rewritesPages = metadata.isReduced || !left.isEmpty
    self.about = about
  }

  /// Plans a new store at `path` for the objects of `source`, made from `pattern`.
  ///
  /// Without a source the objects come from a store of another kind, from which nothing else is copied. With an
  /// identity transfer the store replaces `source`.
  init(
    new path: String,
    for source: CoreDataSource?,
    after pattern: StorePattern,
    isMapped: Bool = false,
    as identityTransfer: IdentityTransfer? = nil
  ) throws(DecantError) {
    self.path = path
    self.pattern = pattern
    keepsSyncMetadata = false
    isSourceCoreData = source != nil
    let own = source?.file.metadata.filter { !CoreDataSource.frameworkKeys.contains($0.key) } ?? [:]
    metadata = StoreMetadata(
      pattern.metadata.merging(own) { first, _ in first },
      uuid: identityTransfer?.uuid ?? StoreMetadata.newUUID(),
      keepsSyncMetadata: false
    )
    numbers = pattern.numbers
    let layout = pattern.layout(with: try source.map(pattern.ownTables) ?? [])
    entries = CoreDataDestination.entries(after: pattern, for: source, as: identityTransfer)
    var lost = LostItems.Names()
    if let source { lost = try LostItems(of: source, after: pattern, in: layout).names() }
    self.lost = lost
    let notes =
      CoreDataDestination.notes(after: pattern, for: source, isMapped: isMapped)
      + (try source.map { source throws(DecantError) in
        try CoreDataDestination.notesOnSchema(of: source, after: pattern)
      } ?? [])
      + lost.notes
    var about = CoreDataDestination.description(
      StoreIdentity(kind: CoreDataKind.name, place: path, uuid: metadata.uuid),
      at: path,
      isNew: true,
      pattern.model,
      layout,
      notes
    )
    // Core Data writes UTF-8; only a source can have another encoding.
    about.requiredEncoding = isSourceCoreData ? nil : "UTF-8"
    self.about = about
  }

  package func uuid(in schema: String, on connection: Connection) throws(DecantError) -> String? {
    try explaining("cannot read the identifier of “\(path)”") { () throws(SQLiteError) in
      try connection.text("SELECT Z_UUID FROM \(schema.sqlName).Z_METADATA")
    }
  }

  package func prepare(_ connection: Connection) throws(DecantError) {
    try explaining("cannot register functions") { () throws(SQLiteError) in
      try PrivateFunctions.register(on: connection)
    }
  }

  package func finish(on connection: Connection, source: String, written: WrittenObjects) throws(DecantError) {
    guard !isNew else { return }
    try explaining("cannot finish “\(path)”") { () throws(SQLiteError) in
      try fillSearchTables(from: source, on: connection)
      if written.isMerge {
        try DerivedValues(model: model, layout: layout, written: written).update(on: connection)
      }
      // The store is locked, so it has not changed since it was checked.
      try HistoryEntry(on: connection, adding: 0)?.write(written, in: layout, model, numbers)
    }
  }

  /// Recomputes the derived values of a new store after a merge.
  func derive(on connection: Connection, written: WrittenObjects) throws(DecantError) {
    try explaining("cannot derive values in “\(path)”") { () throws(SQLiteError) in
      try DerivedValues(model: model, layout: layout, written: written).update(on: connection)
    }
  }

  package func checkRoom(for count: Int64, in schema: String, on connection: Connection) throws(DecantError) {
    guard !isNew, count > 0 else { return }
    do throws(SQLiteError) {
      _ = try HistoryEntry(in: schema, on: connection, adding: count)
    } catch {
      guard error.isCorrupt else {
        throw DecantError("cannot read the persistent history of “\(path)”", cause: error)
      }
      throw DecantError(
        .damaged,
        "the persistent history of “\(path)” cannot record the added objects: \(error.message)",
        place: "tables ACHANGE, ATRANSACTION, ATRANSACTIONSTRING, Z_PRIMARYKEY",
        remedy:
          "restore the store from a backup, or remove its history: \(command: "clean \(option: .what, "history")", app: "clean it of “history”")",
        cause: error
      )
    }
  }
}
