internal import DecantContainers
package import DecantBase
internal import DecantStore

/// The lines of an archive in a file: however they are packed, in a page that shows them, or attached to a
/// mail.
package final class ArchiveStream {
  /// What the archive is called.
  let path: String
  private let limits: ArchiveLimits
  private var container: ContainerReader
  /// The beginning of what is unpacked, and how much of it was read again.
  private var head: [UInt8] = []
  private var headPlace = 0
  private var folder: ScratchFolder?
  private var block: PageBlock?

  /// How the lines lie in what is unpacked.
  private enum Form {
    case lines, page, mail
  }

  /// Opens the file at `path`; `-` is standard input.
  ///
  /// - Throws: `DecantError` where it cannot be unpacked, or holds no archive.
  package init(_ path: String, limits: ArchiveLimits) throws(DecantError) {
    self.path = path
    self.limits = limits
    container = try ArchiveStream.container(path, path, limits)
    head = try ArchiveStream.head(of: container, path)
    switch ArchiveStream.form(of: head) {
    case .lines: return
    case .page:
      block = PageBlock { [unowned self] buffer throws(DecantError) in try plainReader(buffer) }
    case .mail: try openAttachment()
    case nil:
      let isDatabase = head.starts(with: Array("SQLite format 3".utf8))
      throw DecantError(
        .notAStore,
        isDatabase ? "“\(path)” is not an archive" : "cannot import “\(path)”",
        place: isDatabase
          ? "it is a SQLite database"
          : "it is not an archive, a page, a mail, or a recipe file that decant supports",
        remedy: isDatabase
          ? "use decant merge to merge a store into another, decant copy to make a new one"
          : "check its type: file \(path.shellQuoted)"
      )
    }
  }

  /// The lines; at their end the checksums of what packs them are known to be right.
  package var lines: LineInput {
    guard block != nil else { return LineInput(plainReader) }
    return LineInput { [self] buffer throws(DecantError) in
      let count = try block?.read(into: buffer) ?? 0
      guard count > 0 || block?.isFound == true else {
        throw DecantError(
          .notAStore,
          "the page “\(path)” does not contain an archive",
          remedy: "saving a page again can drop it: get the original file"
        )
      }
      return count
    }
  }

  /// Reads on in what is unpacked, from its beginning.
  private var plainReader: (UnsafeMutableRawBufferPointer) throws(DecantError) -> Int {
    { [self] buffer throws(DecantError) in
      guard headPlace < head.count else {
        return try ArchiveStream.explaining(path) { () throws(ContainerError) in
          try container.read(into: buffer)
        }
      }
      let count = min(head.count - headPlace, buffer.count)
      buffer.copyBytes(from: head[headPlace..<(headPlace + count)])
      headPlace += count
      return count
    }
  }

  /// Takes the attachment out of a mail, and reads on in that.
  private func openAttachment() throws(DecantError) {
    let folder = try ScratchFolder()
    let file = "\(folder.path)/attachment"
    let lines = LineInput(plainReader)
    try ArchiveFault.telling(path) { try MailAttachment.extract(lines, to: file) }
    self.folder = folder
    container = try ArchiveStream.container(file, path, limits)
    head = try ArchiveStream.head(of: container, path)
    headPlace = 0
    guard ArchiveStream.form(of: head) == .lines else {
      throw ArchiveFault("the attachment of the mail is not an archive").error(path, line: nil)
    }
  }

  /// Throws unless all was read: what else there is would be passed over silently.
  package func finish() throws(DecantError) {
    let next = try ArchiveStream.explaining(path) { () throws(ContainerError) in
      try container.nextOwnMember()
    }
    guard next != nil else { return }
    throw DecantError(
      .notAStore,
      "“\(path)” contains more than one file",
      remedy: "unpack it and pass the archives in it"
    )
  }
}

// What a file holds.
extension ArchiveStream {
  /// Whether the file at `path` holds an archive, by what is in it.
  ///
  /// What cannot be opened or unpacked is none: whoever opens it says why.
  package static func isArchive(_ path: String) -> Bool {
    guard let status = FileStatus(path), status.isFile, status.byteCount > 0,
      let container = try? container(path, path, ArchiveLimits()),
      let head = try? head(of: container, path), let form = form(of: head)
    else { return false }
    guard form != .lines else { return true }
    // Other pages and mails show recipes as well.
    guard let stream = try? ArchiveStream(path, limits: ArchiveLimits()) else { return false }
    return (try? stream.lines.nextLine(limit: 1 << 24)) != nil
  }

  /// Whether there is nothing else beside the archive in the file at `path`.
  package static func isAlone(_ path: String) -> Bool {
    guard let container = try? container(path, path, ArchiveLimits()) else { return false }
    return ((try? container.nextOwnMember()) ?? nil) == nil
  }

  /// Whether what begins with `head` is an archive's lines.
  package static func isArchive(head: [UInt8]) -> Bool { form(of: head) == .lines }

  /// Whether what begins with `head` is a page that decant has written.
  package static func isOwnPage(head: [UInt8]) -> Bool {
    form(of: head) == .page && head.contains(Array("name=\"generator\" content=\"decant\"".utf8))
  }

