public import DecantBase
public import DecantStore

/// The re-pointing of a store's references to objects of another store.
///
/// The value can be stored and run again; nothing is opened before it runs. References are changed according to a kept
/// ID table, or replaced by the identities of the objects they name. References that lead nowhere are kept and counted.
public struct Repoint: Runnable {
  /// The store that holds the references.
  public let store: StoreLocation
  /// The places of the references.
  public var places: [ReferencePlace]
  /// The ID table kept by a copy, if references are to follow one.
  public var idTableFile: String?
  /// The store that references are to lead to; without an ID table it is also the store they lead to now.
  public var target: StoreLocation?
  /// Whether references become identities; without an ID table they always do.
  public var isToIdentity = false
  /// The attribute that identifies an entity's objects, if the model does not declare it.
  public var identities: [String: String] = [:]
  /// The values set with a reference.
  public var sets: [SetRule] = []
  /// Models to read stores that do not contain their own; the first that matches a store is used.
  public var models: [String] = []
  /// Whether a store that is mirrored by a service is changed anyway.
  public var writesMirroredStore = false
  /// The number of rows read or written between two checks for cancellation.
  public var batchSize: Int64 = 10_000
  /// Whether a backup of the store is kept next to it.
  public var keepsBackup = false
  /// Whether to report only what would be changed, and write nothing.
  public var isDryRun = false
  let opener: any EditableStoreOpener

  /// Creates a re-pointing of the references at `places` of a store that `opener` supports.
  package init(_ store: StoreLocation, at places: [ReferencePlace], opener: any EditableStoreOpener) {
    self.store = store
    self.places = places
    self.opener = opener
  }

  /// The re-pointing; if no reference has to be changed, the store is left alone.
  ///
  /// If a re-pointing fails or is cancelled, the store is unchanged, unless the error says that it was changed.
  public var operation: DecantOperation<RepointReport> {
    DecantOperation("re-pointing", .change) { cancellation, tell throws(DecantError) in
      try perform(cancellation, tell)
    }
  }

  private func perform(_ cancellation: Cancellation, _ progress: (WorkEvent) -> Void)
    throws(DecantError) -> RepointReport
  {
    guard !places.isEmpty else {
      throw DecantError(
        .missingOption,
        "no attribute with references was given",
        remedy: "list each: \(say: .at) 'Entity.attribute'"
      )
    }
    guard idTableFile != nil || target != nil else {
      throw DecantError(
        .missingOption,
        "no target for the references was given",
        remedy:
          "pass the table that copy \(option: .keepIDs) wrote: \(say: .ids) FILE, or the store whose objects "
          + "they refer to: \(say: .store) STORE"
      )
    }
    guard idTableFile == nil || target != nil || !isToIdentity else {
      throw DecantError(
        .missingOption,
        "identities come from the store that was copied into",
        place: "\(option: .toIdentity) with \(option: .ids)",
        remedy: "pass it as well: \(say: .store) STORE"
      )
    }
    let store = try opener.openEditable(store, models: models, writesMirrored: writesMirroredStore)
    return try RepointRun(self, store, cancellation).run(progress)
  }

  /// Whether references become identities.
  var becomesIdentity: Bool { isToIdentity || idTableFile == nil }
}
