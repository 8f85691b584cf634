internal import DecantBase
internal import DecantPlan
internal import DecantStore
internal import DecantSQLite

/// A Core Data store whose objects are changed in place.
struct EditableCoreDataStore: EditableStore {
  let identity: StoreIdentity
  let path: String
  let model: Model
  let layout: Layout
  let externalStorage: (any ExternalStorage)?
  let appliesOwnRules = false
  let notes: [ReportNote]
  private let numbers: [String: Int64]
  private let trees: [String]

  /// Opens the store in `file`; a store that CloudKit mirrors is refused unless `writesMirrored`.
  init(_ file: CoreDataFile, writesMirrored: Bool) throws(DecantError) {
    let isMirrored = file.columns.keys.contains { SyncMetadata.Kind(table: $0) == .cloudKit }
    guard !isMirrored || writesMirrored else {
      throw DecantError(
        .mirroredStore,
        "“\(file.database.path)” is mirrored by CloudKit: the changes may never be sent",
        place: "tables ANSCK…",
        remedy: "use \(say: .force) to change it anyway",
        remedies: [.setOption(.force, nil)]
      )
    }
    if let gap = file.modelGap { throw gap }
    let source = CoreDataSource(file)
    identity = source.identity
    model = source.model
    layout = Layout(relations: source.layout.relations, linkRelations: source.layout.linkRelations)
    path = file.database.path
    externalStorage = source.externalStorage
    numbers = file.numbers
    trees = file.virtualTreeNames
    let history = HistoryEntry.tables.filter { file.tableKinds[$0] != nil }
    switch history.count {
    case 0: notes = file.modelNotes
    case HistoryEntry.tables.count:
      notes =
        file.modelNotes + [
          ReportNote(
            .historyRecorded,
            "the store keeps persistent history: the changes are recorded there, by “\(HistoryEntry.author)”"
          )
        ]
    default:
      notes =
        file.modelNotes + [
          ReportNote(
            .historyIncomplete,
            "the store's persistent history is incomplete, it has only \(history[0]): nothing is recorded there"
          )
        ]
    }
  }

  /// Disables triggers, as in every store that decant changes.
  ///
  /// Triggers of R-trees use virtual tables, which SQLite does not allow in untrusted schemas.
  func prepare(_ connection: Connection) throws(DecantError) {
    try explaining("cannot register functions") { () throws(SQLiteError) in
      try PrivateFunctions.register(on: connection)
      try connection.setTriggersEnabled(false)
    }
  }

  func begin(on connection: Connection) throws(DecantError) {}

  /// Enables the triggers that update derived attributes and R-trees.
  func beginEditing(on connection: Connection) throws(DecantError) {
    try explaining("cannot set triggers") { () throws(SQLiteError) in
      try connection.setTriggersEnabled(true)
      // R-trees are virtual tables, which SQLite allows only trusted schemas to write to.
      try connection.setSchemasTrusted(true)
    }
  }

  func derives(_ column: String, on connection: Connection) throws(DecantError) -> Bool {
    try explaining("cannot read the triggers of “\(path)”") { () throws(SQLiteError) in
      // In either quoting: “SET ZCOUNT =”, “SET "ZCOUNT" =”.
      let count = try connection.integer(
        """
        SELECT count(*) FROM main.sqlite_schema WHERE type = 'trigger'
        AND instr(replace(replace(sql, '"', ''), '`', ''), ' SET ' || ?1 || ' =') > 0
        """,
        .text(column)
      )
      return count != 0
    }
  }

  func modelMark(on connection: Connection) throws(DecantError) -> [UInt8] {
    try explaining("cannot read the metadata of “\(path)”") { () throws(SQLiteError) in
      try connection.bytes("SELECT Z_PLIST FROM main.Z_METADATA LIMIT 1") ?? []
    }
  }

  func lastKey(of root: String, on connection: Connection) throws(DecantError) -> Int64 {
    guard let relation = layout.relation(of: root) else { return 0 }
    return try keys.last(of: relation, in: "main", on: connection)
  }

  func willDelete(_ keys: String, of relation: Relation, on connection: Connection) throws(DecantError) {
    try recording("the deletions") { () throws(SQLiteError) in
      let count = try connection.integer("SELECT count(*) FROM (\(keys))") ?? 0
      try HistoryEntry(on: connection, adding: count)?.enter(deletions: keys, of: relation, model)
    }
  }

  private var keys: AllocatedKeys { AllocatedKeys(layout: layout, numbers: numbers, place: path) }

  /// Completes the changes, where no trigger did.
  ///
  /// It updates derived attributes and R-trees, and adds the objects to the counters and to persistent history.
  func finish(_ written: WrittenObjects, on connection: Connection) throws(DecantError) {
    try keys.allocate(written.newKeys.mapValues(\.upperBound), on: connection)
    try recording("the changes") { () throws(SQLiteError) in
      if !written.haveTriggersRun {
        for tree in trees { try SearchTable(tree, in: layout)?.renew(written, on: connection) }
        try DerivedValues(model: model, layout: layout, written: written).update(on: connection)
      }
      var count: Int64 = 0
      for keys in written.newKeys.values { count += Int64(keys.count) }
      for keys in written.updatedKeys.values {
        count += try connection.integer("SELECT count(*) FROM (\(keys))") ?? 0
      }
      try HistoryEntry(on: connection, adding: count)?.write(written, in: layout, model, numbers)
    }
  }

  private func recording(_ what: String, _ body: () throws(SQLiteError) -> Void) throws(DecantError) {
    do throws(SQLiteError) {
      try body()
    } catch {
      guard error.isCorrupt else {
        throw DecantError("cannot write the persistent history of “\(path)”", cause: error)
      }
      throw DecantError(
        .damaged,
        "the persistent history of “\(path)” cannot record \(what): \(error.message)",
        place: "tables ACHANGE, ATRANSACTION, ATRANSACTIONSTRING, Z_PRIMARYKEY",
        remedy:
          "restore the store from a backup, or remove its history: \(command: "clean \(option: .what, "history")", app: "clean it of “history”")",
        cause: error
      )
    }
  }
}
