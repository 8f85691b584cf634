package import DecantSQLite
internal import Synchronization

/// A request to stop, which any thread may make; the work ends after the batch at hand.
public final class Cancellation: Sendable {
  private let flag = Atomic<Bool>(false)

  public init() {}

  /// Asks the work to stop.
  public func cancel() { flag.store(true, ordering: .relaxed) }

  /// Whether somebody asked.
  public var isCancelled: Bool { flag.load(ordering: .relaxed) }

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
}
