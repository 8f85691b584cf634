import Decant
import Foundation
import TestSupport
import Testing

/// Values that come out of expressions, in the types of a Core Data model.
@Suite struct MappingValueTests {
  private let folder: TemporaryFolder
  private let store: String

  init() throws {
    folder = try TemporaryFolder()
    store = folder.path("Kitchen.sqlite")
    let sample = Fixtures.projectFolder.appendingPathComponent("samples/Kitchen.sqlite")
    try FileManager.default.copyItem(at: sample, to: URL(fileURLWithPath: store))
  }

  @discardableResult
  private func copy(_ text: String, _ change: (inout CopyOptions) -> Void = { _ in }) throws -> CopyReport {
    var options = CopyOptions()
    options.mapping = try Mapping(text: text, place: "map.yaml")
    change(&options)
    return try Copy(from: store, to: folder.path("new.sqlite"), options: options).run()
  }

  private func rows(_ sql: String) throws -> String {
    try Program.sqlite3(folder.path("new.sqlite"), sql)
  }

  @Test
  func `a number with more digits than a double tells is refused, or rounded where that is said`() throws {
    // Two to the power of 53, and one more.
    _ = try Program.sqlite3(store, "UPDATE ZRECIPE SET ZVIEWCOUNT = 9007199254740993 WHERE Z_PK = 3")
    let text = "entities: { Recipe: { set: { energy: viewCount }, drop: [energy] } }"
    let error = #expect(throws: DecantError.self) { try copy(text) }
    #expect(error?.message.contains("Recipe.energy is a number") == true)
    let report = try copy(text) { $0.onError = .reject }
    #expect(report.rejectedByCode[.convert] == 1 && report.isVerified)
    try FileManager.default.removeItem(atPath: folder.path("new.sqlite"))
    try copy(text.replacing("viewCount }", with: "viewCount + 0.0 }"))
    #expect(try rows("SELECT printf('%.0f', ZENERGY) FROM ZRECIPE WHERE Z_PK = 3") == "9007199254740992")
  }

