package import DecantBase
package import DecantStore
package import DecantSQLite

/// The place of a destination, existing or new.
package enum DestinationPlace: Sendable {
  /// An SQLite file, which the engine opens, locks and writes.
  case file(String)
  /// Another place: the kind of store defines how it is found, locked and written.
  case own(any OwnPlace)

  /// The place for finding and reading the store.
  package var store: any StorePlace {
    switch self {
    case .file(let path): StoreFile(path: path)
    case .own(let place): place
    }
  }
}

/// The place of a store: how it is found and read.
package protocol StorePlace: Sendable {
  /// The permanent name of the place.
  var address: String { get }

  /// Opens an existing store for reading, before anything is written.
  func open() throws(DecantError) -> any OpenPlace

  /// Returns the fingerprint of the state that is attached as `schema`.
  func fingerprint(of schema: String, on connection: Connection) throws(SQLiteError) -> Fingerprint
}

extension StorePlace {
  /// By default that of a database.
  package func fingerprint(of schema: String, on connection: Connection) throws(SQLiteError) -> Fingerprint {
    try Fingerprint(of: schema, on: connection)
  }
}

/// The file of a store, existing or new.
package struct StoreFile: StorePlace {
  package let path: String

  package init(path: String) { self.path = path }

  package var address: String { Files.realPath(of: path) ?? "" }

  package func open() throws(DecantError) -> any OpenPlace { try DatabaseFile.open(path) }
}

/// A writable place: how it is locked and written.
package protocol OwnPlace: StorePlace {
  /// Throws if a copy with these options cannot change the existing store.
  func check(_ destination: any DestinationStore, _ options: CopyOptions) throws(DecantError)

  /// Throws if there is no space for the planned copy, or a new store cannot be created.
  func checkRoom(
    for planning: any PlannedCopy,
    from source: any SourceStore,
    to destination: any DestinationStore,
    _ options: CopyOptions
  ) throws(DecantError)

  /// Locks the place for a copy.
  ///
  /// - Parameters:
  ///   - destination: The store.
  ///   - source: The source of the copy.
  ///   - options: The options of the copy.
  ///   - duplicating: Called while the store itself is copied first, with the bytes done and the total; returns whether
  ///     to continue.
  /// - Returns: The writer.
  /// - Throws: `DecantError` if another run has the place locked, or leftovers of an earlier one cannot be used.
  func makeWriter(
    for destination: any DestinationStore,
    from source: any SourceStore,
    _ options: CopyOptions,
    duplicating: @escaping (_ done: Int64, _ all: Int64) -> Bool
  ) throws(DecantError) -> any CopyWriter

  /// Returns the opener that reads this place, called `location`, in the state in which it is changed.
  func opener(_ opener: any StoreOpener, reading location: StoreLocation) -> any StoreOpener

  /// Throws a change of the place, if that caused a copy to fail with `error`.
  func checkIsThere(after error: DecantError) throws(DecantError)
}

extension OwnPlace {
  /// By default the opener itself.
  package func opener(_ opener: any StoreOpener, reading location: StoreLocation) -> any StoreOpener { opener }
}

/// An existing store that is read for planning; its sources are kept as long as the value.
package protocol OpenPlace: AnyObject {
  func textEncoding() throws(DecantError) -> String

  /// Attaches the store to `connection` as `schema`.
  func attach(to connection: Connection, as schema: String) throws(SQLiteError)
}

extension DatabaseFile: OpenPlace {
  package func attach(to connection: Connection, as schema: String) throws(SQLiteError) {
    try connection.attach(uri, as: schema)
  }
}
