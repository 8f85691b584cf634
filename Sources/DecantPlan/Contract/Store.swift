package import DecantBase
package import DecantStore
package import DecantSQLite

/// A store to read from: the requirements on the source of a copy.
///
/// A store is opened, described and then attached to the session; from then on SQLite reads it. Opening and attaching
/// never change it. The requirements are called in the order of declaration.
package protocol SourceStore {
  /// The name of the store in plans, reports and errors.
  var identity: StoreIdentity { get }
  /// The entities of the store's objects; `layout` uses only names of this model.
  var model: Model { get }
  /// The layout of the objects in tables of the attached schema.
  var layout: Layout { get }
  /// The text encoding, as `PRAGMA encoding` names it: stores with the same encoding can be attached to each other.
  var textEncoding: String { get }
  /// The notes for the reader: files left beside the source, omitted content.
  var notes: [ReportNote] { get }
  /// The notes about the values: what was omitted, and how they were read.
  var readingNotes: [ReportNote] { get }
  /// The path of the source if it is a file: its size and permissions are used for a new store.
  var path: String? { get }
  /// The external storage of values, for kinds of stores that have one.
  var externalStorage: (any ExternalStorage)? { get }
  /// Why the model is missing, if `model` is derived from tables only.
  ///
  /// Then links are unknown, and only operations that change no keys are possible.
  var modelGap: DecantError? { get }

  /// The collations of indexes that only the app that created the store defines: the store can be copied unchanged, but
  /// not searched or added to.
  var unknownCollations: [UnknownCollation] { get }

  /// The links given on opening, with conditions that are valid in another store, too; `nil` for a kind of store that
  /// declares all links.
  var portableLinks: [CopyOptions.Link]? { get }

  /// Further ways to match its objects with those of another store, beyond its model.
  var likeness: Likeness? { get }

  /// Whether the store was made by this process, in a temporary file whose structure need not be checked.
  var isTemporary: Bool { get }

  /// Whether a new store may take its file instead of a copy of it: this process made it, and nothing else needs it.
  var mayBeTaken: Bool { get }

  /// The form in which the file's store is presented: whole, a part, through a mapping, or by another model.
  var form: SourceForm { get }

  /// The content beside objects and links that has no place in another kind of store.
  var extras: StoreExtras { get }

  /// Makes the objects readable on `connection` under the name `schema`.
  ///
  /// Called once per connection, before any transaction; the connection has the store's text encoding.
  func attach(to connection: Connection, as schema: String) throws(DecantError)

  /// Returns the fingerprint of the state attached as `schema`, without reading its rows.
  func fingerprint(of schema: String, on connection: Connection) throws(SQLiteError) -> Fingerprint

  /// Holds the current state while batches are committed on `connection`, until the returned value is released.
  func hold(_ schema: String, on connection: Connection) throws(SQLiteError) -> Snapshot

  /// Throws if a store created from a model cannot take over the app's own tables.
  ///
  /// - Parameters:
  ///   - wanted: The model's place, followed by `#Version` for another version than the current one.
  ///   - isUnversioned: Whether a model without version hashes is sufficient.
  /// - Throws: `DecantError` with a remedy.
  func checkOwnTables(after wanted: String, isUnversioned: Bool) throws(DecantError)

  /// Throws if rows of one of `tables`, with names in lower case, could not be read: see `CopyOptions.readsPartly`.
  func checkAllRows(of tables: Set<String>) throws(DecantError)

  /// Returns the facts that only this kind of store knows, read from the schema `schema`.
  func facts(on connection: Connection, schema: String) throws(DecantError) -> StoreFacts

  /// Returns the same store with links by values that lead where they do in a store with the layout `other`.
  func comparingLinks(like other: Layout) -> any SourceStore
}

extension SourceStore {
  /// By default the same store.
  package func comparingLinks(like other: Layout) -> any SourceStore { self }

  /// By default the fingerprint of the file.
  package func fingerprint(of schema: String, on connection: Connection) throws(SQLiteError) -> Fingerprint {
    try Fingerprint(of: schema, on: connection)
  }

