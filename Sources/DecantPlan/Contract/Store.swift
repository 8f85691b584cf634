package import DecantBase
package import DecantStore
package import DecantSQLite

/// A store to read from: what a copy asks of the place its objects come from.
///
/// A store is opened, described and then attached to the session; from there on SQLite reads it.
/// Opening and attaching never change it. Called in the order in which the requirements stand here.
package protocol SourceStore {
  /// What to call the store in plans, reports and errors.
  var identity: StoreIdentity { get }
  /// The entities whose objects the store holds; every name in `layout` is one of this model.
  var model: Model { get }
  /// Where the objects lie, as tables of the attached schema.
  var layout: Layout { get }
  /// The text encoding, as `PRAGMA encoding` names it: stores of the same one are attached to each other.
  var textEncoding: String { get }
  /// What a reader should know: files left beside the source, things passed over.
  var notes: [ReportNote] { get }
  /// What of it must be known to whoever reads values: what is left out, how they were read.
  var readingNotes: [ReportNote] { get }
  /// The source's file, where it is one: its size and permissions are a new store's measure.
  var path: String? { get }
  /// Where values lie in files of their own, for kinds of stores that know such.
  var externalStorage: (any ExternalStorage)? { get }
  /// Why the model cannot be had, where `model` says only what the tables tell: which columns are
  /// links is unknown then, and only what changes no key can be done.
  var modelGap: DecantError? { get }

  /// The collations by which indexes are sorted and that only the app knows which made the store:
  /// nothing in it can be looked up or added to, but all of it can be copied as it is.
  var unknownCollations: [UnknownCollation] { get }

  /// The links that were named when it was opened, with conditions that mean the same in another store; `nil` for a
  /// kind of stores that declare all of theirs.
  var portableLinks: [CopyOptions.Link]? { get }

  /// Ways by which its objects are the same as those of another store, where it knows more than its model says.
  var likeness: Likeness? { get }

  /// What of the file's own store it is: all of it, a part, or what a mapping or another's model makes of it.
  var form: SourceForm { get }

  /// What it holds beside objects and links that has no place in a store of another kind.
  var extras: StoreExtras { get }

  /// Makes the objects readable on `connection` under the name `schema`.
  ///
  /// Called once for a connection, before any transaction; its texts are encoded like the store's.
  func attach(to connection: Connection, as schema: String) throws(DecantError)

  /// Returns what tells the state that is attached as `schema` from any other, without reading its rows.
  func fingerprint(of schema: String, on connection: Connection) throws(SQLiteError) -> Fingerprint

  /// Holds the present state while batches are committed on `connection`, until the value that is returned goes.
  func hold(_ schema: String, on connection: Connection) throws(SQLiteError) -> Snapshot

  /// Throws where a store made after a model cannot take over what an app keeps beside its objects.
  ///
  /// - Parameters:
  ///   - wanted: The model's place, with `#Version` behind it for another one than the current.
  ///   - isUnversioned: Whether a model without version hashes will do.
  /// - Throws: `DecantError`, with what can be done.
  func checkOwnTables(after wanted: String, isUnversioned: Bool) throws(DecantError)

  /// Returns what only this kind of store can tell, read from where it is attached as `schema`.
  func facts(on connection: Connection, schema: String) throws(DecantError) -> StoreFacts
}

extension SourceStore {
  /// That of the file.
  package func fingerprint(of schema: String, on connection: Connection) throws(SQLiteError) -> Fingerprint {
    try Fingerprint(of: schema, on: connection)
  }

  /// A statement that stays open.
  package func hold(_ schema: String, on connection: Connection) throws(SQLiteError) -> Snapshot {
    try Snapshot(of: schema, on: connection)
  }

  /// All of it.
  package var form: SourceForm { .whole }

  /// Nothing.
  package var extras: StoreExtras { StoreExtras() }

  /// All are SQLite's own.
  package var unknownCollations: [UnknownCollation] { [] }

  /// Its model says what is a link.
  package var portableLinks: [CopyOptions.Link]? { nil }

  /// Its model says what tells objects apart.
  package var likeness: Likeness? { nil }

  /// Nothing is missing: a store whose model is whole.
  package var modelGap: DecantError? { nil }

  /// All notes: a kind of store that makes no difference between them.
  package var readingNotes: [ReportNote] { notes }

  /// Takes over everything: a kind of store that is made after no model.
  package func checkOwnTables(after wanted: String, isUnversioned: Bool) throws(DecantError) {}

  /// Tells nothing: a store whose tables say everything.
  package func facts(on connection: Connection, schema: String) throws(DecantError) -> StoreFacts {
    StoreFacts(modelOrigin: "from the tables")
  }
}

