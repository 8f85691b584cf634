internal import Decant

extension JSONDocument {
  /// Reads the string whose opening quote is next.
  func string() throws -> DocumentText {
    var string = LongString(spool: spool)
    try readString { piece in
      if piece.count + scratch.count > TextSpool.shortByteCount {
        try string.spill(&scratch)
        if piece.count > TextSpool.shortByteCount {
          try string.spill(piece)
          return
        }
      }
      scratch.append(contentsOf: piece)
    }
    let text = try string.finish(&scratch)
    if string.hadControls { warn("control characters were left out") }
    return text
  }

  /// Passes over the string whose opening quote is next.
  func skipString() throws { try readString { _ in scratch.removeAll(keepingCapacity: true) } }

  /// Hands out the raw pieces of the string whose opening quote is next; what escapes stand for goes into
  /// `scratch`.
  private func readString(_ take: (UnsafeRawBufferPointer) throws -> Void) throws {
    let beginning = bytes.offset
    bytes.advance()
    scratch.removeAll(keepingCapacity: true)
    // Up to here there is no quote; whether there is one exactly here.
    var quoteOffset = bytes.offset
    var isQuote = false
    while true {
      if bytes.offset > quoteOffset || (bytes.offset == quoteOffset && !isQuote) {
        guard try bytes.peek() != nil else {
          throw RecipeFault("byte \(beginning): the text ends within a string that begins here")
        }
        let count = bytes.distance(to: UInt8(ascii: "\""))
        isQuote = count != nil
        quoteOffset = bytes.offset + Int64(count ?? bytes.available)
      }
      let span = Int(quoteOffset - bytes.offset)
      let escape = bytes.distance(to: UInt8(ascii: "\\"), within: span)
      try take(bytes.window(escape ?? span))
      bytes.advance(escape ?? span)
      if escape != nil {
        try readEscape()
      } else if isQuote {
        bytes.advance()
        return
      }
    }
  }

  /// Reads an escape and appends what it stands for to `scratch`; one that is none as it stands.
  private func readEscape() throws {
    bytes.advance()
    guard let byte = try bytes.peek() else { return }
    let meaning: UInt8
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "'"):
      meaning = byte
    case UInt8(ascii: "n"): meaning = 0x0a
    case UInt8(ascii: "r"): meaning = 0x0d
    case UInt8(ascii: "t"): meaning = 0x09
    case UInt8(ascii: "b"): meaning = 0x08
    case UInt8(ascii: "f"): meaning = 0x0c
    case UInt8(ascii: "u"):
      guard let unit = try codeUnit(at: 1) else { fallthrough }
      bytes.advance(5)
      return try append(unit)
    default:
      scratch.append(UInt8(ascii: "\\"))
      return
    }
    bytes.advance()
    scratch.append(meaning)
  }

  /// Appends a code unit of UTF-16, and with it the second half of its pair where that is next.
  private func append(_ unit: UInt32) throws {
    var value = unit
    if 0xd800...0xdbff ~= unit, try bytes.starts(with: [UInt8(ascii: "\\"), UInt8(ascii: "u")]),
      let second = try codeUnit(at: 2), 0xdc00...0xdfff ~= second
    {
      bytes.advance(6)
      value = 0x10000 + (unit - 0xd800) << 10 + (second - 0xdc00)
    }
    scratch.append(scalar: Unicode.Scalar(value) ?? "\u{fffd}")
  }

  /// The four hexadecimal digits `count` bytes ahead.
  private func codeUnit(at count: Int) throws -> UInt32? {
    guard try bytes.has(count + 4) else { return nil }
    var value: UInt32 = 0
    for byte in bytes.window(count + 4).dropFirst(count) {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): value = value << 4 | UInt32(byte - 0x30)
      case UInt8(ascii: "a")...UInt8(ascii: "f"): value = value << 4 | UInt32(byte - 0x57)
      case UInt8(ascii: "A")...UInt8(ascii: "F"): value = value << 4 | UInt32(byte - 0x37)
      default: return nil
      }
    }
    return value
  }
}

/// A string on its way into the spool, once it is too long for memory.
private struct LongString {
  let spool: TextSpool
  private var isLong = false
  /// Whether there were control characters, which are left out.
  private(set) var hadControls = false
  private var mender = LenientUTF8()
  private var mended: [UInt8] = []

  init(spool: TextSpool) { self.spool = spool }

  /// Moves `bytes` into the spool.
  mutating func spill(_ bytes: inout [UInt8]) throws {
    try bytes.withUnsafeBytes { try spill($0) }
    bytes.removeAll(keepingCapacity: true)
  }

  /// Writes `bytes` into the spool, as UTF-8.
  mutating func spill(_ bytes: UnsafeRawBufferPointer) throws {
    if !isLong { spool.begin() }
    isLong = true
    if ControlBytes.areIn(bytes) {
      hadControls = true
      var cleaned = Array(bytes)
      ControlBytes.remove(from: &cleaned)
      return try spill(&cleaned)
    }
    if mender.isEmpty, LenientUTF8.isASCII(bytes) { return try spool.append(bytes) }
    mended.removeAll(keepingCapacity: true)
    mender.mend(bytes, into: &mended)
    try mended.withUnsafeBytes { try spool.append($0) }
  }

  /// Ends the string, of which `bytes` are the last, or all.
  mutating func finish(_ bytes: inout [UInt8]) throws -> DocumentText {
    guard isLong else {
      if bytes.withUnsafeBytes(ControlBytes.areIn) {
        hadControls = true
        ControlBytes.remove(from: &bytes)
      }
      return .short(LenientUTF8.string(bytes))
    }
    try spill(&bytes)
    mended.removeAll(keepingCapacity: true)
    mender.finish(into: &mended)
    try mended.withUnsafeBytes { try spool.append($0) }
    return .long(spool.finish())
  }
}
