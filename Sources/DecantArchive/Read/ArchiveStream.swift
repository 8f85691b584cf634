internal import DecantContainers
package import DecantBase
internal import DecantStore
internal import DecantSystem

/// The lines of an archive in a file: in any compression, in a page, or attached to a mail.
package final class ArchiveStream {
  /// The name of the archive.
  let path: String
  private let limits: ArchiveLimits
  private var container: ContainerReader
  /// The beginning of the unpacked content, and how much of it was read again.
  private var head: [UInt8] = []
  private var headPlace = 0
  private var folder: ScratchFolder?
  private var block: PageBlock?

  /// The form of the unpacked content.
  private enum Form {
    case lines, page, mail
  }

  /// Opens the file at `path`; `-` is standard input.
  ///
  /// - Throws: `DecantError` if it cannot be unpacked or is not an archive.
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
          ? "use \(command: "merge", app: "a merge") to merge a store into another, \(command: "copy", app: "a copy") to make a new one"
          : "check its type\(shell: ": file \(path.shellQuoted)", app: " and where it is from")"
      )
    }
  }

  /// The lines; the checksums of the container have been verified at their end.
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

  /// A function that reads the unpacked content from its beginning.
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

  /// Extracts the attachment of a mail, and continues with it.
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

  /// Throws unless everything was read: other content would be ignored silently.
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

// Detecting the format of a file.
extension ArchiveStream {
  /// Whether the file at `path` is an archive, detected from its content.
  ///
  /// A file that cannot be opened or unpacked is not one; opening it reports the reason.
  package static func isArchive(_ path: String) -> Bool {
    guard let status = FileStatus(path), status.isFile, status.byteCount > 0,
      let container = try? container(path, path, ArchiveLimits()),
      let head = try? head(of: container, path), let form = form(of: head)
    else { return false }
    guard form != .lines else { return true }
    // Other pages and mails contain recipes.
    guard let stream = try? ArchiveStream(path, limits: ArchiveLimits()) else { return false }
    return (try? stream.lines.nextLine(limit: 1 << 24)) != nil
  }

  /// Whether the file at `path` contains nothing besides the archive.
  package static func isAlone(_ path: String, _ limits: ArchiveLimits) -> Bool {
    guard let container = try? ContainerReader(path: path, limits: limits.container),
      let first = try? container.nextOwnMember()
    else { return false }
    // A stream without a name is the only content of its container.
    return first.nameBytes == nil || ((try? container.nextOwnMember()) ?? nil) == nil
  }

  /// Whether content that begins with `head` consists of lines of an archive.
  package static func isArchive(head: [UInt8]) -> Bool { form(of: head) == .lines }

  /// Whether content that begins with `head` is a page that decant has written.
  package static func isOwnPage(head: [UInt8]) -> Bool {
    form(of: head) == .page && head.place(of: "name=\"generator\" content=\"decant\"") != nil
  }

  /// Whether content that begins with `head` is a page or a mail, or consists of lines of an archive.
  package static func mayHoldArchive(head: [UInt8]) -> Bool { form(of: head) != nil }

  /// Whether content that begins with `head` is a mail, to which an archive may be attached.
  package static func isMail(head: [UInt8]) -> Bool { form(of: head) == .mail }

  /// Opens the first stream in the file at `file`, which errors name `path`.
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

  /// Returns the first 64 KiB of the unpacked content, or all of it.
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
        // The bytes so far may suffice for detection; the error occurs again when they are read.
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
    // A database or another binary file: this is checked for every store, and few are mails.
    case _ where head.prefix(1024).contains(0): return nil
    default:
      // In bytes, because Swift treats CR and LF as one character.
      let lines = [0x0a] + head.map { (0x41...0x5a).contains($0) ? $0 + 0x20 : $0 }
      let isMail = ["\nmime-version:", "\ncontent-type:"].contains {
        lines.place(of: $0) != nil
      }
      return isMail && !isSavedPage(head: head) ? .mail : nil
    }
  }

  /// Whether content that begins with `head` is a page that a browser saved in the form of a mail.
  package static func isSavedPage(head: [UInt8]) -> Bool {
    // The first byte rules out most files: a header begins with a letter.
    guard let first = head.first, (0x41...0x5a).contains(first & 0xdf) else { return false }
    let start = String(decoding: head.prefix(1 << 12), as: UTF8.self).lowercased()
    let lines = start.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    let headers = lines.prefix { !$0.isEmpty }
    return headers.first?.contains(":") == true && headers.contains { $0.contains("multipart/related") }
      && headers.contains { $0.hasPrefix("content-type:") }
      && !headers.contains { $0.hasPrefix("received:") || $0.hasPrefix("to:") || $0.hasPrefix("x-unsent:") }
  }

  /// Whether `head` has the version of an archive.
  ///
  /// Recipes written by decant have an object of that name.
  private static func hasVersion(_ head: [UInt8]) -> Bool {
    let name = "\"decant\""
    var place = 0
    while let found = head.place(of: name, from: place) {
      place = found + name.utf8.count
      var rest = head[place...].drop { $0 == 0x20 || $0 == 0x09 }
      guard rest.first == 0x3a else { continue }
      rest = rest.dropFirst().drop { $0 == 0x20 || $0 == 0x09 }
      if rest.first != 0x7b { return true }
    }
    return false
  }

  /// Runs `body`; converts its error about the bytes to one that names the file.
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
      case .encrypted, .unsupported:
        throw DecantError(
          .damaged,
          "cannot read “\(path)”: \(error)",
          remedy: "unpack it with the program that packed it, then import its files",
          cause: error
        )
      default:
        throw DecantError(.damaged, "cannot read “\(path)”: \(error)", remedy: ArchiveReceipt.remedy, cause: error)
      }
    }
  }
}

extension ContainerLimits.Kind {
  /// The option that sets the limit.
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
  /// No limits except those of the format, for archives that decant has just written itself.
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
  /// Whether the bytes contain `other`.
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
  /// Moves to the next member added by the user, skipping links and the extra files of macOS.
  fileprivate func nextOwnMember() throws(ContainerError) -> ContainerMember? {
    while let member = try nextMember() {
      let name = member.name ?? ""
      let isOwn = !name.hasPrefix("__MACOSX/") && !name.hasSuffix(".DS_Store")
      if isOwn, member.kind == .file { return member }
    }
    return nil
  }
}

extension [UInt8] {
  /// Returns where `text` begins in the bytes from `start` on; `nil` if they do not contain it.
  ///
  /// The standard library's search takes a hundred times as long, and this runs for each file of recipes.
  fileprivate func place(of text: String, from start: Int = 0) -> Int? {
    let wanted = Array(text.utf8)
    return withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress, let first = wanted.first else { return nil }
      var place = start
      while place + wanted.count <= bytes.count,
        let found = memchr(base + place, Int32(first), bytes.count - wanted.count - place + 1)
      {
        place = UnsafeRawPointer(found) - base
        if memcmp(found, wanted, wanted.count) == 0 { return place }
        place += 1
      }
      return nil
    }
  }
}
