internal import Glibc

/// Bytes that are read once, from the first to the last.
protocol ByteSource: AnyObject {
  /// Reads into the start of `buffer`, which is not empty, and returns how many bytes; 0 at the end.
  ///
  /// The end is told only where everything around the bytes is sound, checksums and what follows
  /// included.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(ContainerError) -> Int
}

/// What a descriptor gives, be it of a file or of a pipe.
final class DescriptorSource: ByteSource {
  private let descriptor: Int32
  private let isOwned: Bool

  /// Reads from a descriptor that somebody else closes.
  init(_ descriptor: Int32) {
    self.descriptor = descriptor
    isOwned = false
  }

  /// Opens a file.
  init(path: String) throws(ContainerError) {
    descriptor = open(path, O_RDONLY | O_CLOEXEC)
    isOwned = true
    guard descriptor >= 0 else { throw .system("open", errno: errno) }
  }

  deinit {
    if isOwned && descriptor >= 0 { close(descriptor) }
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(ContainerError) -> Int {
    while true {
      let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
      if count >= 0 { return count }
      switch errno {
      case EINTR: continue
      case EAGAIN:
        var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        poll(&request, 1, -1)
      default: throw .system("read", errno: errno)
      }
    }
  }
}

/// What a function gives.
final class FunctionSource: ByteSource {
  private let fill: (UnsafeMutableRawBufferPointer) throws(ContainerError) -> Int

  init(_ fill: @escaping (UnsafeMutableRawBufferPointer) throws(ContainerError) -> Int) {
    self.fill = fill
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(ContainerError) -> Int {
    try fill(buffer)
  }
}
