import Decant
import Foundation
import DecantSQLite
import Synchronization

/// Databases in the memory of this process, by name: stores that are no files.
final class MemoryStores: Sendable {
  static let shared = MemoryStores()

  private struct State: ~Copyable {
    /// Keeps each database alive, which goes with its last connection.
    var keepers: [String: Connection] = [:]
    /// How often each was written; a number is never used twice.
    var generations: [String: Int] = [:]
    var last = 0
  }

  private let state = Mutex(State())

  /// How SQLite opens the database that is called `name`.
  static func uri(_ name: String) -> String {
    let path = name.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    return "file:/\(path)?vfs=memdb"
  }

  static func connect(_ name: String) throws(SQLiteError) -> Connection {
    try Connection(uri(name), mode: .create)
  }

  func exists(_ name: String) -> Bool { state.withLock { $0.generations[name] != nil } }

  /// What tells the present state of the database from all others.
  func generation(_ name: String) -> Int { state.withLock { $0.generations[name] ?? 0 } }

  /// Has the database stay, and notes that it was written.
  func note(_ name: String) throws(SQLiteError) {
    try state.withLock { state throws(SQLiteError) in
      let keeper = try MemoryStores.connect(name)
      // It is opened by the first read.
      _ = try keeper.integer("SELECT count(*) FROM sqlite_schema")
      state.last += 1
      state.keepers[name] = keeper
      state.generations[name] = state.last
    }
  }

  func forget(_ name: String) {
    state.withLock { state in
      state.keepers[name] = nil
      state.generations[name] = nil
    }
  }
}
