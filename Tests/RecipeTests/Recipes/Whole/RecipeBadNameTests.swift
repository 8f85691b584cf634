import Decant
import Foundation
import TestSupport
import Testing

/// Names as strangers give them to members and files: what can be read comes, and of the rest it is said why not.
@Suite struct RecipeBadNameTests {
  private let shelf: RecipeShelf

  init() throws { shelf = try RecipeShelf() }

  @Test func `names of members in whatever encoding lead to their pictures`() throws {
    try shelf.make(
      "a.zip",
      """
      import unicodedata
      page = '<html><body>' + ''.join(f'''<div class="recipe-details"><h2 itemprop="name">{n}</h2>
          <div itemprop="recipeIngredients"><p>x</p></div><div itemprop="recipeDirections"><p>y</p></div>
          <img class="recipe-photo" src="images/{p}"></div>''' for n, p in (("One", "crème.png"),
          ("Two", "Ünï.PNG"), ("Three", "plain.png"))) + '</body></html>'
      picture = lambda n: png + n
      library([("recipes.html", page), (unicodedata.normalize("NFD", "images/crème.png"), picture(b"1")),
          ("images/XXX.png", picture(b"2")), ("images/PLAIN.png", picture(b"3"))])
      data = open(place, "rb").read().replace(b"images/XXX.png", "images/Ünï.png".encode("cp437"))
      open(place, "wb").write(data)
      """
    )
    let report = try shelf.import("a.zip")
    try shelf.check(report, titles: ["One", "Two", "Three"], rejects: [:])
    #expect(try shelf.content().recipes.map { RecipeContent.texts($0["pictures"]).count } == [1, 1, 1])
    #expect(!report.notes.commandLine.contains { $0.contains("not there") }, "\(report.notes)")
  }

  @Test func `a name in CP437 is told as it is meant`() throws {
    try shelf.make(
      "a.paprikarecipes",
      """
      library([("A", packed(recipe("A"))), ("XXXX", packed(recipe("B"))[:-12])])
      data = open(place, "rb").read().replace(b"XXXX", "Käse".encode("cp437"))
      open(place, "wb").write(data)
      """
    )
    try shelf.check(try shelf.import("a.paprikarecipes"), titles: ["A"], rejects: ["Käse": ""])
  }

  /// A picture is looked for beside the recipe, and nowhere else.
  @Test func `no picture outside is ever read`() throws {
    try shelf.make("secret.png", "open(place, 'wb').write(png)")
    let names = [
      "../secret.png", "a/../../secret.png", shelf.path("secret.png"),
      "file://" + shelf.path("secret.png"),
      "link.png", "linked/secret.png", "..\\secret.png", "/secret.png",
    ]
    let folder = URL(fileURLWithPath: shelf.path("in"))
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: shelf.path("in/link.png"),
      withDestinationPath: shelf.path("secret.png")
    )
    try FileManager.default.createSymbolicLink(
      atPath: shelf.path("in/linked"),
      withDestinationPath: folder.deletingLastPathComponent().path
    )
    for (index, name) in names.enumerated() {
      let json: [String: Any] = [
        "@type": "Recipe", "name": "R\(index)", "image": name, "recipeIngredient": ["\(index)"],
        "recipeInstructions": "x",
      ]
      try shelf.write(JSONSerialization.data(withJSONObject: json), "in/\(index).json")
    }
    let images = names.map { #"<img class="recipe-photo" src="\#($0)">"# }.joined()
    try shelf.write(
      #"<html><div class="recipe-details"><meta itemprop="recipeId"><meta itemprop="recipeNotes"><h2 itemprop="name">Page</h2>\#(images)"#
        + #"<div itemprop="recipeIngredients"><p>x</p></div></div></html>"#,
      "in/page.html"
    )
    let report = try shelf.import("in")
    let content = try shelf.content()
    #expect(content.recipes.count == names.count + 1, "\(report.unread) \(report.notes)")
    #expect(content.pictures == [])
    // The same in a zip; a member that calls itself so lies in the zip, whatever it says.
    try shelf.make(
      "b.zip",
      """
      page = json.dumps({"@type": "Recipe", "name": "Z", "image": "../secret.png", "recipeIngredient": ["z"],
          "recipeInstructions": "x"})
      library([("r/recipe.json", page), ("../r/other.png", png), ("/r/more.png", png)])
      """
    )
    try shelf.import("b.zip", into: "zip.sqlite")
    #expect(try shelf.content("zip.sqlite").pictures == [])
  }

  /// A recipe behind a link in a folder is not the folder's.
  @Test func `links in a folder are not followed`() throws {
    try shelf.make("out.paprikarecipe", "open(place, 'wb').write(packed(recipe('Out')))")
    try shelf.make("in/a.paprikarecipe", "open(place, 'wb').write(packed(recipe('A')))", inFolder: true)
    try FileManager.default.createSymbolicLink(
      atPath: shelf.path("in/out.paprikarecipe"),
      withDestinationPath: shelf.path("out.paprikarecipe")
    )
    try FileManager.default.createSymbolicLink(atPath: shelf.path("in/loop"), withDestinationPath: shelf.path("in"))
    try shelf.check(try shelf.import("in"), titles: ["A"], rejects: [:], notes: ["out.paprikarecipe", "loop"])
  }
}
