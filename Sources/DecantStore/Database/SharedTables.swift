internal import Synchronization

/// The tables of a database that two threads check, each table by one of them.
package final class SharedTables: Sendable {
  private let taken = Mutex<Set<String>>([])
  private let isAllTaken = Mutex(false)

  package init() {}

  /// Returns whether the caller has to check `table`, as no other thread has taken it.
  func take(_ table: String) -> Bool { taken.withLock { $0.insert(table).inserted } }

  /// Returns whether the caller has to let SQLite check the whole database, as one table may not be sound.
  package func takeAll() -> Bool {
    isAllTaken.withLock { isTaken in
      defer { isTaken = true }
      return !isTaken
    }
  }
}
