internal import Decant
internal import SQLite

/// Plain databases, and how they are told from Core Data stores.
extension StoreKinds {
  /// Opens the plain database at `location` for writing, or plans a new one after `source`.
  func openPlainDestination(
    _ location: StoreLocation,
    like source: PlainSource,
    options: CopyOptions
  ) throws(DecantError) -> any DestinationStore {
    let path = location.place
    guard options.template == nil, !options.isUnversioned, !options.keepsMetadata else {
      throw DecantError(
        .usage,
        "--template, --unversioned and --keep-metadata are for Core Data stores",
        remedy: "leave them away: a plain database is copied as it is"
      )
    }
    guard FileStatus(path) != nil else {
      guard location.kind != "coredata" else {
        throw DecantError(.usage, "cannot make a Core Data store after “\(source.identity.place)”")
      }
      try StoreKinds.checkNewPlace(location)
      return PlainDestination(new: path, like: source, options: options)
    }
    try StoreKinds.checkIsOther(path, source)
    guard try StoreKinds.kind(of: location) == "sqlite" else {
      throw DecantError(
        .modelMismatch,
        "“\(path)” is a Core Data store, and “\(source.identity.place)” a plain database",
        remedy: "name another place"
      )
    }
    let existing = try PlainFile(location, options: options)
    return try PlainDestination(existing: existing, for: source, options: options)
  }

  /// The kind of what is at `location`: as it was named, else by what is in it.
  ///
  /// A database that has one of Core Data's books is meant to be a Core Data store, though others may be
  /// missing; what cannot be opened at all is left for the kind to explain.
  static func kind(of location: StoreLocation) throws(DecantError) -> String {
    if let kind = location.kind { return kind }
    if ArchiveStream.isArchive(location.place) { return archive }
    if FileStatus(location.place)?.isFile == true, RecipeFiles.isRecipes(location.place) {
      return recipes
    }
    let database = try DatabaseFile.open(location.place)
    do throws(SQLiteError) {
      let connection = try Connection(database.uri, mode: .readOnly)
      connection.setBusyTimeout(milliseconds: 5_000)
      let books = try connection.integer(
        """
        SELECT count(*) FROM main.sqlite_schema WHERE type = 'table'
        AND name IN ('Z_PRIMARYKEY', 'Z_METADATA', 'Z_MODELCACHE')
        """
      )
      return books == 0 ? "sqlite" : "coredata"
    } catch {
      throw DecantError(opening: location.place, error)
    }
  }

  /// Refuses a destination that is the source.
  static func checkIsOther(_ path: String, _ source: any SourceStore) throws(DecantError) {
    guard let sourcePath = source.path, FileStatus(sourcePath)?.isSame(as: path) == true else {
      return
    }
    throw DecantError(
      .usage,
      "“\(path)” is the source itself",
      remedy: "name another place for the copy"
    )
  }

  static func modelOfPlain(_ location: StoreLocation) -> DecantError {
    DecantError(
      .usage,
      "--model says how to read a Core Data store, and “\(location.place)” is a plain database",
      remedy: "leave --model away, or write \("coredata:\(location.place)".shellWord) if it is one"
    )
  }

  static func checkPlainOptions(_ options: CopyOptions, _ location: StoreLocation)
    throws(DecantError)
  {
    guard !options.links.isEmpty || !options.noLinks.isEmpty || !options.leftOutTables.isEmpty
    else {
      return
    }
    throw DecantError(
      .usage,
      "--link, --no-link, --links and --leave-out are for plain databases: the model of “\(location.place)” "
        + "says what is a link",
      remedy: "leave them away"
    )
  }
}
