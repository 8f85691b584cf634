public import Decant

/// Between Core Data and plain SQLite: the same objects, in the tables that a model gives them.
extension StoreKinds {
  /// Opens the store at `location` for reading, where what is read goes to `other` or is held against it.
  ///
  /// A plain database opposite a Core Data store is read as objects of that store's model; opposite another plain
  /// database it takes over how that one spells names, as SQLite tells no small letters from capitals.
  ///
  /// - Parameters:
  ///   - location: Where the store is; its kind may be left out.
  ///   - other: The store at the other end, which need not exist.
  ///   - options: As `openSource(_:options:)` has it; `template` names the model where `other` is new.
  /// - Returns: The store, with a model and its layout.
  /// - Throws: `DecantError` as `openSource(_:options:)` does; with code `.modelMismatch` where a table
  ///   or column of the model is missing.
  public func openSource(
    _ location: StoreLocation,
    facing other: StoreLocation,
    options: CopyOptions
  ) throws(DecantError) -> any SourceStore {
    try StoreKinds.check(location)
    guard options.mapping == nil else {
      return try mappedSource(location, facing: other, options: options)
    }
    if try StoreKinds.isArchive(location) {
      return try StagedArchive.read([location.place])
        .source(facing: other, options: options)
    }
    if FileStatus(location.place) != nil,
      let recipes = try StagedRecipes(kind: StoreKinds.kind(of: location), location)
    {
      return try recipes.source(facing: other, options: options)
    }
    guard FileStatus(location.place) != nil, try StoreKinds.isPlain(location),
      let model = try StoreKinds.coreDataModel(of: other, options: options)
    else {
      guard options.takesOtherSpelling, FileStatus(location.place) != nil,
        FileStatus(other.place) != nil, options.model == nil, try StoreKinds.isPlain(location),
        try StoreKinds.isPlain(other)
      else { return try openSource(location, options: options) }
      let spelling = try PlainFile(other, options: CopyOptions())
      return PlainSource(try PlainFile(location, options: options, spelledLike: spelling))
    }
    try StoreKinds.checkPlainOptions(options, other)
    return try ObjectsSource(PlainFile(location, options: options), model: model)
  }

  /// Opens the store at `location` for a mapping: as what it is, whatever the other store's model is.
  ///
  /// A plain database in the very tables that the model would have is read as objects of it, as without a mapping.
  private func mappedSource(
    _ location: StoreLocation,
    facing other: StoreLocation,
    options: CopyOptions
  ) throws(DecantError) -> any SourceStore {
    guard FileStatus(location.place) != nil, try StoreKinds.isPlain(location),
      let model = try StoreKinds.coreDataModel(of: other, options: options)
    else { return try openSource(location, options: options) }
    do throws(DecantError) {
      return try ObjectsSource(PlainFile(location, options: options), model: model)
    } catch {
      guard error.code == .modelMismatch else { throw error }
      return try openSource(location, options: options)
    }
  }

  /// Whether `location` is a file of recipes: by its kind where that was said, else by what is in it.
  static func isRecipes(_ location: StoreLocation) throws(DecantError) -> Bool {
    let kind = try kind(of: location)
    return kind == recipes || RecipeFormats.names.contains(kind)
  }

  /// Whether the store at `location` is a plain database: by its kind where that was said, else by what
  /// is there.
  static func isPlain(_ location: StoreLocation) throws(DecantError) -> Bool {
    if let kind = location.kind { return kind == "sqlite" }
    guard FileStatus(location.place) != nil else { return false }
    return try kind(of: location) == "sqlite"
  }

  /// The model of the Core Data store that is at `location` or is to be made there; `nil` for a store of
  /// another kind.
  static func coreDataModel(of location: StoreLocation, options: CopyOptions)
    throws(DecantError) -> Model?
  {
    if FileStatus(location.place) != nil {
      if try isArchive(location) {
        // The header tells it; the objects need not be read for that.
        let header = try ArchiveParts.header(of: location.place)
        guard header.isCoreData else { return nil }
        guard let model = header.ownModel else {
          throw DecantError(
            .modelMismatch,
            "the store in “\(location.place)” did not hold its model",
            remedy: "export it again with --model App.momd"
          )
        }
        return model
      }
      guard try !isPlain(location), try !isRecipes(location) else { return nil }
      let file = try CoreDataFile(location, model: options.model)
      if let gap = file.modelGap { throw gap }
      return file.model
    }
    guard location.kind == "coredata" || (location.kind == nil && options.template != nil) else {
      return nil
    }
    return try pattern(options, place: location.place).model
  }

  /// What a new Core Data store is made after, for objects that come from a plain database.
  static func pattern(_ options: CopyOptions, place: String) throws(DecantError)
    -> StorePattern
  {
    guard let template = options.template else {
      throw DecantError(
        .usage,
        "a Core Data store is made after a model, and a plain database has none",
        place: "“\(place)” is not there yet",
        remedy: "name a store of the model, or the App.momd of a built app: --template MODEL"
      )
    }
    try checkTemplate(options)
    return try StorePattern.open(
      template,
      for: nil,
      // Through a mapping the source is read by another model.
      model: options.mapping == nil ? options.model : nil,
      isUnversioned: options.isUnversioned
    )
  }

  /// A new Core Data store at `path` for objects that come from a plain database.
  static func madeAfterTemplate(_ path: String, options: CopyOptions) throws(DecantError)
    -> any DestinationStore
  {
    try CoreDataDestination(new: path, for: nil, after: pattern(options, place: path))
  }

  /// The plain database at `location`, there or to be made, for the objects of a Core Data store.
  func objectsDestination(
    _ location: StoreLocation,
    for source: CoreDataSource,
    options: CopyOptions
  ) throws(DecantError) -> any DestinationStore {
    let unfit = [
      (options.template != nil, "--template says after what Core Data store or model one is made"),
      (options.isUnversioned, "--unversioned says how a Core Data store is made"),
      (options.keepsMetadata, "a plain database has no place for sync metadata: --keep-metadata"),
    ]
    if let first = unfit.first(where: \.0) {
      throw DecantError(
        .usage,
        "“\(location.place)” is a plain database: \(first.1)",
        remedy: "leave it away"
      )
    }
    guard FileStatus(location.place) != nil else {
      return try ObjectsDestination(new: location.place, for: source)
    }
    return try ObjectsDestination(
      existing: PlainFile(location, options: options),
      for: source,
      options: options
    )
  }
}
