import Decant
import DecantStores
import Foundation
import TestSupport
import Testing

/// Identifiers that objects never had.
@Suite struct GeneratedIdentifierTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    for name in ["Kitchen", "Guests"] {
      let sample = Fixtures.projectFolder.appendingPathComponent("samples/\(name).sqlite")
      try FileManager.default.copyItem(
        at: sample,
        to: URL(fileURLWithPath: folder.path("\(name).sqlite"))
      )
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
    try FileManager.default.copyItem(
      atPath: folder.path("Kitchen.sqlite"),
      toPath: folder.path("Moved.sqlite")
    )
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
    #expect(error?.code == .usage && error?.message.contains("would get the same uuid: p") == true)
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
    #expect(error?.message.contains("no identifier of its own") == true)
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