  @Test func `what is written as a value of the type becomes one`() throws {
    try copy(
      """
      entities:
        Recipe:
          set:
            viewCount: "'12'"
            isFavorite: "coalesce(rating, 0) >= 4.5"
            createdAt: "'2026-01-31T08:15:00Z'"
            uuid: "'6BA7B810-9DAD-11D1-80B4-00C04FD4' || printf('%04d', _id)"
            subtitle: 42
            price: "'12.50'"
          drop: [isFavorite, uuid]
      """
    )
    let types = "typeof(ZVIEWCOUNT), ZVIEWCOUNT, typeof(ZISFAVORITE), ZSUBTITLE, typeof(ZSUBTITLE)"
    #expect(try rows("SELECT DISTINCT \(types) FROM ZRECIPE") == "integer|12|integer|42|text")
    // 2026-01-31 08:15 in seconds since 2001, by Python: (datetime(2026,1,31,8,15)-datetime(2001,1,1)).total_seconds()
    #expect(try rows("SELECT DISTINCT ZCREATEDAT, ZPRICE FROM ZRECIPE") == "791540100|12.5")
    #expect(
      try rows("SELECT hex(ZUUID) FROM ZRECIPE WHERE Z_PK = 3")
        == "6BA7B8109DAD11D180B400C04FD40003"
    )
    #expect(
      try rows("SELECT count(*) FROM ZRECIPE WHERE ZISFAVORITE <> (coalesce(ZRATING, 0) >= 4.5)")
        == "0"
    )
  }

  @Test func `a date becomes a text that can be read as one`() throws {
    try copy("entities: { Recipe: { set: { subtitle: createdAt }, drop: [subtitle] } }")
    let text = "strftime('%Y-%m-%dT%H:%M:%S', ZCREATEDAT + 978307200, 'unixepoch')"
    #expect(try rows("SELECT count(*) FROM ZRECIPE WHERE substr(ZSUBTITLE, 1, 19) IS NOT \(text)") == "0")
    #expect(try rows("SELECT count(*) > 0 FROM ZRECIPE WHERE ZSUBTITLE LIKE '%Z'") == "1")
  }

  @Test(arguments: [("createdAt", "viewCount"), ("viewCount", "createdAt"), ("isFavorite", "createdAt")])
  func `a name alone makes no date of a number, and no number of a date`(attribute: String, value: String) throws {
    func mapping(_ value: String) -> String {
      "entities: { Recipe: { set: { \(attribute): \(value) }, drop: [\(attribute)] } }"
    }
    let error = #expect(throws: DecantError.self) { try copy(mapping(value)) }
    #expect(error?.family == .usage)
    #expect(
      error?.message.contains("which number stands for which date is not known") == true, "\(String(describing: error))"
    )
    try copy(mapping("\(value) + 0 > 0"))
  }

  @Test(arguments: [
    ("viewCount: title", "Recipe.viewCount is an integer"),
    ("viewCount: 1.5", "Recipe.viewCount is an integer"),
    ("viewCount: 9223372036854775807 * 4", "Recipe.viewCount is an integer"),
    ("isFavorite: 2", "Recipe.isFavorite is 0 or 1"),
    ("createdAt: \"'soon'\"", "Recipe.createdAt is a date"),
    ("uuid: \"'abc'\"", "Recipe.uuid is a UUID"), ("uuid: \"x'0102'\"", "Recipe.uuid is a UUID"),
    ("title: \"x'00'\"", "Recipe.title is of type string"),
    ("title: null", "Recipe.title is required"),
    ("rating: \"'four'\"", "Recipe.rating is a number"),
  ])
  func `and what is none is refused by name`(_ setting: String, _ message: String) throws {
    let error = #expect(throws: DecantError.self) {
      try copy("entities: { Recipe: { set: { \(setting) }, drop: [viewCount] } }")
    }
    #expect(error?.description.contains(message) == true, "\(String(describing: error))")
    #expect(!FileManager.default.fileExists(atPath: folder.path("new.sqlite")))
    // Left out one by one, nothing of these objects is written.
    let report = try copy("entities: { Recipe: { set: { \(setting) }, drop: [viewCount] } }") {
      $0.onError = .reject
    }
    #expect(report["Recipe"]?.rejected == 12 && report.isVerified)
    #expect(try rows("SELECT count(*) FROM ZRECIPE") == "0")
  }

  @Test func `an expression reads other entities and no tables`() throws {
    try copy(
      """
      entities:
        Recipe: { set: { viewCount: "(SELECT count(*) FROM Ingredient i WHERE i.recipe = Recipe._id)" }, drop: [viewCount] }
      """
    )
    #expect(
      try rows(
        """
        SELECT count(*) FROM ZRECIPE AS r
        WHERE ZVIEWCOUNT <> (SELECT count(*) FROM ZINGREDIENT WHERE ZRECIPE = r.Z_PK)
        """
      ) == "0"
    )
    #expect(try rows("SELECT sum(ZVIEWCOUNT) FROM ZRECIPE") == "73")
  }

  @Test(arguments: [
    ("nam", "no such column: nam"), ("title; DROP TABLE x", "near \";\""),
    ("title) FROM Recipe --", "near"), ("(SELECT name FROM sqlite_schema)", "prohibited"),
    ("(SELECT ZTITLE FROM ZRECIPE)", "no such table: ZRECIPE"),
    ("load_extension('x')", "not authorized to use function: load_extension"),
    ("readfile('/etc/passwd')", "readfile"), ("randomblob(9)", "not authorized"),
    ("sum(rating)", "misuse of aggregate"), (":x", "parameter"), ("?1", "parameter"),
    ("pragma_table_list", "no such column"),
    ("(SELECT 1 FROM pragma_table_list)", "pragma_table_list"),
    ("\\\"title\\\" = \\\"x\\\"", "no such column"), ("id('Recipe', 1)", "id"),
    ("content('source', title)", "content"), ("title, rating", "row value misused"),
    ("(WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n)", "not authorized"),
    ("createdAt = '2026-01-31'", "createdAt"),
    ("title COLLATE foo", "no such collation sequence: foo"),
    ("title COLLATE foo = 'x'", "no such collation sequence: foo"),
  ])
  func `an expression that does not compile, or reaches outside, changes nothing`(
    _ expression: String,
    _ message: String
  ) throws {
    for text in [
      "entities:\n  Recipe: { set: { subtitle: \"\(expression)\" } }\n",
      "entities:\n  Recipe: { where:          \"\(expression)\" }\n",
    ] {
      let error = #expect(throws: DecantError.self) { try copy(text) }
      #expect(error?.family == .usage && error?.message.contains(message) == true, "\(String(describing: error))")
      #expect(error?.place == "map.yaml:2:\(text.contains("where") ? 29 : 30)")
    }
    #expect(!FileManager.default.fileExists(atPath: folder.path("new.sqlite")))
  }

  @Test(arguments: [
    ("entities:\n  Recipes: {}", "2:3", "the destination has no entity Recipes", "did you mean Recipe?"),
    ("entities:\n  Image: {}", "2:3", "Image is abstract", "RecipeImage, StepImage"),
    ("entities:\n  Recipe: { from: Dish }", "2:19", "has no entity Dish", "its entities are"),
    ("entities:\n  Recipe: { from: [Recipe, Recipe] }", "2:28", "appears twice", ""),
    ("entities:\n  Recipe: { set: { titel: 1 } }", "2:20", "no attribute or relationship titel", "title?"),
    ("entities:\n  Recipe: { drop: [ratings] }", "2:20", "no property ratings to drop", "rating?"),
    ("entities:\n  Recipe: { identity: [nme] }", "2:24", "no attribute or relationship nme", "it has"),
    ("entities:\n  Recipe: { generate: { id: uuid5 } }", "2:25", "no attribute id", "it has"),
    ("entities:\n  Recipe: { generate: { rating: uuid5 } }", "2:25", "which cannot hold a UUID", "uuid or string"),
    ("entities:\n  Recipe: { generate: { uuid: { uuid5: [name] } } }", "2:41", "no attribute name", "it has"),
    ("entities:\n  Recipe: { set: { title: $self } }", "2:27", "Recipe.title is an attribute", ""),
    ("entities:\n  Recipe: { set: { category: $self } }", "2:30", "$self has no target", "make Category from Recipe"),
    ("entities:\n  Recipe: { set: { category: tags } }", "2:30", "is to-one", "select one"),
    ("entities:\n  Recipe: { set: { tags: title } }", "2:26", "is to-many", "Recipe has"),
    ("entities:\n  Tag: { merge: newest }", "2:17", "when a Tag was last changed", "one of color"),
    (
      "entities:\n  Tag: { merge: { policy: update, keep: [size] } }", "2:42",
      "no attribute or relationship size", "it has"
    ),
    ("relationships:\n  Recipe.tag: follow", "2:3", "no relationship Recipe.tag", "Recipe.tags?"),
    ("entities:\n  Recipe: { set: { image: cover } }", "2:20", "attribute or relationship image", "images?"),
    ("entities:\n  RecipeImage: { set: { data: \"upper(data)\" } }", "2:31", "external files", "the attribute alone"),
    (
      "entities:\n  Recipe: { generate: { uuid: { uuid5: [uuid] } } }", "2:41",
      "Recipe.uuid depends on itself: uuid of uuid", "uuid5 alone"
    ),
    (
      "entities:\n  Recipe: { generate: { uuid: { uuid5: [title, author] }, author: { uuid5: [uuid] } } }",
      "2:77", "depends on itself: uuid of author of uuid", "uuid5 alone"
    ),
    (
      "entities:\n  Recipe: { merge: { policy: newest, by: title } }", "2:42",
      "Recipe.title is neither a date nor a number", "modifiedAt"
    ),
    (
      "entities:\n  Step:\n    - { identity: [uuid] }\n    - { from: Tag, set: { text: name }, identity: [text] }",
      "4:52", "two identities are given for Step", "line 3"
    ),
    (
      "entities:\n  Recipe: { set: { title: subtitle } }", "2:20",
      "is not mapped: its name gets another value", "drop: [title]"
    ),
    ("entities:\n  Recipe: { set: { subtitle: \"upper(title)\" } }", "2:20", "Recipe.subtitle of", "drop: [subtitle]"),
    ("entities:\n  Tag: { from: Category }", "2:3", "is not mapped", ""),
  ])
  func `every name is looked up, and told with its place`(
    _ text: String,
    _ place: String,
    _ message: String,
    _ remedy: String
  ) throws {
    let error = #expect(throws: DecantError.self) { try copy(text) }
    #expect(error?.family == .usage)
    #expect(error?.message.contains(message) == true, "\(String(describing: error))")
    if message != "is not mapped" { #expect(error?.place == "map.yaml:\(place)") }
    #expect(remedy.isEmpty || error?.remedy?.contains(remedy) == true, "\(String(describing: error))")
    #expect(!FileManager.default.fileExists(atPath: folder.path("new.sqlite")))
  }
}
