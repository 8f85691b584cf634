import TestSupport
import Testing

/// Pages that declare another encoding than they are in.
@Suite struct DeclaredEncodingTests {
  private let shelf: RecipeShelf

  init() throws { shelf = try RecipeShelf() }

  @Test func `a page in UTF-8 that calls itself ISO 8859-1 is read as UTF-8`() throws {
    let text =
      "<html><head><meta charset=\"iso-8859-1\"></head><body><h1>Brei</h1><h2>Zutaten</h2>"
      + "<ul><li>250 g Käse</li><li>2 Äpfel</li></ul><h2>Zubereitung</h2><p>Alles verrühren, bis keine Klümpchen mehr zu sehen sind.</p>"
    try shelf.write(text, "utf8.html")
    try shelf.import("utf8.html")
    #expect(try shelf.value("SELECT group_concat(text, '|') FROM Ingredient") == "250 g Käse|2 Äpfel")
    // One that is what it says stays so.
    try shelf.write(text.unicodeScalars.map { UInt8($0.value) }, "latin1.html")
    try shelf.import("latin1.html", into: "other.sqlite")
    #expect(
      try shelf.value("SELECT group_concat(text, '|') FROM Ingredient", of: "other.sqlite") == "250 g Käse|2 Äpfel")
  }
}
