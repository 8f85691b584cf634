import Foundation
import TestSupport
import Testing

@testable import DecantCLI

@Suite struct DisplayWidthTests {
  @Test(arguments: [
    ("", 0), ("abc", 3), ("é", 1), ("e\u{301}", 1), ("日本語", 6), ("ｱ", 1), ("Ａ", 2), ("한국", 4),
    ("\u{1112}\u{1161}\u{11ab}", 2), ("👍", 2), ("👍🏽", 2), ("👩‍👩‍👧", 2), ("🇩🇪", 2), ("❤️", 2), ("❤", 1),
    ("שלום", 4), ("दाल", 3), ("…", 1), ("ﷺ", 1), ("a\u{200B}b", 2),
  ])
  func `a text has the width that terminals give it`(_ text: String, _ width: Int) {
    #expect(text.displayWidth == width)
  }

  @Test(arguments: [
    ("abcdef", 6, "abcdef"), ("abcdef", 5, "abcd…"), ("日本語", 5, "日本…"), ("日本語", 4, "日…"),
    ("👩‍👩‍👧👩‍👩‍👧", 3, "👩‍👩‍👧…"), ("e\u{301}e\u{301}e\u{301}", 2, "e\u{301}…"), ("abc", 1, "…"),
  ])
  func `a text is cut between characters`(_ text: String, _ width: Int, _ cut: String) {
    #expect(text.shortened(to: width) == cut)
    #expect(text.shortened(to: width).displayWidth <= width)
  }

  @Test(arguments: [
    ("plain", "plain"), ("a\nb\r\nc\rd", "a↵b↵c↵d"), ("a\tb", "a b"), ("\u{1b}[31m", "�[31m"),
    ("a\u{202e}b\u{2028}c\u{85}d\u{7f}", "a�b�c�d�"), ("👩‍👩‍👧", "👩‍👩‍👧"),
    ("می\u{200C}خواهم", "می\u{200C}خواهم"),
  ])
  func `a text obeys nothing and stays on its line`(_ text: String, _ shown: String) {
    #expect(text.onOneLine == shown)
  }

  @Test func `python's tables say which characters are wide`() throws {
    // Runs of characters of one width, and between them what is not looked at: the letters of flags,
    // which come in pairs, each pair as wide as one picture, and what has no width of its own.
    let script = """
      import unicodedata
      def width(c):
        if 0x1f1e6 <= c <= 0x1f1ff or unicodedata.category(chr(c)) in (
            "Cn", "Co", "Cc", "Cf", "Cs", "Mn", "Me"):
          return 0
        return 2 if unicodedata.east_asian_width(chr(c)) in "WF" else 1
      start = 0xa0
      for c in range(0xa1, 0x32001):
        if width(c) != width(start):
          print(start, c, width(start))
          start = c
      """
    let run = try Program.run(["python3", "-c", script])
    #expect(run.status == 0, "\(run.errors)")
    var different: [String] = []
    var count = 0
    for line in run.output.split(separator: "\n") {
      let numbers = line.split(separator: " ").compactMap { UInt32($0) }
      guard numbers.count == 3, numbers[2] > 0 else { continue }
      for scalar in (numbers[0]..<numbers[1]).compactMap({ Unicode.Scalar($0) }) {
        count += 1
        // Medial and final letters of Korean syllables stand within the first one's square.
        let expected = (0x1160...0x11ff).contains(scalar.value) ? 0 : Int(numbers[2])
        if Character(scalar).displayWidth != expected {
          different.append(String(scalar.value, radix: 16))
        }
      }
    }
    #expect(count > 100_000)
    #expect(different.isEmpty, "\(different.count): \(different.prefix(50))")
  }
}
