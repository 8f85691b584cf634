/// A result that a second thread computes while the first goes on.
///
/// Releasing the result ends the work. Several results may share a thread, which computes one after the other.
package final class LaterResult<Value, Failure: Error> {
  /// The result, which the thread writes and the owner reads afterwards.
  private final class Box {
    var result: Result<Value, Failure>?
  }

  private let box = Box()
  /// The thread.
  package let work: OrderedWork
  private let end = Cancellation()

  /// Begins to run `body`; until it ends, nothing else may use the values that it captures.
  ///
  /// - Parameters:
  ///   - name: The name of the thread in a debugger.
  ///   - thread: A thread that first completes other work; by default a new one.
  ///   - body: The work. It must stop on the request that it receives; nobody reads its result after that.
  package init(
    _ name: String,
    behind thread: OrderedWork? = nil,
    _ body: @escaping (_ end: Cancellation) throws(Failure) -> Value
  ) {
    work = thread ?? OrderedWork(name)
    // The thread must not own this object, or it might be the last one to release it, and wait for itself.
    let (box, end) = (box, end)
    // No earlier piece of work has failed.
    try? work.add { box.result = Result { () throws(Failure) in try body(end) } }
  }

  deinit {
    end.cancel()
    work.wait()
  }

  /// Waits for the result.
  package func get() throws(Failure) -> Value {
    work.wait()
    return try result()
  }

  /// Waits for the result, and calls `tell` ten times a second meanwhile.
  package func get(_ tell: () -> Void) throws(Failure) -> Value {
    work.wait(tell)
    return try result()
  }

  private func result() throws(Failure) -> Value {
    guard let result = box.result else { preconditionFailure("the thread has not run") }
    return try result.get()
  }
}
