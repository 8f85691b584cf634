internal import DecantSystem

/// Bytes that are read once, from the first to the last.
protocol ByteSource: AnyObject {
  /// Reads into the start of `buffer`, which is not empty, and returns how many bytes; 0 at the end.
  ///
  /// The end is told only where everything around the bytes is sound, checksums and what follows
  /// included.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(ContainerError) -> Int

  /// The descriptor of the file whose bytes these are, from its first to its last; `nil` where it is none.
  var file: Int32? { get }
}

extension ByteSource {
  var file: Int32? { nil }
}

/// What a descriptor gives, be it of a file or of a pipe.
final class DescriptorSource: ByteSource {
  private let descriptor: Int32
  private let isOwned: Bool
  /// Whether it is a file, and was at its beginning.
  private let isWhole: Bool

  /// Reads from a descriptor that somebody else closes.
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