/// What a destination is: where it lies, what it takes, and what of a copy it wants to have done.
package struct DestinationDescription {
  /// What to call the store in plans, reports and errors; of a new one with the `uuid` it will get.
  package var identity: StoreIdentity
  /// Where it lies, or will lie, and how a result comes to be there.
  package var place: DestinationPlace
  /// Whether the store is to be made; otherwise it exists and is changed.
  package var isNew: Bool
  /// The entities whose objects it takes.
  package var model: Model
  /// Where the objects lie, or will lie, as tables of `main`.
  package var layout: Layout
  /// Where values lie in files of their own, for kinds of stores that know such.
  package var externalStorage: (any ExternalStorage)?
  /// The text encoding that a new store must have, as `PRAGMA encoding` names it; `nil` for the source's.
  package var requiredEncoding: String?
  /// Whether a copy of the source's pages can be made into this store: same model, same kind, new.
  package var canAdoptPages = false
  /// Whether the triggers of a store that is there run for every row, as for any insert.
  package var firesTriggers = false
  /// The triggers that run and add rows of their own, by the root entity whose rows they add.
  package var addingTriggers: [String: [String]] = [:]
  /// What a reader should know.
  package var notes: [ReportNote] = []

  package init(_ identity: StoreIdentity, at place: DestinationPlace, isNew: Bool, model: Model, layout: Layout) {
    (self.identity, self.place, self.isNew) = (identity, place, isNew)
    (self.model, self.layout) = (model, layout)
  }
}

/// A store to write into, which exists already or is to be made.
///
/// The engine writes the rows and owns every transaction; the store owns everything around the
/// rows. Where a schema is named, the store is attached under that name.
package protocol DestinationStore {
  var about: DestinationDescription { get }

  /// Returns, for each root entity, the highest key ever allocated; new objects start above it.
  func counters(in schema: String, on connection: Connection) throws(DecantError) -> [String: Int64]

  /// Returns the SELECT of the keys of `root` that are taken, integers in its column `k`: the others up to the highest
  /// are free. `nil` where every key up to it counts as allocated.
  func takenKeys(of root: String, in schema: String) -> String?

  /// Notes the keys up to these as allocated: whoever adds objects from now on takes others.
  ///
  /// Called by the site, when it suits the place: with the last rows where nobody else can write, before the first where
  /// others may.
  ///
  /// - Parameters:
  ///   - counters: For each root entity that gets objects, the highest key now allocated.
  ///   - connection: The one that has the store as `main`.
  /// - Throws: `DecantError` where the store cannot be written.
  func allocate(_ counters: [String: Int64], on connection: Connection) throws(DecantError)

  /// Returns the identifier that the store has now; after a resumed copy it is an earlier run's.
  func uuid(in schema: String, on connection: Connection) throws(DecantError) -> String?

  /// Registers the functions that the store's own triggers and indexes call.
  func prepare(_ connection: Connection) throws(DecantError)

  /// Makes a part of a new store.
  ///
  /// - Parameters:
  ///   - part: Which.
  ///   - connection: The one that has the store as `main`.
  ///   - source: Where the source is attached.
  /// - Throws: `DecantError` where the store cannot be written.
  func make(_ part: StorePart, on connection: Connection, source: String) throws(DecantError)

  /// Turns `main`, a copy of the source's pages, into the new store.
  ///
  /// - Returns: Whether something was deleted, so that the pages must be vacuumed.
  func adoptPages(on connection: Connection) throws(DecantError) -> Bool

  /// Throws where `finish` could not fill in `count` more objects, before anything is written.
  func checkRoom(for count: Int64, in schema: String, on connection: Connection) throws(DecantError)

  /// Fills what is no object, after the last row: tables for searching, a history of changes.
  ///
  /// - Parameters:
  ///   - connection: The one that has the store as `main`, in the transaction of the last rows.
  ///   - source: Where the source is attached.
  ///   - written: Which objects were added, and which took other values.
  /// - Throws: `DecantError` where the store cannot be written.
  func finish(on connection: Connection, source: String, written: WrittenObjects) throws(DecantError)
}

/// What a new store is made of, in this order.
package enum StorePart {
  /// The tables, without indexes and triggers; made outside of a transaction, as page size and vacuum mode must be set
  /// before the first table is.
  case tables
  /// The indexes that forbid two rows with the same values, before there are any rows: what is doubled is refused row by
  /// row then, which costs time. A store may always make them with its tables.
  case uniqueIndexes
  /// The indexes and triggers that are not there yet, after everything else.
  case indexes
  /// Derived values, computed again after objects were merged; the store has its indexes by then.
  case derivedValues(WrittenObjects)
}

/// The objects that were written, by root entity.
package struct WrittenObjects: Sendable, Hashable {
  /// The range that holds the keys of those that were added, and no others.
  package var newKeys: [String: ClosedRange<Int64>]
  /// A SELECT of the keys of those that took other values.
  package var updatedKeys: [String: String]
  /// Whether they were merged with objects that were there.
  package var isMerge = false
  /// Whether the store's own triggers ran while they were.
  package var haveTriggersRun = false

  /// Names what was written; a root entity that is not named got nothing.
  package init(newKeys: [String: ClosedRange<Int64>] = [:], updatedKeys: [String: String] = [:]) {
    self.newKeys = newKeys
    self.updatedKeys = updatedKeys
  }
}

