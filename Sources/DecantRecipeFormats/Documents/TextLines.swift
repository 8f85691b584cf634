/// The lines of a text of unknown encoding, one after the other; CR, LF and CR LF end a line.
///
/// Lines are bytes, as each recipe may have another encoding. UTF-16 with a byte order mark is converted to UTF-8.
package final class TextLines {
  private let fill: (UnsafeMutableRawBufferPointer) throws -> Int
  private var buffer = [UInt8](repeating: 0, count: 1 << 16)
  private var place = 0
  private var end = 0
  private var isAtEnd = false
  private var skipsLineFeed = false
  private var pushedBack: [UInt8]?
  /// The number of the line last returned by `next`, from 1 on.
  private(set) var number = 0
  /// Whether `next` last returned a part of a line that is longer than `limit`, and the next one continues it.
  private(set) var isSplit = false

  /// The length in bytes at which longer lines are split.
  private let limit: Int

  /// Reads the bytes that `fill` writes into the buffer it is given, until `fill` returns 0.
  package init(limit: Int = 8 << 20, _ fill: @escaping (UnsafeMutableRawBufferPointer) throws -> Int) {
    self.limit = limit
    self.fill = UTF16Feed.plain(fill)
  }

  /// Returns the next line without its end, or `nil` after the last.
  package func next() throws -> [UInt8]? {
    if let line = pushedBack {
      pushedBack = nil
      number += 1
      return line
    }
    var line: [UInt8] = []
    var isBegun = false
    let continues = isSplit
    isSplit = false
    while true {
      if place == end {
        guard !isAtEnd else { break }
        end = try buffer.withUnsafeMutableBytes { try fill($0) }
        place = 0
        isAtEnd = end == 0
        continue
      }
      let byte = buffer[place]
      place += 1
      if skipsLineFeed {
        skipsLineFeed = false
        if byte == 0x0a { continue }
      }
      isBegun = true
      if byte == 0x0a || byte == 0x0d {
        skipsLineFeed = byte == 0x0d
        break
      }
      line.append(byte)
      if line.count == limit {
        isSplit = true
        break
      }
    }
    guard isBegun else { return nil }
    if !continues { number += 1 }
    if number == 1, !continues, line.starts(with: [0xef, 0xbb, 0xbf]) { line.removeFirst(3) }
    return line
  }

  /// Makes `next` return `line` once more.
  func pushBack(_ line: [UInt8]) {
    pushedBack = line
    number -= 1
  }
}
