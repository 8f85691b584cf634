internal import Synchronization

/// The tables of a database that two threads check, each table by one of them.
package final class SharedTables: Sendable {
  private let taken = Mutex<Set<String>>([])

  package init() {}

  /// Whether `table` is left to the caller, who has to check it then.
  func take(_ table: String) -> Bool { taken.withLock { $0.insert(table).inserted } }
}
