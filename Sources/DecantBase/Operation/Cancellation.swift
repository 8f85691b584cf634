package import DecantSQLite
internal import Synchronization

/// A request to stop, from any thread; the work ends at the statement or file piece that is running.
public final class Cancellation: Sendable {
  private let flag = Atomic<Bool>(false)
  private let interrupters = Mutex<[Interrupter]>([])

  /// The request that the current operation or read obeys; `nil` outside of one.
  ///
  /// For code too far below an operation to receive its request as a parameter, such as the copying of a file.
  @TaskLocal package static var current: Cancellation?

  public init() {}

  /// Requests the work to stop.
  ///
  /// It takes locks, so a signal handler must not call it.
  public func cancel() {
    flag.store(true, ordering: .sequentiallyConsistent)
    // Under the lock, as a removed connection may already serve another reader.
    interrupters.withLock { for interrupter in $0 { interrupter.interrupt() } }
  }

  /// Whether a stop was requested.
  public var isCancelled: Bool { flag.load(ordering: .relaxed) }

  /// Registers `interrupter` to interrupt its connection on a request.
  package func add(_ interrupter: Interrupter) { interrupters.withLock { $0.append(interrupter) } }

  /// Unregisters `interrupter`.
  package func remove(_ interrupter: Interrupter) {
    interrupters.withLock { all in all.removeAll { $0 === interrupter } }
  }

  /// Throws if a stop was requested.
  ///
  /// - Throws: `DecantError` of the family `.interrupted`.
  package func check() throws(DecantError) {
    guard isCancelled else { return }
    throw DecantError(.interrupted, "the operation was interrupted")
  }
}

/// A check that ends a long statement on a request: one that copies pages, builds an index, or verifies.
package final class StopCheck: ProgressCheck {
  private let requests: [Cancellation]

  /// Obeys each of `requests`.
  package init(_ requests: Cancellation...) { self.requests = requests }

  package override func isStopped() -> Bool { requests.contains { $0.isCancelled } }

  package override func add(_ interrupter: Interrupter) {
    for request in requests { request.add(interrupter) }
  }

  package override func remove(_ interrupter: Interrupter) {
    for request in requests { request.remove(interrupter) }
  }
}
