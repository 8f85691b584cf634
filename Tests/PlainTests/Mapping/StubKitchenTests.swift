import Decant
import Foundation
import StoreTestSupport
import TestSupport
import Testing

/// Empty objects in a store of Core Data, and where none are made.
@Suite struct StubKitchenTests {
  private let databases: MappedDatabases

  init() throws { databases = try MappedDatabases.kitchen() }

  private func both(_ sql: String) throws -> (old: [String], new: [String]) {
    (try databases.rows(sql, of: "Kitchen.sqlite"), try databases.rows(sql, of: "New.sqlite"))
  }

  @Test func `a category that is left out keeps what tells it from others`() throws {
    let report = try databases.copy(
      """
      entities: { Category: { where: "name <> 'Baking'", identity: [uuid, name] } }
      relationships: { Recipe.category: { missing: stub } }
      """,
      from: "Kitchen.sqlite",
      to: "New.sqlite"
    )
    let recipes = try both("SELECT Z_PK, ZCATEGORY, hex(ZUUID), ZTITLE FROM ZRECIPE")
    #expect(recipes.old == recipes.new)
    let others = try both("SELECT * FROM ZCATEGORY WHERE ZNAME <> 'Baking'")
    #expect(others.old == others.new && others.old.count == 4)
    let same = try both("SELECT Z_PK, Z_ENT, ZNAME, ZUUID FROM ZCATEGORY WHERE ZNAME = 'Baking'")
    #expect(same.old == same.new)
    #expect(
      try databases.rows(
        "SELECT Z_OPT, ZSORTINDEX, ZSYMBOL FROM ZCATEGORY WHERE ZNAME = 'Baking'",
        of: "New.sqlite"
      ) == ["1,0,NULL"]
    )
    #expect(report["Category"]?.stubs == 1 && report["Category"]?.filtered == 1)
    #expect(report.links.cut + report.links.dangling == 0 && report.isVerified)
    #expect(try databases.place.complaints("New.sqlite") == "")
    #expect(
      try databases.rows("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'Category'", of: "New.sqlite")
        == ["5"]
    )
  }

  private let covers = """
    entities:
      RecipeImage: { where: "_id <> 5", identity: [mimeType, uuid], generate: { uuid: uuid5 } }
    relationships: { Recipe.cover: { missing: stub } }
    """

  @Test func `both ends of a link from one to one agree`() throws {
    let report = try databases.copy(covers, from: "Kitchen.sqlite", to: "New.sqlite")
    let recipes = try both("SELECT Z_PK, ZCOVER, Z2_COVER FROM ZRECIPE")
    #expect(recipes.old == recipes.new)
    #expect(
      try databases.rows(
        """
        SELECT r.Z_PK, i.Z_PK, i.ZRECIPE, i.ZBYTECOUNT, i.ZDATA, length(i.ZUUID), i.Z_ENT = r.Z2_COVER
        FROM ZRECIPE r JOIN ZIMAGE i ON i.Z_PK = r.ZCOVER AND i.ZCOVEROF = r.Z_PK WHERE i.Z_PK = 5
        """,
        of: "New.sqlite"
      ) == ["8,5,NULL,0,NULL,16,1"]
    )
    #expect(report["RecipeImage"]?.stubs == 1 && report.isVerified)
    #expect(try databases.place.complaints("New.sqlite") == "")
  }

  @Test func `where nothing tells of which entity it would be, there is none`() throws {
    _ = try Program.sqlite3(databases.place.path("Kitchen.sqlite"), "DELETE FROM ZIMAGE WHERE Z_PK = 5")
    let error = #expect(throws: DecantError.self) {
      try databases.copy(covers, from: "Kitchen.sqlite", to: "New.sqlite")
    }
    #expect(error?.family == .failed && error?.place == "Image p5")
    #expect(error?.message.contains("their child entity is not known") == true)
    #expect(!FileManager.default.fileExists(atPath: databases.place.path("New.sqlite")))
  }

  @Test func `what was never there has nothing to be told by`() throws {
    _ = try Program.sqlite3(databases.place.path("Kitchen.sqlite"), "DELETE FROM ZCATEGORY WHERE Z_PK = 4")
    let text = """
      entities: { Category: { identity: [name], generate: { uuid: uuid5 } } }
      relationships: { Recipe.category: { missing: stub } }
      """
    let error = #expect(throws: DecantError.self) {
      try databases.copy(text, from: "Kitchen.sqlite", to: "New.sqlite")
    }
    #expect(error?.family == .failed && error?.place == "Category p4")
    #expect(error?.message.contains("Category.name requires a value") == true)
    #expect(!FileManager.default.fileExists(atPath: databases.place.path("New.sqlite")))
  }

  @Test func `an archive refers to what it does not have, and has no empty object`() throws {
    var options = CopyOptions()
    options.mapping = try Mapping(
      text: """
        entities: { Category: { identity: [uuid, name] } }
        relationships: { Recipe.category: { rule: reference, missing: stub } }
        """,
      place: "map.yaml"
    )
    options.roots = [CopyOptions.Filter(entity: "Recipe", expression: "_id = 9")]
    let archive = databases.folder.path("part.decant")
    let report = try Export(from: databases.place.path("Kitchen.sqlite"), to: archive, options: options).run()
    #expect(report["Category"]?.stubs == 0 && report["Category"]?.copied == 0)
    // Where the category is, the link is made anew; through a mapping it is empty, and that is said.
    _ = try Program.sqlite3(databases.place.path("Kitchen.sqlite"), "DELETE FROM ZRECIPE WHERE Z_PK = 9")
    for (isMapped, expected) in [(true, [] as [String]), (false, ["'Salads'"])] {
      let store = "\(isMapped).sqlite"
      try FileManager.default.copyItem(
        atPath: databases.place.path("Kitchen.sqlite"),
        toPath: databases.place.path(store)
      )
      var work = Import([archive], into: databases.place.path(store))
      if isMapped { work.options.mapping = options.mapping }
      let imported = try work.run()
      #expect(imported.first?["Recipe"]?.copied == 1)
      #expect(imported.first?["Category"]?.stubs == 0)
      #expect(
        try databases.rows(
          """
          SELECT c.ZNAME FROM ZRECIPE r JOIN ZCATEGORY c ON c.Z_PK = r.ZCATEGORY
          WHERE r.ZTITLE = 'Tomato Salad with Basil'
          """,
          of: store
        ) == expected
      )
      let told = imported.first?.notes.commandLine.contains { $0.contains("only refers to is empty") }
      #expect(told == isMapped)
    }
  }
}
