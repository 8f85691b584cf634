import Foundation
import TestSupport
import Testing

/// What is no recipe file although somebody keeps a recipe in it: named alone, and beside others.
@Suite struct RecipeRefusalTests {
  private let place: CommandFolder

  init() throws {
    place = try CommandFolder()
    let run = try Program.run(["python3", "-c", Self.script], in: place.url)
    try #require(run.status == 0, "\(run.errors)")
  }

  /// Makes documents of other programs as these begin, a recipe, and zips in zips.
  private static let script = """
    import io, json, os, zipfile
    def zipped(*members):
        out = io.BytesIO()
        with zipfile.ZipFile(out, 'w', zipfile.ZIP_DEFLATED) as z:
            for name, data, *stored in members:
                z.writestr(name, data, zipfile.ZIP_STORED if stored else zipfile.ZIP_DEFLATED)
        return out.getvalue()
    types = ('[Content_Types].xml', '<?xml version="1.0"?><Types/>')
    files = {
        'card.pdf': b'%PDF-1.4\\n1 0 obj<<>>endobj\\n%%EOF\\n',
        'soup.docx': zipped(types, ('word/document.xml', '<?xml version="1.0"?><w:document/>')),
        'google.docx': zipped(('word/numbering.xml', '<?xml version="1.0"?><w:numbering/>'), types),
        'app.docx': zipped(('docProps/app.xml', '<?xml version="1.0"?><Properties/>'), types),
        'view.pages': zipped(('preview-micro.jpg', b'\\xff\\xd8'), ('Index/Document.iwa', b'\\0\\1')),
        'shop.xlsx': zipped(types, ('xl/workbook.xml', '<?xml version="1.0"?><workbook/>')),
        'soup.odt': zipped(('mimetype', 'application/vnd.oasis.opendocument.text', True), ('content.xml', '<a/>')),
        'book.epub': zipped(('mimetype', 'application/epub+zip', True), ('a.xhtml', '<html/>')),
        'soup.pages': zipped(('Index/Document.iwa', b'\\0\\1')),
        'old.doc': bytes.fromhex('d0cf11e0a1b11ae1') + bytes(600),
        'note.rtf': b'{\\\\rtf1\\\\ansi Soup}',
        'photo.jpg': bytes.fromhex('ffd8ffe000104a46494600010100000100010000ffd9'),
        'photo.heic': b'\\0\\0\\0\\x18ftypheic' + bytes(100),
        'film.mp4': b'\\0\\0\\0\\x18ftypmp42' + bytes(100),
    }
    for name, data in files.items():
        open(name, 'wb').write(data)
    open('nothing.json', 'wb')
    os.makedirs('empty')
    os.makedirs('fold/deep')
    recipe = json.dumps({'@context': 'https://schema.org', '@type': 'Recipe', 'name': 'Pancakes',
                         'recipeIngredient': ['200 g flour'], 'recipeInstructions': 'Fry.'}).encode()
    open('fold/recipe.json', 'wb').write(recipe)
    for name, data in files.items():
        open('fold/deep/' + name, 'wb').write(data)
    open('mixed.zip', 'wb').write(zipped(('recipe.json', recipe), *[(n, d) for n, d in files.items() if 'photo' not in n]))
    packed = recipe
    for count in range(1, 7):
        packed = zipped(('in.zip' if count > 1 else 'recipe.json', packed))
        open(f'nest{count}.zip', 'wb').write(packed)
    """

  private static let documents = [
    ("card.pdf", "a PDF document"), ("soup.docx", "a Word document"), ("google.docx", "a Word document"),
    ("shop.xlsx", "an Excel workbook"), ("soup.odt", "an OpenDocument file"), ("book.epub", "an e-book"),
    ("soup.pages", "a document of Pages"), ("view.pages", "a document of Pages"),
    ("app.docx", "a document of Word, Excel or PowerPoint"), ("old.doc", "a document of Word, Excel or PowerPoint"),
    ("note.rtf", "a document in rich text"), ("photo.jpg", "a picture"), ("photo.heic", "a picture"),
    ("film.mp4", "a video"),
  ]

  @Test(arguments: documents)
  func `a document says what it is, and what is read instead`(_ name: String, _ kind: String) throws {
    try place.expect(["import", name, "New.db"], 13, "“\(name)” is \(kind)")
    let run = try place.run(["import", name, "New.db"])
    #expect(run.errors.split(separator: "\n").count > 1, "no remedy: \(run.errors)")
    #expect(place.content("New.db") == nil)
    try place.expect(["recipes", name], 13, "“\(name)” is \(kind)")
  }

  @Test func `what is no store of recipes says what it is, and a folder what to do`() throws {
    try place.expect(["recipes", "fold"], 13, "decant import 'fold' Recipes.db")
    try place.expect(["recipes", "nothing.json"], 13, "“nothing.json” is empty")
    try Data("Milk, eggs and bread\n".utf8).write(to: place.url.appendingPathComponent("notes.txt"))
    for arguments in [["recipes", "notes.txt"], ["import", "notes.txt", "New.db"]] {
      try place.expect(arguments, 13, "“notes.txt” is text in which decant recognizes no recipe")
    }
  }

  @Test func `a condition on recipes that fits none is called what it is`() throws {
    #expect(try place.run(["import", "fold/recipe.json", "New.db", "-q"]).status == 0)
    try place.expect(
      ["export", "New.db", "a.html", "--where", "Recipe: title = 'x'"], 64, "condition of --where\n  --where")
    try place.expect(
      ["export", "New.db", "a.html", "--where", "Recipe: titel = 'x'"], 64, "--where “Recipe: titel = 'x'”")
  }