  /// By default an open statement.
  package func hold(_ schema: String, on connection: Connection) throws(SQLiteError) -> Snapshot {
    try Snapshot(of: schema, on: connection)
  }

  /// By default `false`: the store existed before this process ran.
  package var isTemporary: Bool { false }

  /// By default `false`: its file stays where it is.
  package var mayBeTaken: Bool { false }

  /// By default the whole store.
  package var form: SourceForm { .whole }

  /// By default none.
  package var extras: StoreExtras { StoreExtras() }

  /// By default none: all collations are SQLite's own.
  package var unknownCollations: [UnknownCollation] { [] }

  /// By default `nil`: the model declares all links.
  package var portableLinks: [CopyOptions.Link]? { nil }

  /// By default `nil`: the model defines the identity of objects.
  package var likeness: Likeness? { nil }

  /// By default `nil`: the model is complete.
  package var modelGap: DecantError? { nil }

  /// By default all notes.
  package var readingNotes: [ReportNote] { notes }

  /// By default accepts everything: for a kind of store that is not created from a model.
  package func checkOwnTables(after wanted: String, isUnversioned: Bool) throws(DecantError) {}

  /// By default accepts everything: all rows were read.
  package func checkAllRows(of tables: Set<String>) throws(DecantError) {}

  /// By default returns no facts: for a store that its tables describe completely.
  package func facts(on connection: Connection, schema: String) throws(DecantError) -> StoreFacts {
    StoreFacts(modelOrigin: "from the tables")
  }
}

/// The description of a destination: its place, its content, and its requirements on a copy.
package struct DestinationDescription {
  /// The name of the store in plans, reports and errors; a new one with its future `uuid`.
  package var identity: StoreIdentity
  /// The place of the store, and the way in which it is written.
  package var place: DestinationPlace
  /// Whether the store is created; otherwise it exists and is changed.
  package var isNew: Bool
  /// The entities of its objects.
  package var model: Model
  /// The layout of its objects in tables of `main`.
  package var layout: Layout
  /// The external storage of values, for kinds of stores that have one.
  package var externalStorage: (any ExternalStorage)?
  /// The required text encoding of a new store, as `PRAGMA encoding` names it; `nil` for the source's.
  package var requiredEncoding: String?
  /// Whether the source's pages can be copied to this store: same model, same kind, new.
  package var canAdoptPages = false
  /// Whether copied pages are written once more, without what the copy leaves out.
  package var rewritesPages = false
  /// Whether the triggers of an existing store run for every row.
  package var firesTriggers = false
  /// The triggers that run and add rows themselves, by the root entity of these rows.
  package var addingTriggers: [String: [String]] = [:]
  /// The triggers that delete rows when others are written, by the root entity of the deleted rows.
  package var removingTriggers: [String: [String]] = [:]
  /// The statements that create the tables of a new store on a server, for a dry run.
  package var creation: [String] = []
  /// The notes for the reader.
  package var notes: [ReportNote] = []

  package init(_ identity: StoreIdentity, at place: DestinationPlace, isNew: Bool, model: Model, layout: Layout) {
    (self.identity, self.place, self.isNew) = (identity, place, isNew)
    (self.model, self.layout) = (model, layout)
  }
}

