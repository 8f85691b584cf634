import Testing

@testable import DecantRecipeFormats

/// Texts as recipes are compared by them.
@Suite struct FoldedTextTests {
  /// Texts of Latin letters take a way of their own: what is no letter sends them the other one.
  @Test func `Latin letters are folded as Unicode says`() throws {
    for number in UInt32(0x20)..<0x180 {
      let letter = String(try #require(Unicode.Scalar(number)))
      for text in [letter, "a\(letter)1", "\(letter)\u{301}", "\(letter)ß\(letter)"] {
        #expect(FoldedText.letters(of: text) == FoldedText.letters(of: "–\(text)"), "\(number) in “\(text)”")
      }
    }
  }

  @Test func `case, signs and the form of accents do not count`() {
    #expect(
      FoldedText.letters(of: "CRÈME Brûlée, 1½ × Größe")
        == FoldedText.letters(of: "cre\u{300}me bru\u{302}le\u{301}e 1½ grösse"))
    #expect(FoldedText.letters(of: "Käse") != FoldedText.letters(of: "Kase"))
  }
}
