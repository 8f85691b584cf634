internal import DecantArchive
internal import DecantCoreData
internal import DecantPlain
internal import DecantRecipes
package import DecantBase
public import DecantPlan
public import DecantStore

/// The kinds of stores that decant knows: the only list of them.
public struct StoreKinds: StoreOpener {
  /// The kinds, in the order in which help lists them.
  private static let all: [any StoreKind] =
    ArchiveKind.databases + [ArchiveKind(), RecipeKind()]

  /// What every verb opens stores with, unless it is made with another list.
  public static let known = StoreKinds(kinds: all)

  private let kinds: [any StoreKind]

  private init(kinds: [any StoreKind]) { self.kinds = kinds }

  /// Knows `kind` as well.
  package init(with kind: any StoreKind) { self.init(kinds: StoreKinds.all + [kind]) }

  /// The kinds by the names that locations have them by.
  public static let names = all.flatMap(\.spellings)

  /// The name of the kind that archives are of.
  package static let archive = ArchiveKind.name

  /// Whether stores of the kind of that name are made after a model; `nil` where none is named.
  package static func hasModel(_ name: String?) -> Bool? {
    name.flatMap { known.kind(named: $0) }?.abilities.contains(.hasModel)
  }

  /// The lines of a list of all kinds.
  package static let lines = all.flatMap(\.lines)

  /// Reads a store's name as the user writes it: `[kind:]place`.
  public static func location(_ text: String) -> StoreLocation { known.location(text) }

  /// Reads a store's name as the user writes it: `[kind:]place`.
  package func location(_ text: String) -> StoreLocation {
    StoreLocation(text, kinds: kinds.flatMap(\.spellings))
  }

  // MARK: Which kind

  /// The kind of that name; `nil` for a name that none has.
  package func kind(named name: String) -> (any StoreKind)? {
    kinds.first { $0.name == name || $0.spellings.contains(name) }
  }

  /// The kind of the store at `location`: as it was named, else by what is in it.
  ///
  /// - Throws: `DecantError` of the family `.usage` for a name that is none, `.storeNotFound` or `.corruptStore` for what no
  ///   kind can be.
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

  /// The store at `location`, which need not exist; its kind is `nil` where nothing says what it will be.
  package func facing(_ location: StoreLocation, _ options: CopyOptions) -> FacingStore {
    FacingStore(location) { () throws(DecantError) in
      if let name = location.kind { return kind(named: name) }
      if FileStatus(location.place) != nil { return try find(location) }
      guard options.template != nil else { return nil }
      return kinds.first { $0.abilities.contains([.isMade, .hasModel]) }
    }
  }

  /// The kind that a store at `location` is written as, where `source` is copied to it.
  private func written(
    _ location: StoreLocation,
    _ source: any SourceStore,
    _ options: CopyOptions
  ) throws(DecantError) -> any StoreKind {
    if let found = try facing(location, options).kind() { return found }
    // A new one is of the source's kind, where that is a file, too.
    let databases = kinds.filter { $0.abilities.contains([.isMade, .isDatabase]) }
    let own = databases.first { $0.name == source.identity.kind }
    guard let kind = own ?? databases.first(where: { !$0.abilities.contains(.hasModel) }) else {
      throw DecantError(.unsupportedKind, "“\(location.place)” cannot be created")
    }
    return kind
  }

  /// Refuses what looks like a kind of store that decant does not know, and what the kind itself refuses.
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
        : "decant reads files, not servers; for a file with that name put ./ in front of it"
    )
  }

  // MARK: Opening

  /// Opens the store at `location` for reading, without touching its objects.
  ///
  /// - Parameters:
  ///   - location: Where the store is; its kind may be left out.
  ///   - options: `model` and `readsPrivateCopy` say how to read it; the others have no meaning here.
  /// - Returns: The store, with its model and its layout.
  /// - Throws: `DecantError` of the family `.storeNotFound`, `.corruptStore` for what is no database, or
  ///   `.modelMismatch` when the model of a Core Data store cannot be had.
  package func openSource(_ location: StoreLocation, options: CopyOptions) throws(DecantError) -> any SourceStore {
    try find(location).openSource(location, facing: nil, options: options)
  }

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
  /// - Throws: `DecantError` as `openSource(_:options:)` does; of the family `.modelMismatch` where a table
  ///   or column of the model is missing.
  package func openSource(
    _ location: StoreLocation,
    facing other: StoreLocation,
    options: CopyOptions
  ) throws(DecantError) -> any SourceStore {
    let kind = try find(location)
    // What is missing is told by whoever opens it.
    guard kind.exists(location) else { return try openSource(location, options: options) }
    return try kind.openSource(location, facing: facing(other, options), options: options)
  }

  /// Opens the store at `location` for writing, or plans a new one after `source`.
  ///
  /// - Parameters:
  ///   - location: Where the store is, or where it is to appear.
  ///   - source: The store that is copied: a new one gets its model, tables and metadata.
  ///   - options: `model` says how to read what is there, `keepsMetadata` what a new store keeps,
  ///     `template` and `isUnversioned` what it is made after, `writesMirroredStore` whether one that
  ///     CloudKit mirrors is opened.
  /// - Returns: The store; a new one is not made yet.
  /// - Throws: `DecantError` of the family `.usage` where it is the source itself, or of a kind that cannot be made or added
  ///   to; `.failed` where CloudKit mirrors it and `writesMirroredStore` is not set; else as `openSource` does.
  package func openDestination(
    _ location: StoreLocation,
    like source: any SourceStore,
    options: CopyOptions
  ) throws(DecantError) -> any DestinationStore {
    try check(location)
    let kind = try written(location, source, options)
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
