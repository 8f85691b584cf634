/// A copy of one store into another: what is to be copied where, and how.
///
/// A value that can be kept and run again; nothing is opened before it runs.
public struct Copy: Sendable {
  public let source: StoreLocation
  public let destination: StoreLocation
  public var options: CopyOptions
  private let opener: any StoreOpener

  /// Describes a copy between stores of the kinds that `opener` knows.
  package init(
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
  ///   - decide: Asked on this thread about each conflict, where the rules of a merge say so; called again with the reason if
  ///     an answer does not fit.
  /// - Returns: The report, in which every object of the source is accounted for.
  /// - Throws: `DecantError`; the destination is as it was, unless batches were committed one by one.
  @discardableResult
  public func run(
    cancellation: Cancellation = Cancellation(),
    _ onEvent: (CopyEvent) -> Void = { _ in },
    deciding decide: ((MergeConflict, _ problem: String?) -> MergeDecision)? = nil
  ) throws(DecantError) -> CopyReport {
    try withoutActuallyEscaping(onEvent) { onEvent throws(DecantError) in
      let run = CopyRun(self, cancellation: cancellation, deciding: decide, onEvent: onEvent)
      let report: CopyReport
      do throws(DecantError) {
        report = try run.run(opener)
      } catch {
        var error = error
        run.removeConflictsFile(after: &error)
        throw error.naming(rootsFor: options.filters)
      }
      onEvent(.finished(report))
      return report
    }
  }

  /// The events of a run; it starts when their iteration begins, and the last event is the report.
  ///
  /// Cancelling the task that iterates stops the copy: the iteration throws `DecantError` with code
  /// `.interrupted`, once nothing of the copy runs any more. Leaving the loop early stops it after the
  /// batch at hand. Iterating twice copies twice.
  public var events: CopyEvents { CopyEvents(self) }
}