  @Test func `an import of decant's own archive of recipes says how to see them`() throws {
    #expect(try place.run(["import", "fold/recipe.json", "New.db", "-q"]).status == 0)
    #expect(try place.run(["export", "New.db", "all.decant", "-q"]).status == 0)
    let run = try place.run(["import", "all.decant", "Plain.db"])
    #expect(run.output.contains("decant recipes 'Plain.db' show TITLE"), "\(run.output)\(run.errors)")
  }

  @Test(arguments: ["fold", "mixed.zip"])
  func `beside a recipe each is named once, and the recipe comes`(_ source: String) throws {
    let run = try place.run(["import", source, "New.db", "--json"])
    #expect(run.status == 0, "\(run.errors)")
    #expect(try Program.sqlite3(place.folder.path("New.db"), "SELECT title FROM Recipe") == "Pancakes")
    let report = try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
    let skipped = try #require(report["passedOver"] as? [[String: Any]])
    for (name, kind) in Self.documents where source == "fold" || !name.hasPrefix("photo") {
      let found = skipped.filter { ($0["entry"] as? String)?.hasSuffix(name) == true }
      #expect(found.count == 1, "\(name): \(skipped)")
      let reason = found.first?["reason"] as? String ?? ""
      #expect(name.hasPrefix("photo") || reason.contains(kind), "\(name): \(reason)")
    }
    let count = source == "fold" ? Self.documents.count : Self.documents.count - 2
    #expect(skipped.count == count, "\(skipped)")
  }

  @Test func `named beside a recipe or an archive, they stop nothing`() throws {
    var run = try place.run(["import", "card.pdf", "fold/recipe.json", "empty", "nothing.json", "New.db"])
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.contains("skipped: card.pdf: it is a PDF document"), "\(run.output)")
    #expect(run.output.contains("skipped: empty: there is no file in it"), "\(run.output)")
    #expect(run.output.contains("skipped: nothing.json: it is empty"), "\(run.output)")
    #expect(try place.run(["export", "New.db", "one.decant", "-q"]).status == 0)
    run = try place.run(["import", "one.decant", "soup.docx", "Other.db"])
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.contains("skipped: soup.docx: it is a Word document"), "\(run.output)")
  }

  @Test func `an empty folder says so`() throws {
    try place.expect(["import", "empty", "New.db"], 13, "there is no file in it")
  }

  @Test func `several of which none is a recipe are all named`() throws {
    try place.expect(
      ["import", "card.pdf", "soup.docx", "New.db"],
      13,
      "card.pdf: it is a PDF document; soup.docx: it is a Word document"
    )
  }

  @Test(arguments: 1...6, [nil, 1, 3, 5, 6])
  func `zips in zips are read as deep as the limit says`(_ depth: Int, _ limit: Int?) throws {
    let option = limit.map { ["--max-nesting", "\($0)"] } ?? []
    let run = try place.run(["import", "nest\(depth).zip", "New.db"] + option)
    let isRead = depth <= limit ?? 4
    #expect(run.status == (isRead ? 0 : 13), "\(run.errors)")
    #expect((place.content("New.db") != nil) == isRead)
    if !isRead {
      #expect(run.errors.contains("more than \(limit ?? 4) level"), "\(run.errors)")
      #expect(run.errors.contains("--max-nesting"), "\(run.errors)")
    }
  }

  @Test func `one that is nested too deep keeps nothing else from being read`() throws {
    let run = try place.run(["import", "nest1.zip", "nest6.zip", "New.db"])
    #expect(run.status == 3, "\(run.errors)")
    #expect(run.output.contains("nested more than 4 levels deep"), "\(run.output)")
    #expect(try Program.sqlite3(place.folder.path("New.db"), "SELECT title FROM Recipe") == "Pancakes")
  }

  @Test(arguments: ["page.html", "mail.eml", "lines.decant"], ["sqlite", "coredata"])
  func `a condition on recipes takes them whole into pages, mails and archives`(_ name: String, _ kind: String) throws {
    #expect(
      try place.run([
        "export", "Kitchen.sqlite", "all.paprikarecipes", "-q", "--mapping", "\(Self.samples)/kitchen-to-recipes.yaml",
      ]).status == 0
    )
    let store = "\(kind):Recipes.store"
    #expect(try place.run(["import", "all.paprikarecipes", store, "-q"]).status == 0)
    let model = kind == "sqlite" ? [] : ["--model", "\(Self.samples)/Recipes.xcdatamodeld"]
    let run = try place.run(["export", "Recipes.store", name, "--where", "Recipe: title = 'Shakshuka'"] + model)
    #expect(run.status == 0, "\(run.errors)")
    #expect(try place.run(["import", name, "Back.store", "-q"]).status == 0)
    for table in ["Recipe", "Ingredient", "Step"] {
      let owner = table == "Recipe" ? "_id" : "recipe\(kind == "sqlite" ? "_id" : "")"
      func count(_ store: String) throws -> String {
        let sql =
          "SELECT count(*) FROM \(table) WHERE \(owner) IN (SELECT _id FROM Recipe WHERE title = 'Shakshuka')"
        return try place.run(["query", store, sql, "--tsv"] + model).output
      }
      #expect(try count("Recipes.store") == count("Back.store"), "\(table)")
      let all = try place.run(["query", "Back.store", "SELECT count(*) FROM \(table)", "--tsv"] + model).output
      #expect(try count("Back.store") == all)
    }
  }

  private static let samples = Fixtures.projectFolder.appendingPathComponent("samples").path
}
