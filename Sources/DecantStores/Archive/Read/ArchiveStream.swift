internal import Containers
internal import Decant

/// The lines in a file, however they are packed.
enum ArchiveStream {
  /// Opens the first stream in the file at `path`; `-` is standard input.
  static func container(_ path: String, limits: ArchiveLimits) throws(DecantError)
    -> ContainerReader
  {
    try explaining(path) { () throws(ContainerError) in
      let reader =
        path == ArchivePlace.pipe
        ? try ContainerReader(descriptor: 0, limits: limits.container)
        : try ContainerReader(path: path, limits: limits.container)
      guard try reader.nextMember() != nil else {
        throw ContainerError.damaged("there is no file in it")
      }
      return reader
    }
  }

  /// Whether the file at `path` holds an archive, by what is in it.
  ///
  /// What cannot be opened or unpacked is none: whoever opens it says why.
  static func isArchive(_ path: String) throws(DecantError) -> Bool {
    guard let status = FileStatus(path), status.isFile, status.byteCount > 0 else { return false }
    var start = [UInt8](repeating: 0, count: 4096)
    let count: Int
    do throws(ContainerError) {
      let reader = try ContainerReader(path: path)
      guard try reader.nextMember() != nil else { return false }
      var filled = 0
      while filled < start.count {
        let from = filled
        var failure: ContainerError?
        let read = start.withUnsafeMutableBytes { buffer -> Int in
          do throws(ContainerError) {
            return try reader.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[from...]))
          } catch {
            failure = error
            return 0
          }
        }
        if let failure { throw failure }
        guard read > 0 else { break }
        filled += read
      }
      count = filled
    } catch {
      return false
    }
    let text = start[..<count]
    let blanks: Set<UInt8> = [0x20, 0x09, 0x0a, 0x0d]
    guard text.first(where: { !blanks.contains($0) }) == 0x7b else { return false }
    return text.contains(Array("\"decant\"".utf8))
  }

  /// The lines of the member at hand; at its end its checksum is known to be right.
  static func lines(_ container: ContainerReader, of path: String) -> LineInput {
    LineInput { buffer throws(DecantError) in
      try explaining(path) { () throws(ContainerError) in try container.read(into: buffer) }
    }
  }

  /// Throws unless the member at hand was the last: what else there is would be passed over silently.
  static func checkIsLast(_ container: ContainerReader, _ path: String) throws(DecantError) {
    let next = try explaining(path) { () throws(ContainerError) in try container.nextMember() }
    guard next != nil else { return }
    throw DecantError(
      .corruptStore,
      "there is more than one file in “\(path)”",
      remedy: "unpack it, and name the archives in it"
    )
  }

  /// Runs `body`; what it says of the bytes becomes an error that names the file.
  static func explaining<Result>(
    _ path: String,
    _ body: () throws(ContainerError) -> Result
  ) throws(DecantError) -> Result {
    do throws(ContainerError) {
      return try body()
    } catch {
      switch error {
      case .system(_, let code): throw DecantError(SystemError("read", path, code: code))
      case .exceeded(let kind, _):
        throw DecantError(
          .corruptStore,
          "cannot read “\(path)”: \(error)",
          remedy: "if you trust the file, allow more: \(kind.option)"
        )
      default:
        throw DecantError(
          .corruptStore,
          "cannot read “\(path)”: \(error)",
          remedy: ArchiveReceipt.remedy
        )
      }
    }
  }
}

extension ContainerLimits.Kind {
  /// The option that sets it.
  fileprivate var option: String {
    switch self {
    case .totalByteCount: "--max-bytes"
    case .memberCount: "--max-members"
    case .depth: "--max-nesting"
    case .expansion: "--max-expansion"
    }
  }
}

extension ArchiveLimits {
  /// No limits but those of the format: for what decant has just written itself.
  static var own: ArchiveLimits {
    var limits = ArchiveLimits()
    limits.totalByteCount = .max
    limits.expansion = .max
    limits.objectCount = .max
    return limits
  }
}

extension ArraySlice<UInt8> {
  /// Whether `other` stands somewhere in the bytes.
  fileprivate func contains(_ other: [UInt8]) -> Bool {
    guard count >= other.count else { return false }
    return (startIndex...(endIndex - other.count)).contains { place in
      self[place..<(place + other.count)].elementsEqual(other)
    }
  }
}
