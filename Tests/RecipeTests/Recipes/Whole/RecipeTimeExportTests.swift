import Decant
import Foundation
import TestSupport
import Testing

/// Times and lists of ingredients in files for other apps, and what the report of an export counts.
@Suite struct RecipeTimeExportTests {
  private let shelf: RecipeShelf

  init() throws { shelf = try RecipeShelf() }

  private static let places = ["out.paprikarecipes", "out.melarecipes", "cooklang:out", "out.mmf"]

  /// All text that a file or the files of a folder hold, read by Python.
  private func text(of place: String) throws -> String {
    let script = """
      import gzip, io, pathlib, sys, zipfile
      def text(data):
          if data[:2] == b"PK":
              file = zipfile.ZipFile(io.BytesIO(data))
              return "\\n".join(text(file.read(name)) for name in file.namelist())
          return (gzip.decompress(data) if data[:2] == b"\\x1f\\x8b" else data).decode()
      place = pathlib.Path(sys.argv[1])
      files = [f for f in place.rglob("*") if f.is_file()] if place.is_dir() else [place]
      print("\\n".join(text(f.read_bytes()) for f in files))
      """
    let name = place.split(separator: ":").last.map(String.init) ?? place
    let run = try Program.run(["python3", "-c", script, shelf.path(name)])
    guard run.status == 0 else { throw Program.Failure(program: "python3", errors: run.errors) }
    return run.output
  }

  private static let page = """
    <html><script type="application/ld+json">{"@context": "https://schema.org", "@type": "Recipe",
    "name": "Beans", "prepTime": "PT15M", "cookTime": "PT1H30M", "totalTime": "P1DT45M",
    "recipeIngredient": ["1 cup beans"], "recipeInstructions": ["Boil."]}</script></html>
    """

  @Test(arguments: places) func `times of a page are written in words`(_ place: String) throws {
    try shelf.write(Self.page, "beans.html")
    try shelf.import("beans.html")
    try shelf.export(to: place)
    let text = try text(of: place)
    #expect(text.contains("15 min"))
    #expect(!text.contains(/\bP(T?[0-9]+[DHMS])+/), "\(text)")
    // The same minutes come back.
    try shelf.import(place.split(separator: ":").last.map(String.init) ?? place, into: "back.sqlite")
    for (name, minutes) in [("prepMinutes", 15.0), ("cookMinutes", 90), ("totalMinutes", 1485)] {
      let back = try shelf.value("SELECT \(name) FROM Recipe", of: "back.sqlite")
      #expect(back == "\(minutes)", "\(name)")
    }
  }

  @Test(arguments: ["out.json", "nextcloud:out"])
  func `formats with durations of ISO 8601 keep them`(_ place: String) throws {
    try shelf.write(Self.page, "beans.html")
    try shelf.import("beans.html")
    try shelf.export(to: place)
    let text = try text(of: place)
    #expect(text.contains("\"PT15M\"") && text.contains("\"PT1H30M\""), "\(text)")
  }

  /// Every line of a list is an ingredient again, however its blanks stand.
  @Test func `a list of Meal-Master keeps its ingredients`() throws {
    let amounts = ["4", "4 ", "4    ", "", "  ", "1/2", "1 1/2   ", "1000", "12345678 ", "4-5  "]
    let units = ["", "c", "cup", "ts", "large  "]
    let names = ["burger buns", "  salt", "x", "Crème -- beaten", "egg; beaten"]
    let lines = amounts.flatMap { amount in
      units.flatMap { unit in
        names.map { "\(amount) \(unit) \($0)".trimmingCharacters(in: .newlines) }
      }
    }
    try shelf.write(
      JSONSerialization.data(withJSONObject: [
        [
          "@context": "https://schema.org", "@type": "Recipe", "name": "Buns",
          "recipeIngredient": lines, "recipeInstructions": ["Bake."],
        ] as [String: Any]
      ]),
      "buns.json"
    )
    try shelf.import("buns.json")
    let count = try shelf.value("SELECT count(*) FROM Ingredient")
    #expect(count == "\(lines.count)")
    try shelf.export(to: "out.mmf")
    try shelf.import("out.mmf", into: "back.sqlite")
    func words(_ store: String) throws -> [String] {
      // A blank more or less is no other ingredient.
      try shelf.content(store).field("ingredients", of: "Buns")
        .map { $0.split(separator: " ").joined(separator: " ") }
    }
    #expect(try words("back.sqlite") == words("kitchen.sqlite"))
    #expect(try shelf.value("SELECT group_concat(text) FROM Step", of: "back.sqlite") == "Bake.")
  }

  /// What was copied, by the report, is what the file holds when it is read again.
  @Test(.enabled(if: Fixtures.areAvailable), arguments: places + ["out.json", "nextcloud:out"])
  func `an export counts what its format takes`(_ place: String) throws {
    let files = [
      "mela/jphastings-mela-recipes-a+b.melarecipes", "crouton/reaper47-recipya-strawberry.crumb",
      "paprika/katharinemc-souschef-D.paprikarecipes", "mealie/mealie-recipes-mealie-mealie.zip",
    ]
    try shelf.import(files.map(RecipeShelf.fixture))
    let report = try shelf.export(to: place)
    for entity in report.entities { #expect(entity.isBalanced, "\(entity)") }
    try shelf.import(place.split(separator: ":").last.map(String.init) ?? place, into: "back.sqlite")
    // Where a format has no tags, they are written as categories.
    let names = place.contains("json") || place.contains("nextcloud") ? ["Category", "Tag"] : []
    for name in ["Recipe", "Ingredient", "Step", "Image", "Nutrition"] + names {
      let back = try shelf.value("SELECT count(*) FROM \(name)", of: "back.sqlite")
      #expect("\(report[name]?.copied ?? 0)" == back, "\(name)")
    }
  }
}
