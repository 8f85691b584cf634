package import DecantBase
package import DecantStore

/// What the stores of a kind can be used for.
package struct StoreAbilities: OptionSet, Sendable {
  package let rawValue: Int

  package init(rawValue: Int) { self.rawValue = rawValue }

  /// A copy can make a new one.
  package static let isMade = StoreAbilities(rawValue: 1)
  /// A copy can add to one that is there, and be resumed.
  package static let isExtended = StoreAbilities(rawValue: 2)
  /// It is a SQLite file, and is read where it lies.
  package static let isDatabase = StoreAbilities(rawValue: 4)
  /// A new one is made after a model, which its objects keep.
  package static let hasModel = StoreAbilities(rawValue: 8)
  /// It may hold the metadata of a service that syncs it.
  package static let keepsSyncMetadata = StoreAbilities(rawValue: 16)
}

/// A kind of stores: what it is called, what can be done with it, how one is recognised and opened.
///
/// To add a kind is to write one of these, with a `SourceStore` and, where it is written to, a `DestinationStore`, in a
/// folder of its own, and to name it in `StoreKinds.all`.
package protocol StoreKind: Sendable {
  /// What reports call it.
  var name: String { get }
  /// What may stand before the colon of a location; `name` unless the kind has several formats.
  var spellings: [String] { get }
  var abilities: StoreAbilities { get }
  /// The lines that a list of all kinds has of it: the name and what it is.
  var lines: [StoreKindLine] { get }

  /// Throws where `location` cannot be one of this kind, whatever is there.
  func check(_ location: StoreLocation) throws(DecantError)

  /// Whether there is something at `location`.
  func exists(_ location: StoreLocation) -> Bool

  /// Whether what is at `place`, where something is, looks like one of this kind.
  ///
  /// Files that are read into a database are asked first, then databases.
  func recognises(_ place: String) throws(DecantError) -> Bool

  /// Returns what names the store at `location`; its objects are not read.
  func identity(of location: StoreLocation) throws(DecantError) -> StoreIdentity

  /// Returns the model of the store that is at `location` or is to be made there: stores that know none are read by it.
  /// `nil` for one that knows none either.
  func model(of location: StoreLocation, options: CopyOptions) throws(DecantError) -> Model?

  /// Opens the store at `location` for reading, without touching its objects.
  ///
  /// - Parameters:
  ///   - location: Where it is.
  ///   - other: The store that what is read goes to, or is held against; `nil` where there is none.
  ///   - options: How it is read.
  /// - Returns: The store, with its model and its layout.
  /// - Throws: `DecantError` of the family `.storeNotFound`, `.corruptStore`, or `.modelMismatch` where a model is missing or
  ///   does not fit.
  func openSource(_ location: StoreLocation, facing other: FacingStore?, options: CopyOptions)
    throws(DecantError) -> any SourceStore

  /// Opens the store at `location` for writing, or plans a new one for the objects of `source`.
  ///
  /// - Throws: `DecantError` of the family `.usage` where it is the source itself, or cannot be made or added to.
  func openDestination(_ location: StoreLocation, like source: any SourceStore, options: CopyOptions)
    throws(DecantError) -> any DestinationStore

  /// Opens the store at `location`, which is to be changed in place.
  ///
  /// - Parameters:
  ///   - location: Where it is.
  ///   - models: Models to read it with, where it does not hold its own; the first that explains it is taken.
  ///   - writesMirrored: Whether one that a service mirrors is opened all the same.
  /// - Returns: The store; nothing is written yet.
  /// - Throws: `DecantError`; of the code `.unsupportedKind` for a kind that is not changed in place.
  func openEditable(_ location: StoreLocation, models: [String], writesMirrored: Bool)
    throws(DecantError) -> any EditableStore
}

/// A line of the list of kinds.
package struct StoreKindLine: Sendable {
  package var name: String
  /// What it is, in a few words.
  package var summary: String
  package var abilities: StoreAbilities

  package init(_ name: String, _ summary: String, _ abilities: StoreAbilities) {
    (self.name, self.summary, self.abilities) = (name, summary, abilities)
  }
}

/// The store at the other end of a copy or a comparison; it need not exist.
package struct FacingStore {
  package let location: StoreLocation
  private let find: () throws(DecantError) -> (any StoreKind)?

  /// Names a store whose kind `find` finds out, where somebody asks.
  package init(_ location: StoreLocation, _ find: @escaping () throws(DecantError) -> (any StoreKind)?) {
    (self.location, self.find) = (location, find)
  }

  /// Its kind; `nil` where nothing is there and none was named.
  package func kind() throws(DecantError) -> (any StoreKind)? { try find() }

  /// The model it has or will have; `nil` where it knows none.
  package func model(_ options: CopyOptions) throws(DecantError) -> Model? {
    try kind()?.model(of: location, options: options)
  }
}

extension StoreKind {
  package var spellings: [String] { [name] }

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