  /// Whether what begins with `head` is a mail, to which an archive may be attached.
  package static func isMail(head: [UInt8]) -> Bool { form(of: head) == .mail }

  /// Opens the first stream in the file at `file`, which goes by the name `path`.
  private static func container(_ file: String, _ path: String, _ limits: ArchiveLimits)
    throws(DecantError) -> ContainerReader
  {
    try explaining(path) { () throws(ContainerError) in
      let reader =
        file == ArchivePlace.pipe
        ? try ContainerReader(descriptor: 0, limits: limits.container)
        : try ContainerReader(path: file, limits: limits.container)
      guard try reader.nextOwnMember() != nil else {
        throw ContainerError.damaged("it contains no file")
      }
      return reader
    }
  }

  /// The first 64 KiB of what is unpacked, or all of it.
  private static func head(of container: ContainerReader, _ path: String) throws(DecantError) -> [UInt8] {
    var head = [UInt8](repeating: 0, count: 1 << 16)
    var filled = 0
    while filled < head.count {
      let from = filled
      var failure: ContainerError?
      let count = head.withUnsafeMutableBytes { buffer -> Int in
        do throws(ContainerError) {
          return try container.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[from...]))
        } catch {
          failure = error
          return 0
        }
      }
      if let failure {
        // What is there may do to tell what it is; the failure comes again where it is read.
        guard filled == 0 else { break }
        try explaining(path) { () throws(ContainerError) in throw failure }
      }
      guard count > 0 else { break }
      filled += count
    }
    return Array(head[..<filled])
  }

  private static func form(of head: [UInt8]) -> Form? {
    let blanks: Set<UInt8> = [0x20, 0x09, 0x0a, 0x0d, 0xef, 0xbb, 0xbf]
    switch head.first(where: { !blanks.contains($0) }) {
    case 0x7b: return hasVersion(head) ? .lines : nil
    case 0x3c: return .page
    case nil: return nil
    // A database, or whatever else is no text: every store is asked, and few are mails.
    case _ where head.prefix(1024).contains(0): return nil
    default:
      // In bytes: to Swift a CR with its LF is one character.
      let lines = [0x0a] + head.map { (0x41...0x5a).contains($0) ? $0 + 0x20 : $0 }
      let isMail = ["\nmime-version:", "\ncontent-type:"].contains {
        lines.contains(Array($0.utf8))
      }
      return isMail ? .mail : nil
    }
  }

  /// Whether `head` tells the version of an archive.
  ///
  /// Recipes that decant has written have an object of that name.
  private static func hasVersion(_ head: [UInt8]) -> Bool {
    var rest = head[...]
    let name = Array("\"decant\"".utf8)
    while let range = rest.firstRange(of: name) {
      rest = rest[range.upperBound...].drop { $0 == 0x20 || $0 == 0x09 }
      guard rest.first == 0x3a else { continue }
      rest = rest.dropFirst().drop { $0 == 0x20 || $0 == 0x09 }
      if rest.first != 0x7b { return true }
    }
    return false
  }

  /// Runs `body`; what it says of the bytes becomes an error that names the file.
  fileprivate static func explaining<Result>(
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
          .unpackLimitExceeded,
          "cannot read “\(path)”: \(error)",
          remedy: "if you trust the file, allow more: \(say: kind.option)"
        )
      default:
        throw DecantError(.damaged, "cannot read “\(path)”: \(error)", remedy: ArchiveReceipt.remedy, cause: error)
      }
    }
  }
}

extension ContainerLimits.Kind {
  /// The option that sets it.
  fileprivate var option: DecantError.Option {
    switch self {
    case .totalByteCount: .maxBytes
    case .memberCount: .maxMembers
    case .depth: .maxNesting
    case .expansion: .maxExpansion
    }
  }
}

extension ArchiveLimits {
  /// No limits but those of the format: for what decant has just written itself.
  package static var own: ArchiveLimits {
    var limits = ArchiveLimits()
    limits.totalByteCount = .max
    limits.memberCount = .max
    limits.expansion = .max
    limits.objectCount = .max
    return limits
  }
}

extension [UInt8] {
  /// Whether `other` stands somewhere in the bytes.
  fileprivate func contains(_ other: [UInt8]) -> Bool {
    guard let first = other.first, count >= other.count else { return other.isEmpty }
    return withUnsafeBufferPointer { bytes in
      var place = 0
      while place <= bytes.count - other.count {
        if bytes[place] == first, bytes[place..<(place + other.count)].elementsEqual(other) {
          return true
        }
        place += 1
      }
      return false
    }
  }
}

extension ContainerReader {
  /// Goes on to the next member that somebody put there, past links, and what macOS adds to every zip.
  fileprivate func nextOwnMember() throws(ContainerError) -> ContainerMember? {
    while let member = try nextMember() {
      let name = member.name ?? ""
      let isOwn = !name.hasPrefix("__MACOSX/") && !name.hasSuffix(".DS_Store")
      if isOwn, member.kind == .file { return member }
    }
    return nil
  }
}
