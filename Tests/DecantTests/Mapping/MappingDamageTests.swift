import Testing
import TestSupport

@testable import DecantBase
@testable import DecantMapping
@testable import DecantPlan

/// A whole mapping, cut off and changed at random: it is read, or refused with a place.
@Suite struct MappingDamageTests {
  /// Characters that mean something to YAML, and some that do not.
  private static let alphabet = Array("&*?!|>%@`'\"[]{},:-# \t\n\r~<=\\/0a\u{85}\u{2028}é\u{FEFF}\u{0}🍲".unicodeScalars)

  private func check(_ scalars: [Unicode.Scalar], _ seed: UInt64) {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars)
    do throws(DecantError) {
      _ = try Mapping(text: String(view), place: "map.yaml")
    } catch {
      #expect(error.family == .usage, "seed \(seed): \(error)")
      let place = error.place?.wholeMatch(of: #/map\.yaml:(\d+):(\d+)/#)
      #expect(place != nil, "seed \(seed): \(error)")
      #expect(!error.message.hasPrefix("invalid YAML"), "seed \(seed): \(error)")
      guard let place, let line = Int(place.1), let column = Int(place.2) else { return }
      let marks = MappingLines(scalars)
      let isInside =
        marks.index(of: .init(line: line, column: column)) != nil
        || marks.mark(at: scalars.count) == .init(line: line, column: column)
      #expect(isInside, "seed \(seed): \(error)")
    }
  }

  @Test(arguments: [MappingExample.yaml, MappingExample.json])
  func `a text that is cut off is read or refused`(_ text: String) {
    let scalars = Array(text.unicodeScalars)
    for count in stride(from: 0, through: scalars.count, by: 3) {
      check(Array(scalars[..<count]), UInt64(count))
    }
  }

  @Test(arguments: SeededGenerator.seeds(60))
  func `a text with random changes is read or refused`(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<10 { check(changed(&random), seed) }
  }

  /// Returns one of the examples with some characters removed, changed, added, swapped or repeated.
  private func changed(_ random: inout SeededGenerator) -> [Unicode.Scalar] {
    let text = Bool.random(using: &random) ? MappingExample.yaml : MappingExample.json
    var scalars = Array(text.unicodeScalars)
    for _ in 0..<Int.random(in: 1...6, using: &random) {
      let index = Int.random(in: 0..<scalars.count, using: &random)
      switch Int.random(in: 0..<5, using: &random) {
      case 0: scalars.remove(at: index)
      case 1: scalars[index] = MappingDamageTests.alphabet.randomElement(using: &random) ?? " "
      case 2:
        let new = MappingDamageTests.alphabet.randomElement(using: &random) ?? " "
        scalars.insert(new, at: index)
      case 3:
        let other = Int.random(in: 0..<scalars.count, using: &random)
        scalars.swapAt(index, other)
      default:
        let length = Int.random(in: 1...80, using: &random)
        let piece = scalars[index..<min(index + length, scalars.count)]
        let other = Int.random(in: 0..<scalars.count, using: &random)
        scalars.insert(contentsOf: Array(piece), at: other)
      }
    }
    return scalars
  }
}
