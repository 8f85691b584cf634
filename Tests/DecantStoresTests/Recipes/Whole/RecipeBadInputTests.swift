import Decant
import DecantStores
import Foundation
import TestSupport
import Testing

/// Files as strangers send them: what can be read comes, and of the rest it is said why not.
@Suite struct RecipeBadInputTests {
  private let shelf: RecipeShelf

  init() throws { shelf = try RecipeShelf() }

  /// The reason why an entry became no recipe.
  private func reason(_ report: CopyReport, _ entry: String?) -> String? {
    report.unread.first { $0.entry == entry }?.reason
  }

  private func check(
    _ report: CopyReport,
    titles: [String],
    rejects: [String?: String],
    notes: [String] = [],
    location: SourceLocation = #_sourceLocation
  ) throws {
    let content = try shelf.content()
    #expect(content.faults == [], sourceLocation: location)
    #expect(content.titles == titles, sourceLocation: location)
    #expect(report.unread.count == rejects.count, "\(report.unread)", sourceLocation: location)
    #expect(report["Recipe"]?.rejected == Int64(rejects.count), sourceLocation: location)
    for (entry, text) in rejects {
      let said = reason(report, entry)
      #expect(
        said.map { text.isEmpty ? !$0.isEmpty : $0.contains(text) } == true,
        "\(entry ?? "–"): \(said ?? "") of \(report.unread)",
        sourceLocation: location
      )
    }
    for note in notes {
      #expect(
        report.notes.contains { $0.contains(note) },
        "\(note): \(report.notes)",
        sourceLocation: location
      )
    }
  }

  // MARK: Containers

  @Test func `a gzip that is cut off in a zip rejects one recipe`() throws {
    try shelf.make(
      "a.paprikarecipes",
      """
      library([("A", packed(recipe("A"))), ("B", packed(recipe("B"))[:-20]), ("C", packed(recipe("C"))),
          ("D", packed(recipe("D"))[:4]), ("E", b"\\x1f\\x8b\\x08\\x00garbage and more garbage"),
          ("F", gzip.compress(b'{"name": "F", "ingredients": "x", "directions"')), ("G", packed(recipe("G")))])
      """
    )
    let report = try shelf.import("a.paprikarecipes")
    try check(report, titles: ["A", "C", "G"], rejects: ["B": "", "D": "", "E": "", "F": ""])
    for unread in report.unread {
      #expect(!unread.reason.isEmpty && unread.file.hasSuffix("a.paprikarecipes"))
    }
  }

  @Test func `the rejects are listed in a file`() throws {
    try shelf.make(
      "a.paprikarecipes",
      #"library([("A", packed(recipe("A"))), ("B", packed(recipe("B"))[:-20])])"#
    )
    try shelf.import("a.paprikarecipes") { $0.options.rejectsFile = shelf.path("r.jsonl") }
    let data = try Data(contentsOf: URL(fileURLWithPath: shelf.path("r.jsonl")))
    let line = try #require(JSONSerialization.jsonObject(with: data) as? [String: String])
    #expect(line["entry"] == "B" && line["reason"]?.isEmpty == false, "\(line)")
  }

  @Test func `an encrypted member rejects itself`() throws {
    try shelf.make(
      "a.paprikarecipes",
      """
      library([("A", packed(recipe("A"))), ("B", packed(recipe("B"))), ("C", packed(recipe("C")))])
      data = bytearray(open(place, "rb").read())
      with zipfile.ZipFile(place) as file: info = file.getinfo("B")
      data[info.header_offset + 6] |= 1
      start = data.index(b"PK\\x01\\x02")
      start = data.index(b"PK\\x01\\x02", start + 4)
      data[start + 8] |= 1
      open(place, "wb").write(data)
      """
    )
    let report = try shelf.import("a.paprikarecipes")
    try check(report, titles: ["A", "C"], rejects: ["B": "encrypted"])
  }

  @Test func `a zip that is encrypted as a whole says so`() throws {
    try shelf.make(
      "a.paprikarecipes",
      """
      library([("A", packed(recipe("A")))])
      data = bytearray(open(place, "rb").read())
      data[6] |= 1
      data[data.index(b"PK\\x01\\x02") + 8] |= 1
      open(place, "wb").write(data)
      """
    )
    let error = #expect(throws: DecantError.self) { try shelf.import("a.paprikarecipes") }
    #expect(error?.place?.contains("encrypted") == true, "\(error?.place ?? "")")
  }

  /// What came before the end is there, and the end is told; or nothing, with the reason.
  @Test(arguments: [0.3, 0.6, 0.9, 0.999])
  func `a zip that is cut off loses nothing in silence`(_ part: Double) throws {
    try shelf.make(
      "a.paprikarecipes",
      """
      import random
      random.seed(1)
      noise = lambda n: base64.b64encode(random.randbytes(3000)).decode()
      library([(n, packed(recipe(n, notes=noise(n)))) for n in "ABCDEFGH"])
      data = open(place, "rb").read()
      open(place, "wb").write(data[:int(len(data) * \(part))])
      """
    )
    do {
      let report = try shelf.import("a.paprikarecipes")
      #expect(!report.unread.isEmpty, "\(report.notes)")
      let titles = try shelf.content().titles
      #expect(titles == Array("ABCDEFGH").prefix(titles.count).map(String.init))
      #expect(report.unread.allSatisfy { !$0.reason.isEmpty }, "\(report.unread)")
    } catch let error as DecantError {
      #expect(error.code == .corruptStore)
      #expect(error.place?.isEmpty == false)
    }
  }

  @Test func `a member that is damaged rejects itself`() throws {
    try shelf.make(
      "a.melarecipes",
      """
      mela = lambda n: json.dumps({"id": n, "title": n, "ingredients": "x", "instructions": "y" * 500})
      library([(n, mela(n)) for n in "ABC"], zipfile.ZIP_STORED)
      data = bytearray(open(place, "rb").read())
      at = data.index(b'"id": "B"') + 200
      data[at] ^= 1
      open(place, "wb").write(data)
      """
    )
    try check(try shelf.import("a.melarecipes"), titles: ["A", "C"], rejects: ["B": ""])
  }

  @Test func `containers in containers are opened, to a depth`() throws {
    let script = """
      import io
      data = packed(recipe("A"))
      for depth in range(DEPTH):
          buffer = io.BytesIO()
          library([("inner.zip", data)], to=buffer)
          data = buffer.getvalue()
      library([("deep.zip", data), ("B", packed(recipe("B")))])
      """
    try shelf.make("a.zip", "DEPTH = 2\n" + script)
    try check(try shelf.import("a.zip"), titles: ["A", "B"], rejects: [:])
    try shelf.make("b.zip", "DEPTH = 8\n" + script)
    let report = try shelf.import("b.zip", into: "deep.sqlite")
    #expect(report.unread.count == 1)
    #expect(report.unread.first?.reason.contains("deep") == true, "\(report.unread)")
    #expect(report["Recipe"]?.copied == 1)
  }

  /// A small file that unpacks to a big one.
  @Test func `a bomb is refused, and the others come`() throws {
    try shelf.make(
      "a.paprikarecipes",
      """
      library([("A", packed(recipe("A"))), ("B", gzip.compress(b" " * 30_000_000)), ("C", packed(recipe("C")))])
      """
    )
    let report = try shelf.import("a.paprikarecipes") {
      $0.limits.totalByteCount = 10_000_000
    }
    try check(report, titles: ["A", "C"], rejects: ["B": ""])
  }

  @Test func `noise of Finder is no recipe, and no fault`() throws {
    try shelf.make(
      "a.paprikarecipes",
      """
      double = bytes([0, 5, 22, 7, 0, 2, 0, 0]) + bytes(100)
      library([("My Recipes/", b""), ("My Recipes/A.paprikarecipe", packed(recipe("A"))),
          ("__MACOSX/My Recipes/._A.paprikarecipe", double), ("My Recipes/._A.paprikarecipe", double),
          ("My Recipes/.DS_Store", b"x"), ("B.paprikarecipe/", b""),
          ("B.paprikarecipe/C.paprikarecipe", packed(recipe("C")))])
      """
    )
    let report = try shelf.import("a.paprikarecipes")
    try check(report, titles: ["A", "C"], rejects: [:])
    #expect(!report.notes.contains { $0.contains("passed over") }, "\(report.notes)")
  }

  @Test func `a folder with the same noise is read as well`() throws {
    try shelf.make("in/x", "open(place, 'w').write('x')", inFolder: true)
    try shelf.make(
      "in/B.paprikarecipe/C.paprikarecipe",
      "open(place, 'wb').write(packed(recipe('C')))",
      inFolder: true
    )
    try shelf.make("in/A.paprikarecipe", "open(place, 'wb').write(packed(recipe('A')))")
    try shelf.make(
      "in/._A.paprikarecipe",
      "open(place, 'wb').write(bytes([0, 5, 22, 7]) + bytes(90))"
    )
    let report = try shelf.import("in")
    try check(report, titles: ["A", "C"], rejects: [:], notes: ["passed over: in, x"])
  }

  @Test func `an AppleDouble file by itself says that it holds nothing`() throws {
    try shelf.write(
      [0, 5, 22, 7, 0, 2, 0, 0] + [UInt8](repeating: 0, count: 99),
      "._x.paprikarecipe"
    )
    let error = #expect(throws: DecantError.self) { try shelf.import("._x.paprikarecipe") }
    #expect(error?.message.contains("._x.paprikarecipe") == true)
  }

  // MARK: Names

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
    try check(report, titles: ["One", "Two", "Three"], rejects: [:])
    #expect(
      try shelf.content().recipes.map { RecipeContent.texts($0["pictures"]).count } == [1, 1, 1]
    )
    #expect(!report.notes.contains { $0.contains("not there") }, "\(report.notes)")
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
    try check(try shelf.import("a.paprikarecipes"), titles: ["A"], rejects: ["Käse": ""])
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
      #"<html><div class="recipe-details"><h2 itemprop="name">Page</h2>\#(images)"#
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
    try shelf.make(
      "in/a.paprikarecipe",
      "open(place, 'wb').write(packed(recipe('A')))",
      inFolder: true
    )
    try FileManager.default.createSymbolicLink(
      atPath: shelf.path("in/out.paprikarecipe"),
      withDestinationPath: shelf.path("out.paprikarecipe")
    )
    try FileManager.default.createSymbolicLink(
      atPath: shelf.path("in/loop"),
      withDestinationPath: shelf.path("in")
    )
    try check(
      try shelf.import("in"),
      titles: ["A"],
      rejects: [:],
      notes: ["out.paprikarecipe", "loop"]
    )
  }

  // MARK: Texts

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
    try check(try shelf.import("a.mx2"), titles: ["Crêpe"], rejects: [:])
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
    #expect(reason(report, "mmf")?.contains("its end is missing") == true, "\(report.unread)")
    #expect(content.field("notes", of: "C").first?.utf8.count == 4_999_999)
    // SQLite's texts end at a NUL; what is damaged in such a way is told.
    #expect(content.field("notes", of: "A") == ["onetwo"])
    #expect(content.field("notes", of: "B") == ["onetwo"])
    #expect(report.notes.contains { $0.hasSuffix("A: control characters were left out") })
    #expect(report.notes.contains { $0.hasSuffix("B: control characters were left out") })
    for name in ["nulls", "empty", "line.txt"] {
      #expect(
        report.notes.contains { $0.contains("passed over") && $0.contains(name) },
        "\(name): \(report.notes)"
      )
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
    try check(
      report,
      titles: ["A", "B", "C", "D", "E", "F"],
      rejects: [:],
      notes: ["A: a picture is no base64", "B: a picture is none: it begins with 3c 68 74 6d"]
    )
    let pictures = try shelf.content().recipes.map { RecipeContent.texts($0["pictures"]).count }
    #expect(pictures == [0, 0, 1, 0, 1, 1])
    #expect(try shelf.content().field("pictures.type", of: "F") == ["image/png"])
  }

  @Test func `a picture that is missing is a remark`() throws {
    try shelf.make(
      "a.zip",
      """
      page = '<html><body><div class="recipe-details"><h2 itemprop="name">One</h2><div itemprop="recipeIngredients">' \
          '<p>x</p></div><img class="recipe-photo" src="images/a.jpg"></div></body></html>'
      library([("recipes.html", page), ("images/b.jpg", b"no picture at all")])
      """
    )
    let report = try shelf.import("a.zip")
    try check(report, titles: ["One"], rejects: [:], notes: ["“images/a.jpg” is not there"])
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
    try check(report, titles: ["Untitled (A)", "Untitled (B)", "Untitled (C)"], rejects: [:])
  }

  @Test func `files without a recipe are passed over and listed`() throws {
    try shelf.make(
      "in/a.paprikarecipe",
      "open(place, 'wb').write(packed(recipe('A')))",
      inFolder: true
    )
    let files: [String: [UInt8]] = [
      "letter.txt": Array("Dear all".utf8), "data.json": Array(#"{"a": [1, 2]}"#.utf8),
      "list.json": Array("[]".utf8), "page.html": Array("<html><p>Hi</p></html>".utf8),
      "doc.xml": Array("<svg/>".utf8), "zero.bin": [], "random.bin": [9, 0, 7, 250, 3],
      "table.csv": Array("a,b\n1,2\n".utf8),
      "empty.zip": [0x50, 0x4b, 5, 6] + [UInt8](repeating: 0, count: 18),
    ]
    for (name, bytes) in files { try shelf.write(bytes, "in/\(name)") }
    let report = try shelf.import("in")
    try check(report, titles: ["A"], rejects: [:])
    for name in files.keys {
      #expect(
        report.notes.contains { $0.hasPrefix("passed over: in, \(name): ") },
        "\(name): \(report.notes)"
      )
    }
    #expect(report.notes.count { $0.hasPrefix("passed over") } == files.count, "\(report.notes)")
  }

  /// As when all of a folder of downloads is named.
  @Test func `named files without a recipe stop nothing`() throws {
    try shelf.make("a.paprikarecipe", "open(place, 'wb').write(packed(recipe('A')))")
    try shelf.write(Array("%PDF-1.4".utf8), "manual.pdf")
    let png: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
    try shelf.write(png, "holiday.png")
    let report = try shelf.import(["manual.pdf", "a.paprikarecipe", "holiday.png"])
    try check(report, titles: ["A"], rejects: [:])
    for name in ["manual.pdf", "holiday.png"] {
      #expect(report.notes.contains { $0.hasPrefix("passed over: \(name): ") }, "\(report.notes)")
    }
  }

  @Test func `documents that break off are rejected by name`() throws {
    try shelf.make(
      "in/a.paprikarecipe",
      "open(place, 'wb').write(packed(recipe('A')))",
      inFolder: true
    )
    try shelf.write(
      #"{"@type": "Recipe", "name": "Half", "recipeIngredient": ["a", "#,
      "in/half.json"
    )
    try shelf.write(#"<gourmetDoc><recipe id="1"><title>Half"#, "in/half.grmt")
    let report = try shelf.import("in")
    #expect(report["Recipe"]?.copied ?? 0 >= 1)
    for name in ["half.json", "half.grmt"] {
      let said =
        report.unread.contains { $0.entry == name } || report.notes.contains { $0.contains(name) }
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
    try check(report, titles: ["A", "B", "C"], rejects: [:])
  }
}
