public import Decant

/// The kinds of stores that decant knows: the only list of them.
public struct StoreKinds: StoreOpener {
  /// The kinds by name, in the order in which help lists them.
  public static let names = ["coredata", "sqlite", archive] + RecipeFormats.names

  /// The kind of an archive: lines that hold a store, packed or not.
  static let archive = "archive"

  /// What is not an archive and holds recipes in some format of their own.
  static let recipes = "recipes"

  /// Knows all kinds; nothing is opened yet.
  public init() {}

  /// Reads a store's name as the user writes it: `[kind:]place`.
  public static func location(_ text: String) -> StoreLocation {
    StoreLocation(text, kinds: names)
  }

  /// Refuses what looks like a kind of store that decant does not know.
  static func check(_ location: StoreLocation) throws(DecantError) {
    try checkIsPath(location)
    guard location.kind == nil, FileStatus(location.place) == nil else { return }
    let place = location.place
    guard !place.isEmpty, place != "-" else {
      throw DecantError(
        .usage,
        place.isEmpty ? "a store has no name" : "a database cannot be a pipe",
        remedy: "name a file"
      )
    }
    guard let colon = place.firstIndex(of: ":") else { return }
    let kind = place[..<colon]
    guard kind.count > 1, kind.allSatisfy({ $0.isASCII && $0.isLowercase }) else { return }
    throw DecantError(
      .usage,
      "there is no kind of store called “\(kind)”",
      place: "kinds: \(names.joined(separator: ", "))",
      remedy: place.withoutPasswords == place
        ? "for a file of that name write \("./\(place)".shellWord)"
        : "decant reads files, not servers; for a file of that name put ./ in front of it"
    )
  }

  /// Refuses the names by which SQLite knows databases that are no files, and URIs of files.
  private static func checkIsPath(_ location: StoreLocation) throws(DecantError) {
    let place = location.place
    let isMemory = place == ":memory:" || place.hasPrefix("file:") && place.contains("memory")
    guard isMemory || place.hasPrefix("file:"), FileStatus(place) == nil else { return }
    throw DecantError(
      .usage,
      isMemory
        ? "“\(place)” is a database in memory: it would be gone when decant ends"
        : "“\(place)” is a URI, and a store is named by its path",
      remedy: "name a file, as in NAME.sqlite; for a file of "
        + "that name write \("./\(place)".shellWord)"
    )
  }

  /// Refuses to make a database where the name asks for something else.
  static func checkNewPlace(_ location: StoreLocation) throws(DecantError) {
    let others = [
      "decant", "gz", "zst", "xz", "lz4", "zip", "html", "eml", "json", "csv", "paprikarecipes",
      "melarecipe", "melarecipes", "cook", "sql",
    ]
    let name = Files.name(of: location.place)
    guard location.kind == nil, let dot = name.lastIndex(of: "."),
      others.contains(name[name.index(after: dot)...].lowercased())
    else { return }
    throw DecantError(
      .usage,
      "“\(name)” is no name for a database, and decant writes no other kind yet",
      remedy: "call it something.sqlite, or write \("sqlite:\(location.place)".shellWord)"
    )
  }

  /// Refuses what goes with no store that is made after another one.
  static func checkTemplate(_ options: CopyOptions) throws(DecantError) {
    guard options.keepsMetadata else { return }
    throw DecantError(
      .usage,
      "sync metadata belongs to the source's own file: --keep-metadata does not go with --template",
      remedy: "leave one of them away"
    )
  }

  private static let unversionedAlone = DecantError(
    .usage,
    "--unversioned says how a store is made after a model, and there is none",
    remedy: "name the model with --template"
  )

  /// Opens the store at `location` for reading, without touching its objects.
  ///
  /// - Parameters:
  ///   - location: Where the store is; its kind may be left out.
  ///   - options: `model` and `readsPrivateCopy` say how to read it; the others have no meaning here.
  /// - Returns: The store, with its model and its layout.
  /// - Throws: `DecantError` with code `.storeNotFound`, `.corruptStore` for what is no database, or
  ///   `.modelMismatch` when the model of a Core Data store cannot be had.
  public func openSource(_ location: StoreLocation, options: CopyOptions) throws(DecantError)
    -> any SourceStore
  {
    try StoreKinds.check(location)
    let kind = try StoreKinds.kind(of: location)
    guard kind != StoreKinds.archive else {
      return try StagedArchive.read([location.place])
        .source(options: options)
    }
    if let recipes = try StagedRecipes(kind: kind, location) {
      return try recipes.source(options: options)
    }
    guard kind == "coredata" else {
      guard options.model == nil else { throw StoreKinds.modelOfPlain(location) }
      return PlainSource(try PlainFile(location, options: options))
    }
    try StoreKinds.checkPlainOptions(options, location)
    return try CoreDataSource(
      CoreDataFile(location, model: options.model, privately: options.readsPrivateCopy)
    )
  }

