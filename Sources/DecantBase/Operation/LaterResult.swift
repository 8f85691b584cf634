/// A result that a second thread computes while the first goes on.
///
/// Releasing the result ends the work. Several results may share a thread, which computes one after the other.
package final class LaterResult<Value, Failure: Error> {
  /// What the thread writes, and the owner reads after it.
  private final class Box {
    var result: Result<Value, Failure>?
  }

  private let box = Box()
  /// The thread.
  package let work: OrderedWork
  private let end = Cancellation()

  /// Begins to run `body`, to which all that it uses belongs until then.
  ///
  /// - Parameters:
  ///   - name: What the thread is called in a debugger.
  ///   - thread: A thread that first completes other work; by default one of its own.
  ///   - body: The work; it has to stop on the request that it gets, after which nobody reads its result.
  package init(
    _ name: String,
    behind thread: OrderedWork? = nil,
    _ body: @escaping (_ end: Cancellation) throws(Failure) -> Value
  ) {
    work = thread ?? OrderedWork(name)
    // The thread must not own this object, or it might be the last one to release it, and wait for itself.
    let (box, end) = (box, end)
    // The first piece of work follows no failure.
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
