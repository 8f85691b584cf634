/// An operation that can be observed, awaited and stopped: every verb of decant is one.
///
/// Nothing is opened before it runs. It runs on a thread of its own while its events are iterated over, or on the
/// caller's thread with `run`. A slow consumer delays the work. Iterating twice does the work twice.
///
/// ```swift
/// for try await event in copy.operation {
///   bar.value = event.fraction
///   if case .finished(let report) = event { show(report) }
/// }
/// ```
///
/// Cancelling the iterating task stops the work: once nothing runs any more, the iteration throws `DecantError` of the
/// family `.interrupted`. An operation that completes before the request reaches it ends with its report. Leaving the
/// loop early requests a stop and does not wait for it. The page of each verb describes what it leaves when it is
/// stopped.
public struct DecantOperation<Report: Sendable>: AsyncSequence, Sendable {
  public typealias Element = OperationEvent<Report>
  public typealias Failure = DecantError

  private let name: String
  private let weights: PhaseWeights
  private let body: @Sendable (Cancellation, (WorkEvent) -> Void) throws(DecantError) -> Report

  /// Describes work.
  ///
  /// - Parameters:
  ///   - name: The name of the thread and the context of errors: `copy`.
  ///   - weights: The share of time of each phase.
  ///   - body: The blocking work; it receives the cancellation and a handler for its events.
  package init(
    _ name: String,
    _ weights: PhaseWeights,
    _ body: @escaping @Sendable (Cancellation, (WorkEvent) -> Void) throws(DecantError) -> Report
  ) {
    (self.name, self.weights, self.body) = (name, weights, body)
  }

  /// Does the work on this thread, and blocks until it is complete.
  ///
  /// - Parameters:
  ///   - cancellation: Stops the work from another thread.
  ///   - onEvent: Called on this thread.
  /// - Returns: The report.
  /// - Throws: `DecantError`; of the family `.interrupted` if the work was stopped.
  @discardableResult
  public func run(
    cancellation: Cancellation = Cancellation(),
    _ onEvent: (OperationEvent<Report>) -> Void = { _ in }
  ) throws(DecantError) -> Report {
    let report = try working(cancellation, onEvent)
    onEvent(.finished(report))
    return report
  }

  /// Does the work, without the final event.
  private func working(
    _ cancellation: Cancellation,
    _ onEvent: (OperationEvent<Report>) -> Void
  ) throws(DecantError) -> Report {
    var meter = ProgressMeter(weights)
    return try explaining(name) { () throws(DecantError) in
      let result = Cancellation.$current.withValue(cancellation) {
        Result { () throws(DecantError) in
          try body(cancellation) { event in
            meter.take(event)
            onEvent(.working(event, fraction: meter.fraction))
          }
        }
      }
      return try result.get()
    }
  }

  /// Does the work on a thread of its own, and waits for it.
  ///
  /// - Parameters:
  ///   - actor: The actor that `onEvent` runs on, by default the caller's.
  ///   - onEvent: Called for each event in order.
  /// - Returns: The report.
  /// - Throws: `CancellationError` if the task was cancelled, otherwise `DecantError`.
  @discardableResult
  public func report(
    isolation actor: isolated (any Actor)? = #isolation,
    _ onEvent: (OperationEvent<Report>) -> Void = { _ in }
  ) async throws -> Report {
    var events = makeAsyncIterator()
    while let event = try await next(&events, isolation: actor) {
      onEvent(event)
      if case .finished(let report) = event { return report }
    }
    throw CancellationError()
  }

  private func next(_ events: inout Iterator, isolation actor: isolated (any Actor)?) async throws
    -> OperationEvent<Report>?
  {
    let failure: DecantError
    do throws(DecantError) {
      return try await events.next(isolation: actor)
    } catch {
      failure = error
    }
    if Task.isCancelled, failure.family == .interrupted { throw CancellationError() }
    throw failure
  }

  public func makeAsyncIterator() -> Iterator {
    Iterator(
      OperationThread(name) { cancellation, tell throws(DecantError) in
        try working(cancellation, tell)
      }
    )
  }

  /// An iterator over the events of one run.
  public struct Iterator: AsyncIteratorProtocol {
    private var thread: OperationThread<Report>

    init(_ thread: OperationThread<Report>) { self.thread = thread }

    /// Returns the next event, or `nil` after the last.
    ///
    /// - Throws: `DecantError`; of the family `.interrupted` when this task was cancelled.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws(DecantError)
      -> OperationEvent<Report>?
    { try await thread.next(isolation: actor) }

    /// Returns the next event, or `nil` after the last.
    public mutating func next() async throws(DecantError) -> OperationEvent<Report>? {
      try await thread.next(isolation: nil)
    }
  }
}

/// A description of work: a value that can be stored, changed and run repeatedly.
public protocol Runnable: Sendable {
  associatedtype Report: Sendable

  /// The work in its current description.
  var operation: DecantOperation<Report> { get }
}

extension DecantOperation: Runnable {
  /// The operation itself.
  public var operation: DecantOperation<Report> { self }
}

extension Runnable {
  /// Does the work on this thread, and blocks until it is complete.
  ///
  /// See ``DecantOperation/run(cancellation:_:)``.
  @discardableResult
  public func run(
    cancellation: Cancellation = Cancellation(),
    _ onEvent: (OperationEvent<Report>) -> Void = { _ in }
  ) throws(DecantError) -> Report {
    try operation.run(cancellation: cancellation, onEvent)
  }
}
