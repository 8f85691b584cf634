public import DecantBase
public import DecantMaintain
public import DecantPlan
public import DecantStore

extension StoreKinds: StoreRecogniser {
  /// Returns the kind of the store at `location`: the named one, or else the one detected from its content.
  public func kind(of location: StoreLocation) throws(DecantError) -> String {
    try checkIsFile(
      location,
      "a rollback restores a backup, and decant makes no backup of a database on a server",
      remedy: "pg_dump makes a backup of a database, and pg_restore restores it"
    )
    return try find(location).name
  }

  /// Throws an error with `message` if `location` is no file; it repeats nothing of the location.
  package func checkIsFile(_ location: StoreLocation, _ message: String, remedy: String) throws(DecantError) {
    guard let name = location.kind, kind(named: name)?.isFile == false else { return }
    try check(location)
    throw DecantError(.unsupportedKind, "\(message): \(remedy)")
  }

  /// Returns the identity of the store at `location`, without reading its objects.
  ///
  /// - Parameter location: The place of the store; its kind may be omitted.
  /// - Returns: Kind, place and, for a Core Data store, its identifier.
  /// - Throws: `DecantError` of the family `.storeNotFound`, or `.corruptStore` if it is not a store of its kind.
  public func identity(of location: StoreLocation) throws(DecantError) -> StoreIdentity {
    try find(location).identity(of: location)
  }
}

extension Rollback {
  /// Describes a rollback of a place, `[kind:]place`.
  public init(_ store: String) {
    self.init(StoreKinds.location(store), recogniser: StoreKinds.known)
  }
}