  /// Opens the Core Data store at `location` for writing, or plans a new one after `source`.
  ///
  /// - Parameters:
  ///   - location: Where the store is, or where it is to appear.
  ///   - source: The store that is copied: a new one gets its model, tables and metadata.
  ///   - options: `model` says how to read what is there, `keepsMetadata` what a new store keeps,
  ///     `template` and `isUnversioned` what it is made after, `writesMirroredStore` whether one that
  ///     CloudKit mirrors is opened.
  /// - Returns: The store; a new one is not made yet.
  /// - Throws: `DecantError` with code `.usage` where it is the source itself, or new while the source
  ///   is no Core Data store; `.failed` where CloudKit mirrors it and `writesMirroredStore` is not
  ///   set; else as `openSource` does.
  public func openDestination(
    _ location: StoreLocation,
    like source: any SourceStore,
    options: CopyOptions
  ) throws(DecantError) -> any DestinationStore {
    try StoreKinds.check(location)
    let path = location.place
    if try StoreKinds.isArchive(location) { throw StoreKinds.archiveAsDestination(location) }
    if options.mapping != nil, let other = try mappedDestination(location, source, options: options)
    {
      return other
    }
    if let source = source as? PlainSource {
      return try openPlainDestination(location, like: source, options: options)
    }
    if let source = source as? CoreDataSource, try StoreKinds.isPlain(location) {
      return try objectsDestination(location, for: source, options: options)
    }
    guard FileStatus(path) != nil else {
      try StoreKinds.checkNewPlace(location)
      if source is ObjectsSource {
        return try StoreKinds.madeAfterTemplate(path, options: options)
      }
      guard let source = source as? CoreDataSource else {
        throw DecantError(.usage, "cannot make a Core Data store after “\(source.identity.place)”")
      }
      if let template = options.template {
        try StoreKinds.checkTemplate(options)
        let pattern = try StorePattern.open(
          template,
          for: source,
          model: options.model,
          isUnversioned: options.isUnversioned
        )
        return try CoreDataDestination(new: path, for: source, after: pattern)
      }
      guard !options.isUnversioned else { throw StoreKinds.unversionedAlone }
      return CoreDataDestination(
        new: path,
        like: source,
        keepsSediment: options.keepsMetadata,
        as: Succession(of: source, to: source.model, options)
      )
    }
    try StoreKinds.checkIsOther(path, source)
    guard options.template == nil, !options.isUnversioned else {
      throw DecantError(
        .usage,
        "“\(path)” is there already: --template and --unversioned say how a new store is made",
        remedy: "name a new place for the store, or leave them away"
      )
    }
    guard !options.keepsMetadata else {
      throw DecantError(
        .usage,
        "“\(path)” is there already and keeps the sync metadata it has: --keep-metadata takes the "
          + "source's along into a new store",
        remedy: "leave --keep-metadata away, or name a new place for the store"
      )
    }
    return try CoreDataDestination(
      existing: CoreDataFile(location, model: options.model),
      for: source as? CoreDataSource,
      writesMirrored: options.writesMirroredStore
    )
  }
}

extension Copy {
  /// Describes a copy between two places, each `[kind:]place`.
  public init(from source: String, to destination: String, options: CopyOptions = CopyOptions()) {
    self.init(
      from: StoreKinds.location(source),
      to: StoreKinds.location(destination),
      options: options,
      opener: StoreKinds()
    )
  }
}

extension MappingSuggestion {
  /// Describes a suggestion for two places, each `[kind:]place`.
  public init(from source: String, to destination: String, options: CopyOptions = CopyOptions()) {
    self.init(
      from: StoreKinds.location(source),
      to: StoreKinds.location(destination),
      options: options,
      opener: StoreKinds()
    )
  }
}

extension Inspection {
  /// Reads the store named `store`, as `[kind:]place`.
  ///
  /// - Parameters:
  ///   - store: The store.
  ///   - model: A model to read it with, where it does not hold its own.
  /// - Returns: What it holds.
  /// - Throws: `DecantError`; no store there, busy, without model, or damaged.
  public static func of(_ store: String, model: String? = nil) throws(DecantError) -> Inspection {
    var options = CopyOptions()
    options.model = model
    return try of(StoreKinds.location(store), options: options, opener: StoreKinds())
  }
}

extension LinkSuggestion {
  /// Describes a links file for the plain database named `store`, as `[kind:]place`.
  ///
  /// - Parameter store: The database; it is never changed.
  public init(for store: String) {
    self.init(
      for: StoreKinds.location(store),
      options: CopyOptions(),
      opener: StoreKinds()
    )
  }
}

extension Query {
  /// Compiles a SELECT over the entities of the store named `store`, as `[kind:]place`.
  ///
  /// - Parameters:
  ///   - sql: One SELECT, or WITH … SELECT.
  ///   - parameters: The values of its parameters, by their names.
  ///   - store: The store; it is never changed.
  ///   - model: A model to read it with, where it does not hold its own.
  ///   - verifies: Whether the structure of the store is checked first.
  ///   - textByteLimit: How much of a longer text is wanted; `nil` for all of it.
  ///   - bytes: What is done with values that are bytes.
  ///   - cancellation: Ends the query from another thread.
  /// - Throws: `DecantError`; with code `.usage` for whatever is wrong with the SQL.
  public convenience init(
    _ sql: String,
    parameters: [String: Value] = [:],
    in store: String,
    model: String? = nil,
    verifies: Bool = true,
    textByteLimit: Int? = nil,
    bytes: ByteUse = .described,
    cancellation: Cancellation = Cancellation()
  ) throws(DecantError) {
    try self.init(
      sql,
      parameters: parameters,
      in: StoreKinds.location(store),
      opener: StoreKinds(),
      model: model,
      verifies: verifies,
      textByteLimit: textByteLimit,
      bytes: bytes,
      cancellation: cancellation
    )
  }
}

extension Verify {
  /// Describes a comparison of two places, each `[kind:]place`.
  public init(_ source: String, against destination: String) {
    self.init(
      StoreKinds.location(source),
      against: StoreKinds.location(destination),
      opener: StoreKinds()
    )
  }
}

extension Diff {
  /// Describes a comparison of two places, each `[kind:]place`.
  public init(_ a: String, _ b: String) {
    self.init(StoreKinds.location(a), StoreKinds.location(b), opener: StoreKinds())
  }
}
