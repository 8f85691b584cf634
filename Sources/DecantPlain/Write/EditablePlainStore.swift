internal import DecantBase
internal import DecantPlan
internal import DecantStore
internal import DecantSQLite

/// A plain database whose rows hold references to objects of another store.
struct EditablePlainStore: EditableStore {
  let identity: StoreIdentity
  let path: String
  let model: Model
  let layout: Layout
  let notes: [ReportNote]

  /// Takes the database in `file`.
  init(_ file: PlainFile) throws(DecantError) {
    if let collation = file.schema.unknownCollations.first {
      throw DecantError(
        .unknownCollation,
        "“\(file.database.path)” is sorted by \(collation)",
        place: "its indexes would not find the changed rows",
        remedy: "let the app itself change its references"
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

  /// Has the database's triggers write to its indexes for searching, which SQLite does not mark as harmless.
  ///
  /// Functions of decant's own that are more than harmless are known to statements only, never to a schema.
  func begin(on connection: Connection) throws(DecantError) {
    try explaining("cannot set triggers") { () throws(SQLiteError) in
      try connection.setSchemasTrusted(true)
    }
  }

  func finish(_ written: WrittenObjects, on connection: Connection) throws(DecantError) {}
}
