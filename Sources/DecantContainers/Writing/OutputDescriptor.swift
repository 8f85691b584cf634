internal import DecantSystem
internal import Synchronization

/// The descriptor for packed bytes, opened and closed by the caller.
///
/// One thread writes; any other may cancel.
final class OutputDescriptor: Sendable {
  private let descriptor: Int32
  /// Whether a write may block on a reader, so that cancellation must be checked from time to time.
  private let mayBlock: Bool
  private let isCancelled = Atomic(false)
  private let writtenCount = Atomic(0)

  /// The number of bytes written so far.
  var byteCount: Int { writtenCount.load(ordering: .relaxed) }

  init(_ descriptor: Int32) {
    self.descriptor = descriptor
    var status = stat()
    // write() reports a descriptor that is not open; poll() would wait forever for a negative one.
    mayBlock = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT != S_IFREG
  }

  /// Makes a write that waits for a reader, and every later one, fail within 50 ms.
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
      // A pipe that poll() reports as ready accepts this many bytes without blocking.
      let count = mayBlock ? min(rest.count, Int(PIPE_BUF)) : rest.count
      let written = DecantSystem.write(descriptor, rest.baseAddress, count)
      if written >= 0 {
        writtenCount.wrappingAdd(written, ordering: .relaxed)
        rest = UnsafeRawBufferPointer(rebasing: rest[written...])
      } else if errno != EINTR && errno != EAGAIN {
        throw .system("write", errno: errno)
      }
    }
  }
}
