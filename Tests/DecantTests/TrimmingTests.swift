import DecantBase
import Testing

@Suite struct TrimmingTests {
  /// What may stand at the ends of a text: white space of several kinds, and what only looks like it.
  private static let pieces = [
    "", " ", "\t", "\r\n", "\u{a0}", "\u{2003}", "\u{2028}", " \u{301}", "\u{200b}", "a", "!", "~", "\u{7f}", "é",
    "e\u{301}",
    "👩‍👧", "\0",
  ]

  @Test func `white space at both ends is removed, and nothing else`() {
    for first in Self.pieces {
      for second in Self.pieces {
        for third in Self.pieces {
          let text = first + second + third
          let expected = String(text.drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
          #expect(text.trimmed == expected, "\(text.debugDescription)")
          // A part of another text as well.
          #expect(("x" + text).dropFirst().trimmed == expected, "\(text.debugDescription)")
        }
      }
    }
  }
}
