package import DecantBase
package import DecantPlan
package import DecantStore
internal import DecantSQLite

/// The kind of Core Data stores.
package struct CoreDataKind: DatabaseKind {
  package init() {
  }
  package static let name = CoreDataFile.kind

  package var name: String { CoreDataKind.name }
  package var abilities: StoreAbilities {
    [.isMade, .isExtended, .isDatabase, .hasModel, .keepsSyncMetadata]
  }
  package var lines: [StoreKindLine] {
    [StoreKindLine(name, "the SQLite file of Core Data and SwiftData", abilities)]
  }

  /// Returns whether a database has one of Core Data's system tables, even if others are missing.
  ///
  /// - Throws: `DecantError` if it is not a database.
  package func recognises(_ place: String) throws(DecantError) -> Bool {
    let database = try DatabaseFile.open(place)
    do throws(SQLiteError) {
      let connection = try Connection(database.uri, mode: .readOnly)
      connection.setBusyTimeout(milliseconds: 5_000)
      let names = CoreDataFile.books.sorted().map(\.sqlText).joined(separator: ", ")
      let books = try connection.integer(
        "SELECT count(*) FROM main.sqlite_schema WHERE type = 'table' AND name IN (\(names))"
      )
      return books != 0
    } catch {
      throw DecantError(opening: place, error)
    }
  }

  package func identity(of location: StoreLocation) throws(DecantError) -> StoreIdentity {
    try CleanableCoreDataStore(location.place).identity
  }

  /// Returns the model of the store, or of the template for a new one.
  package func model(of location: StoreLocation, options: CopyOptions) throws(DecantError) -> Model? {
    guard exists(location) else {
      return try CoreDataKind.pattern(options, place: location.place).model
    }
    let file = try CoreDataFile(location, model: options.model)
    if let gap = file.modelGap { throw gap }
    return file.model
  }

  package func openSource(_ location: StoreLocation, facing other: FacingStore?, options: CopyOptions)
    throws(DecantError) -> any SourceStore
  {
    try CoreDataKind.checkOptions(options, location)
    return try CoreDataSource(CoreDataFile(location, model: options.model, privately: options.readsPrivateCopy))
  }

  package func source(
    in database: DatabaseFile,
    uuid: String?,
    fallback: Model?,
    options: CopyOptions
  ) throws(DecantError) -> any SourceStore {
    try CoreDataKind.checkOptions(options, StoreLocation(place: database.path))
    return CoreDataSource(try CoreDataFile(database, model: options.model, fallback: fallback), uuid: uuid)
  }

  package func prepareEmpty(
    _ made: StoreLocation,
    like store: StoreLocation,
    _ options: inout CopyOptions,
    copying copy: (CopyOptions) throws(DecantError) -> Void
  ) throws(DecantError) {
    options.template = store.place
    options.isUnversioned = try CoreDataFile(store, model: nil).versionHashes.isEmpty
  }

  package func openEditable(_ location: StoreLocation, models: [String], writesMirrored: Bool)
    throws(DecantError) -> any EditableStore
  {
    try EditableCoreDataStore(CoreDataKind.file(location, models: models), writesMirrored: writesMirrored)
  }

  /// Reads the store at `location`; if it has no model, with the first of `models` that fits.
  private static func file(_ location: StoreLocation, models: [String]) throws(DecantError) -> CoreDataFile {
    let file = try CoreDataFile(location)
    guard file.modelGap != nil, let last = models.last else { return file }
    for model in models.dropLast() {
      do throws(DecantError) {
        return try CoreDataFile(location, model: model)
      } catch {
        guard error.family == .modelMismatch else { throw error }
      }
    }
    return try CoreDataFile(location, model: last)
  }

  /// Throws for options that apply to plain databases only.
  package static func checkOptions(_ options: CopyOptions, _ location: StoreLocation) throws(DecantError) {
    guard !options.links.isEmpty || !options.noLinks.isEmpty || !options.leftOutTables.isEmpty
    else { return }
    throw DecantError(
      .unsuitableOption,
      "\(option: .link), \(option: .noLink), \(option: .links) and \(option: .leaveOut) are for plain databases: the model of “\(location.place)” "
        + "defines its links",
      remedy: "remove them"
    )
  }
}
