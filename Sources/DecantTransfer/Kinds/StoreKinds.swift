internal import DecantArchive
internal import DecantCoreData
internal import DecantPlain
internal import DecantPostgresStore
internal import DecantRecipes
package import DecantBase
public import DecantPlan
public import DecantStore

/// The kinds of stores that decant supports; the only list of them.
public struct StoreKinds: StoreOpener {
  /// The kinds, in the order of the help text.
  private static let all: [any StoreKind] =
    ArchiveKind.databases + [ArchiveKind(), RecipeKind(), PostgresKind()]

  /// The kinds that every command opens stores with by default.
  public static let known = StoreKinds(kinds: all)

  private let kinds: [any StoreKind]

  private init(kinds: [any StoreKind]) { self.kinds = kinds }

  /// Creates the list with `kind` added.
  package init(with kind: any StoreKind) { self.init(kinds: StoreKinds.all + [kind]) }

  /// The names of the kinds, as used in locations.
  public static let names = all.flatMap(\.spellings)

  /// The name of the archive kind.
  package static let archive = ArchiveKind.name

  /// Whether the kind of that name makes stores from a model; `nil` without a name.
  package static func hasModel(_ name: String?) -> Bool? {
    name.flatMap { known.kind(named: $0) }?.abilities.contains(.hasModel)
  }

  /// The lines of the list of all kinds.
  package static let lines = all.flatMap(\.lines)

  /// Parses a store's location as the user writes it: `[kind:]place`.
  public static func location(_ text: String) -> StoreLocation { known.location(text) }

  /// Parses a store's location as the user writes it: `[kind:]place`.
  package func location(_ text: String) -> StoreLocation {
    StoreLocation(text, kinds: kinds.flatMap(\.spellings))
  }

  // MARK: Detecting the kind

  /// Returns the kind of that name, or `nil` if there is none.
  package func kind(named name: String) -> (any StoreKind)? {
    kinds.first { $0.name == name || $0.spellings.contains(name) }
  }

  /// Returns the kind of the store at `location`: the named one, or else the one detected from its content.
  ///
  /// - Throws: `DecantError` of the family `.usage` for an unknown name, `.storeNotFound` or `.corruptStore` for a
  ///   place that no kind can read.
  package func find(_ location: StoreLocation) throws(DecantError) -> any StoreKind {
    try check(location)
    if let name = location.kind, let kind = kind(named: name) { return kind }
    let (databases, others) = (
      kinds.filter { $0.abilities.contains(.isDatabase) },
      kinds.filter { !$0.abilities.contains(.isDatabase) }
    )
    let head = Files.start(of: location.place, count: DatabaseFile.magic.count)
    for kind in (head == DatabaseFile.magic ? [] : others) + databases where try kind.recognises(location.place) {
      return kind
    }
    throw DecantError(.notAStore, "“\(location.place)” is not a store of a kind that decant supports")
  }

  /// Returns the store at `location`, which need not exist; its kind is `nil` if it cannot be determined.
  package func facing(_ location: StoreLocation, _ options: CopyOptions) -> FacingStore {
    FacingStore(location) { () throws(DecantError) in
      if let name = location.kind { return kind(named: name) }
      if FileStatus(location.place) != nil { return try find(location) }
      guard options.template != nil else { return nil }
      return kinds.first { $0.abilities.contains([.isMade, .hasModel]) }
    }
  }

  /// Returns the kind in which a store at `location` is written when `source` is copied to it.
  private func written(
    _ location: StoreLocation,
    _ source: any SourceStore,
    _ options: CopyOptions
  ) throws(DecantError) -> any StoreKind {
    if let found = try facing(location, options).kind() { return found }
    // A new store is of the source's kind, if that kind is a file.
    let databases = kinds.filter { $0.abilities.contains([.isMade, .isDatabase]) }
    let own = databases.first { $0.name == source.identity.kind }
    guard let kind = own ?? databases.first(where: { !$0.abilities.contains(.hasModel) }) else {
      throw DecantError(.unsupportedKind, "“\(location.place)” cannot be created")
    }
    return kind
  }

  package func interruptedRun(at location: StoreLocation, _ options: CopyOptions)
    throws(DecantError) -> (any InterruptedRun)?
  {
    guard let name = location.kind, let kind = kind(named: name) else { return nil }
    try kind.check(location)
    return try kind.interruptedRun(at: location, options)
  }

