/// The format of bytes, detected only from their beginning.
enum Format: String {
  case plain, gzip, zstd, xz, lz4, bzip2, zip, tar, cpio
  case sevenZip = "7z"

  /// The number of bytes needed for detection: the header of a tar.
  static let headByteCount = 512

  /// The magic bytes of each format; only for zstd they include a leading skippable frame, as pzstd writes it.
  private static let marks: [(format: Format, bytes: [UInt8])] =
    [
      (.gzip, [0x1F, 0x8B]), (.zstd, [0x28, 0xB5, 0x2F, 0xFD]),
      (.xz, [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0]), (.lz4, [0x04, 0x22, 0x4D, 0x18]),
      (.zip, [0x50, 0x4B, 3, 4]), (.zip, [0x50, 0x4B, 5, 6]),
      (.sevenZip, [0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C]),
    ] + (0...15).map { (.zstd, [0x50 | $0, 0x2A, 0x4D, 0x18]) }

  /// Detects the format of the first bytes: `headByteCount` of them, or all if there are fewer.
  init(head: UnsafeRawBufferPointer) {
    if let mark = Format.marks.first(where: { head.starts(with: $0.bytes) }) {
      self = mark.format
    } else if Format.isBzip2(head) {
      self = .bzip2
    } else if Format.isCpio(head) {
      self = .cpio
    } else {
      self = Format.isTar(head) ? .tar : .plain
    }
  }

  /// Detects the format of `input`.
  ///
  /// Two or more bytes that are only the beginning of a format's magic bytes are a truncated stream, and so is a single
  /// one that cannot be text. A file with nothing but `P` or `(` is plain.
  init(of input: BufferedInput) throws(ContainerError) {
    _ = try input.has(Format.headByteCount)
    let head = UnsafeRawBufferPointer(rebasing: input.window.prefix(Format.headByteCount))
    if head.starts(with: [0x02, 0x21, 0x4C, 0x18]) {
      // The old format has no end that differs from a truncation, and no checksum.
      throw .unsupported("it was packed with lz4 before version 1.4", at: input.position)
    }
    self.init(head: head)
    guard self == .plain, let first = head.first else { return }
    let isCut =
      Format.marks.contains { $0.bytes.starts(with: head) }
      || (head.count < 5 && Array("BZh".utf8).starts(with: head.prefix(3)))
    if isCut && (head.count > 1 || !(0x20..<0x7F).contains(first)) {
      throw .truncated("the mark of a packed stream", at: input.position + head.count)
    }
  }

  /// Whether the header has a level, and the beginning of a block or of the end.
  private static func isBzip2(_ head: UnsafeRawBufferPointer) -> Bool {
    head.count >= 5 && head.starts(with: Array("BZh".utf8)) && (0x31...0x39).contains(head[3])
      && (head[4] == 0x31 || head[4] == 0x17)
  }

  /// Whether it is one of the three text forms, or the old binary form in the byte order of this machine.
  private static func isCpio(_ head: UnsafeRawBufferPointer) -> Bool {
    guard head.count >= 26 else { return false }
    if ["070701", "070702", "070707"].contains(where: { head.starts(with: Array($0.utf8)) }) {
      return head[6..<26].allSatisfy {
        (0x30...0x39).contains($0) || (0x41...0x46).contains($0 & 0xDF)
      }
    }
    // A valid file type and name length.
    return head[0] == 0xC7 && head[1] == 0x71 && (1...13).contains(head[7] >> 4)
      && head[21] < 0x10 && (head[20] > 0 || head[21] > 0)
  }

  /// Whether it is a block of 512 bytes that contains its own checksum.
  private static func isTar(_ head: UnsafeRawBufferPointer) -> Bool {
    guard head.count >= headByteCount, head[0] != 0 else { return false }
    var (sum, told) = (0, 0)
    for (index, byte) in head.prefix(headByteCount).enumerated() {
      let isField = (148..<156).contains(index)
      sum += isField ? 0x20 : Int(byte)
      guard isField else { continue }
      switch byte {
      case 0x30...0x37: told = told << 3 | Int(byte & 7)
      case 0, 0x20: continue
      default: return false
      }
    }
    return sum == told
  }
}
