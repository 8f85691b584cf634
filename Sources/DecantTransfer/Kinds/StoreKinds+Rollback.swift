public import DecantBase
public import DecantMaintain
public import DecantPlan
public import DecantStore

extension StoreKinds: StoreRecogniser {
  /// Returns the kind of the store at `location`: the named one, or else the one detected from its content.
  public func kind(of location: StoreLocation) throws(DecantError) -> String {
    try checkIsFile(
      location,
      "a rollback restores a backup, and decant makes none of a database on a server",
      remedy: "delete the rows that a run added with \(option: .ids), or restore a backup of pg_dump with pg_restore"
    )
    return try find(location).name
  }

  /// Throws an error with `message` if `location` is no file; it repeats nothing of the location.
  package func checkIsFile(_ location: StoreLocation, _ message: DecantError.Text, remedy: DecantError.Text)
    throws(DecantError)
  {
    guard let name = location.kind, kind(named: name)?.isFile == false else { return }
    try check(location)
    let text: DecantError.Text = "\(message): \(remedy)"
    throw DecantError(.unsupportedKind, text)
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
  /// Describes the deletion of the rows that the run which wrote the ID table `file` added to a database on a server.
  ///
  /// - Parameters:
  ///   - file: The file of `CopyOptions.idTableFile`.
  ///   - store: The database, as that run named it.
  ///   - isDryRun: Whether the rows are only counted.
  public init(addedBy file: String, to store: String, isDryRun: Bool = false) {
    self.init(of: StoreKinds.location(store), addedBy: file)
    self.isDryRun = isDryRun
  }

  /// Describes a rollback of a place, `[kind:]place`; in a database on a server, the rows of an interrupted run are
  /// deleted.
  public init(_ store: String) {
    let location = StoreKinds.location(store)
    if let name = location.kind, StoreKinds.known.kind(named: name)?.isFile == false {
      self.init(of: location, addedBy: nil)
    } else {
      self.init(location, recogniser: StoreKinds.known)
    }
  }

  private init(of location: StoreLocation, addedBy file: String?) {
    self.init(location, recogniser: StoreKinds.known, addedBy: file) { location, file, isDryRun throws(DecantError) in
      try StoreKinds.known.check(location)
      return try StoreKinds.known.find(location).openReversible(location, addedBy: file, isDryRun: isDryRun)
    }
  }
}