  /// Throws for an unknown kind of store, and for a location that the kind itself rejects.
  func check(_ location: StoreLocation) throws(DecantError) {
    if let name = location.kind, let kind = kind(named: name) { return try kind.check(location) }
    try FilePlace.check(location)
    guard FileStatus(location.place) == nil else { return }
    let place = location.place
    guard !place.isEmpty, place != "-" else {
      throw DecantError(
        .invalidPlace,
        place.isEmpty ? "a store has no name" : "a database cannot be a pipe",
        remedy: "use a file name"
      )
    }
    guard let colon = place.firstIndex(of: ":") else { return }
    let kind = place[..<colon]
    guard kind.count > 1, kind.allSatisfy({ $0.isASCII && $0.isLetter }) else { return }
    throw DecantError(
      .unsupportedKind,
      "unknown kind of store “\(kind)”",
      place: "kinds: \(kinds.flatMap(\.spellings).joined(separator: ", "))",
      remedy: place.withoutPasswords == place
        ? "for a file with that name write \("./\(place)".shellWord)"
        : "for a file with that name put ./ in front of it"
    )
  }

  // MARK: Opening

  /// Opens the store at `location` for reading, without reading its objects.
  ///
  /// - Parameters:
  ///   - location: The place of the store; its kind may be omitted.
  ///   - options: `model` and `readsPrivateCopy` control how it is read; the others have no effect here.
  /// - Returns: The store, with its model and its layout.
  /// - Throws: `DecantError` of the family `.storeNotFound`, `.corruptStore` if it is not a database, or
  ///   `.modelMismatch` if the model of a Core Data store is not available.
  package func openSource(_ location: StoreLocation, options: CopyOptions) throws(DecantError) -> any SourceStore {
    try find(location).openSource(location, facing: nil, options: options)
  }

  /// Opens the store at `location` for reading, to copy it to `other` or compare it with it.
  ///
  /// A plain database opposite a Core Data store is read as objects of that store's model. Opposite another plain
  /// database it adopts the spelling of that database's names, as SQLite does not distinguish case.
  ///
  /// - Parameters:
  ///   - location: The place of the store; its kind may be omitted.
  ///   - other: The other store, which need not exist.
  ///   - options: As in `openSource(_:options:)`; `template` names the model if `other` is new.
  /// - Returns: The store, with a model and its layout.
  /// - Throws: `DecantError` as in `openSource(_:options:)`; of the family `.modelMismatch` if a table or column of the
  ///   model is missing.
  package func openSource(
    _ location: StoreLocation,
    facing other: StoreLocation,
    options: CopyOptions
  ) throws(DecantError) -> any SourceStore {
    let kind = try find(location)
    // Opening a missing store throws the right error.
    guard kind.exists(location) else { return try openSource(location, options: options) }
    return try kind.openSource(location, facing: facing(other, options), options: options)
  }

  /// Opens the store at `location` for writing, or plans a new one like `source`.
  ///
  /// - Parameters:
  ///   - location: The place of the store, or of the new one.
  ///   - source: The store to copy: a new store gets its model, tables and metadata.
  ///   - options: `model` is the model of an existing store, `keepsMetadata` what a new store keeps, `template` and
  ///     `isUnversioned` what it is made from, `writesMirroredStore` whether to open a store that CloudKit mirrors.
  /// - Returns: The store; a new one is not created yet.
  /// - Throws: `DecantError` of the family `.usage` if it is the source itself, or of a kind that cannot be created or
  ///   added to; `.failed` if CloudKit mirrors it and `writesMirroredStore` is not set; otherwise as `openSource` does.
  package func openDestination(
    _ location: StoreLocation,
    like source: any SourceStore,
    options: CopyOptions
  ) throws(DecantError) -> any DestinationStore {
    try check(location)
    let kind = try written(location, source, options)
    if !kind.abilities.contains(.choosesColumns), options.defersConstraints {
      throw DecantError(
        .unsuitableOption,
        "\(option: .deferConstraints) is for tables in a PostgreSQL database, which “\(location.place)” is not",
        remedy: "remove it"
      )
    }
    if !kind.abilities.contains(.choosesColumns), let option = options.columnOption {
      throw DecantError(
        .unsuitableOption,
        "\(option: option) is for new tables in a PostgreSQL database, which “\(location.place)” is not",
        remedy: "remove it"
      )
    }
    guard options.mapping == nil || !options.keepsMetadata else {
      throw DecantError(
        .conflictingOptions,
        "sync metadata belongs to the source's own model: \(option: .keepMetadata) cannot be used with \(option: .mapping)",
        remedy: "remove one of them"
      )
    }
    return try kind.openDestination(location, like: source, options: options)
  }
}
