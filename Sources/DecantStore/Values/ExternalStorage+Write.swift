internal import DecantBase
internal import DecantSystem

extension ExternalStorage {
  /// Writes the pieces that `content` passes to a new file called `name`, which must be a plain name.
  ///
  /// If two objects use the same file, each gets its own.
  ///
  /// - Parameters:
  ///   - name: The name of the file.
  ///   - object: The object, for the name of a second file.
  ///   - content: Passes the bytes.
  /// - Returns: The value that refers to the file.
  /// - Throws: `DecantError` if the file cannot be written, and errors of `content`.
  package func write(
    _ name: String,
    of object: String,
    _ content: ((UnsafeRawBufferPointer) throws -> Void) throws -> Void
  ) throws -> [UInt8] {
    var name = name
    try explaining { () throws(SystemError) in try Files.makeFolder(folder) }
    if FileStatus(unfollowed: "\(folder)/\(name)") != nil {
      name = newFileName(after: "\(folder)/\(name) \(object)")
    }
    let path = "\(folder)/\(name)"
    let descriptor = DecantSystem.open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw DecantError(SystemError("write", path)) }
    defer { close(descriptor) }
    try content { piece in
      try explaining { () throws(SystemError) in try Files.write(piece, to: descriptor, of: path) }
    }
    return reference(to: name)
  }
}
