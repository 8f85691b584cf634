internal import DecantCoreData
public import DecantBase
public import DecantMigrate
internal import DecantPlan
public import DecantStore
public import DecantVersions

extension StoreKinds: VersionedStoreOpener {
  /// Determines the version of the Core Data store at `location`, and the way to the wanted version.
  ///
  /// - Parameters:
  ///   - location: The place of the store; its kind may be omitted.
  ///   - wanted: The path of a model; append `#Version` for another version than the current one.
  ///   - through: The paths of models with the versions in between, the oldest first; empty for those of the wanted
  ///     model's bundle.
  ///   - model: The model for a store that does not contain its own.
  /// - Returns: The result.
  /// - Throws: `DecantError` of the family `.storeNotFound` or `.corruptStore` for either place, `.usage` for a store
  ///   of another kind or a version that does not exist.
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
        "“\(location)” is not a Core Data store, and stores of other kinds have no model versions",
        place: "its kind is \(kind.name)",
        remedy: "use the store file of an app, usually a .sqlite file"
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
