/// The lines of a text of unknown encoding, one after the other; CR, LF and both together end a line.
///
/// A line is bytes: which encoding they are in may differ from recipe to recipe. UTF-16 with a byte order mark
/// comes as UTF-8.
package final class TextLines {
  private let fill: (UnsafeMutableRawBufferPointer) throws -> Int
  private var buffer = [UInt8](repeating: 0, count: 1 << 16)
  private var place = 0
  private var end = 0
  private var isAtEnd = false
  private var skipsLineFeed = false
  private var pushedBack: [UInt8]?
  /// The number of the line that `next` returned last, from 1 on.
  private(set) var number = 0

  /// Lines longer than this are cut there.
  static let limit = 8 << 20

  /// Reads what `fill` writes into the buffer it is given, until that returns 0.
  package init(_ fill: @escaping (UnsafeMutableRawBufferPointer) throws -> Int) {
    self.fill = UTF16Feed.plain(fill)
  }

  /// Returns the next line without its end, or `nil` behind the last.
  package func next() throws -> [UInt8]? {
    if let line = pushedBack {
      pushedBack = nil
      number += 1
      return line
    }
    var line: [UInt8] = []
    var isBegun = false
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
      if line.count == TextLines.limit { break }
    }
    guard isBegun else { return nil }
    number += 1
    if number == 1, line.starts(with: [0xef, 0xbb, 0xbf]) { line.removeFirst(3) }
    return line
  }

  /// Has `next` return `line` once more.
  func pushBack(_ line: [UInt8]) {
    pushedBack = line
    number -= 1
  }
}
