internal import DecantBase64
internal import DecantBase

/// An error in a mail.
package struct MailFault: Error, Sendable, Hashable {
  /// The error, in a sentence without a full stop.
  package let message: String
}

/// Receives the parts of a mail, one after the other.
package protocol MailPartTaker: AnyObject {
  /// Begins a part without parts of its own; returns whether its content is wanted.
  func begin(_ part: MailPart) throws -> Bool

  /// Receives decoded bytes of the part.
  func take(_ bytes: UnsafeRawBufferPointer) throws

  /// Ends the part.
  ///
  /// - Parameter fault: The error in its base64, such as “is truncated”; `nil` if it is complete.
  /// - Throws: An error that ends the reading.
  func end(_ fault: String?) throws
}

/// The headers of a part of a mail.
package struct MailPart {
  fileprivate var headers: [String: [UInt8]] = [:]

  /// The names of the headers that are read.
  fileprivate static let names: Set = [
    "content-type", "content-disposition", "content-transfer-encoding", "content-location", "content-id", address,
  ]
  /// The header with the address of a saved page, which also holds for the parts below it.
  fileprivate static let address = "snapshot-content-location"

  /// Returns the value of a header, whose name is in lower case; empty if it is missing.
  package subscript(name: String) -> String { String(decoding: headers[name] ?? [], as: UTF8.self).trimmed }

  /// The media type in lower case, without its parameters.
  package var type: String {
    (self["content-type"].split(separator: ";").first.map(String.init) ?? "").trimmed.lowercased()
  }

  /// Returns a parameter of a header; if it has a language or is in pieces (RFC 2231), only its plain text.
  package func parameter(_ name: String, of header: String) -> String? {
    let parts = self[header].split(separator: ";").dropFirst().map { String($0).trimmed }
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
}

/// Reads the parts of a mail, or of a page that is saved in the form of one.
///
/// It reads line by line, through nested parts (RFC 2046), in any encoding that mail programs use: base64,
/// quoted-printable, or plain.
package struct MailReader {
  private let taker: any MailPartTaker
  private var boundaries: [String] = []
  private var part = MailPart()
  /// The header that the next line may continue.
  private var openHeader: String?
  private var isInHead = true
  /// The line break that is pending: the last one before a boundary belongs to the boundary.
  private var pendingBreak: [UInt8] = []
  private var coding: Coding?
  private var base64 = Base64Decoder(.blanks)
  private var decoded: [UInt8] = []
  /// Whether the base64 of the part is invalid, so that nothing after the error is read.
  private var isDamaged = false
  /// Whether the mail has parts, and their last boundary has not been reached.
  private var isOpen: Bool { !boundaries.isEmpty }

  /// The transfer encoding of a part.
  private enum Coding {
    case base64, quotedPrintable, plain, binary
  }

  /// The limits for a line, a header and the depth of parts: far more than mail programs write.
  private static let lineByteLimit = 1 << 24
  private static let headerByteLimit = 1 << 16
  private static let depthLimit = 100

  private init(_ taker: any MailPartTaker) { self.taker = taker }

  /// Reads the mail whose bytes `fill` writes to its buffer, and passes its parts to `taker`.
  ///
  /// - Returns: Whether the mail is complete: it has its last boundary.
  /// - Throws: `MailFault` if it is not a mail, and errors from `fill` and `taker`.
  package static func read(
    _ fill: @escaping (UnsafeMutableRawBufferPointer) throws -> Int,
    to taker: any MailPartTaker
  ) throws -> Bool {
    var failure: (any Error)?
    let lines = LineInput { buffer throws(DecantError) in
      do {
        return try fill(buffer)
      } catch {
        failure = error
        throw (error as? DecantError) ?? DecantError(.systemFailed, "\(error)")
      }
    }
    do {
      return try read(lines, to: taker)
    } catch {
      throw failure ?? error
    }
  }

  static func read(_ lines: LineInput, to taker: any MailPartTaker) throws -> Bool {
    var reader = MailReader(taker)
    do {
      while let line = try lines.nextLine(limit: lineByteLimit) { try reader.take(line.bytes) }
    } catch let fault as ArchiveFault {
      throw MailFault(message: fault.message)
    }
    try reader.endPart()
    return !reader.isOpen
  }

  private mutating func take(_ line: UnsafeRawBufferPointer) throws {
    let bytes = line.last == 0x0d ? UnsafeRawBufferPointer(rebasing: line.dropLast()) : line
    if bytes.starts(with: [0x2d, 0x2d]), try takeBoundary(bytes) { return }
    guard isInHead else { return try takeBody(bytes, of: line) }
    guard let first = bytes.first else { return try endHead() }
    if first == 0x20 || first == 0x09 {
      // The line continues a header.
      if let openHeader { try add(bytes, to: openHeader) }
      return
    }
    openHeader = nil
    // All relevant headers begin with “c” or “s”; there may be any number of others.
    guard first | 0x20 == 0x63 || first | 0x20 == 0x73, let colon = bytes.firstIndex(of: 0x3a), colon < 40 else {
      return
    }
    let name = String(decoding: bytes[..<colon], as: UTF8.self).lowercased()
    guard MailPart.names.contains(name), part.headers[name] == nil else { return }
    openHeader = name
    try add(UnsafeRawBufferPointer(rebasing: bytes[(colon + 1)...]), to: name)
  }

  private mutating func add(_ bytes: UnsafeRawBufferPointer, to name: String) throws(MailFault) {
    let count = (part.headers[name]?.count ?? 0) + bytes.count
    guard count <= MailReader.headerByteLimit else {
      throw MailFault(message: "a header of the mail is longer than 64 KiB")
    }
    part.headers[name, default: []] += bytes
  }

  /// Whether the line is a boundary between two parts.
  private mutating func takeBoundary(_ line: UnsafeRawBufferPointer) throws -> Bool {
    let text = String(decoding: line.dropFirst(2).prefix(MailReader.headerByteLimit), as: UTF8.self).trimmed
    guard let depth = boundaries.lastIndex(where: { text == $0 || text == $0 + "--" }) else {
      return false
    }
    let isLast = text == boundaries[depth] + "--"
    try endPart()
    boundaries.removeSubrange((isLast ? depth : depth + 1)...)
    beginHead()
    isInHead = !isLast
    return true
  }

  private mutating func endPart() throws {
    guard coding != nil else { return }
    let fault = isDamaged ? "is not valid base64" : base64.isWhole ? nil : "is truncated"
    (coding, pendingBreak, isDamaged) = (nil, [], false)
    base64 = Base64Decoder(.blanks)
    try taker.end(fault)
  }

  private mutating func beginHead() {
    let address = part.headers[MailPart.address]
    part = MailPart()
    part.headers[MailPart.address] = address
    openHeader = nil
    isInHead = true
  }

  private mutating func endHead() throws {
    isInHead = false
    let type = part.type
    if type.hasPrefix("multipart/") {
      guard let boundary = part.parameter("boundary", of: "content-type") else { return }
      guard boundaries.count < MailReader.depthLimit else {
        throw MailFault(message: "the parts of the mail are nested more than \(MailReader.depthLimit) levels deep")
      }
      boundaries.append(boundary)
    } else if type.hasPrefix("message/rfc822") {
      // A forwarded mail: its own headers follow.
      beginHead()
    } else if try taker.begin(part) {
      coding =
        switch part["content-transfer-encoding"].lowercased() {
        case "base64": .base64
        case "quoted-printable": .quotedPrintable
        case "binary": .binary
        default: .plain
        }
    }
  }

  private mutating func takeBody(_ line: UnsafeRawBufferPointer, of written: UnsafeRawBufferPointer) throws {
    switch coding {
    case nil: return
    case .plain, .binary:
      try hand(pendingBreak + line)
      pendingBreak = coding == .binary && written.count > line.count ? [0x0d, 0x0a] : [0x0a]
    case .quotedPrintable:
      let (bytes, goesOn) = MailReader.decodedPrintable(line)
      try hand(pendingBreak + bytes)
      pendingBreak = goesOn ? [] : [0x0a]
    case .base64:
      guard !isDamaged else { return }
      // Some programs pad every line.
      if base64.isEnded { base64 = Base64Decoder(.blanks) }
      do throws(Base64Decoder.Fault) {
        try base64.decode(line, to: &decoded)
      } catch {
        isDamaged = true
        return
      }
      try hand(decoded)
    }
  }

  /// Returns the bytes of a line, and whether the next line continues it.
  private static func decodedPrintable(_ line: UnsafeRawBufferPointer) -> ([UInt8], goesOn: Bool) {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(line.count)
    var place = 0
    while place < line.count {
      guard line[place] == 0x3d else {
        bytes.append(line[place])
        place += 1
        continue
      }
      // An equals sign at the end of a line: the text continues on the next line.
      guard place + 2 < line.count else { return (bytes, true) }
      if let high = digit(line[place + 1]), let low = digit(line[place + 2]) {
        bytes.append(high << 4 | low)
      } else {
        bytes.append(0x3f)
      }
      place += 3
    }
    return (bytes, false)
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte - 0x30
    case 0x41...0x46: byte - 0x37
    case 0x61...0x66: byte - 0x57
    default: nil
    }
  }

  private func hand(_ bytes: [UInt8]) throws {
    guard !bytes.isEmpty else { return }
    try bytes.withUnsafeBytes { try taker.take($0) }
  }
}
