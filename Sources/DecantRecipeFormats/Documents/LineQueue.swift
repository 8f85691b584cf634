/// Lines of a text, a few of which can be looked at before they are taken.
final class LineQueue {
  private let source: () throws -> [UInt8]?
  private var waiting: [[UInt8]] = []
  private var isAtEnd = false
  /// The number of the line last returned by `next`, from 1 on.
  private(set) var number = 0

  /// Takes lines from `source` until that returns `nil`.
  init(_ source: @escaping () throws -> [UInt8]?) { self.source = source }

  /// The lines of `lines`, from the next on.
  convenience init(_ lines: TextLines) { self.init { try lines.next() } }

  /// Takes the next line; `nil` after the last.
  func next() throws -> [UInt8]? {
    guard try fill(1) else { return nil }
    number += 1
    return waiting.removeFirst()
  }

  /// Returns the line that is `offset` lines ahead without taking it: 0 is the line that `next` returns.
  func peek(_ offset: Int = 0) throws -> [UInt8]? {
    try fill(offset + 1) ? waiting[offset] : nil
  }

  private func fill(_ count: Int) throws -> Bool {
    while waiting.count < count, !isAtEnd {
      guard let line = try source() else {
        isAtEnd = true
        break
      }
      waiting.append(line)
    }
    return waiting.count >= count
  }
}

/// The lines at the beginning of a text whose first bytes are available.
enum HeadLines {
  /// Splits `head` at line ends of any kind, into at most `limit` lines.
  static func parts(_ head: [UInt8], limit: Int = 400) -> [[UInt8]] {
    var bytes = UTF16Feed.plain(head)[...]
    if bytes.starts(with: [0xef, 0xbb, 0xbf]) { bytes = bytes.dropFirst(3) }
    var lines: [[UInt8]] = []
    var line: [UInt8] = []
    var last: UInt8 = 0
    for byte in bytes {
      if lines.count == limit { break }
      if byte == 0x0a && last == 0x0d {
        last = byte
        continue
      }
      last = byte
      if byte == 0x0a || byte == 0x0d {
        lines.append(line)
        line = []
      } else {
        line.append(byte)
      }
    }
    if lines.count < limit { lines.append(line) }
    return lines
  }
}
