/// What bytes are packed as, told by how they begin and by nothing else.
enum Format: CaseIterable {
  case plain, gzip, zstd, skippable, xz, lz4, zip, emptyZip

  /// The bytes that each begins with.
  ///
  /// Frames to skip belong to zstd and lz4 alike; only zstd is known to begin with one, as pzstd does.
  private var magic: [UInt8] {
    switch self {
    case .plain: []
    case .gzip: [0x1F, 0x8B]
    case .zstd: [0x28, 0xB5, 0x2F, 0xFD]
    case .skippable: [0x50, 0x2A, 0x4D, 0x18]
    case .xz: [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00]
    case .lz4: [0x04, 0x22, 0x4D, 0x18]
    case .zip: [0x50, 0x4B, 3, 4]
    case .emptyZip: [0x50, 0x4B, 5, 6]
    }
  }

  /// Looks at the first bytes of `input`.
  ///
  /// Two bytes or more that are but a beginning of such a mark are a stream that was cut, and so is one
  /// that could not be of text. A file with nothing but `P` or `(` is plain.
  init(of input: BufferedInput) throws(ContainerError) {
    _ = try input.has(6)
    let head = Array(input.window.prefix(6))
    if head.starts(with: [0x02, 0x21, 0x4C, 0x18]) {
      // It has no end that could be told from a cut, and no checksum.
      throw .unsupported("it is packed by a version of lz4 before 1.4", at: input.position)
    }
    for format in Format.allCases where format != .plain {
      let magic = format.magic
      let isSkippable =
        format == .skippable && head.count >= 4 && head[0] & 0xF0 == 0x50
        && head[1..<4] == magic[1..<4]
      if head.starts(with: magic) || isSkippable {
        self = format
        return
      }
      if !head.isEmpty && magic.starts(with: head)
        && (head.count > 1 || !(0x20..<0x7F).contains(head[0]))
      {
        throw .truncated("the mark of a packed stream", at: input.position + head.count)
      }
    }
    self = .plain
  }
}
