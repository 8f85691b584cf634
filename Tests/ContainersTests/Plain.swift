import DecantContainers
import Foundation
import TestSupport
import Testing

/// Bytes to pack, of every size that might be a border.
enum Plain: String, CaseIterable, CustomTestStringConvertible {
  case empty, oneByte, few, blockLessOne, block, blockAndOne, fourBlocks, random, repetitive

  var testDescription: String { rawValue }

  var bytes: [UInt8] {
    switch self {
    case .empty: []
    case .oneByte: [0x41]
    case .few: Self.text
    case .blockLessOne: Self.lines((1 << 20) - 1)
    case .block: Self.lines(1 << 20)
    case .blockAndOne: Self.lines((1 << 20) + 1)
    case .fourBlocks: Self.lines(4 << 20)
    case .random: Self.random((3 << 20) - 7)
    case .repetitive: [UInt8](repeating: 0x20, count: 12 << 20)
    }
  }

  /// A few lines that pack into less than they are.
  static let text = lines(300)

  /// Lines of JSON, `byteCount` bytes of them.
  static func lines(_ byteCount: Int) -> [UInt8] { Array(manyLines[..<byteCount]) }

  /// Bytes that cannot be packed, and begin like no format; up to 3 MiB.
  static func random(_ byteCount: Int) -> [UInt8] { Array(manyRandom[..<byteCount]) }

  private static let manyRandom: [UInt8] = {
    var generator = SeededGenerator(seed: 2)
    var words = (0..<(3 << 17)).map { _ in generator.next() }
    words[0] = 0x41
    return words.withUnsafeBytes { Array($0) }
  }()

  private static let manyLines: [UInt8] = {
    var text = ""
    var generator = SeededGenerator(seed: 1)
    var id = 0
    while text.utf8.count < 5 << 20 {
      id += 1
      text += #"{"e":"Recipe","id":\#(id),"v":{"title":"\#(generator.next())"}}"# + "\n"
    }
    return Array(text.utf8)
  }()
}

/// The compressions that there are.
let compressions: [Compression] = [.none, .gzip, .zstd, .xz, .lz4, .zip(member: "out.decant")]
