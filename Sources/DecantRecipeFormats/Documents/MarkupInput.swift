/// The characters of a document in UTF-8, with lookahead.
struct MarkupInput {
  private let fill: (UnsafeMutableRawBufferPointer) throws -> Int
  private var decoder: MarkupDecoder
  private var raw = [UInt8](repeating: 0, count: 1 << 16)
  private var bytes: [UInt8] = []
  private var place = 0
  private var isAtEnd = false
  /// The line of the next character, from 1 on.
  private(set) var line = 1
  var warnings = MarkupWarnings()

  /// The number of bytes in which the encoding is looked for.
  private static let headByteCount = 2048

  /// Reads the bytes that `fill` writes into the buffer it is given, until `fill` returns 0.
  init(_ fill: @escaping (UnsafeMutableRawBufferPointer) throws -> Int) throws {
    self.fill = fill
    var head: [UInt8] = []
    while head.count < Self.headByteCount, !isAtEnd {
      let count = try raw.withUnsafeMutableBytes { try fill($0) }
      isAtEnd = count == 0
      head.append(contentsOf: raw[..<count])
    }
    var found = MarkupWarnings()
    let encoding = MarkupEncoding(head: head) { name in
      found.add("unknown encoding \(name.prefix(40))", line: 1)
    }
    warnings = found
    decoder = MarkupDecoder(encoding)
    head.removeFirst(MarkupEncoding.markByteCount(head))
    decoder.decode(head, isLast: isAtEnd, into: &bytes)
    if let failure = decoder.failure { throw RecipeFault(failure) }
  }

  /// Returns the warnings of decoding and reading since the last call.
  mutating func takeWarnings() -> [String] { decoder.warnings.take() + warnings.take() }

  /// Returns the byte `offset` bytes after the next one, or `nil` beyond the end.
  mutating func peek(_ offset: Int = 0) throws -> UInt8? {
    while place + offset >= bytes.count { guard try readMore() else { return nil } }
    return bytes[place + offset]
  }

  /// Skips `count` bytes that were already peeked at.
  mutating func skip(_ count: Int) {
    let end = place + count
    for index in place..<end where bytes[index] == 0x0a { line += 1 }
    place = end
  }

  /// Returns the bytes from `start` to `end`, counted from the next one, all of which were already peeked at.
  func slice(_ start: Int, _ end: Int) -> ArraySlice<UInt8> {
    bytes[(place + start)..<(place + end)]
  }

  /// Moves bytes to `text` until one that `stops` marks, or until `text` has `limit` bytes.
  mutating func move(to text: inout [UInt8], limit: Int, stops: [Bool]) throws {
    while text.count < limit {
      if place == bytes.count { guard try readMore() else { return } }
      let end = min(bytes.count, place + limit - text.count)
      let start = place
      var lines = 0
      place = bytes.withUnsafeBufferPointer { bytes in
        stops.withUnsafeBufferPointer { stops in
          var place = start
          while place < end, !stops[Int(bytes[place])] {
            if bytes[place] == 0x0a { lines += 1 }
            place += 1
          }
          return place
        }
      }
      line += lines
      text.append(contentsOf: bytes[start..<place])
      if place < end { return }
    }
  }

  /// Whether the bytes from `offset` on are those of `word`, compared without case if `ignoresCase` is set.
  mutating func holds(_ word: String, at offset: Int = 0, ignoresCase: Bool = false) throws -> Bool {
    for (index, wanted) in word.utf8.enumerated() {
      guard let byte = try peek(offset + index) else { return false }
      guard byte == wanted || (ignoresCase && byte | 0x20 == wanted | 0x20) else { return false }
    }
    return true
  }

  private mutating func readMore() throws -> Bool {
    guard !isAtEnd else { return false }
    bytes.removeFirst(place)
    place = 0
    let count = try raw.withUnsafeMutableBytes { try fill($0) }
    isAtEnd = count == 0
    decoder.decode(Array(raw[..<count]), isLast: isAtEnd, into: &bytes)
    if let failure = decoder.failure { throw RecipeFault(failure) }
    return true
  }
}
