internal import DecantBase

/// Converts the bytes of a document, piece by piece, into UTF-8 with line feeds as line ends and without control
/// characters.
struct MarkupDecoder {
  private var encoding: MarkupEncoding
  /// The decoder for encodings that only the C library supports.
  private var iconv: Iconv?
  /// Why the rest cannot be read.
  private(set) var failure: String?
  /// Bytes at the end of a piece that are not a complete character.
  private var rest: [UInt8] = []
  private var surrogate: UInt32?
  private var endedInReturn = false
  /// The line that decoding has reached.
  private(set) var line = 1
  var warnings = MarkupWarnings()

  init(_ encoding: MarkupEncoding) {
    self.encoding = encoding
    guard case .other(let name) = encoding else { return }
    iconv = Iconv(name)
    self.encoding = iconv == nil ? .unknown(name: name) : .utf8
  }

  /// 0 for bytes that are copied unchanged.
  private static let classes: [UInt8] = (0..<256).map { byte in
    byte >= 0x80 || (byte < 0x20 && byte != 0x09) ? 1 : 0
  }

  /// Decodes the next piece and adds it to `output`; the last one may be empty.
  mutating func decode(_ piece: [UInt8], isLast: Bool, into output: inout [UInt8]) {
    var bytes = piece
    if let iconv {
      bytes = []
      if iconv.decode(piece, isLast: isLast, into: &bytes) > 0 {
        warnings.add("bytes that are not valid in the encoding were replaced", line: line)
      }
    }
    if !rest.isEmpty {
      bytes = rest + bytes
      rest = []
    }
    if case .utf16(let isBigEndian) = encoding {
      decodeUTF16(bytes, isBigEndian, isLast, &output)
    } else {
      decodeBytes(bytes, isLast, &output)
    }
  }

  private mutating func decodeBytes(_ bytes: [UInt8], _ isLast: Bool, _ output: inout [UInt8]) {
    var place = 0
    while place < bytes.count {
      let start = place
      place = Self.endOfPlain(bytes, from: place)
      if place > start {
        if endedInReturn { endedInReturn = false }
        output.append(contentsOf: bytes[start..<place])
      }
      guard place < bytes.count else { break }
      let byte = bytes[place]
      if byte < 0x80 {
        place += 1
        control(UInt32(byte), &output)
        continue
      }
      if case .unknown(let name) = encoding {
        guard let guessed = Self.guess(bytes[place...], isLast: isLast) else {
          rest = Array(bytes[place...])
          return
        }
        encoding = guessed
        if let name, encoding != .utf8 {
          failure = "unknown encoding “\(name.prefix(40))”"
          return
        }
      }
      endedInReturn = false
      switch encoding == .utf8 ? Self.sequence(bytes, at: place) : .none {
      case .some(0) where !isLast:
        rest = Array(bytes[place...])
        return
      case .some(let count) where count > 0:
        output.append(contentsOf: bytes[place..<place + count])
        place += count
      default:
        if encoding == .utf8 {
          warnings.add("bytes that are not UTF-8 were read as Windows-1252", line: line)
        }
        place += 1
        output.append(scalar: TextEncoding.windows1252.character(byte) ?? "\u{fffd}")
      }
    }
  }

  private static func endOfPlain(_ bytes: [UInt8], from start: Int) -> Int {
    bytes.withUnsafeBufferPointer { bytes in
      classes.withUnsafeBufferPointer { classes in
        var place = start
        while place < bytes.count, classes[Int(bytes[place])] == 0 { place += 1 }
        return place
      }
    }
  }

  private mutating func decodeUTF16(_ bytes: [UInt8], _ isBigEndian: Bool, _ isLast: Bool, _ output: inout [UInt8]) {
    var place = 0
    while place + 1 < bytes.count {
      let (high, low) =
        isBigEndian ? (bytes[place], bytes[place + 1]) : (bytes[place + 1], bytes[place])
      place += 2
      let unit = UInt32(high) << 8 | UInt32(low)
      if let first = surrogate {
        surrogate = nil
        if (0xdc00...0xdfff).contains(unit) {
          append(0x10000 + (first - 0xd800) << 10 + (unit - 0xdc00), &output)
          continue
        }
        damaged(&output)
      }
      switch unit {
      case 0xd800...0xdbff: surrogate = unit
      case 0xdc00...0xdfff: damaged(&output)
      case 0..<0x20 where unit != 0x09: control(unit, &output)
      default:
        endedInReturn = false
        append(unit, &output)
      }
    }
    if place < bytes.count { rest = [bytes[place]] }
    if isLast, surrogate != nil || !rest.isEmpty { damaged(&output) }
  }

  private mutating func damaged(_ output: inout [UInt8]) {
    warnings.add("an unpaired UTF-16 surrogate was replaced", line: line)
    append(0xfffd, &output)
  }

  /// Handles a control character: line ends become line feeds, as in XML, and so do vertical tabs and form feeds.
  private mutating func control(_ value: UInt32, _ output: inout [UInt8]) {
    let followsReturn = endedInReturn
    endedInReturn = value == 0x0d
    switch value {
    case 0x0a where followsReturn: return
    case 0x0a, 0x0d:
      output.append(0x0a)
      line += 1
    case 0x0b, 0x0c: output.append(0x0a)
    default: warnings.add("control characters were removed", line: line)
    }
  }

  private func append(_ value: UInt32, _ output: inout [UInt8]) {
    Unicode.Scalar(value).map { output.append(contentsOf: Array(String($0).utf8)) }
  }

  /// Guesses UTF-8 unless a byte after the first non-ASCII one contradicts it; returns `nil` where the piece ends
  /// before its first character does.
  private static func guess(_ bytes: ArraySlice<UInt8>, isLast: Bool) -> MarkupEncoding? {
    let bytes = Array(bytes)
    var place = 0
    var isWhole = false
    while place < bytes.count {
      if bytes[place] < 0x80 {
        place += 1
        continue
      }
      guard let count = sequence(bytes, at: place) else { return .windows1252 }
      if count == 0 { return isWhole ? .utf8 : isLast ? .windows1252 : nil }
      isWhole = true
      place += count
    }
    return .utf8
  }

  /// Returns the length of the UTF-8 sequence of two or more bytes at `place`, 0 for one that is cut off, and `nil` for
  /// an invalid one.
  private static func sequence(_ bytes: [UInt8], at place: Int) -> Int? {
    let first = bytes[place]
    let count: Int
    switch first {
    case 0xc2...0xdf: count = 2
    case 0xe0...0xef: count = 3
    case 0xf0...0xf4: count = 4
    default: return nil
    }
    for offset in 1..<count {
      guard place + offset < bytes.count else { return 0 }
      let byte = bytes[place + offset]
      var allowed: ClosedRange<UInt8> = 0x80...0xbf
      if offset == 1 {
        switch first {
        case 0xe0: allowed = 0xa0...0xbf
        case 0xed: allowed = 0x80...0x9f
        case 0xf0: allowed = 0x90...0xbf
        case 0xf4: allowed = 0x80...0x8f
        default: break
        }
      }
      guard allowed.contains(byte) else { return nil }
    }
    return count
  }
}
