internal import DecantCoreData
public import DecantBase
public import DecantMigrate
internal import DecantPlan
public import DecantStore
public import DecantVersions

extension StoreKinds: VersionedStoreOpener {
  /// Finds out which version the Core Data store at `location` has, and what leads to the version wanted.
  ///
  /// - Parameters:
  ///   - location: Where the store is; its kind may be left out.
  ///   - wanted: A model's place, with `#Version` behind it for another one than the current.
  ///   - through: The places of models with the versions between, the oldest first; none for those of the wanted
  ///     model's bundle.
  ///   - model: How to read a store that does not hold its own model.
  /// - Returns: What is known.
  /// - Throws: `DecantError` of the family `.storeNotFound` or `.corruptStore` for either place, `.usage` for a store
  ///   of another kind or a version that is not there.
  public func openVersioned(
    _ location: StoreLocation,
    against wanted: String,
    through: [String],
    model: String?
  ) throws(DecantError) -> VersionedStore {
    let kind = try find(location)
    guard kind.name == CoreDataKind.name else {
      throw DecantError(
        .unsupportedKind,
        "“\(location.place)” is not a Core Data store: only these have model versions",
        place: "it looks like \(kind.name)",
        remedy: "use the store of an app, usually a .sqlite file"
      )
    }
    return try StoreVersions(location, against: wanted, through: through, model: model).find()
  }
}

extension Check {
  /// Describes a check of a place, `[kind:]place`, against a model.
  public init(_ store: String, against wanted: String) {
    self.init(StoreKinds.location(store), against: wanted, opener: StoreKinds.known)
  }
}
