internal import Decant
internal import Glibc

/// Takes the archive out of a mail: the attachment whose name is that of an archive.
///
/// Read line by line, through parts in parts (RFC 2046), in whichever way mail programs have written it
/// again: base64, quoted-printable, or as it is.
struct MailAttachment {
  private let path: String
  private let descriptor: Int32
  private var boundaries: [String] = []
  private var headers: [(name: String, value: String)] = []
  private var isInHead = true
  private var coding: Coding?
  private var rest: [UInt8] = []
  private var found = 0
  private var headByteCount = 0

  /// What mails need by far: bytes of a part's head, and parts in one another.
  private static let headLimit = 1 << 16
  private static let depthLimit = 20

  /// How the bytes of a part are written as text.
  private enum Coding {
    case base64, quotedPrintable, plain
  }

  /// Writes the attachment of the mail that `lines` has to a new file at `path`.
  ///
  /// - Throws: `ArchiveFault` where there is none, or more than one.
  static func extract(_ lines: LineInput, to path: String) throws {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw DecantError(SystemError("write", path)) }
    defer { close(descriptor) }
    var mail = MailAttachment(path: path, descriptor: descriptor)
    while let line = try lines.nextLine(limit: 1 << 20) { try mail.take(line.bytes) }
    guard mail.found == 1 else {
      throw ArchiveFault(
        mail.found == 0
          ? "the mail has no archive attached" : "the mail has several archives attached",
        remedy: "save the attachment, and name that"
      )
    }
  }

  private mutating func take(_ line: UnsafeRawBufferPointer) throws {
    let bytes = line.last == 0x0d ? UnsafeRawBufferPointer(rebasing: line.dropLast()) : line
    if bytes.starts(with: [0x2d, 0x2d]), takeBoundary(bytes) { return }
    guard isInHead else { return try takeBody(bytes) }
    guard !bytes.isEmpty else { return try endHead() }
    headByteCount += bytes.count
    guard headByteCount <= MailAttachment.headLimit else {
      throw ArchiveFault("a head in the mail is longer than 64 KiB")
    }
    let text = String(decoding: bytes, as: UTF8.self)
    if let first = text.first, first == " " || first == "\t" {
      // A header goes on in the next line.
      if !headers.isEmpty { headers[headers.count - 1].value += " " + text.trimmed }
    } else if let colon = text.firstIndex(of: ":") {
      headers.append(
        (text[..<colon].lowercased(), String(text[text.index(after: colon)...]).trimmed)
      )
    }
  }

  /// Whether the line parts two parts.
  private mutating func takeBoundary(_ line: UnsafeRawBufferPointer) -> Bool {
    let text = String(decoding: line.dropFirst(2), as: UTF8.self).trimmed
    guard let depth = boundaries.lastIndex(where: { text == $0 || text == $0 + "--" }) else {
      return false
    }
    let isLast = text == boundaries[depth] + "--"
    boundaries.removeSubrange((isLast ? depth : depth + 1)...)
    coding = nil
    rest = []
    headers = []
    headByteCount = 0
    isInHead = !isLast
    return true
  }

  private mutating func endHead() throws(ArchiveFault) {
    isInHead = false
    headByteCount = 0
    func header(_ name: String) -> String { headers.first { $0.name == name }?.value ?? "" }
    let type = header("content-type")
    if type.lowercased().hasPrefix("multipart/") {
      if let boundary = MailAttachment.parameter("boundary", of: type) {
        guard boundaries.count < MailAttachment.depthLimit, boundary.utf8.count <= 200 else {
          throw ArchiveFault("the parts of the mail lie too deep in one another")
        }
        boundaries.append(boundary)
      }
    } else if type.lowercased().hasPrefix("message/rfc822") {
      // A mail that was forwarded: its own head follows.
      headers = []
      isInHead = true
    } else {
      let names = [
        MailAttachment.parameter("filename", of: header("content-disposition")),
        MailAttachment.parameter("name", of: type),
      ].compactMap(\.self)
      let isArchive =
        names.contains { ArchivePlace($0, isAsked: false)?.isLines == true }
        || type.lowercased().hasPrefix("application/vnd.decant")
      guard isArchive else { return }
      found += 1
      guard found == 1 else { return }
      coding =
        switch header("content-transfer-encoding").lowercased() {
        case "base64": .base64
        case "quoted-printable": .quotedPrintable
        default: .plain
        }
    }
  }

  /// Returns a parameter of a header; of one with a language or in pieces (RFC 2231) what is plain in it.
  private static func parameter(_ name: String, of header: String) -> String? {
    let parts = header.split(separator: ";").dropFirst().map { String($0).trimmed }
    var pieces = ""
    for part in parts {
      guard let sign = part.firstIndex(of: "=") else { continue }
      let key = part[..<sign].trimmed.lowercased()
      guard key == name || key.hasPrefix(name + "*") else { continue }
      var value = String(part[part.index(after: sign)...]).trimmed
      if value.hasPrefix("\""), value.hasSuffix("\""), value.count >= 2 {
        value = String(value.dropFirst().dropLast())
      }
      pieces += value
    }
    return pieces.isEmpty ? nil : pieces
  }

  private mutating func takeBody(_ line: UnsafeRawBufferPointer) throws {
    switch coding {
    case nil: return
    case .plain: try write(Array(line) + [0x0a])
    case .quotedPrintable: try write(MailAttachment.decodedPrintable(line))
    case .base64:
      rest += line.filter { $0 != 0x20 && $0 != 0x09 }
      let count = rest.count / 4 * 4
      var bytes: [UInt8] = []
      let isValid = rest[..<count].withUnsafeBytes { Base64.decode($0, to: &bytes) }
      guard isValid else { throw ArchiveFault("the attachment is no base64") }
      rest.removeFirst(count)
      try write(bytes)
    }
  }

  private static func decodedPrintable(_ line: UnsafeRawBufferPointer) -> [UInt8] {
    var bytes: [UInt8] = []
    var place = 0
    while place < line.count {
      guard line[place] == 0x3d else {
        bytes.append(line[place])
        place += 1
        continue
      }
      // A sign of equality at the end of a line: it goes on in the next.
      guard place + 2 < line.count else { return bytes }
      let digits = String(decoding: line[(place + 1)...(place + 2)], as: UTF8.self)
      bytes.append(UInt8(digits, radix: 16) ?? 0x3f)
      place += 3
    }
    return bytes + [0x0a]
  }

  private func write(_ bytes: [UInt8]) throws {
    try bytes.withUnsafeBytes { bytes in try Files.write(bytes, to: descriptor, of: path) }
  }
}

extension StringProtocol {
  /// The text without the blanks around it.
  fileprivate var trimmed: String {
    String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
  }
}
