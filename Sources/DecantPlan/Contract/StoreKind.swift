package import DecantBase
package import DecantStore

/// The abilities of the stores of a kind.
package struct StoreAbilities: OptionSet, Sendable {
  package let rawValue: Int

  package init(rawValue: Int) { self.rawValue = rawValue }

  /// A copy can create a new store.
  package static let isMade = StoreAbilities(rawValue: 1)
  /// A copy can add to an existing store, and be resumed.
  package static let isExtended = StoreAbilities(rawValue: 2)
  /// The store is an SQLite file, which is read in place.
  package static let isDatabase = StoreAbilities(rawValue: 4)
  /// A new store is created from a model, which its objects follow.
  package static let hasModel = StoreAbilities(rawValue: 8)
  /// The store may contain the metadata of a sync service.
  package static let keepsSyncMetadata = StoreAbilities(rawValue: 16)
  /// The types and names of columns in a new store can be chosen.
  package static let choosesColumns = StoreAbilities(rawValue: 32)
}

/// A kind of store: its name, its abilities, and how it is recognised and opened.
///
/// To add a kind, implement this protocol, with a `SourceStore` and, for writing, a `DestinationStore`, in a folder of
/// its own, and add it to `StoreKinds.all`.
package protocol StoreKind: Sendable {
  /// The name in reports.
  var name: String { get }
  /// The prefixes allowed in a location; `name` unless the kind has several formats.
  var spellings: [String] { get }
  var abilities: StoreAbilities { get }
  /// Whether a store is a file, or several.
  var isFile: Bool { get }
  /// The lines in the list of all kinds: name and summary.
  var lines: [StoreKindLine] { get }

  /// Throws if `location` cannot be of this kind, whatever exists there.
  func check(_ location: StoreLocation) throws(DecantError)

  /// Returns whether something exists at `location`.
  func exists(_ location: StoreLocation) -> Bool

  /// Returns whether the existing file at `place` looks like one of this kind.
  ///
  /// Files that are read into a database are tried first, then databases.
  func recognises(_ place: String) throws(DecantError) -> Bool

  /// Returns the identity of the store at `location`, without reading its objects.
  func identity(of location: StoreLocation) throws(DecantError) -> StoreIdentity

  /// Returns the model of the store at `location`, existing or new, for reading stores without a model; `nil` if it has
  /// none either.
  func model(of location: StoreLocation, options: CopyOptions) throws(DecantError) -> Model?

  /// Opens the store at `location` for reading, without reading its objects.
  ///
  /// - Parameters:
  ///   - location: The location of the store.
  ///   - other: The store that it is copied to or compared with, if any. If that has a model and this kind does not, the
  ///     result has objects of that model; a source of other entities would seem to be empty.
  ///   - options: How it is read.
  /// - Returns: The store, with its model and its layout.
  /// - Throws: `DecantError` of the family `.storeNotFound`, `.corruptStore`, or `.modelMismatch` if a model is missing
  ///   or does not fit.
  func openSource(_ location: StoreLocation, facing other: FacingStore?, options: CopyOptions)
    throws(DecantError) -> any SourceStore

  /// Opens the store at `location` for writing, or plans a new one for the objects of `source`.
  ///
  /// - Throws: `DecantError` of the family `.usage` if it is the source itself, or cannot be created or added to.
  func openDestination(_ location: StoreLocation, like source: any SourceStore, options: CopyOptions)
    throws(DecantError) -> any DestinationStore

  /// Opens the store at `location` for a change in place.
  ///
  /// - Parameters:
  ///   - location: The location of the store.
  ///   - models: Models for a store that does not contain its own; the first that fits is used.
  ///   - writesMirrored: Whether to open a store that a service mirrors.
  /// - Returns: The store; nothing is written yet.
  /// - Throws: `DecantError`; of the code `.unsupportedKind` for a kind that cannot be changed in place.
  func openEditable(_ location: StoreLocation, models: [String], writesMirrored: Bool)
    throws(DecantError) -> any EditableStore

  /// Returns the interrupted run that adds rows in batches to the store at `location`, if the options continue one;
  /// `nil` if there is none.
  func interruptedRun(at location: StoreLocation, _ options: CopyOptions) throws(DecantError) -> (any InterruptedRun)?

  /// Opens the store at `location` to delete the rows that a run added: the one which wrote the ID table at `file`, or
  /// without it an interrupted one.
  ///
  /// - Throws: `DecantError`; of the code `.unsuitableOption` for a kind with backups.
  func openReversible(_ location: StoreLocation, addedBy file: String?, isDryRun: Bool)
    throws(DecantError) -> any ReversibleStore

  /// Opens the record of the sources that were merged into the store at `location`, to skip those that have not changed;
  /// `nil` for a kind that keeps none.
  ///
  /// - Throws: `DecantError`; of the code `.accessDenied` if the role may not write it.
  func openMergeRecord(_ location: StoreLocation, isDryRun: Bool) throws(DecantError) -> (any MergeRecord)?
}

/// A line of the list of kinds.
package struct StoreKindLine: Sendable {
  package var name: String
  /// A summary in a few words.
  package var summary: String
  package var abilities: StoreAbilities

  package init(_ name: String, _ summary: String, _ abilities: StoreAbilities) {
    (self.name, self.summary, self.abilities) = (name, summary, abilities)
  }
}

/// The store at the other end of a copy or a comparison, existing or not.
package struct FacingStore {
  package let location: StoreLocation
  private let find: () throws(DecantError) -> (any StoreKind)?

  /// Describes a store whose kind `find` determines on demand.
  package init(_ location: StoreLocation, _ find: @escaping () throws(DecantError) -> (any StoreKind)?) {
    (self.location, self.find) = (location, find)
  }

  /// Returns its kind; `nil` if nothing exists there and no kind was given.
  package func kind() throws(DecantError) -> (any StoreKind)? { try find() }

  /// Returns its current or future model; `nil` if it has none.
  package func model(_ options: CopyOptions) throws(DecantError) -> Model? {
    try kind()?.model(of: location, options: options)
  }
}

extension StoreKind {
  package var spellings: [String] { [name] }

  package var isFile: Bool { true }

  package func exists(_ location: StoreLocation) -> Bool { FileStatus(location.place) != nil }

  package func identity(of location: StoreLocation) throws(DecantError) -> StoreIdentity {
    guard try recognises(location.place) else {
      throw DecantError(.notAStore, "“\(location.place)” is not a store of the kind \(name)")
    }
    return StoreIdentity(kind: name, place: location.place)
  }

  package func model(of location: StoreLocation, options: CopyOptions) throws(DecantError) -> Model? {
    nil
  }

  package func openMergeRecord(_ location: StoreLocation, isDryRun: Bool) throws(DecantError) -> (any MergeRecord)? {
    nil
  }

  package func interruptedRun(at location: StoreLocation, _ options: CopyOptions)
    throws(DecantError) -> (any InterruptedRun)?
  { nil }

  package func openReversible(_ location: StoreLocation, addedBy file: String?, isDryRun: Bool)
    throws(DecantError) -> any ReversibleStore
  {
    throw DecantError(
      .unsuitableOption,
      "“\(location.place)” is a file, which is restored from its backup: \(option: .ids) applies to databases on a server",
      remedy: "remove it"
    )
  }

  package func openEditable(_ location: StoreLocation, models: [String], writesMirrored: Bool)
    throws(DecantError) -> any EditableStore
  {
    throw DecantError(
      .unsupportedKind,
      "“\(location.place)” is not a database, and only those are changed in place",
      place: "it looks like \(name)",
      remedy: "import it into a store, then change that store"
    )
  }
}
