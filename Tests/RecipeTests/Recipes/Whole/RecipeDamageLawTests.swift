import Foundation
import TestSupport
import Testing

import Decant
@testable import DecantRecipes

/// Recipe files that were cut off, or lack the end of something in them: of what begins a recipe nothing is lost
/// without a word.
@Suite(.enabled(if: Fixtures.areAvailable)) struct RecipeDamageLawTests {
  /// A real file, and by which signs a recipe begins and ends in it.
  struct File: Sendable, CustomTestStringConvertible {
    let name: String
    let begin: String
    let end: String

    var testDescription: String { name }

    init(_ name: String, _ begin: String, _ end: String) {
      (self.name, self.begin, self.end) = (name, begin, end)
    }

    var bytes: [UInt8] {
      get throws { Array(try Data(contentsOf: URL(fileURLWithPath: RecipeShelf.fixture(name)))) }
    }
  }

  private static let files = [
    File("mx2/thinkle-gourmet-athenos.mx2", "<RcpE ", "</RcpE>"),
    File("mx2/mera461-javaRecipes-Max-Min_MC_Field_Test.mx2", "<RcpE ", "</RcpE>"),
    File("gourmet/thinkle-gourmet-test_set.grmt", "<recipe ", "</recipe>"),
    File("krecipes/KDE-krecipes-samples-en_US.kreml", "<krecipes-recipe>", "</krecipes-recipe>"),
    File("cookml/reaper47-recipya-kalorio.cml", "<recipe ", "</recipe>"),
    File("cookmate/reaper47-recipya-my_cookbook.xml", "<recipe>", "</recipe>"),
    File("recipeml/KDE-krecipes-recipemltest.txt", "<recipe>", "</recipe>"),
    File("fdx/mera461-javaRecipes-allfields.fdx", "<Recipe ", "</Recipe>"),
    File("macgourmet/mera461-javaRecipes-Banana_Chocolate_Chip_Bread.mgourmet", "<plist ", "</plist>"),
    File("recipekeeper/reaper47-recipya-recipes.html", "class=\"recipe-details\"", "</body>"),
    File("schemaorg/TandoorRecipes-recipes-ld_json_multiple.html", "ld+json", "</script>"),
    File("schemaorg/mealie-recipes-mealie-bon-appetit.json", "{", "}\n"),
    File("mela/jphastings-mela-recipes-a.melarecipe", "{", "}\n"),
    File("crouton/reaper47-recipya-strawberry.crumb", "{", "}\n"),
    File("recipefox-json/mera461-javaRecipes-recipe_w_image_from_RecipeFox.json", "{", "]\n"),
    File("mmf/thinkle-gourmet-mealmaster.mmf", "Recipe via Meal-Master", "\nMMMMM\n"),
    File("rezkonv/mera461-javaRecipes-BohnenSpeckPasta.rk", "REZKONV-Rezept", "=====\n\n"),
    File("mxp/mera461-javaRecipes-0_2625_appetiz1_00.mxp", "Exported from  MasterCook", "- - - - -"),
  ]

  /// What came of reading a file.
  private struct Outcome {
    let recipeCount: Int
    /// What was said of damage, with its place.
    let reports: [String]

    init(_ bytes: [UInt8], _ name: String) throws {
      let folder = try ScratchFolder()
      let path = "\(folder.path)/\(URL(fileURLWithPath: name).lastPathComponent)"
      try Data(bytes).write(to: URL(fileURLWithPath: path))
      let files = try RecipeFiles(try RecipeStager(in: folder.path), in: folder)
      try files.read(path)
      recipeCount = Int(files.findings.recipeCount)
      let texts =
        (files.findings.rejects + files.findings.unknown).map(\.reason)
        + files.findings.warnings.map(\.text)
      reports = texts.filter { $0.contains(/line \d+|byte \d+/) }
    }
  }

  /// How often `sign` stands in `bytes`, and where.
  private static func places(of sign: String, in bytes: [UInt8]) -> [Int] {
    let sign = Array(sign.utf8)
    guard bytes.count >= sign.count else { return [] }
    return (0...(bytes.count - sign.count)).filter { place in
      bytes[place] == sign[0] && bytes[place..<(place + sign.count)].elementsEqual(sign)
    }
  }

  @Test(arguments: files)
  func `a file that is cut off tells it`(_ file: File) throws {
    let bytes = try file.bytes
    let begins = Self.places(of: file.begin, in: bytes)
    #expect(!begins.isEmpty)
    #expect(try Outcome(bytes, file.name).reports == [], "the whole file")
    var generator = SeededGenerator(seed: 26)
    let drawn = (0..<6).map { _ in Int.random(in: 1..<bytes.count, using: &generator) }
    let behind = begins.prefix(3).map { $0 + file.begin.utf8.count + 1 }
    for cut in drawn + behind where cut < bytes.count {
      let part = Array(bytes[..<cut])
      let begun = Self.places(of: file.begin, in: part)
      guard let last = begun.last else { continue }
      let outcome = try Outcome(part, file.name)
      let isInside = (Self.places(of: file.end, in: part).last ?? -1) < last
      #expect(!isInside || !outcome.reports.isEmpty, "cut at \(cut) of \(bytes.count)")
      #expect(
        file.begin == "{" || outcome.recipeCount + outcome.reports.count >= begun.count,
        "cut at \(cut): \(begun.count) began, \(outcome.recipeCount) came, \(outcome.reports)"
      )
    }
  }

  @Test(arguments: files)
  func `what lacks its end takes nothing along`(_ file: File) throws {
    let bytes = try file.bytes
    let begins = Self.places(of: file.begin, in: bytes)
    for place in Self.places(of: file.end, in: bytes).prefix(3) {
      var part = bytes
      part.removeSubrange(place..<(place + file.end.utf8.count))
      let outcome = try Outcome(part, file.name)
      #expect(
        file.begin == "{" || outcome.recipeCount + outcome.reports.count >= begins.count,
        "without the end at \(place): \(outcome.recipeCount) came, \(outcome.reports)"
      )
    }
  }

  /// In XML no recipe is lost with the end of another, or of what stands in it.
  @Test(arguments: files.filter { $0.end.hasPrefix("</R") || $0.end.hasPrefix("</r") })
  func `recipes of XML come without ends of CDATA, comments and recipes`(_ file: File) throws {
    let bytes = try file.bytes
    let begins = Self.places(of: file.begin, in: bytes)
    let ends = Self.places(of: file.end, in: bytes)
    for (number, end) in ends.dropLast().prefix(2).enumerated() {
      for text in ["<![CDATA[x", "<!-- x", "<note>x", "<?x"] {
        // The next recipe closes it, as those do that have their own.
        var part = bytes
        let next = ends[number + 1]
        part.insert(contentsOf: Array("<e><![CDATA[y]]></e><!-- y --><?y?>".utf8), at: next)
        part.insert(contentsOf: Array(text.utf8), at: end)
        let outcome = try Outcome(part, file.name)
        #expect(outcome.recipeCount == begins.count, "\(text): \(outcome.reports)")
        #expect(outcome.reports.contains { $0.contains("not closed") }, "\(outcome.reports)")
      }
      var part = bytes
      part.removeSubrange(end..<(end + file.end.utf8.count))
      let outcome = try Outcome(part, file.name)
      #expect(outcome.recipeCount == begins.count)
      #expect(outcome.reports.contains { $0.contains("is not closed") }, "\(outcome.reports)")
    }
  }

  @Test func `lines that begin and end recipes are missed`() throws {
    let file = File("mmf/thinkle-gourmet-mealmaster.mmf", "Title:", "")
    let text = String(decoding: try file.bytes, as: UTF8.self)
    let whole = try Outcome(Array(text.utf8), file.name)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    for (number, line) in lines.enumerated() where line.contains("Recipe via") {
      let rest = lines[..<number] + lines[(number + 1)...]
      let outcome = try Outcome(Array(rest.joined(separator: "\n").utf8), file.name)
      #expect(outcome.recipeCount == whole.recipeCount - 1)
      #expect(outcome.reports.contains { $0.contains("has no start line") }, "\(number)")
    }
  }

  @Test func `a quote that is not closed, and a comment that is not ended, are told`() throws {
    let table =
      "Title,Course,Main Ingredient,Ingredients,Directions\nA,x,y,\"1 egg,Mix\nB,x,y,\"2 eggs\",Mix\n"
    let rows = try Outcome(Array(table.utf8), "a.csv")
    #expect(rows.recipeCount == 1)
    #expect(rows.reports.contains { $0.contains("the row on line 2 continues") }, "\(rows.reports)")
    let cook = try Outcome(Array(">> servings: 2\nMix @eggs.\n[- once\n\nBake.\n".utf8), "a.cook")
    #expect(cook.reports.contains { $0.contains("comment that begins on line 3") }, "\(cook.reports)")
    let fields = try Outcome(Array("---\ntitle: A\n\nBake.\n".utf8), "a.cook")
    #expect(fields.reports.contains { $0.contains("fields that begin on line 1") }, "\(fields.reports)")
  }
}
