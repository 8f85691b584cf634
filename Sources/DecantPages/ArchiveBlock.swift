internal import DecantBase

/// The lines of an archive as a block of data in a page, in which no tag can be.
///
/// `<`, `>` and `&` occur only within JSON strings, where `\u003c` and the like are equivalent, so a reader of the
/// block finds valid JSON.
struct ArchiveBlock {
  private let output: PageOutput
  private var last: UInt8 = 0x0a

  /// The text before the lines, by which a reader finds them.
  static let opening = "<script type=\"application/vnd.decant\">\n"
  /// The text after the lines.
  static let closing = "</script>\n"

  /// Writes the lines that `give` supplies to `output`.
  static func write(_ give: ByteGiver, to output: PageOutput) throws(DecantError) {
    try output.write(opening)
    var block = ArchiveBlock(output: output)
    try give { piece throws(DecantError) in try block.write(piece) }
    if block.last != 0x0a { try output.write("\n") }
    try output.write(closing)
  }

  private init(output: PageOutput) { self.output = output }

  private mutating func write(_ piece: UnsafeRawBufferPointer) throws(DecantError) {
    var start = 0
    for position in 0..<piece.count {
      let escape: String
      switch piece[position] {
      case 0x3c: escape = "\\u003c"
      case 0x3e: escape = "\\u003e"
      case 0x26: escape = "\\u0026"
      default: continue
      }
      try output.write(UnsafeRawBufferPointer(rebasing: piece[start..<position]))
      try output.write(escape)
      start = position + 1
    }
    try output.write(UnsafeRawBufferPointer(rebasing: piece[start...]))
    last = piece.last ?? last
  }
}
