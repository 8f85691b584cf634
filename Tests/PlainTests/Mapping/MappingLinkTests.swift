import Decant
import Foundation
import StoreTestSupport
import TestSupport
import Testing

/// Links that a mapping sets, drops or leads elsewhere, in both of their directions.
@Suite struct MappingLinkTests {
  private let databases: MappedDatabases

  init() throws { databases = try MappedDatabases.kitchen() }

  /// How many of each link `file` has; `agree`: covers that lead back to their recipe.
  private func counts(_ file: String) throws -> [String: Int] {
    let rows = try databases.rows(
      """
      SELECT 'cover', count(ZCOVER) FROM ZRECIPE UNION ALL SELECT 'coverOf', count(ZCOVEROF) FROM ZIMAGE
      UNION ALL SELECT 'tags', count(*) FROM Z_6TAGS UNION ALL SELECT 'category', count(ZCATEGORY) FROM ZRECIPE
      UNION ALL SELECT 'steps', count(ZRECIPE) FROM ZSTEP UNION ALL SELECT 'agree', count(*)
      FROM ZRECIPE AS r JOIN ZIMAGE AS i ON i.Z_PK = r.ZCOVER AND i.ZCOVEROF = r.Z_PK
      """,
      of: file
    )
    let pairs = rows.map { $0.split(separator: ",").map(String.init) }
    return Dictionary(uniqueKeysWithValues: pairs.map { ($0[0], Int($0[1]) ?? -1) })
  }

  private func copy(_ entities: String) throws -> [String: Int] {
    try databases.copy("entities: \(entities)", from: "Kitchen.sqlite", to: "o.sqlite")
    return try counts("o.sqlite")
  }

  @Test(arguments: [
    ("{ Recipe: { drop: [tags] } }", ["'tags'"]), ("{ Tag: { drop: [recipes] } }", ["'tags'"]),
    ("{ Category: { drop: [recipes] } }", ["'category'"]),
    ("{ Recipe: { drop: [category] } }", ["'category'"]),
    ("{ Recipe: { drop: [steps] } }", ["'steps'"]),
    ("{ Recipe: { drop: [cover] } }", ["'cover'", "'coverOf'", "'agree'"]),
    ("{ Recipe: { set: { cover: 'null' } } }", ["'cover'", "'coverOf'", "'agree'"]),
  ])
  func `what is dropped in one direction is in both`(_ entities: String, _ gone: [String]) throws {
    var expected = try counts("Kitchen.sqlite")
    try #require(expected.values.allSatisfy { $0 > 0 } && expected["'agree'"] == expected["'cover'"])
    for name in gone { expected[name] = 0 }
    #expect(try copy(entities) == expected)
  }

  @Test(arguments: [
    "{ Recipe: { drop: [tags] }, Tag: { set: { recipes: recipes } } }",
    "{ Category: { set: { recipes: recipes } }, Recipe: { drop: [category] } }",
  ])
  func `what one direction drops the other cannot be set to`(_ entities: String) throws {
    let error = #expect(throws: DecantError.self) { try copy(entities) }
    #expect(error?.family == .usage && error?.message.contains("is dropped, and") == true)
    let place = try #require(entities.range(of: "drop: ["))
    let column = entities.distance(from: entities.startIndex, to: place.upperBound)
    #expect(error?.place == "map.yaml:1:\(column + "entities: ".count + 1)")
  }

