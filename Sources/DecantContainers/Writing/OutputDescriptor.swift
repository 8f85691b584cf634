internal import DecantSystem
internal import Synchronization

/// Where packed bytes go: a descriptor that somebody else opened and closes.
///
/// One thread writes; any other may cancel.
final class OutputDescriptor: Sendable {
  private let descriptor: Int32
  /// Whether a write may wait for a reader, so that it has to look up from time to time.
  private let mayBlock: Bool
  private let isCancelled = Atomic(false)

  init(_ descriptor: Int32) {
    self.descriptor = descriptor
    var status = stat()
    // One that is not open is left to write(): poll() waits for a negative one for ever.
    mayBlock = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT != S_IFREG
  }

  /// Has a write that waits for a reader, and every later one, end with an error within 50 ms.
  func cancel() {
    isCancelled.store(true, ordering: .relaxed)
  }

  /// Writes all of `bytes`.
  func write(_ bytes: UnsafeRawBufferPointer) throws(ContainerError) {
    var rest = bytes
    while !rest.isEmpty {
      if mayBlock {
        if isCancelled.load(ordering: .relaxed) { throw .system("write", errno: ECANCELED) }
        var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        if poll(&request, 1, 50) == 0 { continue }
      }
      // A pipe that poll() finds ready takes this many bytes without waiting.
      let count = mayBlock ? min(rest.count, Int(PIPE_BUF)) : rest.count
      let written = DecantSystem.write(descriptor, rest.baseAddress, count)
      if written >= 0 {
        rest = UnsafeRawBufferPointer(rebasing: rest[written...])
      } else if errno != EINTR && errno != EAGAIN {
        throw .system("write", errno: errno)
      }
    }
  }
}
