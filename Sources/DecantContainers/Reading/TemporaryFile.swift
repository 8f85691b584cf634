internal import DecantSystem

/// An unnamed file, which is deleted with this object or its process.
final class TemporaryFile {
  let descriptor: Int32

  /// Copies the rest of `input`, for formats that cannot be read from the first byte to the last.
  init(_ input: BufferedInput) throws(ContainerError) {
    let folder = getenv("TMPDIR").map { String(cString: $0) } ?? ""
    var path = Array("\(folder.isEmpty ? "/tmp" : folder)/decant-XXXXXX".utf8CString)
    descriptor = mkstemp(&path)
    guard descriptor >= 0 else { throw .system("mkstemp", errno: errno) }
    unlink(path)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    let output = OutputDescriptor(descriptor)
    while try input.has(1) {
      try output.write(input.window)
      input.skip(input.window.count)
    }
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }
}
