internal import DecantSystem

/// A stream of bytes that is read once, from the first to the last.
protocol ByteSource: AnyObject {
  /// Reads into the start of `buffer`, which is not empty; returns the number of bytes, or 0 at the end.
  ///
  /// The end is returned only if everything around the bytes is valid, including checksums and trailing data.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(ContainerError) -> Int

  /// The descriptor of the file that contains exactly these bytes; `nil` if there is none.
  var file: Int32? { get }
}

extension ByteSource {
  var file: Int32? { nil }
}

/// The bytes of a descriptor, of a file or a pipe.
final class DescriptorSource: ByteSource {
  private let descriptor: Int32
  private let isOwned: Bool
  /// Whether it is a file that was at its beginning.
  private let isWhole: Bool

  /// Reads from a descriptor that the caller closes.
  init(_ descriptor: Int32) {
    self.descriptor = descriptor
    isOwned = false
    isWhole = DescriptorSource.isWhole(descriptor)
  }

  /// Opens a file.
  init(path: String) throws(ContainerError) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .system("open", errno: errno) }
    self.descriptor = descriptor
    isOwned = true
    isWhole = DescriptorSource.isWhole(descriptor)
  }

  var file: Int32? { isWhole ? descriptor : nil }

  private static func isWhole(_ descriptor: Int32) -> Bool {
    var status = stat()
    return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
      && lseek(descriptor, 0, SEEK_CUR) == 0
  }

  deinit {
    if isOwned { close(descriptor) }
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(ContainerError) -> Int {
    while true {
      let count = DecantSystem.read(descriptor, buffer.baseAddress, buffer.count)
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

/// The bytes that a function returns.
final class FunctionSource: ByteSource {
  private let fill: (UnsafeMutableRawBufferPointer) throws(ContainerError) -> Int

  init(_ fill: @escaping (UnsafeMutableRawBufferPointer) throws(ContainerError) -> Int) {
    self.fill = fill
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(ContainerError) -> Int {
    try fill(buffer)
  }
}
