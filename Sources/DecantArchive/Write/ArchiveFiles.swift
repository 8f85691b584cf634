package import DecantContainers
package import DecantBase
internal import DecantStore
internal import DecantSystem

/// The file of an archive, or its parts; they get their names only when all are complete.
package final class ArchiveFiles {
  private let place: ArchivePlace
  private let compression: Compression
  private let level: Int?
  private let partLimit: Int64?
  private let replaces: Bool
  /// The function that returns the header line of a part, by its number.
  package var header: ((_ part: Int) -> [UInt8])?
  private(set) var files: [PartialFile] = []
  /// Notes about their content.
  package var notes: [ReportNote] = []
  private var descriptor: Int32 = -1
  private var writer: ContainerWriter?
  private var partByteCount: Int64 = 0
  /// The number of bytes of all headers but the first.
  package private(set) var repeatedByteCount: Int64 = 0

  /// Begins the first file.
  ///
  /// - Parameters:
  ///   - place: The path of the archive, which must not exist.
  ///   - compression: The compression.
  ///   - level: The compression level.
  ///   - partLimit: The maximum size of a part in bytes before compression; `nil` for one file.
  ///   - replaces: Whether a file may exist; publishing replaces it.
  /// - Throws: `DecantError` if the file exists, cannot be written, or the level is invalid.
  package init(
    _ place: ArchivePlace,
    _ compression: Compression,
    level: Int?,
    partLimit: Int64?,
    replaces: Bool = false
  ) throws(DecantError) {
    self.replaces = replaces
    self.place = place
    self.compression = compression
    self.level = level
    self.partLimit = partLimit
    do throws(DecantError) {
      try begin()
    } catch {
      abandon()
      throw error
    }
  }

  deinit { if descriptor > 2 { close(descriptor) } }

  /// The number of parts so far.
  package var partCount: Int { max(files.count, 1) }
  private var isLastPart = false

  /// Makes the current part the last one, and returns the number of parts.
  package func lastPart() -> Int {
    isLastPart = true
    return partCount
  }

  /// The paths of the finished files until they are published.
  package var paths: [String] { files.map(\.path) }

  /// Their total size.
  var byteCount: Int64 { paths.reduce(0) { $0 + (FileStatus($1)?.byteCount ?? 0) } }

  private func begin() throws(DecantError) {
    partByteCount = 0
    guard place.path != ArchivePlace.pipe else {
      descriptor = 1
      return try open()
    }
    let number = files.count + 1
    let name = partLimit == nil ? place.path : place.name(ofPart: number)
    if !replaces { try OutputFile.checkIsNew(name) }
    let file = try PartialFile(for: name)
    files.append(file)
    try file.clear()
    descriptor = DecantSystem.open(file.path, O_WRONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw DecantError(SystemError("write", file.path)) }
    try open()
  }

  private func open() throws(DecantError) {
    do throws(ContainerError) {
      writer = try ContainerWriter(descriptor: descriptor, compression, level: level)
    } catch {
      throw self.error(error)
    }
  }

  /// Writes whole lines; begins another part if the current one is full.
  package func write(_ lines: UnsafeRawBufferPointer) throws(DecantError) {
    if let partLimit, !isLastPart, partByteCount > 0, partByteCount + Int64(lines.count) > partLimit {
      try end()
      try begin()
      if let line = header?(files.count) {
        repeatedByteCount += Int64(line.count)
        let result = line.withUnsafeBytes { line in
          Result { () throws(DecantError) in try pack(line) }
        }
        try result.get()
      }
    }
    try pack(lines)
  }

  private func pack(_ lines: UnsafeRawBufferPointer) throws(DecantError) {
    partByteCount += Int64(lines.count)
    do throws(ContainerError) {
      try writer?.write(lines)
    } catch {
      throw self.error(error)
    }
  }

  /// Ends the last file.
  package func end() throws(DecantError) {
    do throws(ContainerError) {
      try writer?.finish()
    } catch {
      throw self.error(error)
    }
    writer = nil
    guard descriptor > 2 else { return }
    let result = close(descriptor)
    descriptor = -1
    guard result == 0 else { throw DecantError(SystemError("write", files.last?.path ?? "")) }
  }

  /// Gives the files their names.
  package func publish() throws(DecantError) {
    // No file has its name yet, so cancelling leaves nothing behind.
    try explaining { () throws(SystemError) in
      for file in files { try Files.syncInPieces(file.path) }
    }
    for file in files { try file.publish() }
  }

  /// Removes the written files.
  package func abandon() {
    writer = nil
    for file in files { file.remove() }
  }

  private func error(_ error: ContainerError) -> DecantError {
    let path = files.last?.path ?? "standard output"
    switch error {
    case .system(_, let code) where code == EPIPE && files.isEmpty:
      return DecantError(.outputFailed, "the reader of standard output closed the pipe: the archive is incomplete")
    case .system(_, let code): return DecantError(SystemError("write", path, code: code))
    case .invalidLevel:
      return DecantError(.unsuitableOption, "\(error)", remedy: "pass another \(say: .level), or none")
    default: return DecantError(.systemFailed, "cannot write “\(path)”: \(error)")
    }
  }
}
