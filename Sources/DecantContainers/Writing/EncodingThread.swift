internal import DecantSystem

/// The thread that takes blocks out of a ring and has them packed.
final class EncodingThread {
  /// What the thread works on; it alone touches the encoder while it runs.
  private final class Work {
    let ring: BlockRing
    let encoder: any StreamEncoder

    init(_ ring: BlockRing, _ encoder: any StreamEncoder) {
      self.ring = ring
      self.encoder = encoder
    }

    func run() {
      // A closed pipe is to be an error of a write, not the end of the process. The signal goes to the
      // thread that writes, and ends with it.
      var signals = sigset_t()
      sigemptyset(&signals)
      sigaddset(&signals, SIGPIPE)
      pthread_sigmask(SIG_BLOCK, &signals, nil)
      do throws(ContainerError) {
        while true {
          switch ring.next() {
          case .block(let bytes):
            try encoder.write(bytes)
            ring.release()
          case .finish: return try encoder.finish()
          case .stop: return
          }
        }
      } catch {
        ring.fail(error)
      }
    }
  }

  private let work: Work
  private var thread = pthread_t()
  private var isRunning = false

  /// Starts the thread.
  init(_ ring: BlockRing, _ encoder: any StreamEncoder) throws(ContainerError) {
    work = Work(ring, encoder)
    // The thread borrows what `work` keeps: it is joined before that goes.
    let context = Unmanaged.passUnretained(work).toOpaque()
    let code = pthread_create(
      &thread,
      nil,
      { context in
        if let context { Unmanaged<Work>.fromOpaque(context).takeUnretainedValue().run() }
        return nil
      },
      context
    )
    guard code == 0 else { throw .system("pthread_create", errno: code) }
    isRunning = true
  }

  /// Waits for its end, which has to be near: the ring is closed.
  func join() {
    guard isRunning else { return }
    isRunning = false
    pthread_join(thread, nil)
  }
}
