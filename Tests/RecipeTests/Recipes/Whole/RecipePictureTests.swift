import Decant
import Foundation
import TestSupport
import Testing

/// Which picture goes to which recipe, where they lie in files.
@Suite struct RecipePictureTests {
  private let shelf: RecipeShelf

  init() throws { shelf = try RecipeShelf() }

  /// A library as a zip, and as a folder with the same files.
  enum Place: CaseIterable { case zip, folder }

  /// Helpers that name what a test's files hold.
  private static let helpers = """
    import os, shutil
    def picture(number): return png + bytes([number])
    def page(title, source):
        return f'<html><body><div itemscope itemtype="http://schema.org/Recipe"><h1 itemprop="name">{title}</h1>' \\
            f'<img itemprop="image" src="{source}"><p itemprop="recipeIngredient">{title}</p></div></body></html>'
    def schema(title, **more):
        return json.dumps({"@type": "Recipe", "name": title, "recipeIngredient": [title], **more})
    def tandoor(title):
        return json.dumps({"name": title, "working_time": 1, "servings": 2,
            "steps": [{"instruction": "Do " + title, "ingredients": []}]})
    def mealie(slug, **more):
        return json.dumps({"slug": slug, "name": slug, "recipeIngredient": [slug],
            "recipeInstructions": [{"text": slug}], **more})
    """

  /// Imports files, which `members` gives in Python as a list of paths and contents.
  private func read(_ place: Place, _ members: String) throws -> CopyReport {
    let isZip = place == .zip
    try shelf.make(
      "library.zip",
      """
      \(Self.helpers)
      members = \(members)
      if \(isZip ? "True" : "False"): library(members)
      else:
          for name, data in members:
              path = place[:-4] + "/" + name
              os.makedirs(os.path.dirname(path), exist_ok=True)
              open(path, "wb").write(data if isinstance(data, bytes) else data.encode())
      """
    )
    return try shelf.import(isZip ? "library.zip" : "library")
  }

  /// The numbers of the pictures of each recipe, by its title.
  private func pictures() throws -> [String: [Int]] {
    let run = try Program.run([
      "python3", "-c",
      """
      import json, sqlite3, sys
      db, made = sqlite3.connect(sys.argv[1]), {}
      for title, data in db.execute("SELECT title, data FROM Recipe r LEFT JOIN Image i ON i.recipe_id = r.id "
              "ORDER BY r.id, i.recipe_position"):
          made.setdefault(title, []).extend([data[-1]] if data else [])
      print(json.dumps(made))
      """, shelf.path("kitchen.sqlite"),
    ])
    #expect(run.status == 0, "\(run.errors)")
    return try JSONDecoder().decode([String: [Int]].self, from: Data(run.output.utf8))
  }

  private func notes(_ report: CopyReport, _ text: String) -> Int {
    report.notes.commandLine.count { $0.contains(text) }
  }

  // MARK: No recipe gets another's

  @Test(arguments: Place.allCases)
  func `a recipe without a picture gets none of another`(_ place: Place) throws {
    let report = try read(
      place,
      """
      [("recipes/a/a.json", mealie("a")), ("recipes/a/images/original.webp", picture(1)),
       ("recipes/a/images/min-original.webp", picture(2)), ("recipes/b/b.json", mealie("b")),
       ("ck/a/Soup.cook", "---\\ntitle: c\\n---\\nAdd @salt."), ("ck/a/Soup.jpg", picture(3)),
       ("ck/b/Soup.cook", "---\\ntitle: d\\n---\\nAdd @pepper.")]
      """
    )
    #expect(try pictures() == ["a": [1], "b": [], "c": [3], "d": []])
    // The small copy of a picture that came is none that is missed, and nobody named one.
    #expect(notes(report, "skipped") == 0, "\(report.notes)")
    #expect(notes(report, "is missing") == 0, "\(report.notes)")
  }

  @Test(arguments: Place.allCases)
  func `a recipe of a backup gets its own picture only`(_ place: Place) throws {
    _ = try read(
      place,
      """
      [("database.json", json.dumps({"alembic_version": [{"version_num": "x"}], "recipes": [
          {"id": f"0b7b0d1e-1111-2222-3333-44445555666{n}", "slug": str(n), "name": str(n), "image": "abc"}
          for n in range(3)], "recipes_ingredients": [
          {"recipe_id": f"0b7b0d1e1111222233334444555566{n}", "position": 0, "note": f"x{n}"} for n in range(60, 63)],
          "recipe_instructions": []})),
       ("data/recipes/0b7b0d1e-1111-2222-3333-444455556660/images/original.webp", picture(1))]
      """
    )
    #expect(try pictures() == ["0": [1], "1": [], "2": []])
  }

