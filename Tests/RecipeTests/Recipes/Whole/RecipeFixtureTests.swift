import Decant
import Foundation
import TestSupport
import Testing

/// All real recipe files, held against what an independent reader found in them.
@Suite(.enabled(if: Fixtures.areAvailable)) struct RecipeFixtureTests {
  private let shelf: RecipeShelf

  init() throws { shelf = try RecipeShelf() }

  /// What `expected.json` says of a file.
  struct Expected: Decodable {
    struct Picture: Decodable {
      let sha256: String
      /// How many recipes have it.
      let times: Int
      let optional: Bool
    }

    let recipes: Int?
    let titles: [String?]
    let images: [Picture]
    let importable: Bool
  }

  private static let all: [String: Expected] = {
    guard let folder = Fixtures.folder,
      let data = try? Data(contentsOf: folder.appendingPathComponent("recipes/expected.json"))
    else { return [:] }
    return (try? JSONDecoder().decode([String: Expected].self, from: data)) ?? [:]
  }()

  @Test func `expected files are known`() {
    #expect(Self.all.count >= 60)
    #expect(Set(Self.exceptions.keys).isSubset(of: Self.all.keys))
  }

  /// Files that hold no recipe, and what is said of each.
  private static let exceptions = [
    // Tests of a parser, not a recipe: nothing that decant knows.
    "cooklang/cooklang-spec-canonical.yaml": "is text in which decant recognizes no recipe",
    // The only block of JSON-LD says “foo”.
    "schemaorg/nextcloud-cookbook-caseD.html": "a JSON-LD script cannot be read",
  ]

  @Test(arguments: all.keys.sorted())
  func `a real file is imported whole, and once`(_ name: String) throws {
    let expected = try #require(Self.all[name])
    let file = try RecipeShelf.fixture(name)
    let before = try Data(contentsOf: URL(fileURLWithPath: file))
    defer { #expect((try? Data(contentsOf: URL(fileURLWithPath: file))) == before) }
    if let reason = Self.exceptions[name] {
      #expect(expected.recipes ?? 0 == 0)
      let error = #expect(throws: DecantError.self) { try shelf.import(file) }
      let said = "\(error?.message ?? "") \(error?.place ?? "")"
      #expect(said.contains(reason), "\(said)")
      return
    }
    let report = try shelf.import(file)
    #expect(report.isVerified)
    #expect(report.unread == [])
    let content = try shelf.content()
    #expect(content.faults == [])
    #expect(content.recipes.count == expected.recipes)
    #expect(report["Recipe"]?.copied == expected.recipes.map(Int64.init))
    let titles = content.titles.map { $0.hasPrefix("Untitled (") ? "Untitled" : $0 }
    #expect(titles == expected.titles.map { title in Self.title(title, of: name) })
    let pictures = Set(content.pictures)
    let missing = expected.images.filter { !$0.optional && !pictures.contains($0.sha256) }
    #expect(missing.map(\.sha256) == [])
    #expect(pictures.subtracting(expected.images.map(\.sha256)) == [])
    if content.recipes.count > 1 {
      // They stand in the order of the recipes.
      let inOrder = expected.images.flatMap { Array(repeating: $0.sha256, count: $0.times) }
      #expect(content.pictures == inOrder)
    }

    let again = try shelf.import(file)
    #expect(again.copiedCount == 0)
    #expect(try shelf.content() == content)
    let count = content.recipes.count
    #expect(again["Recipe"]?.skipped == Int64(count))
    let merge = try #require(again["Recipe"]?.merge)
    #expect(merge.same + merge.duplicate == Int64(count), "\(again.notes)")
    #expect(merge.pairings.map(\.count).reduce(0, +) == merge.same)
  }

  /// Which picture belongs to which recipe, as Python finds it in the libraries that are zips.
  @Test(arguments: [
    "paprika/katharinemc-souschef-D.paprikarecipes", "mealie/mealie-recipes-mealie-mealie.zip",
    "paprika/swizzlevixen-Recipes-My_Recipes.paprikarecipes",
    "nextcloud/mealie-recipes-mealie-nextcloud.zip",
  ])
  func `a recipe has its own pictures`(_ name: String) throws {
    let file = try RecipeShelf.fixture(name)
    let run = try Program.run(["python3", "-c", Self.owners, file])
    let expected = try JSONDecoder().decode([String: [String]].self, from: Data(run.output.utf8))
    #expect(expected.count > 1, "\(run.errors)")
    try shelf.import(file)
    let content = try shelf.content()
    let found = content.recipes.map {
      (RecipeContent.texts($0["title"])[0], RecipeContent.texts($0["pictures"]).sorted())
    }
    #expect(Dictionary(found) { $0 + $1 } == expected)
  }

  private static let owners = """
    import base64, gzip, hashlib, json, re, sys, zipfile
    made, file = {}, zipfile.ZipFile(sys.argv[1])
    digest = lambda data: hashlib.sha256(data).hexdigest()
    for name in file.namelist():
        if "__MACOSX" in name or "/._" in name: continue
        if name.endswith(".paprikarecipe"):
            recipe = json.loads(gzip.decompress(file.read(name)))
            texts = [recipe.get("photo_data")] + [p.get("data") for p in recipe.get("photos") or []]
            pictures = [base64.b64decode(text) for text in texts if text]
        elif re.search(r"/(recipe|([^/]+)/\\2)\\.json$", "/" + name):
            recipe = json.loads(file.read(name))
            folder = name.rpartition("/")[0]
            pictures = [file.read(n) for n in file.namelist()
                        if n in (folder + "/full.jpg", folder + "/images/original.webp")]
        else: continue
        title = (recipe.get("name") or "").strip() or "Untitled"
        made.setdefault(title, []).extend(sorted({digest(p) for p in pictures}))
    print(json.dumps(made))
    """

  /// The title as decant has it: one that is not there is the file's name in Cooklang, and “Untitled” elsewhere, with the
  /// name of an entry, which is left out here.
  private static func title(_ title: String?, of file: String) -> String {
    let text = title?.trimmingCharacters(in: .whitespacesAndNewlines) ?? ""
    guard text.isEmpty else { return text.precomposedStringWithCanonicalMapping }
    guard file.hasSuffix(".cook") else { return "Untitled" }
    return URL(fileURLWithPath: file).deletingPathExtension().lastPathComponent
  }
}
