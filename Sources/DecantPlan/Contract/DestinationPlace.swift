package import DecantBase
package import DecantStore
package import DecantSQLite

/// Where a destination lies, or will lie.
package enum DestinationPlace: Sendable {
  /// In a SQLite file, which the engine opens, holds and writes.
  case file(String)
  /// Elsewhere: the kind of store says how it is found, held, and how a result comes to be there.
  case own(any OwnPlace)

  /// What names the place for good.
  package var address: String {
    switch self {
    case .file(let path): Files.realPath(of: path) ?? ""
    case .own(let place): place.address
    }
  }

  /// Opens a store that is there to be read, while nothing is written yet.
  package func open() throws(DecantError) -> any OpenPlace {
    switch self {
    case .file(let path): try DatabaseFile.open(path)
    case .own(let place): try place.open()
    }
  }

  /// Returns what tells the state that is attached as `schema` from any other.
  package func fingerprint(of schema: String, on connection: Connection) throws(SQLiteError)
    -> Fingerprint
  {
    switch self {
    case .file: try Fingerprint(of: schema, on: connection)
    case .own(let place): try place.fingerprint(of: schema, on: connection)
    }
  }
}

/// The place of a destination that is no SQLite file: how it is found, held, and how a result comes to be there.
package protocol OwnPlace: Sendable {
  /// What names the place for good.
  var address: String { get }

  /// Opens a store that is there to be read, while nothing is written yet.
  func open() throws(DecantError) -> any OpenPlace

  /// Returns what tells the state that is attached as `schema` from any other.
  func fingerprint(of schema: String, on connection: Connection) throws(SQLiteError) -> Fingerprint

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
  func site(
    for destination: any DestinationStore,
    from source: any SourceStore,
    _ options: CopyOptions,
    duplicating: @escaping (_ done: Int64, _ all: Int64) -> Bool
  ) throws(DecantError) -> any CopySite

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
