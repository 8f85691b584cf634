internal import DecantBase

/// Finds the archive in a web page, and restores its original lines.
///
/// The data block is recognised by its type; its content is read byte by byte, and the rest of the page is ignored.
struct PageBlock {
  private let source: (UnsafeMutableRawBufferPointer) throws(DecantError) -> Int
  private var buffer = [UInt8](repeating: 0, count: 1 << 16)
  private var place = 0
  private var end = 0
  private var state = State.searching(0)
  /// Whether a byte of the lines was read: before the first there may be line feeds.
  private var hasBegun = false
  /// The beginning of an escape.
  private var escape: [UInt8] = []
  /// The bytes for an output buffer that was too small for an escape, and the range not yet returned.
  private var spare = [UInt8](repeating: 0, count: 64)
  private var spareRange = 0..<0

  /// The position in the page.
  private enum State {
    /// The number of bytes of the mark that were just matched.
    case searching(Int)
    /// After the mark, inside the tag.
    case inTag
    case inBlock
    case atEnd
  }

  /// The type of the block.
  static let mark = Array("application/vnd.decant".utf8)
  /// For each prefix of the mark, the length of its longest suffix that is also a prefix of the mark.
  private static let fallbacks: [Int] = {
    var fallbacks = [0, 0]
    for length in 2...mark.count {
      var shorter = fallbacks[length - 1]
      while shorter > 0, mark[shorter] != mark[length - 1] { shorter = fallbacks[shorter] }
      fallbacks.append(mark[shorter] == mark[length - 1] ? shorter + 1 : 0)
    }
    return fallbacks
  }()

  /// Reads the page that `source` returns.
  init(_ source: @escaping (UnsafeMutableRawBufferPointer) throws(DecantError) -> Int) {
    self.source = source
  }

  /// Whether the block was found.
  var isFound: Bool {
    switch state {
    case .searching: false
    case .inTag, .inBlock, .atEnd: true
    }
  }

  /// Fills `output` with the next bytes of the lines; returns their number, 0 at the end.
  mutating func read(into output: UnsafeMutableRawBufferPointer) throws(DecantError) -> Int {
    if spareRange.isEmpty {
      guard output.count < PageBlock.leastRoom else { return try readWhole(into: output) }
      var spare = self.spare
      var failure: DecantError?
      let count = spare.withUnsafeMutableBytes { spare -> Int in
        do throws(DecantError) { return try readWhole(into: spare) } catch {
          failure = error
          return 0
        }
      }
      if let failure { throw failure }
      self.spare = spare
      spareRange = 0..<count
    }
    let count = min(output.count, spareRange.count)
    output.copyBytes(from: spare[spareRange.prefix(count)])
    spareRange = spareRange.dropFirst(count)
    return count
  }

  /// The smallest buffer that is filled directly: an invalid escape needs six bytes.
  private static let leastRoom = 8

  private mutating func readWhole(into output: UnsafeMutableRawBufferPointer) throws(DecantError) -> Int {
    var count = 0
    // An invalid escape is returned unchanged.
    while count + PageBlock.leastRoom <= output.count {
      if place == end {
        end = try fill()
        place = 0
        guard end > 0 else { break }
      }
      let byte = buffer[place]
      place += 1
      switch state {
      case .atEnd: continue
      case .searching(let matched): state = PageBlock.next(after: matched, byte)
      case .inTag:
        if byte == 0x3e { state = .inBlock }
      case .inBlock where byte == 0x3c: state = .atEnd
      case .inBlock:
        // Neither occurs in JSON text: they were added in transit.
        if byte == 0x0d || (!hasBegun && byte == 0x0a) { continue }
        hasBegun = true
        take(byte, output, &count)
      }
    }
    return count
  }

  private mutating func fill() throws(DecantError) -> Int {
    var failure: DecantError?
    let read = source
    let count = buffer.withUnsafeMutableBytes { buffer -> Int in
      do throws(DecantError) { return try read(buffer) } catch {
        failure = error
        return 0
      }
    }
    if let failure { throw failure }
    return count
  }

  private static func next(after matched: Int, _ byte: UInt8) -> State {
    var matched = matched
    while matched > 0, mark[matched] != byte { matched = fallbacks[matched] }
    if mark[matched] == byte { matched += 1 }
    return matched == mark.count ? .inTag : .searching(matched)
  }

  /// Writes a byte of the block; decodes the three escapes that pages need.
  private mutating func take(_ byte: UInt8, _ output: UnsafeMutableRawBufferPointer, _ count: inout Int) {
    guard !escape.isEmpty || byte == 0x5c else {
      output[count] = byte
      count += 1
      return
    }
    escape.append(byte)
    if escape.count == 1 || (escape.count < 6 && escape[1] == 0x75) { return }
    let plain: UInt8? =
      switch String(decoding: escape, as: UTF8.self).lowercased() {
      case "\\u003c": 0x3c
      case "\\u003e": 0x3e
      case "\\u0026": 0x26
      default: nil
      }
    for byte in plain.map({ [$0] }) ?? escape {
      output[count] = byte
      count += 1
    }
    escape.removeAll(keepingCapacity: true)
  }
}
