internal import DecantCoreData
package import DecantBase
internal import DecantPlan
package import DecantStore
internal import DecantSQLite

/// Plain databases: read table by table, or as the objects of the other store's model.
package struct PlainKind: DatabaseKind {
  package init() {
  }
  package static let name = "sqlite"

  var name: String { PlainKind.name }
  var abilities: StoreAbilities { [.isMade, .isExtended, .isDatabase] }
  var lines: [StoreKindLine] {
    [StoreKindLine(name, "any other SQLite database, table by table", abilities)]
  }

  /// Returns true for any database that no other kind recognises; this kind is asked last.
  func recognises(_ place: String) throws(DecantError) -> Bool { true }

  func openSource(_ location: StoreLocation, facing other: FacingStore?, options: CopyOptions)
    throws(DecantError) -> any SourceStore
  {
    guard let other, let model = try other.model(options) else {
      return try rows(location, facing: other, options)
    }
    do throws(DecantError) {
      if options.mapping == nil { try CoreDataKind.checkOptions(options, other.location) }
      return try ObjectsSource(PlainFile(location, options: options), model: model)
    } catch {
      // With a mapping it is read as it is, unless it has exactly the tables that the model would have.
      guard options.mapping != nil, error.family == .modelMismatch else { throw error }
      var options = options
      // It is the model of the other store, which does not contain its own.
      if FileStatus(other.location.place) != nil { options.model = nil }
      return try rows(location, facing: nil, options)
    }
  }

  /// Opens the database table by table.
  private func rows(
    _ location: StoreLocation,
    facing other: FacingStore?,
    _ options: CopyOptions
  ) throws(DecantError) -> any SourceStore {
    if options.mapping == nil, options.model == nil, let other, exists(other.location), try other.kind()?.name == name {
      let facing = try PlainFile(other.location, options: CopyOptions())
      let spelling = options.takesOtherSpelling ? facing : nil
      return PlainSource(try PlainFile(location, options: options, spelledLike: spelling, facing: facing.schema))
    }
    guard options.model == nil else { throw PlainKind.hasNoModel(location) }
    return PlainSource(try PlainFile(location, options: options))
  }

  func source(
    in database: DatabaseFile,
    uuid: String?,
    fallback: Model?,
    options: CopyOptions
  ) throws(DecantError) -> any SourceStore {
    PlainSource(try PlainFile(database, options: options))
  }

  package static func hasNoModel(_ location: StoreLocation) -> DecantError {
    DecantError(
      .unsuitableOption,
      "\(option: .model) applies to a Core Data store, but “\(location.place)” is a plain database",
      remedy:
        "remove \(option: .model), or write \("coredata:\(location.place)".shellWord) if it is one"
    )
  }

  func openEditable(_ location: StoreLocation, models: [String], writesMirrored: Bool)
    throws(DecantError) -> any EditableStore
  {
    try EditablePlainStore(PlainFile(location, options: CopyOptions()))
  }

  // MARK: Writing

  func openDestination(_ location: StoreLocation, like source: any SourceStore, options: CopyOptions)
    throws(DecantError) -> any DestinationStore
  {
    if options.mapping != nil, exists(location) {
      return try mapped(location, for: source, options)
    }
    // Only this kind's own sources have the SQL of their tables: the protocol has no member for it, and no other kind
    // could provide it.
    guard let source = source as? PlainSource else {
      return try objects(location, for: source, options)
    }
    guard options.template == nil, !options.isUnversioned, !options.keepsMetadata else {
      throw DecantError(
        .unsuitableOption,
        "\(option: .template), \(option: .unversioned) and \(option: .keepMetadata) are for Core Data stores",
        remedy: "remove them: a plain database is copied unchanged"
      )
    }
    try source.checkLeftOut(options, of: "a file")
    guard exists(location) else {
      try FilePlace.checkNew(location)
      return PlainDestination(new: location.place, like: source, options: options)
    }
    try FilePlace.checkIsOther(location.place, source)
    return try PlainDestination(
      existing: PlainFile(location, options: options, facing: source.file.schema, isDestination: true), for: source,
      options: options)
  }

  /// Opens the database at `location` for the results of a mapping.
  ///
  /// If it has the tables that decant makes for the objects of `source`, its dates and UUIDs are texts.
  private func mapped(
    _ location: StoreLocation,
    for source: any SourceStore,
    _ options: CopyOptions
  ) throws(DecantError) -> any DestinationStore {
    try FilePlace.checkIsOther(location.place, source)
    try FilePlace.checkIsNotMade(location.place, options)
    if !source.model.isFromTables, source.modelGap == nil {
      do throws(DecantError) {
        return try objects(location, for: source, options)
      } catch {
        // The tables were made by another program.
        guard error.family == .modelMismatch else { throw error }
      }
    }
    return try PlainDestination(existing: PlainFile(location, options: CopyOptions()), for: nil, options: options)
  }

  /// Opens or plans the database at `location` for the objects of a store that has a model.
  private func objects(
    _ location: StoreLocation,
    for source: any SourceStore,
    _ options: CopyOptions
  ) throws(DecantError) -> any DestinationStore {
    let unfit: [(Bool, DecantError.Text)] = [
      (options.template != nil, "\(option: .template) gives the Core Data store or model to create a store from"),
      (options.isUnversioned, "\(option: .unversioned) applies to a new Core Data store"),
      (options.keepsMetadata, "a plain database cannot hold sync metadata: \(option: .keepMetadata)"),
    ]
    if let first = unfit.first(where: \.0) {
      throw DecantError(
        .unsuitableOption,
        "“\(location.place)” is a plain database: \(first.1)",
        remedy: "remove it"
      )
    }
    guard exists(location) else {
      return try ObjectsDestination(new: location.place, for: source)
    }
    return try ObjectsDestination(existing: PlainFile(location, options: options), for: source, options: options)
  }

  func prepareEmpty(
    _ made: StoreLocation,
    like store: StoreLocation,
    _ options: inout CopyOptions,
    copying copy: (CopyOptions) throws(DecantError) -> Void
  ) throws(DecantError) {
    var empty = CopyOptions()
    (empty.takesNoObjects, empty.takesNoRows) = (true, true)
    try copy(empty)
    try forgetCounters(of: made.place)
    options.firesTriggers = false
  }

  /// Resets the key counters of a database without rows, so that copied rows keep their keys.
  private func forgetCounters(of path: String) throws(DecantError) {
    do throws(SQLiteError) {
      let connection = try Connection(path, mode: .readWrite)
      let counters = "SELECT 1 FROM sqlite_schema WHERE name = 'sqlite_sequence'"
      if try connection.integer(counters) != nil {
        try connection.run("DELETE FROM sqlite_sequence")
      }
    } catch {
      throw DecantError(opening: path, error)
    }
  }
}
