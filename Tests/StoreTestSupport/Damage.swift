internal import Foundation
internal import TestSupport

/// One damage of a store's files: a part that is cut off, or a byte that is another.
package enum Damage: CustomStringConvertible {
  /// The main file, or the write-ahead log.
  package enum Part: String { case main = "the file", log = "the log" }

  case cut(Part, at: Int)
  case flip(Part, at: Int, mask: UInt8)

  package var description: String {
    switch self {
    case .cut(let part, let offset): "\(part.rawValue) cut at \(offset)"
    case .flip(let part, let offset, let mask): "\(part.rawValue) at \(offset) flipped by \(mask)"
    }
  }

  /// Returns the two files with the damage done to them.
  package func applied(main: [UInt8], log: [UInt8]) -> (main: [UInt8], log: [UInt8]) {
    switch self {
    case .cut(.main, let offset): return (Array(main[..<offset]), log)
    case .cut(.log, let offset): return (main, Array(log[..<offset]))
    case .flip(let part, let offset, let mask):
      var files = (main: main, log: log)
      if part == .main { files.main[offset] ^= mask } else { files.log[offset] ^= mask }
      return files
    }
  }

  /// Draws damages: `cuts` and `flips` of the main file, and as many of a log.
  ///
  /// Half of the flips hit the heads of pages and frames, and the schema: few bytes, much harm.
  package static func draw(seed: UInt64, main: [UInt8], log: [UInt8], cuts: Int, flips: Int) -> [Damage] {
    var random = SeededGenerator(seed: seed)
    let pageSize = max(512, Int(main[16]) << 8 | Int(main[17]))
    var damages: [Damage] = []
    for (part, count, head, unit) in [
      (Part.main, main.count, 0, pageSize), (.log, log.count, 32, pageSize + 24),
    ] where count > 0 {
      for _ in 0..<cuts { damages.append(.cut(part, at: .random(in: 0..<count, using: &random))) }
      for _ in 0..<flips {
        let place: Int
        switch Int.random(in: 0..<8, using: &random) {
        case 0: place = .random(in: 0..<min(count, 100), using: &random)
        case 1: place = .random(in: 0..<min(count, unit), using: &random)
        case 2, 3:
          let units = max(1, (count - head) / unit)
          place =
            head + unit * .random(in: 0..<units, using: &random)
            + .random(in: 0..<40, using: &random)
        default: place = .random(in: 0..<count, using: &random)
        }
        let mask = UInt8.random(in: 1...255, using: &random)
        damages.append(.flip(part, at: min(place, count - 1), mask: mask))
      }
    }
    return damages
  }
}