extension DestinationStore {
  package var identity: StoreIdentity { about.identity }
  package var place: DestinationPlace { about.place }
  package var isNew: Bool { about.isNew }
  package var model: Model { about.model }
  package var layout: Layout { about.layout }
  package var externalStorage: (any ExternalStorage)? { about.externalStorage }
  package var requiredEncoding: String? { about.requiredEncoding }
  package var canAdoptPages: Bool { about.canAdoptPages }
  package var firesTriggers: Bool { about.firesTriggers }
  package var notes: [ReportNote] { about.notes }

  /// All keys up to the highest were allocated.
  package func takenKeys(of root: String, in schema: String) -> String? { nil }

  /// It has none.
  package func uuid(in schema: String, on connection: Connection) throws(DecantError) -> String? {
    nil
  }

  /// It calls none.
  package func prepare(_ connection: Connection) throws(DecantError) {}

  /// They are its own as they are.
  package func adoptPages(on connection: Connection) throws(DecantError) -> Bool { false }

  /// Nothing is filled in.
  package func checkRoom(for count: Int64, in schema: String, on connection: Connection) throws(DecantError) {}

  /// There is nothing but objects.
  package func finish(on connection: Connection, source: String, written: WrittenObjects) throws(DecantError) {}
}

/// Opens stores by their place: the list of kinds, which the engine itself does not know.
package protocol StoreOpener: Sendable {
  /// Opens the store at `location` for reading.
  func openSource(_ location: StoreLocation, options: CopyOptions) throws(DecantError) -> any SourceStore

  /// Opens the store at `location` for reading, where what is read goes to `other` or is held against it.
  ///
  /// The same as without `other`, unless the kinds differ and only one of them knows the model.
  func openSource(_ location: StoreLocation, facing other: StoreLocation, options: CopyOptions)
    throws(DecantError) -> any SourceStore

  /// Returns an opener that reads `sources` as stores of the model version of `destination`, into which they are merged.
  ///
  /// - Parameters:
  ///   - sources: Stores that are merged, or held against those that are.
  ///   - destination: The store they are merged into.
  ///   - options: How they are read.
  ///   - cancellation: Ends the work.
  ///   - onEvent: Told how far it has come, where it takes time.
  /// - Returns: Itself, where all can be read as they are.
  /// - Throws: `DecantError` of the family `.modelMismatch` where nothing leads from one version to the other.
  func aligning(
    _ sources: [StoreLocation],
    with destination: StoreLocation,
    options: CopyOptions,
    cancellation: Cancellation,
    _ onEvent: @escaping (WorkEvent) -> Void
  ) throws(DecantError) -> any StoreOpener

  /// Returns an opener that reads `source` as a mapping shows it: as objects of the model of `destination`.
  ///
  /// - Parameters:
  ///   - source: The store; it is never changed.
  ///   - destination: A database that is there.
  ///   - options: The mapping, and how the source is read.
  ///   - cancellation: Ends the work.
  ///   - onEvent: Told how far it has come, as a part of the phase `read`.
  /// - Returns: The opener, which keeps what is made for it as long as it is there.
  /// - Throws: `DecantError` of the family `.usage` where the destination is no database.
  func seeing(
    _ source: StoreLocation,
    as destination: StoreLocation,
    options: CopyOptions,
    cancellation: Cancellation,
    _ onEvent: @escaping (WorkEvent) -> Void
  ) throws(DecantError) -> any StoreOpener

  /// Opens the store at `location` for writing, or plans a new one in the likeness of `source`.
  func openDestination(
    _ location: StoreLocation,
    like source: any SourceStore,
    options: CopyOptions
  ) throws(DecantError) -> any DestinationStore

  /// Writes objects that were left out into a file from which they can be taken in later.
  ///
  /// - Parameters:
  ///   - rejects: Which, and why; where the file is to be.
  ///   - source: The store they are in.
  /// - Returns: The file, which lies beside its place.
  /// - Throws: `DecantError` where it cannot be written. An object that cannot be read is no reason: it is named.
  func write(_ rejects: RejectedObjects, of source: any SourceStore) throws(DecantError) -> any PendingFile
}

extension StoreOpener {
  /// Itself: its stores know no versions.
  package func aligning(
    _ sources: [StoreLocation],
    with destination: StoreLocation,
    options: CopyOptions,
    cancellation: Cancellation,
    _ onEvent: @escaping (WorkEvent) -> Void
  ) throws(DecantError) -> any StoreOpener { self }

  /// Refuses: its stores are of one model.
  package func seeing(
    _ source: StoreLocation,
    as destination: StoreLocation,
    options: CopyOptions,
    cancellation: Cancellation,
    _ onEvent: @escaping (WorkEvent) -> Void
  ) throws(DecantError) -> any StoreOpener {
    throw DecantError(
      .unsuitableOption,
      "“\(source.place)” cannot be read through a mapping",
      place: "\(option: .mapping)",
      remedy: "copy it through the mapping into a new store first"
    )
  }

  /// Opens the store at `location`, whatever is at the other end.
  package func openSource(
    _ location: StoreLocation,
    facing other: StoreLocation,
    options: CopyOptions
  ) throws(DecantError) -> any SourceStore {
    try openSource(location, options: options)
  }
}