/// A store to write to, existing or new.
///
/// The engine writes the rows and owns every transaction; the store is responsible for everything else. Where a schema
/// is given, the store is attached under that name.
package protocol DestinationStore {
  var about: DestinationDescription { get }

  /// Returns, for each root entity, the highest key ever allocated; new objects start above it.
  func counters(in schema: String, on connection: Connection) throws(DecantError) -> [String: Int64]

  /// Returns SELECTs of the taken keys of `root`, integers in their column `k`; a key may occur repeatedly.
  ///
  /// The other keys up to the highest are free. `nil` if every key up to the highest counts as allocated.
  func takenKeys(of root: String, in schema: String) -> [String]?

  /// Records that the keys up to these are allocated, so that later objects get others.
  ///
  /// The writer calls it at the right time for the place: with the last rows if no other process can write, before the
  /// first if others may.
  ///
  /// - Parameters:
  ///   - counters: For each root entity that gets objects, the highest key now allocated.
  ///   - connection: The connection that has the store as `main`.
  /// - Throws: `DecantError` if the store cannot be written.
  func allocate(_ counters: [String: Int64], on connection: Connection) throws(DecantError)

  /// Returns the current identifier of the store; after a resumed copy it is that of an earlier run.
  func uuid(in schema: String, on connection: Connection) throws(DecantError) -> String?

  /// Registers the functions that the store's own triggers and indexes call.
  func prepare(_ connection: Connection) throws(DecantError)

  /// Creates a part of a new store.
  ///
  /// - Parameters:
  ///   - part: The part.
  ///   - connection: The connection that has the store as `main`.
  ///   - source: The schema of the source.
  /// - Throws: `DecantError` if the store cannot be written.
  func make(_ part: StorePart, on connection: Connection, source: String) throws(DecantError)

  /// Converts `main`, a copy of the source's pages, to the new store.
  ///
  /// - Returns: Whether something was deleted, so that a vacuum is needed.
  func adoptPages(on connection: Connection) throws(DecantError) -> Bool

  /// Throws if `finish` could not handle `count` more objects; called before anything is written.
  func checkRoom(for count: Int64, in schema: String, on connection: Connection) throws(DecantError)

  /// Fills everything beside objects after the last row: search tables, a history of changes.
  ///
  /// - Parameters:
  ///   - connection: The connection that has the store as `main`, in the transaction of the last rows.
  ///   - source: The schema of the source.
  ///   - written: The added and changed objects.
  /// - Throws: `DecantError` if the store cannot be written.
  func finish(on connection: Connection, source: String, written: WrittenObjects) throws(DecantError)
}

/// The parts of a new store, in the order of creation.
package enum StorePart {
  /// The tables, without indexes and triggers.
  ///
  /// They are created outside a transaction, as page size and vacuum mode must be set before the first table.
  case tables
  /// The unique indexes, before there are any rows.
  ///
  /// Duplicates are then rejected row by row, which costs time. A store may always create them with its tables.
  case uniqueIndexes
  /// The remaining indexes and triggers, after everything else.
  case indexes
  /// Derived values, recomputed after a merge; the indexes exist by then.
  case derivedValues(WrittenObjects)
}

/// The written objects, by root entity.
package struct WrittenObjects: Sendable, Hashable {
  /// The key ranges of the added objects; they contain no other keys.
  package var newKeys: [String: ClosedRange<Int64>]
  /// A SELECT of the keys of changed objects.
  package var updatedKeys: [String: String]
  /// Whether the objects were merged with existing ones.
  package var isMerge = false
  /// Whether the store's own triggers ran while the objects were written.
  package var haveTriggersRun = false

  /// Describes written objects; a root entity that is not listed got none.
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

  /// Returns whether a copy with these options copies pages to it instead of rows.
  package func takesPages(_ options: CopyOptions) -> Bool {
    isNew && canAdoptPages && options.takesEverything
  }

  package var firesTriggers: Bool { about.firesTriggers }
  package var notes: [ReportNote] { about.notes }

  /// By default all keys up to the highest count as allocated.
  package func takenKeys(of root: String, in schema: String) -> [String]? { nil }

  /// By default `nil`.
  package func uuid(in schema: String, on connection: Connection) throws(DecantError) -> String? {
    nil
  }

  /// By default registers none.
  package func prepare(_ connection: Connection) throws(DecantError) {}

  /// By default the pages need no change.
  package func adoptPages(on connection: Connection) throws(DecantError) -> Bool { false }

  /// By default nothing is filled in.
  package func checkRoom(for count: Int64, in schema: String, on connection: Connection) throws(DecantError) {}

  /// By default there is nothing beside objects.
  package func finish(on connection: Connection, source: String, written: WrittenObjects) throws(DecantError) {}
}

