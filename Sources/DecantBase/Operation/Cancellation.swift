package import DecantSQLite
internal import Synchronization

/// A request to stop, which any thread may make; the work ends after the batch at hand.
public final class Cancellation: Sendable {
  private let flag = Atomic<Bool>(false)
  private let interrupters = Mutex<[Interrupter]>([])

  /// The request that the operation on this thread obeys; `nil` outside of one.
  @TaskLocal package static var current: Cancellation?

  public init() {}

  /// Asks the work to stop; it takes locks, so that no signal handler may call it.
  public func cancel() {
    flag.store(true, ordering: .sequentiallyConsistent)
    // Under the lock: a connection that was removed may serve another reader already.
    interrupters.withLock { for interrupter in $0 { interrupter.interrupt() } }
  }

  /// Whether somebody asked.
  public var isCancelled: Bool { flag.load(ordering: .relaxed) }

  /// Has `interrupter` interrupt its connection when somebody asks.
  package func add(_ interrupter: Interrupter) { interrupters.withLock { $0.append(interrupter) } }

  /// Forgets `interrupter`.
  package func remove(_ interrupter: Interrupter) {
    interrupters.withLock { all in all.removeAll { $0 === interrupter } }
  }

  /// Throws where somebody asked.
  ///
  /// - Throws: `DecantError` of the family `.interrupted`.
  package func check() throws(DecantError) {
    guard isCancelled else { return }
    throw DecantError(.interrupted, "the operation was interrupted")
  }
}

/// Ends a long statement when the work is to stop: one that copies pages, builds an index, or proves.
package final class StopCheck: ProgressCheck {
  private let cancellation: Cancellation

  package init(_ cancellation: Cancellation) { self.cancellation = cancellation }

  package override func isStopped() -> Bool { cancellation.isCancelled }

  package override func add(_ interrupter: Interrupter) { cancellation.add(interrupter) }

  package override func remove(_ interrupter: Interrupter) { cancellation.remove(interrupter) }
}
