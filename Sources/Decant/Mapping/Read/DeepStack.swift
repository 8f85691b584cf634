internal import Glibc

/// A stack for code that calls itself as deep as a stranger's file says.
enum DeepStack {
  /// The bytes of the stack; the system gives only what is used.
  private static let byteCount = 64 << 20

  private final class Work {
    let body: () -> Void

    init(_ body: @escaping () -> Void) { self.body = body }
  }

  /// Runs `body` on a thread of its own, whose stack is large whatever the caller's is, and waits for it.
  ///
  /// - Parameter body: What is to be done.
  /// - Returns: What it returns.
  /// - Throws: What it throws; `.failed` where the system has no thread.
  static func run<Value>(
    _ body: @escaping () throws(DecantError) -> Value
  ) throws(DecantError) -> Value {
    var result = Result<Value, DecantError>.failure(
      DecantError(
        .failed,
        "the system has no thread to read the mapping with",
        remedy: "end other programs, or raise the limit (ulimit -u)"
      )
    )
    let work = Work { result = Result { () throws(DecantError) in try body() } }
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setstacksize(&attributes, byteCount)
    var thread = pthread_t()
    let pointer = Unmanaged.passRetained(work)
    let code = pthread_create(
      &thread,
      &attributes,
      { pointer in
        if let pointer { Unmanaged<Work>.fromOpaque(pointer).takeRetainedValue().body() }
        return nil
      },
      pointer.toOpaque()
    )
    if code == 0 {
      pthread_join(thread, nil)
    } else {
      pointer.release()
    }
    return try result.get()
  }
}
