import Decant
import Foundation
import TestSupport
import Testing

/// Texts as strangers send them: what can be read comes, and of the rest it is said why not.
@Suite struct RecipeBadTextTests {
  private let shelf: RecipeShelf

  init() throws { shelf = try RecipeShelf() }

  @Test func `an illegal XML declaration is no obstacle`() throws {
    try shelf.write(
      Array(
        """
        <?xml version="1.0" standalone="yes" encoding="ISO-8859-1"?>
        <!DOCTYPE mx2 SYSTEM "mx2.dtd">
        <mx2 source="MasterCook" date="today"><RcpE name="Cr\u{1}pe"><IngR name="egg" unit="" qty="1"/>
        <DirS><DirT>Fry.</DirT></DirS></RcpE></mx2>
        """.utf8
      ).map { $0 == 1 ? 0xea : $0 },
      "a.mx2"
    )
    try shelf.check(try shelf.import("a.mx2"), titles: ["Crêpe"], rejects: [:])
  }

  @Test func `NULs are left out, and long lines are texts like any other`() throws {
    try shelf.make(
      "a.zip",
      """
      mela = lambda n, text: json.dumps({"id": n, "title": n, "ingredients": "x", "instructions": "y", "notes": text})
      library([("null.melarecipe", mela("A", "one\\0two")), ("raw", mela("B", "onetwo").replace("onetwo", "one\\0two")),
          ("long", mela("C", "long " * 1_000_000)), ("nulls", bytes(5000)), ("empty", b""),
          ("line.txt", b"x" * 5_000_000),
          ("mmf", b"MMMMM----- Recipe via Meal-Master (tm) v8.05\\n\\n      Title: D\\n Categories: X\\n      Yield: 4\\n"
              b"\\n      1 c  flour\\n\\n  Mix\\0 it.\\n  " + b"word " * 1_000_000 + b"\\n\\nMMMMM\\n")])
      """
    )
    let report = try shelf.import("a.zip")
    let content = try shelf.content()
    #expect(content.faults == [])
    #expect(content.titles == ["A", "B", "C"], "\(report.unread) \(report.notes)")
    // A recipe of five megabytes between two lines of dashes is none; a note of that length is one.
    #expect(shelf.reason(report, "mmf")?.contains("its end is missing") == true, "\(report.unread)")
    #expect(content.field("notes", of: "C").first?.utf8.count == 4_999_999)
    // SQLite's texts end at a NUL; what is damaged in such a way is told.
    #expect(content.field("notes", of: "A") == ["onetwo"])
    #expect(content.field("notes", of: "B") == ["onetwo"])
    for title in ["A", "B"] {
      #expect(report.remarks.contains { $0.reason == "\(title): control characters were removed" }, "\(report.remarks)")
    }
    for name in ["nulls", "empty", "line.txt"] {
      #expect(
        report.notes.commandLine.contains { $0.contains("skipped") && $0.contains(name) }, "\(name): \(report.notes)")
    }
  }

  @Test func `pictures that are none are remarks`() throws {
    try shelf.make(
      "a.paprikarecipes",
      """
      text = base64.b64encode(b"<html>404</html>").decode()
      good = base64.b64encode(png).decode()
      library([("A", packed(recipe("A", photo_data="!!!"))), ("B", packed(recipe("B", photo_data=text))),
          ("C", packed(recipe("C", photo_data=good[:-8]))), ("D", packed(recipe("D", photo_data=""))),
          ("E", packed(recipe("E", photo_data=text, photos=[{"name": "1", "filename": "x.png", "data": good}]))),
          ("F", packed(recipe("F", photo_data="data:image/jpeg;base64,\\n" + good.rstrip("="))))])
      """
    )
    let report = try shelf.import("a.paprikarecipes")
    try shelf.check(
      report,
      titles: ["A", "B", "C", "D", "E", "F"],
      rejects: [:],
      notes: []
    )
    for remark in [
      "A: a picture is not valid base64", "B: a picture has an unknown format: it begins with 3c 68 74 6d",
    ] {
      #expect(report.remarks.contains { $0.reason == remark }, "\(report.remarks)")
    }
    let pictures = try shelf.content().recipes.map { RecipeContent.texts($0["pictures"]).count }
    #expect(pictures == [0, 0, 1, 0, 1, 1])
    #expect(try shelf.content().field("pictures.type", of: "F") == ["image/png"])
  }

  @Test func `a picture that is missing is a remark`() throws {
    try shelf.make(
      "a.zip",
      """
      page = '<html><body><div class="recipe-details"><meta itemprop="recipeRating"><h2 itemprop="name">One</h2><div itemprop="recipeIngredients">' \
          '<p>x</p></div><img class="recipe-photo" src="images/a.jpg"></div></body></html>'
      library([("recipes.html", page), ("images/b.jpg", b"no picture at all")])
      """
    )
    let report = try shelf.import("a.zip")
    try shelf.check(report, titles: ["One"], rejects: [:], notes: ["the picture “images/a.jpg” is missing"])
  }

  @Test func `recipes without a title are called so`() throws {
    try shelf.make(
      "a.paprikarecipes",
      """
      library([("A", packed(recipe("", uid="1"))), ("B", packed(recipe("x", name=None, uid="2", notes="b"))),
          ("C", packed(recipe(" \\n", uid="3")))])
      """
    )
    let report = try shelf.import("a.paprikarecipes")
    try shelf.check(report, titles: ["Untitled (A)", "Untitled (B)", "Untitled (C)"], rejects: [:])
  }

  @Test func `files without a recipe are passed over and listed`() throws {
    try shelf.make("in/a.paprikarecipe", "open(place, 'wb').write(packed(recipe('A')))", inFolder: true)
    let files: [String: [UInt8]] = [
      "letter.txt": Array("Dear all".utf8), "data.json": Array(#"{"a": [1, 2]}"#.utf8),
      "list.json": Array("[]".utf8), "page.html": Array("<html><p>Hi</p></html>".utf8),
      "doc.xml": Array("<svg/>".utf8), "zero.bin": [], "random.bin": [9, 0, 7, 250, 3],
      "table.csv": Array("a,b\n1,2\n".utf8),
      "empty.zip": [0x50, 0x4b, 5, 6] + [UInt8](repeating: 0, count: 18),
    ]
    for (name, bytes) in files { try shelf.write(bytes, "in/\(name)") }
    let report = try shelf.import("in")
    try shelf.check(report, titles: ["A"], rejects: [:])
    #expect(report.passedOver.compactMap(\.entry).sorted() == files.keys.sorted(), "\(report.passedOver)")
  }

  /// As when all of a folder of downloads is named.
  @Test func `named files without a recipe stop nothing`() throws {
    try shelf.make("a.paprikarecipe", "open(place, 'wb').write(packed(recipe('A')))")
    try shelf.write(Array("%PDF-1.4".utf8), "manual.pdf")
    let png: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
    try shelf.write(png, "holiday.png")
    let report = try shelf.import(["manual.pdf", "a.paprikarecipe", "holiday.png"])
    try shelf.check(report, titles: ["A"], rejects: [:])
    for name in ["manual.pdf", "holiday.png"] {
      #expect(report.notes.commandLine.contains { $0.hasPrefix("skipped: \(name): ") }, "\(report.notes)")
    }
  }

  @Test func `documents that break off are rejected by name`() throws {
    try shelf.make("in/a.paprikarecipe", "open(place, 'wb').write(packed(recipe('A')))", inFolder: true)
    try shelf.write(
      #"{"@type": "Recipe", "name": "Half", "recipeIngredient": ["a", "#,
      "in/half.json"
    )
    try shelf.write(#"<gourmetDoc><recipe id="1"><title>Half"#, "in/half.grmt")
    let report = try shelf.import("in")
    #expect(report["Recipe"]?.copied ?? 0 >= 1)
    for name in ["half.json", "half.grmt"] {
      let said =
        report.unread.contains { $0.entry == name } || report.notes.commandLine.contains { $0.contains(name) }
      #expect(said, "\(name): \(report.unread) \(report.notes)")
    }
  }

  @Test func `one bad recipe of many is one reject`() throws {
    try shelf.write(
      #"""
      {"recipes": [{"@type": "Recipe", "name": "A", "recipeIngredient": ["x"], "recipeInstructions": ["y"]},
        {"@type": "Recipe", "name": ["B", {"c": 1}], "recipeIngredient": {"x": null}, "recipeInstructions": 7},
        {"@type": "Recipe", "name": "C", "recipeIngredient": ["x"], "recipeInstructions": ["z"]}]}
      """#,
      "a.json"
    )
    let report = try shelf.import("a.json")
    try shelf.check(report, titles: ["A", "B", "C"], rejects: [:])
  }
}
