internal import DecantSystem

/// The thread that takes blocks from a ring and packs them.
final class EncodingThread {
  /// The state of the thread, which alone uses the encoder while it runs.
  private final class Work {
    let ring: BlockRing
    let encoder: any StreamEncoder
    let output: OutputDescriptor

    init(_ ring: BlockRing, _ encoder: any StreamEncoder, _ output: OutputDescriptor) {
      self.ring = ring
      self.encoder = encoder
      self.output = output
    }

    func run() {
      // A closed pipe must be an error of the write, not the end of the process. The signal is sent to the writing
      // thread and discarded with it.
      var signals = sigset_t()
      sigemptyset(&signals)
      sigaddset(&signals, SIGPIPE)
      pthread_sigmask(SIG_BLOCK, &signals, nil)
      var padding = Padding()
      do throws(ContainerError) {
        while true {
          switch ring.next() {
          case .block(let bytes):
            try encoder.write(bytes)
            let missing = padding.add(bytes.count, packedCount: output.byteCount)
            ring.release()
            if missing > 0 { try encoder.pad(missing) }
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
  init(_ ring: BlockRing, _ encoder: any StreamEncoder, _ output: OutputDescriptor) throws(ContainerError) {
    work = Work(ring, encoder, output)
    // The thread uses `work` unretained: it is joined before `work` is released.
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

  /// Waits for the end of the thread; the ring must be closed.
  func join() {
    guard isRunning else { return }
    isRunning = false
    pthread_join(thread, nil)
  }
}
