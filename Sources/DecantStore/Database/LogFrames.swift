internal import DecantBase
internal import DecantSQLite

/// The frames of a write-ahead log, read sequentially through one buffer.
///
/// A log consists of a header of 32 bytes and frames: a head of 24 bytes, then a page. Every head contains the salts of
/// the header and a checksum of everything before it in the log. SQLite uses them to tell complete frames from
/// incomplete ones and from those of an earlier use of the log.
struct LogFrames {
  /// The head of a frame.
  struct Head: Equatable {
    /// The page in the frame.
    let page: UInt32
    /// The size of the database, in pages, in a frame that ends a transaction; otherwise 0.
    let pageCount: UInt32
    /// The two numbers that all frames of one use of the log share.
    let salts: [UInt32]

    /// Whether the frame ends a transaction.
    var isCommit: Bool { pageCount != 0 }
  }

  let pageSize: Int
  let salts: [UInt32]
  /// The number of frames by size; the rest is shorter than a frame.
  let count: Int64
  /// The number of bytes after the last complete frame.
  let restByteCount: Int64
  private let log: FileView
  private let isBigEndian: Bool
  private let headerChecksum: LogChecksum

  static let headerByteCount = 32
  static let headByteCount = 24

  /// Reads the header of `log`; `nil` if SQLite would not accept it.
  init?(_ log: FileView, byteCount: Int64) {
    guard let header = log.read(LogFrames.headerByteCount, at: 0) else { return nil }
    let magic = header.word(at: 0)
    let pageSize = header.word(at: 8)
    guard magic & ~1 == 0x377f_0682, header.word(at: 4) == 3_007_000,
      pageSize >= 512, pageSize <= 65_536, pageSize.nonzeroBitCount == 1
    else { return nil }
    var checksum = LogChecksum()
    let isBigEndian = magic & 1 == 1
    header.withUnsafeBytes { bytes in
      checksum.add(UnsafeRawBufferPointer(rebasing: bytes[..<24]), isBigEndian: isBigEndian)
    }
    guard checksum == LogChecksum(header.word(at: 24), header.word(at: 28)) else { return nil }
    self.log = log
    self.isBigEndian = isBigEndian
    self.pageSize = Int(pageSize)
    salts = [header.word(at: 16), header.word(at: 20)]
    headerChecksum = checksum
    let frameByteCount = Int64(LogFrames.headByteCount + Int(pageSize))
    let rest = max(0, byteCount - Int64(LogFrames.headerByteCount))
    count = rest / frameByteCount
    restByteCount = rest % frameByteCount
  }

  private var frameByteCount: Int { LogFrames.headByteCount + pageSize }

  private func offset(of frame: Int64) -> Int64 {
    Int64(LogFrames.headerByteCount) + frame * Int64(frameByteCount)
  }

  /// Returns the head of a frame, or `nil` if the log became shorter.
  func head(of frame: Int64) -> Head? {
    log.read(LogFrames.headByteCount, at: offset(of: frame)).map(Head.init)
  }

  /// Returns the salts of the incomplete frame at the end, if present.
  func restSalts() -> [UInt32]? {
    guard restByteCount >= 16 else { return nil }
    return log.read(16, at: offset(of: count)).map { [$0.word(at: 8), $0.word(at: 12)] }
  }

  /// Calls `body` with every frame in order, and whether its checksum is correct, until it returns false.
  ///
  /// - Returns: Whether the log could be read to its original length; also false on a request to stop.
  func walk(_ body: (_ frame: Int64, _ head: Head, _ hasRightChecksum: Bool) -> Bool) -> Bool {
    let framesAtOnce = max(1, (1 << 20) / frameByteCount)
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: framesAtOnce * frameByteCount, alignment: 8)
    defer { buffer.deallocate() }
    var checksum = headerChecksum
    var frame: Int64 = 0
    while frame < count {
      guard Cancellation.current?.isCancelled != true else { return false }
      let number = Int(min(Int64(framesAtOnce), count - frame))
      let piece = UnsafeMutableRawBufferPointer(rebasing: buffer[..<(number * frameByteCount)])
      guard log.read(into: piece, at: offset(of: frame)) else { return false }
      for position in 0..<number {
        let start = position * frameByteCount
        let bytes = UnsafeRawBufferPointer(rebasing: piece[start..<(start + frameByteCount)])
        let (head, stored) = (Array(bytes[..<24]), LogFrames.headByteCount)
        checksum.add(UnsafeRawBufferPointer(rebasing: bytes[..<8]), isBigEndian: isBigEndian)
        checksum.add(UnsafeRawBufferPointer(rebasing: bytes[stored...]), isBigEndian: isBigEndian)
        let isRight = checksum == LogChecksum(head.word(at: 16), head.word(at: 20))
        guard body(frame, Head(head), isRight) else { return true }
        frame += 1
      }
    }
    return true
  }
}

extension LogFrames.Head {
  fileprivate init(_ bytes: [UInt8]) {
    page = bytes.word(at: 0)
    pageCount = bytes.word(at: 4)
    salts = [bytes.word(at: 8), bytes.word(at: 12)]
  }
}

/// The checksum of a write-ahead log: two sums over 32-bit words, in the byte order of the log.
struct LogChecksum: Equatable {
  private var first: UInt32 = 0
  private var second: UInt32 = 0

  init() {}

  init(_ first: UInt32, _ second: UInt32) {
    self.first = first
    self.second = second
  }

  /// Adds `bytes`, whose count is a multiple of 8.
  mutating func add(_ bytes: UnsafeRawBufferPointer, isBigEndian: Bool) {
    var (one, two) = (first, second)
    var position = 0
    while position + 8 <= bytes.count {
      let left = bytes.loadUnaligned(fromByteOffset: position, as: UInt32.self)
      let right = bytes.loadUnaligned(fromByteOffset: position + 4, as: UInt32.self)
      one = one &+ (isBigEndian ? left.bigEndian : left.littleEndian) &+ two
      two = two &+ (isBigEndian ? right.bigEndian : right.littleEndian) &+ one
      position += 8
    }
    (first, second) = (one, two)
  }
}

extension [UInt8] {
  /// Returns the big-endian 32-bit word at `offset`.
  func word(at offset: Int) -> UInt32 {
    UInt32(self[offset]) << 24 | UInt32(self[offset + 1]) << 16 | UInt32(self[offset + 2]) << 8
      | UInt32(self[offset + 3])
  }
}