/// An opener of stores by their place: it knows the kinds of stores, the engine does not.
package protocol StoreOpener: Sendable {
  /// Opens the store at `location` for reading.
  func openSource(_ location: StoreLocation, options: CopyOptions) throws(DecantError) -> any SourceStore

  /// Opens the store at `location` for reading, to be copied to or compared with `other`.
  ///
  /// The result differs only if the kinds differ and only one of the stores has a model.
  func openSource(_ location: StoreLocation, facing other: StoreLocation, options: CopyOptions)
    throws(DecantError) -> any SourceStore

  /// Returns an opener that reads `sources` in the model version of `destination`, into which they are merged.
  ///
  /// - Parameters:
  ///   - sources: The stores that are merged, or compared with those.
  ///   - destination: The destination of the merge.
  ///   - options: How they are read.
  ///   - cancellation: Stops the work.
  ///   - onEvent: Receives progress if the work takes time.
  /// - Returns: The opener itself, if all sources can be read directly.
  /// - Throws: `DecantError` of the family `.modelMismatch` if there is no path between the versions.
  func aligning(
    _ sources: [StoreLocation],
    with destination: StoreLocation,
    options: CopyOptions,
    cancellation: Cancellation,
    _ onEvent: @escaping (WorkEvent) -> Void
  ) throws(DecantError) -> any StoreOpener

  /// Returns an opener that reads `source` through a mapping, as objects of the model of `destination`.
  ///
  /// - Parameters:
  ///   - source: The store; it is never changed.
  ///   - destination: An existing database.
  ///   - options: The mapping, and how the source is read.
  ///   - cancellation: Stops the work.
  ///   - onEvent: Receives progress, as a part of the phase `read`.
  /// - Returns: The opener, which keeps its temporary files while it exists.
  /// - Throws: `DecantError` of the family `.usage` if the destination is not a database.
  func seeing(
    _ source: StoreLocation,
    as destination: StoreLocation,
    options: CopyOptions,
    cancellation: Cancellation,
    _ onEvent: @escaping (WorkEvent) -> Void
  ) throws(DecantError) -> any StoreOpener

  /// Opens the store at `location` for writing, or plans a new one that resembles `source`.
  func openDestination(
    _ location: StoreLocation,
    like source: any SourceStore,
    options: CopyOptions
  ) throws(DecantError) -> any DestinationStore

  /// Returns the interrupted run that adds rows in batches to the store at `location`, if the options continue one;
  /// `nil` if there is none.
  func interruptedRun(at location: StoreLocation, _ options: CopyOptions) throws(DecantError) -> (any InterruptedRun)?

  /// Writes rejected objects to a file from which they can be imported later.
  ///
  /// - Parameters:
  ///   - rejects: The objects, their reasons, and the place of the file.
  ///   - source: Their store.
  /// - Returns: The file, which is still beside its place.
  /// - Throws: `DecantError` if the file cannot be written. An object that cannot be read is listed instead of an
  ///   error.
  func write(_ rejects: RejectedObjects, of source: any SourceStore) throws(DecantError) -> any PendingFile
}

extension StoreOpener {
  /// By default `nil`: other runs leave their work in a file.
  package func interruptedRun(at location: StoreLocation, _ options: CopyOptions)
    throws(DecantError) -> (any InterruptedRun)?
  { nil }

  /// By default returns itself: the stores have no versions.
  package func aligning(
    _ sources: [StoreLocation],
    with destination: StoreLocation,
    options: CopyOptions,
    cancellation: Cancellation,
    _ onEvent: @escaping (WorkEvent) -> Void
  ) throws(DecantError) -> any StoreOpener { self }

  /// By default throws: the stores have one model.
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

  /// By default opens the store at `location` independent of the other store.
  package func openSource(
    _ location: StoreLocation,
    facing other: StoreLocation,
    options: CopyOptions
  ) throws(DecantError) -> any SourceStore {
    try openSource(location, options: options)
  }
}
