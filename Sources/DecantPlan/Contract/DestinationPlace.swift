package import DecantBase
package import DecantStore
package import DecantSQLite

/// Where a destination lies, or will lie.
package enum DestinationPlace: Sendable {
  /// In a SQLite file, which the engine opens, holds and writes.
  case file(String)
  /// Elsewhere: the kind of store says how it is found, held, and how a result comes to be there.
  case own(any OwnPlace)

  /// How what is there is found and read.
  package var store: any StorePlace {
    switch self {
    case .file(let path): StoreFile(path: path)
    case .own(let place): place
    }
  }
}

/// The place of a store: how it is found and read.
package protocol StorePlace: Sendable {
  /// What names the place for good.
  var address: String { get }

  /// Opens a store that is there to be read, while nothing is written yet.
  func open() throws(DecantError) -> any OpenPlace

  /// Returns what tells the state that is attached as `schema` from any other.
  func fingerprint(of schema: String, on connection: Connection) throws(SQLiteError) -> Fingerprint
}

/// The file of a store, there or to be made.
package struct StoreFile: StorePlace {
  package let path: String

  package init(path: String) { self.path = path }

  package var address: String { Files.realPath(of: path) ?? "" }

  package func open() throws(DecantError) -> any OpenPlace { try DatabaseFile.open(path) }

  package func fingerprint(of schema: String, on connection: Connection) throws(SQLiteError) -> Fingerprint {
    try Fingerprint(of: schema, on: connection)
  }
}

/// A place that can be written to: how it is held, and how a result comes to be there.
package protocol OwnPlace: StorePlace {
  /// Throws where a copy with these options cannot change the store that is there.
  func check(_ destination: any DestinationStore, _ options: CopyOptions) throws(DecantError)

  /// Throws where the copy that is planned has no room, or a new store cannot be made.
  func checkRoom(
    for planning: any PlannedCopy,
    from source: any SourceStore,
    to destination: any DestinationStore,
    _ options: CopyOptions
  ) throws(DecantError)

  /// Claims the place for a copy.
  ///
  /// - Parameters:
  ///   - destination: The store.
  ///   - source: What is copied.
  ///   - options: What was asked for.
  ///   - duplicating: Called while the store itself is copied first, with the bytes done and the bytes in all; returns
  ///     whether to continue.
  /// - Returns: Who writes there.
  /// - Throws: `DecantError` where another run has the place, or what an earlier one left cannot be used.
  func makeWriter(
    for destination: any DestinationStore,
    from source: any SourceStore,
    _ options: CopyOptions,
    duplicating: @escaping (_ done: Int64, _ all: Int64) -> Bool
  ) throws(DecantError) -> any CopyWriter

  /// Throws what has become of the place, where that is why a copy failed with `error`.
  func checkIsThere(after error: DecantError) throws(DecantError)
}

/// A store that is there, as planning reads it; what it is read from stays as long as the value.
package protocol OpenPlace: AnyObject {
  func textEncoding() throws(DecantError) -> String

  /// Makes it readable on `connection` under the name `schema`.
  func attach(to connection: Connection, as schema: String) throws(SQLiteError)
}

extension DatabaseFile: OpenPlace {
  package func attach(to connection: Connection, as schema: String) throws(SQLiteError) {
    try connection.attach(uri, as: schema)
  }
}
