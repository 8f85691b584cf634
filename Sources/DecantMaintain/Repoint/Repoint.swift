public import DecantBase
public import DecantStore

/// The re-pointing of references that a store holds to objects of another one.
///
/// A value that can be kept and run again; nothing is opened before it runs. References follow a kept ID
/// table, or become the identities of the objects they name. Those that lead nowhere stay as they are and
/// are counted.
public struct Repoint: Runnable {
  /// The store that holds the references.
  public let store: StoreLocation
  /// Where they stand.
  public var places: [ReferencePlace]
  /// The ID table that a copy has kept, if references are to follow one.
  public var idTableFile: String?
  /// The store whose objects they are to lead to; without ID table also the one they lead to now.
  public var target: StoreLocation?
  /// Whether references become identities; without an ID table they do in any case.
  public var isToIdentity = false
  /// The attribute by which an entity's objects are told apart, where the model does not say it.
  public var identities: [String: String] = [:]
  /// What changes with a reference.
  public var sets: [SetRule] = []
  /// Models to read stores with that do not hold their own; the first that explains a store is taken.
  public var models: [String] = []
  /// Whether a store that a service mirrors is changed all the same.
  public var writesMirroredStore = false
  /// Rows that are read or written between two looks at the cancellation.
  public var batchSize: Int64 = 10_000
  /// Whether a copy of the store as it was is kept beside it.
  public var keepsBackup = false
  /// Whether to say only what would be changed, and write nothing.
  public var isDryRun = false
  let opener: any EditableStoreOpener

  /// Describes a re-pointing of what stands at `places` of a store that `opener` knows.
  package init(_ store: StoreLocation, at places: [ReferencePlace], opener: any EditableStoreOpener) {
    self.store = store
    self.places = places
    self.opener = opener
  }

  /// The re-pointing; where nothing has to be changed, nothing is.
  ///
  /// One that fails or is stopped leaves the store as it was, unless the error says that it is changed.
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
