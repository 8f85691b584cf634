import Foundation
import DecantSQLite
import TestSupport
import Testing

@testable import DecantStore

@Suite struct WriteAheadLogTests {
  private let logs: FrozenLogs

  init() throws { logs = try FrozenLogs() }

  @Test func `a whole log shows all of it`() throws {
    try logs.add(20)
    let frozen = try logs.freeze()
    let size = try Data(contentsOf: URL(fileURLWithPath: frozen.path + "-wal")).count
    let log = try #require(try frozen.log())
    #expect(log.damage == nil)
    #expect(!log.endsUnfinished)
    #expect(Int(log.shownFrameCount) == (size - 32) / FrozenLogs.frameByteCount)
    #expect(try "\(log.pageCount)" == frozen.ask("PRAGMA page_count"))
  }

  @Test(arguments: [0, 1, 17])
  func `a transaction that was cut off is no damage`(cut: Int) throws {
    try logs.add(3)
    let whole = try #require(try logs.freeze().log()).shownFrameCount
    try logs.add(20)
    let frames = [Int(whole) + 3, Int(whole) + 1, Int(whole)]
    for frame in frames where frame > Int(whole) || cut > 0 {
      let end = FrozenLogs.offset(of: frame) + cut
      let frozen = try logs.freeze { $1 = Array($1[..<end]) }
      let log = try #require(try frozen.log())
      #expect(log.damage == nil)
      #expect(log.endsUnfinished)
      #expect(log.shownFrameCount == whole)
      #expect(try frozen.soundness().damage == nil)
      #expect(try frozen.ask("SELECT count(*) FROM t") == "3")
    }
  }

  @Test func `a flipped byte anywhere in the header is damage`() throws {
    try logs.add(3)
    for position in 0..<32 {
      let frozen = try logs.freeze { $1[position] ^= 0x10 }
      #expect(try frozen.log()?.damage == .header)
      // SQLite itself shows the file as it was before all of that.
      #expect(try frozen.ask("SELECT count(*) FROM sqlite_schema") == "0")
    }
  }

  @Test(arguments: [2, 31])
  func `a log that ends in its header is damage`(length: Int) throws {
    try logs.add(3)
    #expect(try logs.freeze { $1 = Array($1[..<length]) }.log()?.damage == .header)
    #expect(try logs.freeze { $1 = Array($1[..<32]) }.log()?.damage == nil)
    #expect(try logs.freeze { $1 = [] }.log()?.damage == nil)
  }

  @Test func `a flipped byte in any frame is damage, also in the last`() throws {
    for _ in 1...3 { try logs.add(1) }
    let count = try #require(try logs.freeze().log()).shownFrameCount
    for frame in [0, 2, Int(count) - 1] {
      for position in Array(0..<26) + [300, FrozenLogs.frameByteCount - 1] {
        let frozen = try logs.freeze { $1[FrozenLogs.offset(of: frame) + position] ^= 0x40 }
        #expect(try frozen.log()?.damage == .frame(Int64(frame) + 1, of: count), "byte \(position) of frame \(frame)")
      }
    }
    // The one flip that looks like a transaction without end is told as that.
    let end = FrozenLogs.offset(of: Int(count) - 1)
    let frozen = try logs.freeze { $1[end + 7] = 0 }
    #expect(try frozen.log()?.endsUnfinished == true)
  }

  @Test func `what an earlier use of the log left is no damage`() throws {
    try logs.add(40)
    let long = try #require(try logs.freeze().log()).shownFrameCount
    _ = try logs.writer.text("PRAGMA wal_checkpoint(RESTART)")
    let complete = try logs.freeze()
    #expect(try complete.log()?.damage == nil)
    #expect(try complete.log()?.shownFrameCount == long)
    try logs.add(1)
    let frozen = try logs.freeze()
    let log = try #require(try frozen.log())
    #expect(log.damage == nil)
    #expect(!log.endsUnfinished)
    #expect(log.shownFrameCount < long)
    #expect(try frozen.ask("SELECT count(*) FROM t") == "41")
    // A flip in the part that is used is damage all the same.
    let damaged = try logs.freeze { $1[FrozenLogs.offset(of: 0) + 100] ^= 1 }
    #expect(try damaged.log()?.damage == .frame(1, of: long))
  }

  @Test func `a log whose checksums have the highest byte first is read as well`() throws {
    for _ in 1...4 { try logs.add(2) }
    let count = try logs.freeze().log()?.shownFrameCount
    let turned = try logs.freeze { $1 = bigEndian($1) }
    #expect(try turned.log()?.damage == nil)
    #expect(try turned.log()?.shownFrameCount == count)
    #expect(try turned.ask("SELECT count(*) FROM t") == "8")
    let damaged = try logs.freeze {
      $1 = bigEndian($1)
      $1[FrozenLogs.offset(of: 1) + 50] ^= 1
    }
    #expect(try damaged.log()?.damage == .frame(2, of: count ?? 0))
  }

  /// The log with its checksums computed anew over words with the highest byte first.
  private func bigEndian(_ log: [UInt8]) -> [UInt8] {
    var log = log
    var sums: (UInt32, UInt32) = (0, 0)
    func word(_ offset: Int) -> UInt32 {
      log[offset..<(offset + 4)].reduce(0) { $0 << 8 | UInt32($1) }
    }
    func add(_ range: Range<Int>) {
      for offset in stride(from: range.lowerBound, to: range.upperBound, by: 8) {
        sums.0 &+= word(offset) &+ sums.1
        sums.1 &+= word(offset + 4) &+ sums.0
      }
    }
    func put(_ offset: Int) {
      for (position, sum) in [sums.0, sums.1].enumerated() {
        for byte in 0..<4 {
          log[offset + position * 4 + byte] = UInt8(truncatingIfNeeded: sum >> UInt32(24 - 8 * byte))
        }
      }
    }
    log[3] |= 1
    add(0..<24)
    put(24)
    for start in stride(from: 32, to: log.count, by: FrozenLogs.frameByteCount) {
      add(start..<(start + 8))
      add((start + 24)..<(start + FrozenLogs.frameByteCount))
      put(start + 16)
    }
    return log
  }
}
