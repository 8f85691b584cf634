package import DecantBase
internal import DecantStore
internal import DecantPropertyList
internal import DecantSQLite

/// The pattern of a new store that is not made from its source: tables, entity numbers and metadata.
///
/// It comes from another store, whose objects are ignored, or from a compiled model.
package struct StorePattern {
  let model: Model
  let layout: Layout
  /// The number of each entity; the source may have others.
  let numbers: [String: Int64]
  /// The highest keys allocated in the pattern, by entity.
  ///
  /// Objects without counters of their own may originally come from it.
  var counters: [String: Int64] = [:]
  /// The statements, without those of sync metadata.
  let template: StoreTemplate
  /// Core Data's own metadata.
  let metadata: [String: PropertyList]
  /// The cached model, if there is one.
  let modelCache: [UInt8]?
  /// The settings of the file as a whole.
  let settings: Settings
  let notes: [ReportNote]

  /// The version hashes of the entities.
  var versionHashes: [String: [UInt8]] { CoreDataFile.hashes(in: metadata) }

  /// The settings in the header of a database.
  struct Settings {
    /// Core Data's own choice, since page sizes of 4096 bytes became common.
    var pageSize: Int64 = 4096
    /// Two means incremental: free pages are returned on request.
    var autoVacuum: Int64 = 2
    var userVersion: Int64 = 0
    var applicationID: Int64 = 0

    /// Applies the settings to an empty database; called before the first table is created.
    func apply(to connection: Connection) throws(SQLiteError) {
      try connection.run("PRAGMA main.page_size = \(pageSize)")
      try connection.run("PRAGMA main.auto_vacuum = \(autoVacuum)")
      try connection.run("PRAGMA main.user_version = \(userVersion)")
      try connection.run("PRAGMA main.application_id = \(applicationID)")
    }
  }

  /// Opens `place`, a store as `[kind:]place` or a compiled model, for the objects of `source`.
  ///
  /// - Parameters:
  ///   - place: The place as written by the user.
  ///   - source: The store of the objects; `nil` if they come from another kind of store.
  ///   - model: The model, for a store that does not contain its own.
  ///   - isUnversioned: Whether a model without version hashes is accepted.
  /// - Returns: The pattern of the new store.
  /// - Throws: `DecantError` of the family `.modelMismatch` for a model from which no store can be made.
  package static func open(
    _ place: String,
    for source: CoreDataSource?,
    model: String?,
    isUnversioned: Bool
  ) throws(DecantError) -> StorePattern {
    // Entities get the pattern's numbers; without a model it is unknown which columns hold entity numbers.
    if let gap = source?.modelGap { throw gap }
    let location = StoreLocation(place, kinds: [CoreDataKind.name])
    guard location.kind != nil || StoreModel.isStore(location.place) else {
      return try StorePattern(ModelLocation(place), for: source, isUnversioned: isUnversioned)
    }
    guard !isUnversioned else { throw needless(location.place) }
    return try StorePattern(CoreDataFile(location, model: model))
  }

  /// Returns the error for omitting version hashes that exist.
  static func needless(_ place: String) -> DecantError {
    DecantError(
      .unsuitableOption,
      "“\(place)” has version hashes: \(option: .unversioned) is not needed",
      remedy: "remove \(option: .unversioned)"
    )
  }

  /// Creates the pattern from the store in `file`.
  init(_ file: CoreDataFile) throws(DecantError) {
    if let gap = file.modelGap { throw gap }
    let store = CoreDataSource(file)
    model = store.model
    counters = file.numbers.compactMapValues { file.counters[$0] }
    var layout = store.layout
    layout.plainTables.removeAll(where: \.isSyncMetadata)
    self.layout = layout
    numbers = file.numbers
    metadata = file.metadata.filter { CoreDataSource.frameworkKeys.contains($0.key) }
    notes = store.notes
    modelCache = try file.modelCache()
    do throws(SQLiteError) {
      let connection = try Connection(file.database.uri, mode: .readOnly)
      connection.setBusyTimeout(milliseconds: 5_000)
      template = try StoreTemplate(of: "main", on: connection, keepsSyncMetadata: false)
      settings = Settings(
        pageSize: try connection.integer("PRAGMA page_size") ?? 4096,
        autoVacuum: try connection.integer("PRAGMA auto_vacuum") ?? 0,
        userVersion: try connection.integer("PRAGMA user_version") ?? 0,
        applicationID: try connection.integer("PRAGMA application_id") ?? 0
      )
    } catch {
      throw DecantError(opening: file.database.path, error)
    }
  }

  init(
    model: Model,
    layout: Layout,
    schema: GeneratedSchema,
    metadata: [String: PropertyList],
    modelCache: [UInt8]?,
    notes: [ReportNote]
  ) {
    self.model = model
    self.layout = layout
    numbers = schema.numbers
    template = schema.template
    self.metadata = metadata
    self.modelCache = modelCache
    settings = Settings()
    self.notes = notes
  }
}
