internal import Synchronization

/// A request to stop, which any thread may make; the work ends after the batch at hand.
public final class Cancellation: Sendable {
  private let flag = Atomic<Bool>(false)

  public init() {}

  /// Asks the work to stop.
  public func cancel() { flag.store(true, ordering: .relaxed) }

  /// Whether somebody asked.
  public var isCancelled: Bool { flag.load(ordering: .relaxed) }
}
