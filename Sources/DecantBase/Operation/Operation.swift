/// Work that can be watched, awaited and stopped: what every verb of decant is.
///
/// Nothing is opened before it runs. It runs on a thread of its own while its events are iterated over, or on the
/// caller's thread by `run`. A slow consumer holds the work back. Iterating twice does the work twice.
///
/// ```swift
/// for try await event in copy.operation {
///   bar.value = event.fraction
///   if case .finished(let report) = event { show(report) }
/// }
/// ```
///
/// Cancelling the task that iterates stops the work: once nothing runs any more, the iteration throws `DecantError` of the
/// family `.interrupted`. Work that was done before the request reached it ends with its report all the same. Leaving the
/// loop early asks the work to stop and does not wait for it. The page of a verb says what it leaves when it is stopped.
public struct DecantOperation<Report: Sendable>: AsyncSequence, Sendable {
  public typealias Element = OperationEvent<Report>
  public typealias Failure = DecantError

  private let name: String
  private let weights: PhaseWeights
  private let body: @Sendable (Cancellation, (WorkEvent) -> Void) throws(DecantError) -> Report

  /// Describes work.
  ///
  /// - Parameters:
  ///   - name: What it is called as a thread and as the context of errors: `copy`.
  ///   - weights: How its time divides into phases.
  ///   - body: Does it, blocking; it is given the request to stop, and what takes its events.
  package init(
    _ name: String,
    _ weights: PhaseWeights,
    _ body: @escaping @Sendable (Cancellation, (WorkEvent) -> Void) throws(DecantError) -> Report
  ) {
    (self.name, self.weights, self.body) = (name, weights, body)
  }

  /// Does the work on this thread; blocks until it is done.
  ///
  /// - Parameters:
  ///   - cancellation: Stops it from another thread.
  ///   - onEvent: Called on this thread.
  /// - Returns: What was done.
  /// - Throws: `DecantError`; of the family `.interrupted` where it was stopped.
  @discardableResult
  public func run(
    cancellation: Cancellation = Cancellation(),
    _ onEvent: (OperationEvent<Report>) -> Void = { _ in }
  ) throws(DecantError) -> Report {
    let report = try working(cancellation, onEvent)
    onEvent(.finished(report))
    return report
  }

  /// Does the work, without the event that ends it.
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
  /// - Parameter onEvent: Called for each event, one after the other.
  /// - Returns: What was done.
  /// - Throws: `CancellationError` where the task was cancelled, else `DecantError`.
  @discardableResult
  public func report(_ onEvent: (OperationEvent<Report>) -> Void = { _ in }) async throws -> Report {
    var events = makeAsyncIterator()
    while let event = try await next(&events) {
      onEvent(event)
      if case .finished(let report) = event { return report }
    }
    throw CancellationError()
  }

  private func next(_ events: inout Iterator) async throws -> OperationEvent<Report>? {
    let failure: DecantError
    do throws(DecantError) {
      return try await events.next()
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

  /// Hands out the events of one run.
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

/// A description of work: a value that can be kept, changed and run again.
public protocol Runnable: Sendable {
  associatedtype Report: Sendable

  /// The work as it is described now.
  var operation: DecantOperation<Report> { get }
}

extension DecantOperation: Runnable {
  /// Itself.
  public var operation: DecantOperation<Report> { self }
}

extension Runnable {
  /// Does the work on this thread; blocks until it is done.
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
