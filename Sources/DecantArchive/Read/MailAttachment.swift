internal import DecantBase64
internal import DecantBase
internal import DecantPlan
internal import DecantSystem

/// Extracts the archive from a mail: the attachment with the name of an archive.
///
/// It reads line by line, through nested parts (RFC 2046), in any encoding that mail programs use: base64,
/// quoted-printable, or plain.
struct MailAttachment {
  private let path: String
  private let descriptor: Int32
  private var boundaries: [String] = []
  /// The relevant headers of the current part, in bytes.
  private var headers: [String: [UInt8]] = [:]
  /// The header that the next line may continue.
  private var openHeader: String?
  private var isInHead = true
  /// Whether a line break is pending: the last one before a boundary belongs to the boundary.
  private var breaksLine = false
  private var coding: Coding?
  private var base64 = Base64Decoder(.blanks)
  private var decoded: [UInt8] = []
  private var found = 0
  /// Whether base64 ended within a group of four characters.
  private var isCut = false

  /// The transfer encoding of a part.
  private enum Coding {
    case base64, quotedPrintable, plain
  }

  /// Writes the attachment of the mail in `lines` to a new file at `path`.
  ///
  /// - Throws: `ArchiveFault` if there is none, or more than one.
  static func extract(_ lines: LineInput, to path: String) throws {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw DecantError(SystemError("write", path)) }
    defer { close(descriptor) }
    var mail = MailAttachment(path: path, descriptor: descriptor)
    while let line = try lines.nextLine(limit: 1 << 20) { try mail.take(line.bytes) }
    guard mail.base64.isWhole, !mail.isCut else {
      throw ArchiveFault("the attachment is truncated", remedy: ArchiveReceipt.remedy)
    }
    guard mail.found == 1 else {
      throw ArchiveFault(
        mail.found == 0
          ? "the mail has no archive attached" : "the mail has several archives attached",
        remedy: "save the attachment and pass that file"
      )
    }
  }

  private mutating func take(_ line: UnsafeRawBufferPointer) throws {
    let bytes = line.last == 0x0d ? UnsafeRawBufferPointer(rebasing: line.dropLast()) : line
    if bytes.starts(with: [0x2d, 0x2d]), takeBoundary(bytes) { return }
    guard isInHead else { return try takeBody(bytes) }
    guard let first = bytes.first else { return try endHead() }
    if first == 0x20 || first == 0x09 {
      // The line continues a header.
      if let openHeader { try add(bytes, to: openHeader) }
      return
    }
    openHeader = nil
    // All relevant headers begin with “c”; there may be any number of others.
    guard first | 0x20 == 0x63, let colon = bytes.firstIndex(of: 0x3a), colon < 40 else { return }
    let name = String(decoding: bytes[..<colon], as: UTF8.self).lowercased()
    guard MailAttachment.headerNames.contains(name), headers[name] == nil else { return }
    openHeader = name
    try add(UnsafeRawBufferPointer(rebasing: bytes[(colon + 1)...]), to: name)
  }

  private static let headerNames: Set = [
    "content-type", "content-disposition", "content-transfer-encoding",
  ]
  /// The limits for a header's size and the depth of parts: far more than mail programs write.
  private static let headerByteLimit = 1 << 16
  private static let depthLimit = 100

  private mutating func add(_ bytes: UnsafeRawBufferPointer, to name: String) throws(ArchiveFault) {
    let count = (headers[name]?.count ?? 0) + bytes.count
    guard count <= MailAttachment.headerByteLimit else {
      throw ArchiveFault("a header of the mail is longer than 64 KiB", remedy: "save the attachment and pass that file")
    }
    headers[name, default: []] += bytes
  }

  /// Whether the line is a boundary between two parts.
  private mutating func takeBoundary(_ line: UnsafeRawBufferPointer) -> Bool {
    let text = String(decoding: line.dropFirst(2), as: UTF8.self).trimmed
    guard let depth = boundaries.lastIndex(where: { text == $0 || text == $0 + "--" }) else {
      return false
    }
    let isLast = text == boundaries[depth] + "--"
    boundaries.removeSubrange((isLast ? depth : depth + 1)...)
    isCut = isCut || !base64.isWhole
    base64 = Base64Decoder(.blanks)
    coding = nil
    beginHead()
    isInHead = !isLast
    return true
  }

  private mutating func beginHead() {
    headers = [:]
    openHeader = nil
    isInHead = true
  }

  private mutating func endHead() throws(ArchiveFault) {
    isInHead = false
    func header(_ name: String) -> String {
      String(decoding: headers[name] ?? [], as: UTF8.self).trimmed
    }
    let type = header("content-type")
    if type.lowercased().hasPrefix("multipart/") {
      if let boundary = MailAttachment.parameter("boundary", of: type) {
        guard boundaries.count < MailAttachment.depthLimit else {
          throw ArchiveFault(
            "the parts of the mail are nested more than \(MailAttachment.depthLimit) levels deep",
            remedy: "save the attachment and pass that file"
          )
        }
        boundaries.append(boundary)
      }
    } else if type.lowercased().hasPrefix("message/rfc822") {
      // A forwarded mail: its own headers follow.
      beginHead()
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

  /// Returns a parameter of a header; of one with a language or in pieces (RFC 2231) only its plain text.
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
    case .plain:
      try write((breaksLine ? [0x0a] : []) + line)
      breaksLine = true
    case .quotedPrintable:
      let (bytes, goesOn) = MailAttachment.decodedPrintable(line)
      try write((breaksLine ? [0x0a] : []) + bytes)
      breaksLine = !goesOn
    case .base64:
      // Some programs pad every line.
      if base64.isEnded { base64 = Base64Decoder(.blanks) }
      do throws(Base64Decoder.Fault) {
        try base64.decode(line, to: &decoded)
      } catch {
        throw ArchiveFault("the attachment is not valid base64")
      }
      try write(decoded)
    }
  }

  /// Returns the bytes of a line, and whether the next line continues it.
  private static func decodedPrintable(_ line: UnsafeRawBufferPointer) -> ([UInt8], goesOn: Bool) {
    var bytes: [UInt8] = []
    var place = 0
    while place < line.count {
      guard line[place] == 0x3d else {
        bytes.append(line[place])
        place += 1
        continue
      }
      // An equals sign at the end of a line: the text continues on the next line.
      guard place + 2 < line.count else { return (bytes, true) }
      let digits = String(decoding: line[(place + 1)...(place + 2)], as: UTF8.self)
      bytes.append(UInt8(digits, radix: 16) ?? 0x3f)
      place += 3
    }
    return (bytes, false)
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
