/// Reads base64, piece by piece: strictly by RFC 4648, or leniently, as other programs write it.
///
/// In strict mode each value has only one form: padded, without blanks, unused bits zero.
package struct Base64Decoder {
  /// The deviations from the standard that are accepted.
  package struct Leniency: OptionSet, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    /// Spaces, tabs and line ends between characters.
    package static let blanks = Leniency(rawValue: 1)
    /// A last group without padding, or with too much of it, and unused bits that are not zero.
    package static let unpadded = Leniency(rawValue: 2)
    /// A leading `data:…,`, and `-` and `_` for `+` and `/`.
    package static let address = Leniency(rawValue: 4)
  }

  /// An error in a text.
  package enum Fault: Error, Sendable, Hashable {
    /// The text has an invalid character.
    case foreign
    /// The text continues after its padding.
    case behindEnd
    /// The text ends within a group.
    case cut
    /// Unused bits are not zero.
    case unusedBits
  }

  private let leniency: Leniency
  /// The characters of the current group.
  private var word: UInt32 = 0
  private var count = 0
  private var padding = 0
  private var isBegun = false
  private var isInAddress = false

  package init(_ leniency: Leniency = []) { self.leniency = leniency }

  /// Whether padding has ended the text.
  package var isEnded: Bool { padding > 0 && count == 0 }

  /// Whether there is no incomplete group.
  package var isWhole: Bool { count == 0 }

  /// Six bits for every character of the alphabet; the highest bit is set for all other characters.
  private static let values: [UInt8] = {
    var values = [UInt8](repeating: 0xff, count: 256)
    for (value, character) in Base64Alphabet.characters.utf8.enumerated() {
      values[Int(character)] = UInt8(value)
    }
    for (value, character) in "-_".utf8.enumerated() {
      values[Int(character)] = dash + UInt8(value)
    }
    for character in " \t\r\n".unicodeScalars { values[Int(character.value)] = blank }
    values[Int(UInt8(ascii: "="))] = pad
    return values
  }()
  /// The values of `-` and `_`, with the highest bit set.
  private static let dash: UInt8 = 0x80 | 62
  private static let blank: UInt8 = 0xfe
  private static let pad: UInt8 = 0xfd

  /// Replaces `output` by the decoded bytes of `text`; returns false if it is not strict base64.
  package static func decode(_ text: UnsafeRawBufferPointer, to output: inout [UInt8]) -> Bool {
    var decoder = Base64Decoder()
    do throws(Fault) {
      try decoder.decode(text, to: &output)
      return decoder.isWhole
    } catch {
      return false
    }
  }

  /// Returns the decoded bytes of `text`.
  package static func bytes(of text: String, _ leniency: Leniency) throws(Fault) -> [UInt8] {
    var decoder = Base64Decoder(leniency)
    var bytes: [UInt8] = []
    var rest: [UInt8] = []
    let characters = UnsafeMutableRawBufferPointer.allocate(byteCount: text.utf8.count, alignment: 1)
    defer { characters.deallocate() }
    characters.copyBytes(from: text.utf8)
    try decoder.decode(UnsafeRawBufferPointer(characters), to: &bytes)
    try decoder.finish(to: &rest)
    return bytes + rest
  }

  /// Replaces `output` by the decoded bytes of the next piece, as far as its groups are complete.
  package mutating func decode(_ piece: UnsafeRawBufferPointer, to output: inout [UInt8]) throws(Fault) {
    var place = 0
    if leniency.contains(.address) {
      guard let start = start(of: piece) else { return output.removeAll(keepingCapacity: true) }
      place = start
    }
    // Up to three characters of the first group may come from an earlier piece.
    let size = (count + piece.count - place + 3) / 4 * 3
    // Every byte is written below, so bytes of an earlier text need not be cleared.
    if output.count < size {
      output.append(contentsOf: repeatElement(0, count: size - output.count))
    }
    var filled = 0
    let result = output.withUnsafeMutableBufferPointer { output in
      Result { () throws(Fault) in try decode(piece, from: place, into: output, &filled) }
    }
    output.removeLast(output.count - filled)
    try result.get()
  }

  /// Returns where base64 begins in a piece, after `data:…,`; `nil` if it does not begin in it.
  private mutating func start(of piece: UnsafeRawBufferPointer) -> Int? {
    if !isBegun, let first = piece.first(where: { Self.values[Int($0)] != Self.blank }) {
      isBegun = true
      // Six characters of “data:” could be base64; its colon could not.
      isInAddress = first == UInt8(ascii: "d") && piece.prefix(64).contains(UInt8(ascii: ":"))
    }
    guard isInAddress else { return 0 }
    guard let comma = piece.firstIndex(of: UInt8(ascii: ",")) else { return nil }
    isInAddress = false
    return comma + 1
  }

  private mutating func decode(
    _ piece: UnsafeRawBufferPointer,
    from start: Int,
    into output: UnsafeMutableBufferPointer<UInt8>,
    _ filled: inout Int
  ) throws(Fault) {
    var place = start
    while place < piece.count {
      if count == 0, padding == 0 { Self.decodeGroups(piece, &place, into: output, &filled) }
      guard place < piece.count else { return }
      var value = Self.values[Int(piece[place])]
      place += 1
      if value == Self.blank, leniency.contains(.blanks) { continue }
      if value == Self.pad {
        try takePadding(into: output, &filled)
        continue
      }
      if value & ~1 == Self.dash, leniency.contains(.address) { value &= 0x3f }
      guard value < 64 else { throw .foreign }
      guard padding == 0 else { throw .behindEnd }
      word = word << 6 | UInt32(value)
      count += 1
      guard count == 4 else { continue }
      Self.put(word, into: output, &filled)
      (word, count) = (0, 0)
    }
  }

  /// Reads a padding character; the last one ends the text.
  private mutating func takePadding(into output: UnsafeMutableBufferPointer<UInt8>, _ filled: inout Int) throws(Fault) {
    padding += 1
    guard !leniency.contains(.unpadded) else { return }
    guard count >= 2 else { throw .foreign }
    guard count + padding == 4 else { return }
    guard word & (count == 2 ? 15 : 3) == 0 else { throw .unusedBits }
    for byte in lastBytes {
      output[filled] = byte
      filled += 1
    }
    (word, count) = (0, 0)
  }

  /// The bytes of a group of two or three characters.
  private var lastBytes: [UInt8] {
    count == 2
      ? [UInt8(truncatingIfNeeded: word >> 4)]
      : [UInt8(truncatingIfNeeded: word >> 10), UInt8(truncatingIfNeeded: word >> 2)]
  }

  /// Decodes four characters at a time, as long as all of them are in the alphabet.
  private static func decodeGroups(
    _ piece: UnsafeRawBufferPointer,
    _ place: inout Int,
    into output: UnsafeMutableBufferPointer<UInt8>,
    _ filled: inout Int
  ) {
    values.withUnsafeBufferPointer { values in
      while place + 4 <= piece.count {
        let (a, b) = (values[Int(piece[place])], values[Int(piece[place + 1])])
        let (c, d) = (values[Int(piece[place + 2])], values[Int(piece[place + 3])])
        guard (a | b | c | d) & 0x80 == 0 else { return }
        put(UInt32(a) << 18 | UInt32(b) << 12 | UInt32(c) << 6 | UInt32(d), into: output, &filled)
        place += 4
      }
    }
  }

  @inline(__always)
  private static func put(_ word: UInt32, into output: UnsafeMutableBufferPointer<UInt8>, _ filled: inout Int) {
    output[filled] = UInt8(truncatingIfNeeded: word >> 16)
    output[filled + 1] = UInt8(truncatingIfNeeded: word >> 8)
    output[filled + 2] = UInt8(truncatingIfNeeded: word)
    filled += 3
  }

  /// Replaces `output` by the bytes of the last characters.
  ///
  /// - Throws: `Fault.cut` if half a byte remains or required padding is missing.
  package mutating func finish(to output: inout [UInt8]) throws(Fault) {
    output.removeAll(keepingCapacity: true)
    guard count > 0 else { return }
    guard count > 1, leniency.contains(.unpadded) else { throw .cut }
    output += lastBytes
    (word, count) = (0, 0)
  }
}
