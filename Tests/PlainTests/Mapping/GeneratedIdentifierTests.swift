import Decant
import Foundation
import StoreTestSupport
import TestSupport
import Testing

/// Identifiers that objects never had.
@Suite struct GeneratedIdentifierTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    for name in ["Kitchen", "Guests"] {
      let sample = Fixtures.projectFolder.appendingPathComponent("samples/\(name).sqlite")
      try FileManager.default.copyItem(at: sample, to: URL(fileURLWithPath: folder.path("\(name).sqlite")))
    }
  }

  private func copy(_ source: String, to destination: String, _ text: String) throws {
    var options = CopyOptions()
    options.mapping = try Mapping(text: text, place: "map.yaml")
    try Copy(from: folder.path(source), to: folder.path(destination), options: options).run()
  }

  private func identifiers(_ file: String, _ table: String = "ZRECIPE") throws -> [String] {
    try Program.sqlite3(folder.path(file), "SELECT lower(hex(ZUUID)) FROM \(table) ORDER BY Z_PK")
      .split(separator: "\n").map(String.init)
  }

  /// Runs a Python program of a few lines, which knows UUIDs by itself.
  private func python(_ program: String) throws -> [String] {
    let result = try Program.run(["python3", "-c", program], in: folder.url)
    return result.output.split(separator: "\n").map(String.init)
  }

  @Test func `two stores with equal keys and different recipes share none`() throws {
    let text = "entities: { Recipe: { generate: { uuid: uuid5 } } }"
    try copy("Kitchen.sqlite", to: "K.sqlite", text)
    try copy("Guests.sqlite", to: "G.sqlite", text)
    let (kitchen, guests) = (try identifiers("K.sqlite"), try identifiers("G.sqlite"))
    let keys = { (file: String) in
      try Program.sqlite3(folder.path(file), "SELECT Z_PK FROM ZRECIPE").split(separator: "\n")
    }
    // They do have keys in common.
    #expect(try !Set(keys("K.sqlite")).isDisjoint(with: keys("G.sqlite")))
    #expect(Set(kitchen).isDisjoint(with: guests))
    #expect(Set(kitchen).count == 12)
    // Once more, and from a copy of the file, the same ones.
    try FileManager.default.copyItem(atPath: folder.path("Kitchen.sqlite"), toPath: folder.path("Moved.sqlite"))
    try copy("Moved.sqlite", to: "K2.sqlite", text)
    #expect(try identifiers("K2.sqlite") == kitchen)
    let store = try Program.sqlite3(folder.path("Kitchen.sqlite"), "SELECT Z_UUID FROM Z_METADATA")
    let keysOfKitchen = try Program.sqlite3(
      folder.path("Kitchen.sqlite"),
      "SELECT json_group_array(Z_PK) FROM (SELECT Z_PK FROM ZRECIPE ORDER BY 1)"
    )
    #expect(
      try python(
        """
        import uuid
        n = uuid.UUID('5e1c9a52-6b0d-4f47-9e3a-d02ca86e71b4')
        for k in \(keysOfKitchen): print(uuid.uuid5(n, '\(store)/Recipe/Recipe/%d' % k).hex)
        """
      ) == kitchen
    )
  }

  /// What Python makes of names without the store's identifier, as `identifiers` has them; sorted.
  private func expected(_ names: String, of keys: String) throws -> [String] {
    let kitchen = folder.path("Kitchen.sqlite")
    let store = try Program.sqlite3(kitchen, "SELECT Z_UUID FROM Z_METADATA")
    let all = try Program.sqlite3(kitchen, "SELECT json_group_array(Z_PK) FROM \(keys)")
    return try python(
      """
      import uuid
      n = uuid.UUID('5e1c9a52-6b0d-4f47-9e3a-d02ca86e71b4')
      for k in \(all): print(uuid.uuid5(n, '\(store)/' + '\(names)' % k).hex)
      """
    ).sorted()
  }

  @Test func `in whichever order rules stand, an object's identifier is the same`() throws {
    let discarding = "contract: { entities: discard, attributes: discard }\nentities:\n"
    let own = "{ generate: { uuid: uuid5 } }"
    let steps =
      "{ from: Step, set: { name: text, sortIndex: 0, isGarnish: 0 }, generate: { uuid: uuid5 } }"
    let ingredients = try expected("Ingredient/Ingredient/%d", of: "ZINGREDIENT")
    let made = try (ingredients + expected("Ingredient/Step/%d", of: "ZSTEP")).sorted()
    #expect(Set(made).count == 115)
    for (number, rules) in [[own, steps], [steps, own]].enumerated() {
      let text = discarding + "  Ingredient: [\(rules.joined(separator: ", "))]"
      try copy("Kitchen.sqlite", to: "\(number).sqlite", text)
      #expect(try identifiers("\(number).sqlite", "ZINGREDIENT").sorted() == made)
    }
    // Entities of one root have no keys in common, and need no numbers.
    let pictures = try (expected("StepImage/Image/%d", of: "ZIMAGE")).sorted()
    for (number, names) in [["StepImage", "RecipeImage"], ["RecipeImage", "StepImage"]].enumerated() {
      let rules = names.map { "{ from: \($0), generate: { uuid: uuid5 } }" }
      try copy(
        "Kitchen.sqlite",
        to: "p\(number).sqlite",
        discarding + "  StepImage: [\(rules.joined(separator: ", "))]"
      )
      #expect(try identifiers("p\(number).sqlite", "ZIMAGE WHERE Z_ENT = 4").sorted() == pictures)
    }
    // Twice of the same: a number follows.
    try copy(
      "Kitchen.sqlite",
      to: "t.sqlite",
      discarding
        + "  Tag: [\(own), \(steps), \(own)]"
        .replacing("name: text, sortIndex: 0, isGarnish: 0", with: "name: text")
    )
    let tags = try expected("Tag/Tag/%d", of: "ZTAG") + expected("Tag/Tag/%d/1", of: "ZTAG")
    #expect(
      try identifiers("t.sqlite", "ZTAG").sorted()
        == (tags + expected("Tag/Step/%d", of: "ZSTEP")).sorted()
    )
  }

  private func export(_ source: String, to archive: String, _ change: (inout CopyOptions) -> Void = { _ in }) throws {
    var options = CopyOptions()
    change(&options)
    try Export(from: folder.path(source), to: folder.path(archive), options: options).run()
  }

  @Test func `an archive of a store, or of a part of it, stands for the store`() throws {
    let text = "entities: { Recipe: { generate: { uuid: uuid5 } } }"
    try export("Kitchen.sqlite", to: "whole.decant")
    try export("whole.decant", to: "again.decant.gz")
    try export("Kitchen.sqlite", to: "part.decant") {
      $0.filters = [CopyOptions.Filter(entity: "Recipe", expression: "_id > 6")]
    }
    try export("Kitchen.sqlite", to: "stripped.decant") {
      $0.mapping = try? Mapping(
        text: "entities: { Recipe: { set: { subtitle: 'upper(title)' }, drop: [subtitle] } }",
        place: "map.yaml"
      )
    }
    let all = try expected("Recipe/Recipe/%d", of: "ZRECIPE")
    for archive in ["whole.decant", "again.decant.gz", "stripped.decant"] {
      try copy(archive, to: "\(archive).sqlite", text)
      #expect(try identifiers("\(archive).sqlite").sorted() == all, "\(archive)")
    }
    try copy("part.decant", to: "part.sqlite", text)
    let part = try expected("Recipe/Recipe/%d", of: "ZRECIPE WHERE Z_PK > 6")
    #expect(try identifiers("part.sqlite").sorted() == part && !part.isEmpty)
  }

  @Test func `an archive whose keys a mapping has given stands for itself`() throws {
    let discarding = "contract: { entities: discard, attributes: discard }\nentities:\n"
    try export("Kitchen.sqlite", to: "mapped.decant") {
      $0.mapping = try? Mapping(
        text: discarding
          + "  Tag: [{ from: Tag }, { from: Step, set: { name: text }, generate: { uuid: uuid4 } }]",
        place: "map.yaml"
      )
    }
    let text = "entities: { Tag: { generate: { uuid: uuid5 } } }"
    for number in 1...2 { try copy("mapped.decant", to: "\(number).sqlite", text) }
    let made = try identifiers("1.sqlite", "ZTAG")
    #expect(made.count == 48 && Set(made).count == 48)
    #expect(try identifiers("2.sqlite", "ZTAG") == made)
    #expect(try Set(expected("Tag/Tag/%d", of: "ZTAG")).isDisjoint(with: made))
    try copy("Kitchen.sqlite", to: "own.sqlite", text)
    #expect(try Set(identifiers("own.sqlite", "ZTAG")).isDisjoint(with: made))
  }

  @Test func `an object without what its identifier is made of has none, and is refused`() throws {
    let rule = "entities: { Ingredient: { generate: { uuid: { uuid5: [note] } }"
    for text in [rule + ", where: 'note IS NULL' } }", rule + " } }"] {
      let error = #expect(throws: DecantError.self) {
        try copy("Kitchen.sqlite", to: "K.sqlite", text)
      }
      #expect(
        error?.description.contains("Ingredient.uuid is required, but has no value") == true,
        "\(String(describing: error))"
      )
      #expect(!FileManager.default.fileExists(atPath: folder.path("K.sqlite")))
    }
    var options = CopyOptions()
    options.onError = .reject
    options.mapping = try Mapping(text: rule + " } }", place: "map.yaml")
    let report = try Copy(from: folder.path("Kitchen.sqlite"), to: folder.path("R.sqlite"), options: options).run()
    #expect(report["Ingredient"]?.rejected == 62 && report.isVerified)
    let notes = "SELECT count(*), count(ZNOTE), count(DISTINCT ZUUID) FROM ZINGREDIENT"
    #expect(try Program.sqlite3(folder.path("R.sqlite"), notes) == "11|11|11")
    // Where a condition leaves them out nothing is wanted of them, in a merge as well.
    let chosen = rule + ", identity: [uuid], where: 'note IS NOT NULL' } }"
    for number in 1...2 {
      options.mapping = try Mapping(text: chosen, place: "map.yaml")
      options.merge = MergeRules(.skip)
      options.merge?.identities["Recipe"] = ["uuid"]
      options.onError = .stop
      let merged = try Copy(
        from: folder.path("Kitchen.sqlite"),
        to: folder.path("Guests.sqlite"),
        options: options
      ).run()
      #expect(merged["Ingredient"]?.copied == (number == 1 ? 11 : 0))
    }
  }

  /// What is left out has no name, and a color that is no number: both are required, or of another type, in the destination.
  @Test(arguments: ["identity: [name], ", ""])
  func `nothing is demanded of rows that a condition leaves out`(identity: String) throws {
    _ = try Program.sqlite3(
      folder.path("words.db"),
      """
      CREATE TABLE word (id INTEGER PRIMARY KEY, w TEXT, color);
      INSERT INTO word VALUES (1, 'Fiat', 1), (2, NULL, 'red'), (3, 'BMW', 2)
      """)
    let text = """
      entities: { Tag: { from: word, where: "w IS NOT NULL", \(identity)generate: { uuid: { uuid5: [name] } },
        set: { name: w, color: color } } }
      """
    for expected in ["BMW,Fiat", "BMW,Fiat"] {
      var options = CopyOptions()
      options.mapping = try Mapping(text: text, place: "map.yaml")
      options.merge = MergeRules(.skip)
      try Copy(from: folder.path("words.db"), to: folder.path("Kitchen.sqlite"), options: options).run()
      let names = "SELECT group_concat(ZNAME) FROM (SELECT ZNAME FROM ZTAG WHERE ZNAME IN ('Fiat', 'BMW') ORDER BY 1)"
      #expect(try Program.sqlite3(folder.path("Kitchen.sqlite"), names) == expected)
    }
  }

  @Test func `one may be made of another`() throws {
    try copy(
      "Kitchen.sqlite",
      to: "K.sqlite",
      "entities: { Recipe: { generate: { uuid: uuid5, author: { uuid5: [uuid] } } } }"
    )
    let authors = try Program.sqlite3(
      folder.path("K.sqlite"),
      "SELECT lower(replace(ZAUTHOR, '-', '')) FROM ZRECIPE ORDER BY Z_PK"
    )
    #expect(
      try python(
        """
        import uuid
        n = uuid.UUID('5e1c9a52-6b0d-4f47-9e3a-d02ca86e71b4')
        for h in '\(identifiers("K.sqlite").joined(separator: " "))'.split(): print(uuid.uuid5(n, '["' + h + '"]').hex)
        """
      ).joined(separator: "\n") == authors
    )
  }

  @Test func `made of content they agree on every device`() throws {
    let text = """
      namespace: 6ba7b810-9dad-11d1-80b4-00c04fd430c8
      entities: { Tag: { generate: { uuid: { uuid5: [name] } } } }
      """
    try copy("Kitchen.sqlite", to: "K.sqlite", text)
    try copy("Guests.sqlite", to: "G.sqlite", text)
    let names = try Program.sqlite3(
      folder.path("K.sqlite"),
      "SELECT json_group_array(ZNAME) FROM (SELECT ZNAME FROM ZTAG ORDER BY Z_PK)"
    )
    #expect(
      try python(
        """
        import uuid, json
        n = uuid.UUID('6ba7b810-9dad-11d1-80b4-00c04fd430c8')
        for t in json.loads('''\(names)'''): print(uuid.uuid5(n, json.dumps([t], ensure_ascii=False)).hex)
        """
      ) == identifiers("K.sqlite", "ZTAG")
    )
    func pairs(_ file: String) throws -> Set<Substring> {
      let sql = "SELECT ZNAME || ' ' || hex(ZUUID) FROM ZTAG"
      return Set(try Program.sqlite3(folder.path(file), sql).split(separator: "\n"))
    }
    let shared = try pairs("K.sqlite").intersection(pairs("G.sqlite"))
    let sharedNames = try Program.sqlite3(
      folder.path("K.sqlite"),
      """
      ATTACH '\(folder.path("G.sqlite"))' AS g;
      SELECT count(*) FROM ZTAG WHERE ZNAME IN (SELECT ZNAME FROM g.ZTAG)
      """
    )
    #expect("\(shared.count)" == sharedNames && !shared.isEmpty)
  }

  @Test func `two objects of one content are a mistake, found before anything is written`() throws {
    let error = #expect(throws: DecantError.self) {
      try copy(
        "Kitchen.sqlite",
        to: "K.sqlite",
        "entities:\n  Recipe: { generate: { uuid: { uuid5: [category_title] } } }"
          .replacing("category_title", with: "servings")
      )
    }
    #expect(error?.family == .usage && error?.message.contains("would get the same uuid: p") == true)
    #expect(error?.place == "map.yaml:2:25")
    #expect(!FileManager.default.fileExists(atPath: folder.path("K.sqlite")))
  }

  @Test func `a store without an identifier has none to make them of`() throws {
    let databases = try MappedDatabases(
      "CREATE TABLE A (id INTEGER PRIMARY KEY, n TEXT); INSERT INTO A VALUES (1, 'x'), (2, 'y')",
      to: "CREATE TABLE A (id INTEGER PRIMARY KEY, n TEXT, uuid TEXT)"
    )
    let error = #expect(throws: DecantError.self) {
      try databases.copy("entities: { A: { generate: { uuid: uuid5 } } }")
    }
    #expect(error?.message.contains("no store identifier") == true)
    #expect(error?.remedy?.contains("{ uuid5: [title] }") == true)
    try databases.copy("entities: { A: { generate: { uuid: uuid4 } } }")
    let made = try databases.rows(
      "SELECT count(DISTINCT uuid), sum(uuid GLOB '????????-????-4???-[89AB]???-????????????') FROM A"
    )
    #expect(made == ["2,2"])
    let merge = #expect(throws: DecantError.self) {
      try databases.copy("entities: { A: { generate: { uuid: uuid4 } } }") {
        $0.merge = MergeRules(.skip)
      }
    }
    #expect(merge?.remedy?.contains("uuid5") == true)
  }
}
