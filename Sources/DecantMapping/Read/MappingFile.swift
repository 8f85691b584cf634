internal import DecantBase
internal import DecantPlan
internal import DecantSystem

/// The file of a mapping, which is small, as text.
struct MappingFile {
  /// The maximum size of a mapping file in bytes: a thousand times the size of a long one.
  static let largestByteCount = 1 << 20

  let path: String
  /// The mapping in the file, as far as errors name it.
  private let mapping: Mapping

  /// Creates the file; nothing is read.
  init(_ path: String) { self.init(of: Mapping(place: path)) }

  /// Creates the file of `mapping`, or of a similar text; nothing is read.
  init(of mapping: Mapping) { (path, self.mapping) = (mapping.place, mapping) }

  /// The error for a file that is too large to be a mapping.
  var tooLarge: DecantError {
    DecantError(
      .invalidMapping,
      "“\(path)” is larger than 1 MiB, the limit for a \(mapping.word)",
      remedy: "pass a \(mapping.fileWord), a text file of a few lines"
    )
  }

  /// Returns the characters of the file, without a byte order mark.
  ///
  /// - Returns: The characters.
  /// - Throws: `DecantError` of the family `.usage` if it is not a file of UTF-8 text, `.failed` if it cannot be read.
  func scalars() throws(DecantError) -> [Unicode.Scalar] {
    let bytes = try bytes()
    let isWide = bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE])
    guard !isWide, !bytes.prefix(4).contains(0) else {
      throw DecantError(
        .invalidMapping,
        "“\(path)” is not UTF-8: it looks like UTF-16 or a binary file",
        remedy: "save it as UTF-8"
      )
    }
    let mark = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    return try decode(bytes[mark...])
  }

  private func decode(_ bytes: ArraySlice<UInt8>) throws(DecantError) -> [Unicode.Scalar] {
    var scalars: [Unicode.Scalar] = []
    scalars.reserveCapacity(bytes.count)
    var decoder = UTF8()
    var iterator = bytes.makeIterator()
    while true {
      switch decoder.decode(&iterator) {
      case .scalarValue(let scalar): scalars.append(scalar)
      case .emptyInput: return scalars
      case .error:
        throw mapping.mistake(
          "invalid UTF-8",
          at: MappingLines(scalars).mark(at: scalars.count),
          remedy: "save the file as UTF-8"
        )
      }
    }
  }

  /// Returns the contents of the file; if it is too large, only enough is read to find out.
  private func bytes() throws(DecantError) -> [UInt8] {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw explained(SystemError("read", path)) }
    defer { close(file) }
    guard let status = FileStatus(descriptor: file) else {
      throw explained(SystemError("read", path))
    }
    guard !status.isFolder else { throw explained(SystemError("read", path, code: EISDIR)) }
    guard status.byteCount <= MappingFile.largestByteCount else { throw tooLarge }
    // The size of a pipe's contents is unknown.
    var buffer = [UInt8](repeating: 0, count: MappingFile.largestByteCount + 1)
    var length = 0
    while length < buffer.count {
      let count = buffer.withUnsafeMutableBytes { bytes in
        DecantSystem.read(file, bytes.baseAddress.map { $0 + length }, bytes.count - length)
      }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw explained(SystemError("read", path)) }
      if count == 0 { return Array(buffer[..<length]) }
      length += count
    }
    throw tooLarge
  }

  private func explained(_ error: SystemError) -> DecantError {
    if error.isMissing {
      return DecantError(
        .invalidMapping,
        "there is no \(mapping.fileWord) at “\(path)”",
        remedy: "check the path",
        cause: error
      )
    }
    if error.code == EISDIR {
      return DecantError(
        .invalidMapping,
        "“\(path)” is a folder, but a \(mapping.word) must be a file",
        remedy: "pass the file inside it",
        cause: error
      )
    }
    return DecantError(error)
  }
}
