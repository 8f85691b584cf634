import Foundation
import TestSupport
import Testing

/// An app's own store into recipe files, by `samples/kitchen-to-recipes.yaml`.
@Suite struct MappedExportTests {
  private let place: CommandFolder

  init() throws {
    place = try CommandFolder()
    for name in ["Soup.melarecipe", "kitchen-to-recipes.yaml"] {
      let sample = Fixtures.projectFolder.appendingPathComponent("samples/\(name)")
      try FileManager.default.copyItem(at: sample, to: place.url.appendingPathComponent(name))
    }
  }

  private func kitchen(_ sql: String) throws -> String {
    try Program.sqlite3(place.folder.path("Kitchen.sqlite"), sql)
  }

  private func export(_ name: String, _ more: String...) throws -> Program {
    try place.run(["export", "Kitchen.sqlite", name, "--mapping", "kitchen-to-recipes.yaml"] + more)
  }

  @Test(arguments: [
    "a.paprikarecipes", "a.melarecipes", "a.json", "a.mmf", "nextcloud:a", "cooklang:a",
  ])
  func `every format is written and read again`(name: String) throws {
    let run = try export(name)
    #expect(run.status == 0, "\(run.errors)\(run.output)")
    #expect(run.output.contains("verified:"))
    let file = name.split(separator: ":").last.map(String.init) ?? name
    let read = try place.run(["import", file, "back.db", "-q"])
    #expect(read.status == 0, "\(read.errors)")
    #expect(
      try Program.sqlite3(
        place.folder.path("back.db"),
        "SELECT title FROM Recipe ORDER BY title"
      ) == kitchen("SELECT ZTITLE FROM ZRECIPE ORDER BY ZTITLE")
    )
  }

  @Test func `ingredients, steps and pictures are the app's, in its order`() throws {
    #expect(try export("a.melarecipes", "--where", "Recipe: rating >= 4.5").status == 0)
    let script = """
      import base64, hashlib, json, sqlite3, zipfile
      db = sqlite3.connect("Kitchen.sqlite")
      z = zipfile.ZipFile("a.melarecipes")
      found = {}
      for name in z.namelist():
          r = json.loads(z.read(name)); found[r["title"]] = r
      rows = db.execute("SELECT Z_PK, ZTITLE, ZCOVER FROM ZRECIPE WHERE round(ZRATING, 1) >= 4.5").fetchall()
      print(len(rows) > 2, sorted(found) == sorted(t for _, t, _ in rows))
      same = []
      for key, title, cover in rows:
          steps = [t for t, in db.execute("SELECT ZTEXT FROM ZSTEP WHERE ZRECIPE = ? ORDER BY Z_FOK_RECIPE", (key,))]
          names = [n for n, in db.execute("SELECT ZNAME FROM ZINGREDIENT WHERE ZRECIPE = ? ORDER BY ZSORTINDEX", (key,))]
          pictures = [bytes(d)[1:] for d, in db.execute('''SELECT ZDATA FROM ZIMAGE WHERE ZRECIPE = ? OR ZSTEP IN
            (SELECT Z_PK FROM ZSTEP WHERE ZRECIPE = ?) ORDER BY Z_PK <> ?, Z_PK''', (key, key, cover))]
          r = found[title]
          lines = r["ingredients"].split("\\n")
          same.append(r["instructions"].split("\\n") == steps)
          same.append(len(lines) == len(names) and all(n in l for n, l in zip(names, lines)))
          same.append([base64.b64decode(i) for i in r["images"]][:1] == pictures[:1])
          same.append(sorted(base64.b64decode(i) for i in r["images"]) == sorted(pictures))
      print(all(same), len(same))
      """
    let run = try Program.run(["python3", "-c", script], in: place.url)
    #expect(run.output.hasPrefix("True True\nTrue "), "\(run.output)\(run.errors)")
  }

  @Test func `without a mapping the error names the options, and they work`() throws {
    try place.expect(["export", "Kitchen.sqlite", "a.melarecipes"], 12, "--suggest-mapping")
    try place.expect(["export", "Kitchen.sqlite", "a.melarecipes"], 12, "--mapping FILE")
    let run = try place.run(["export", "Kitchen.sqlite", "a.melarecipes", "--suggest-mapping"])
    #expect(run.status == 0, "\(run.errors)")
    let title = "# How to convert the objects of Kitchen.sqlite to those of a.melarecipes"
    #expect(run.output.hasPrefix(title))
    try Data(run.output.utf8).write(to: place.url.appendingPathComponent("m.yaml"))
    let made = try place.run([
      "export", "Kitchen.sqlite", "a.melarecipes", "--mapping", "m.yaml", "-q",
    ])
    #expect(made.status == 0, "\(made.errors)")
    try place.expect(["import", "Soup.melarecipe", "Kitchen.sqlite"], 12, "--suggest-mapping")
    let draft = try place.run(["import", "Soup.melarecipe", "Kitchen.sqlite", "--suggest-mapping"])
    #expect(draft.status == 0 && draft.output.contains("RecipeImage"), "\(draft.errors)")
  }

  @Test func `merge drafts a mapping as copy does`() throws {
    let pair = ["Guests.sqlite", "Kitchen.sqlite", "--suggest-mapping"]
    let merged = try place.run(["merge"] + pair)
    #expect(merged.status == 0, "\(merged.errors)")
    #expect(try merged.output == place.run(["copy"] + pair).output)
    try place.expect(["merge"] + pair + ["--json"], 64, "--suggest-mapping")
  }
}
