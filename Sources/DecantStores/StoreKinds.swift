public import Decant

/// The kinds of stores that decant knows: the only list of them.
public struct StoreKinds: StoreOpener {
  /// The kinds by name, in the order in which help lists them.
  public static let names = ["coredata"]

  public init() {}

  /// Reads a store's name as the user writes it: `[kind:]place`.
  public static func location(_ text: String) -> StoreLocation {
    StoreLocation(text, kinds: names)
  }

  public func openSource(_ location: StoreLocation, options: CopyOptions) throws(DecantError)
    -> any SourceStore
  {
    try CoreDataSource(
      CoreDataFile(location, model: options.model, privately: options.readsPrivateCopy)
    )
  }

  public func openDestination(
    _ location: StoreLocation,
    like source: any SourceStore,
    options: CopyOptions
  ) throws(DecantError) -> any DestinationStore {
    let path = location.place
    guard FileStatus(path) != nil else {
      guard let source = source as? CoreDataSource else {
        throw DecantError(.usage, "cannot make a Core Data store after “\(source.identity.place)”")
      }
      return CoreDataDestination(new: path, like: source, keepsSediment: options.keepsMetadata)
    }
    if let sourcePath = source.path, FileStatus(sourcePath)?.isSame(as: path) == true {
      throw DecantError(
        .usage,
        "“\(path)” is the source itself",
        remedy: "name another place for the copy"
      )
    }
    try DatabaseFile.recover(path)
    return try CoreDataDestination(existing: CoreDataFile(location, model: options.model))
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
