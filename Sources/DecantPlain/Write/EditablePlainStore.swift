internal import DecantBase
internal import DecantPlan
internal import DecantStore
internal import DecantSQLite

/// A plain database whose rows are changed in place.
struct EditablePlainStore: EditableStore {
  let identity: StoreIdentity
  let path: String
  let model: Model
  let layout: Layout
  let externalStorage: (any ExternalStorage)? = nil
  let appliesOwnRules = true
  let notes: [ReportNote]

  /// Opens the database in `file` for editing.
  init(_ file: PlainFile) throws(DecantError) {
    if let collation = file.schema.unknownCollations.first {
      throw DecantError(
        .unknownCollation,
        "“\(file.database.path)” is sorted by \(collation)",
        place: "its indexes would not find the changed rows",
        remedy: "let the app itself change it"
      )
    }
    let source = PlainSource(file)
    identity = source.identity
    (model, layout) = (source.model, source.layout)
    path = file.database.path
    let triggers = try TriggerList(file).all
    notes =
      triggers.isEmpty
      ? []
      : [
        ReportNote(.triggersRun, "\(Int64(triggers.count).counted("trigger")) of the database run on the changed rows")
      ]
  }

  func prepare(_ connection: Connection) throws(DecantError) {}

  /// Lets the database's triggers write to its full-text indexes, which SQLite does not mark as innocuous.
  ///
  /// Functions of decant that are not innocuous can be used only in statements, never in a schema.
  func begin(on connection: Connection) throws(DecantError) {
    try explaining("cannot set triggers") { () throws(SQLiteError) in
      try connection.setSchemasTrusted(true)
    }
  }

  /// Makes the database check its foreign keys and run its triggers.
  func beginEditing(on connection: Connection) throws(DecantError) {
    try begin(on: connection)
    try explaining("cannot turn on foreign keys") { () throws(SQLiteError) in
      try connection.run("PRAGMA foreign_keys = ON")
    }
  }

  func derives(_ column: String, on connection: Connection) throws(DecantError) -> Bool { true }

  /// Returns nothing: the schema version covers the model.
  func modelMark(on connection: Connection) throws(DecantError) -> [UInt8] { [] }

  /// Returns zero: the database numbers its rows itself.
  func lastKey(of root: String, on connection: Connection) throws(DecantError) -> Int64 { 0 }

  func willDelete(_ keys: String, of relation: Relation, on connection: Connection) throws(DecantError) {}

  func finish(_ written: WrittenObjects, on connection: Connection) throws(DecantError) {}
}