  @Test(arguments: Place.allCases)
  func `a picture that is named is looked for where it is named`(_ place: Place) throws {
    let report = try read(
      place,
      """
      [("h/A/r.html", page("A", "1.jpg")), ("h/A/1.jpg", picture(1)), ("h/B/r.html", page("B", "1.jpg")),
       ("s/C/recipe.json", schema("C", image="1.jpg")), ("s/C/1.jpg", picture(2)),
       ("s/D/recipe.json", schema("D", image="1.jpg")),
       ("u/E/r.html", page("E", "../pictures/5.jpg")), ("u/pictures/5.jpg", picture(5)), ("1.jpg", picture(6))]
      """
    )
    #expect(try pictures() == ["A": [1], "B": [], "C": [2], "D": [], "E": [5]])
    #expect(notes(report, "the picture “1.jpg” is missing") == 2, "\(report.notes)")
    #expect(notes(report, ", 1.jpg: no recipe uses this picture") == 1, "\(report.notes)")
  }

  /// Of a path on a telephone only the name counts, but not the name of a file of another library.
  @Test func `a path on another device is looked for by its name`() throws {
    let report = try read(
      .zip,
      """
      ([(f"{n}/my.xml", f"<cookbook><recipe><title>{n}{i}</title><imagepath>/s/MyCookBook/{i}.jpg</imagepath></recipe>"
          "</cookbook>") for n, i in (("A", 1), ("B", 1), ("C", 2))]
      + [("A/pics/deep/1.jpg", picture(1)), ("C/one/2.jpg", picture(2)), ("C/two/2.jpg", picture(3))])
      """
    )
    #expect(try pictures() == ["A1": [1], "B1": [], "C2": []])
    #expect(notes(report, "is missing") == 2, "\(report.notes)")
    #expect(notes(report, "no recipe uses this picture") == 2, "\(report.notes)")
  }

  @Test(arguments: Place.allCases)
  func `a picture at the top is not everybody's`(_ place: Place) throws {
    let report = try read(
      place,
      """
      [("A/recipe.json", tandoor("A")), ("B/recipe.json", tandoor("B")), ("B/image.jpg", picture(1)),
       ("image.jpg", picture(2))]
      """
    )
    #expect(try pictures() == ["A": [], "B": [1]])
    #expect(notes(report, ", image.jpg: no recipe uses this picture") == 1, "\(report.notes)")
  }

  @Test(arguments: Place.allCases)
  func `names that differ in case only are two`(_ place: Place) throws {
    let report = try read(
      place,
      """
      [("a.html", page("A", "Soup.jpg")), ("b.html", page("B", "soup.jpg")), ("c.html", page("C", "SOUP.jpg")),
       ("d.html", page("D", "CAKE.JPG")), ("Soup.jpg", picture(1)), ("soup.jpg", picture(2)),
       ("Cake.jpg", picture(3))]
      """
    )
    #expect(try pictures() == ["A": [1], "B": [2], "C": [], "D": [3]])
    #expect(notes(report, "the picture “SOUP.jpg” is missing") == 1, "\(report.notes)")
  }

  // MARK: Pictures beside recipes

  @Test(arguments: Place.allCases)
  func `a recipe alone in its folder has the full picture`(_ place: Place) throws {
    let report = try read(
      place,
      """
      [("R/A/A.json", schema("A")), ("R/A/full.jpg", picture(1)), ("R/A/thumb.jpg", picture(2)),
       ("R/B/recipe.json", schema("B")), ("R/B/full.png", picture(3)), ("R/B/thumb16.jpg", picture(4)),
       ("R/C/c.json", schema("C")), ("R/C/d.json", schema("D")), ("R/C/full.jpg", picture(5)),
       ("R/E/e.json", "[" + schema("E") + "," + schema("F") + "]"), ("R/E/full.jpg", picture(6))]
      """
    )
    #expect(try pictures() == ["A": [1], "B": [3], "C": [], "D": [], "E": [6], "F": []])
    #expect(notes(report, "no recipe uses this picture") == 1, "\(report.notes)")
    #expect(notes(report, "R/C/full.jpg: no recipe uses this picture") == 1, "\(report.notes)")
  }

  @Test(arguments: Place.allCases)
  func `pictures that no recipe gets are listed, and no others`(_ place: Place) throws {
    let report = try read(
      place,
      """
      [("photos/DSC001.jpg", picture(1)), ("photos/thumb.jpg", picture(2)), ("r.html", page("A", "photos/mine.png")),
       ("photos/mine.png", picture(3)), ("z/lost/thumb.jpg", picture(4))]
      """
    )
    #expect(try pictures() == ["A": [3]])
    let passed = report.notes.commandLine.filter { $0.hasPrefix("skipped") }
    #expect(passed.count == 2, "\(passed)")
    for name in ["photos/DSC001.jpg", "z/lost/thumb.jpg"] {
      #expect(passed.contains { $0.contains("\(name): no recipe uses this picture") }, "\(passed)")
    }
  }
}
