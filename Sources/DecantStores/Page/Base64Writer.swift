internal import Decant

/// Writes bytes in base64, piece by piece, on one line or on several.
struct Base64Writer {
  private let output: PageOutput
  /// How many bytes stand on a line; `nil` for one line.
  private let lineByteCount: Int?
  private var rest: [UInt8] = []
  private var column = 0

  /// Writes to `output`; where `isWrapped`, on lines of 76 characters that end with CR and LF.
  init(to output: PageOutput, isWrapped: Bool = false) {
    self.output = output
    lineByteCount = isWrapped ? 57 : nil
  }

  private static let digits = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8
  )

  /// Returns `bytes` in base64, on one line.
  static func text(_ bytes: [UInt8]) -> String {
    var text = ""
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)] + [0, 0]
      let word = group.prefix(3).reduce(0) { $0 << 8 | Int($1) }
      let count = min(3, bytes.count - start)
      for place in 0..<4 {
        let digit = place <= count ? digits[word >> (18 - 6 * place) & 63] : 0x3d
        text.unicodeScalars.append(Unicode.Scalar(digit))
      }
    }
    return text
  }

  /// Writes the next bytes.
  mutating func write(_ bytes: UnsafeRawBufferPointer) throws(DecantError) {
    var start = 0
    while !rest.isEmpty, rest.count < 3, start < bytes.count {
      rest.append(bytes[start])
      start += 1
    }
    if rest.count == 3 {
      let group = rest
      rest = []
      var writer = self
      try group.lend { group throws(DecantError) in try writer.encode(group) }
      self = writer
    }
    let whole = (bytes.count - start) / 3 * 3
    if whole > 0 {
      try encode(UnsafeRawBufferPointer(rebasing: bytes[start..<(start + whole)]))
    }
    rest += bytes[(start + whole)...]
  }

  /// Writes what is left, and ends the line.
  mutating func end() throws(DecantError) {
    if !rest.isEmpty {
      let last = [rest[0], rest.count > 1 ? rest[1] : 0, 0]
      let word = Int(last[0]) << 16 | Int(last[1]) << 8
      try output.write(Base64Writer.digits[word >> 18])
      try output.write(Base64Writer.digits[word >> 12 & 63])
      try output.write(rest.count > 1 ? Base64Writer.digits[word >> 6 & 63] : 0x3d)
      try output.write(0x3d)
      column += 3
      rest = []
    }
    if lineByteCount != nil, column > 0 { try output.write("\r\n") }
    column = 0
  }

  /// Writes groups of three bytes, at most a few thousand at a time.
  private mutating func encode(_ bytes: UnsafeRawBufferPointer) throws(DecantError) {
    var start = 0
    while start < bytes.count {
      // 12 000 characters at once; a line ends between groups, as 57 bytes are 19 of them.
      let room = lineByteCount.map { $0 - column } ?? 9_000
      let count = min(bytes.count - start, room)
      let encoded = [UInt8](unsafeUninitializedCapacity: count / 3 * 4) { target, filled in
        for group in 0..<(count / 3) {
          let at = start + group * 3
          let word = Int(bytes[at]) << 16 | Int(bytes[at + 1]) << 8 | Int(bytes[at + 2])
          target[group * 4] = Base64Writer.digits[word >> 18]
          target[group * 4 + 1] = Base64Writer.digits[word >> 12 & 63]
          target[group * 4 + 2] = Base64Writer.digits[word >> 6 & 63]
          target[group * 4 + 3] = Base64Writer.digits[word & 63]
        }
        filled = count / 3 * 4
      }
      try encoded.lend { piece throws(DecantError) in try output.write(piece) }
      start += count
      guard let lineByteCount else { continue }
      column += count
      if column == lineByteCount {
        try output.write("\r\n")
        column = 0
      }
    }
  }
}
