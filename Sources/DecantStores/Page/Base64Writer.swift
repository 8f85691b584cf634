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
      try output.write(Base64.text(of: rest))
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
      let piece = UnsafeRawBufferPointer(rebasing: bytes[start..<(start + count)])
      let encoded = [UInt8](unsafeUninitializedCapacity: count / 3 * 4) { target, filled in
        guard let start = target.baseAddress else { return filled = 0 }
        Base64.encode(piece, to: start)
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