  @Test func `what one of several entities drops the others keep`() throws {
    // One cover is the picture of a step, which another entity holds.
    let others = try databases.rows(
      """
      SELECT count(*) FROM ZIMAGE WHERE ZCOVEROF NOT NULL AND Z_ENT <>
        (SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = 'RecipeImage')
      """,
      of: "Kitchen.sqlite"
    )
    let kept = try #require(Int(others[0]))
    try #require(kept > 0)
    let counts = try copy("{ RecipeImage: { drop: [coverOf] } }")
    for name in ["'cover'", "'coverOf'", "'agree'"] { #expect(counts[name] == kept) }
  }

  @Test func `a link from one to one that is computed leads back`() throws {
    let counts = try copy(
      "{ Recipe: { set: { cover: '(SELECT max(_id) FROM RecipeImage i WHERE i.recipe = Recipe._id)' }, drop: [cover] } }"
    )
    let expected = try databases.rows(
      """
      SELECT count(DISTINCT ZRECIPE) FROM ZIMAGE WHERE Z_ENT =
        (SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = 'RecipeImage') AND ZRECIPE NOT NULL
      """,
      of: "Kitchen.sqlite"
    )
    try #require(Int(expected[0]) ?? 0 > 0)
    for name in ["'cover'", "'coverOf'", "'agree'"] { #expect(counts[name] == Int(expected[0])) }
  }

  @Test func `what is left out does not lead back`() throws {
    // Every recipe would have the same cover, and all but one are left out.
    let counts = try copy(
      "{ Recipe: { where: '_id = 3', set: { cover: '(SELECT min(_id) FROM RecipeImage)' }, drop: [cover] } }"
    )
    for name in ["'cover'", "'coverOf'", "'agree'"] { #expect(counts[name] == 1) }
  }

  @Test(arguments: [
    (
      "{ Recipe: { set: { cover: '(SELECT min(_id) FROM RecipeImage)' }, drop: [cover] } }",
      "Recipe p1 and p2 have the same target in cover, but its inverse is to-one"
    ),
    (
      "{ Recipe: { set: { category: variantOf } } }",
      "Recipe.variantOf points to Recipe, from which no Category is made"
    ),
    ("{ Recipe: { set: { steps: category } } }", "Recipe.steps is to-many, but Recipe.category is to-one"),
    ("{ Recipe: { set: { tags: category } } }", "Recipe.category points to Category, from which no Tag is made"),
    ("{ Recipe: { set: { tags: steps } } }", "Recipe.steps points to Step, from which no Tag is made"),
    (
      "{ Recipe: { set: { steps: ingredients } } }",
      "Recipe.ingredients points to Ingredient, from which no Step is made"
    ),
  ])
  func `a link that leads elsewhere is told`(_ entities: String, _ message: String) throws {
    let error = #expect(throws: DecantError.self) { try copy(entities) }
    #expect(error?.family == .usage)
    #expect(error?.message == message)
    #expect(error?.place?.hasPrefix("map.yaml:1:") == true)
    #expect(!FileManager.default.fileExists(atPath: databases.place.path("o.sqlite")))
  }

  @Test func `tables made of a model are read as its objects, with a mapping as without`() throws {
    let place = databases.place
    try Copy(from: place.path("Kitchen.sqlite"), to: "sqlite:" + place.path("plain.db")).run()
    var options = CopyOptions()
    options.template = place.path("Kitchen.sqlite")
    options.mapping = try Mapping(text: "", place: "map.yaml")
    try Copy(from: place.path("plain.db"), to: "coredata:" + place.path("back.sqlite"), options: options).run()
    #expect(try counts("back.sqlite") == counts("Kitchen.sqlite"))
    let titles = "SELECT Z_PK, ZTITLE, ZCATEGORY, hex(ZUUID) FROM ZRECIPE ORDER BY 1"
    let original = try databases.rows(titles, of: "Kitchen.sqlite")
    #expect(try databases.rows(titles, of: "back.sqlite") == original && original.count > 3)
  }

  @Test func `what only bounds a part is refused where everything is taken`() throws {
    let error = #expect(throws: DecantError.self) {
      try databases.copy("relationships: { Recipe.category: stop }", from: "Kitchen.sqlite", to: "o.sqlite")
    }
    #expect(error?.family == .usage && error?.place == "map.yaml:1:18")
    #expect(error?.remedy?.contains("use drop:") == true)
  }

  @Test(.enabled(if: Fixtures.areAvailable))
  func `a link to an object of another entity is none`() throws {
    let place = URL(fileURLWithPath: databases.place.path("moody"))
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: false)
    _ = try Fixtures.copyStore("moody-2/Moody 2.moody", into: place)
    try databases.copy(
      """
      contract: { attributes: discard }
      entities: { Mood: { set: { country: "(SELECT continent FROM Country WHERE _id = Mood.country)" } } }
      """,
      from: "moody/Moody 2.moody",
      to: "o.sqlite"
    )
    // Continents are in one table with the countries, and no mood is in a continent.
    #expect(try databases.rows("SELECT count(ZCOUNTRY) FROM ZMOOD", of: "o.sqlite") == ["0"])
  }
}
