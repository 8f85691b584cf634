internal import Dispatch

/// A copy of one store into another: what is to be copied where, and how.
///
/// A value that can be kept and run again; nothing is opened before it runs.
public struct Copy: Sendable {
  public let source: StoreLocation
  public let destination: StoreLocation
  public var options: CopyOptions
  private let opener: any StoreOpener

  /// Describes a copy between stores of the kinds that `opener` knows.
  public init(
    from source: StoreLocation,
    to destination: StoreLocation,
    options: CopyOptions = CopyOptions(),
    opener: any StoreOpener
  ) {
    self.source = source
    self.destination = destination
    self.options = options
    self.opener = opener
  }

  /// Makes the copy and returns what it did; blocks until it is done.
  ///
  /// - Parameters:
  ///   - cancellation: Ends the copy after the batch at hand; a new store can be resumed then.
  ///   - onEvent: Called on this thread, with `planned` before the first long step.
  /// - Returns: The report, in which every object of the source is accounted for.
  /// - Throws: `DecantError`; the destination is as it was, unless batches were committed one by one.
  @discardableResult
  public func run(
    cancellation: Cancellation = Cancellation(),
    _ onEvent: (CopyEvent) -> Void = { _ in }
  ) throws(DecantError) -> CopyReport {
    try withoutActuallyEscaping(onEvent) { onEvent throws(DecantError) in
      let run = CopyRun(self, cancellation: cancellation, onEvent: onEvent)
      let report = try run.run(opener)
      onEvent(.finished(report))
      return report
    }
  }

  /// The events of a run that starts when they are first awaited; the last one holds the report.
  ///
  /// Ending the iteration early, or cancelling the task that iterates, cancels the copy.
  public var events: AsyncThrowingStream<CopyEvent, any Error> {
    AsyncThrowingStream { continuation in
      let cancellation = Cancellation()
      continuation.onTermination = { _ in cancellation.cancel() }
      // A thread of its own: SQLite blocks, and Swift's own threads must not be blocked.
      DispatchQueue(label: "decant.copy").async { [self] in
        do {
          try run(cancellation: cancellation) { continuation.yield($0) }
          continuation.finish()
        } catch {
          continuation.finish(throwing: error)
        }
      }
    }
  }
}
