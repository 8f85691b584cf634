import Decant
import Examples
import StoreTestSupport
import TestSupport
import Testing

/// The generated type: the library has one of this name for its own use.
private typealias Recipe = Examples.Recipe

/// Which objects are read, and in what order: held against SQL over the store's own tables.
@Suite struct ConditionTests {
  private let kitchens: Kitchens
  private let store: Store

  init() throws {
    kitchens = try Kitchens()
    store = try Store(StoreKinds.location(kitchens.kitchen))
  }

  private struct Case: Sendable, CustomTestStringConvertible {
    let sql: String
    let recipes: @Sendable (Objects<Recipe>) -> Objects<Recipe>

    init(_ sql: String, _ recipes: @escaping @Sendable (Objects<Recipe>) -> Objects<Recipe>) {
      (self.sql, self.recipes) = (sql, recipes)
    }

    var testDescription: String { sql }
  }

  private static let tagged = """
    JOIN Z_6TAGS l ON l.Z_6RECIPES = r.Z_PK JOIN ZTAG t ON t.Z_PK = l.Z_8TAGS
    """

  private static let cases: [Case] = [
    Case("1") { $0 },
    Case("ZRATING >= 4") { $0.filter { $0.rating >= 4 } },
    Case("ZRATING >= 4 AND ZISFAVORITE = 1") { $0.filter { $0.rating >= 4 && $0.isFavorite == true } },
    Case("ZRATING >= 4 AND ZISFAVORITE = 1") { $0.filter { $0.rating >= 4 }.filter { $0.isFavorite == true } },
    Case("ZRATING < 4 OR ZRATING IS NULL") { $0.exclude { $0.rating >= 4 } },
    Case("ZRATING IN (1, 5)") { $0.filter { $0.rating.isOne(of: [1, 5]) } },
    Case("0") { $0.filter { $0.rating.isOne(of: []) } },
    Case("ZSUBTITLE IS NULL") { $0.filter { $0.subtitle == nil } },
    Case("ZSUBTITLE IS NOT NULL") { $0.filter { $0.subtitle != nil } },
    Case("ZSUBTITLE IS NOT 'x'") { $0.filter { $0.subtitle != "x" } },
    Case("ZSUBTITLE IS ZTITLE") { $0.filter { $0.subtitle == $0.title } },
    Case("ZTITLE LIKE '%e%' AND instr(ZTITLE, 'e')") { $0.filter { $0.title.contains("e") } },
    Case("instr(lower(ZTITLE), 's')") { $0.filter { $0.title.contains("S", ignoringCase: true) } },
    Case("substr(ZTITLE, 1, 1) = 'S'") { $0.filter { $0.title.hasPrefix("S") } },
    Case("ZTITLE GLOB '*e'") { $0.filter { $0.title.hasSuffix("e") } },
    Case("1") { $0.filter { $0.title.hasSuffix("") } },
    Case("ZTITLE = '''; DROP TABLE ZRECIPE --'") { $0.filter { $0.title == "'; DROP TABLE ZRECIPE --" } },
    Case("ZCOOKMINUTES IS NULL OR ZPREPMINUTES <= 10") { $0.exclude { $0.cookMinutes != nil && $0.prepMinutes > 10 } },
    Case("ZCATEGORY IN (SELECT Z_PK FROM ZCATEGORY WHERE ZNAME = 'Soups')") {
      $0.filter { $0.category.name == "Soups" }
    },
    Case("ZCATEGORY IS NULL") { $0.filter { $0.category == nil } },
    Case("ZCATEGORY = 2") { $0.filter { $0.category == ObjectID(2) } },
    Case(
      "ZVARIANTOF IN (SELECT Z_PK FROM ZRECIPE WHERE ZCATEGORY IN (SELECT Z_PK FROM ZCATEGORY WHERE ZSORTINDEX >= 0))"
    ) {
      $0.filter { $0.variantOf.category.sortIndex >= 0 }
    },
    Case("Z_PK IN (SELECT r.Z_PK FROM ZRECIPE r \(tagged) WHERE t.ZNAME = 'quick')") {
      $0.filter { $0.tags.contains { $0.name == "quick" } }
    },
    Case("Z_PK NOT IN (SELECT Z_6RECIPES FROM Z_6TAGS)") { $0.filter { $0.tags.isEmpty } },
    Case("Z_PK IN (SELECT Z_6RECIPES FROM Z_6TAGS WHERE Z_8TAGS = 1)") { $0.filter { $0.tags.contains(ObjectID(1)) } },
    Case("Z_PK IN (SELECT ZRECIPE FROM ZINGREDIENT WHERE ZAMOUNT > 400)") {
      $0.filter { $0.ingredients.contains { $0.amount > 400 } }
    },
    // The ingredient's own condition speaks of the recipe around it.
    Case("Z_PK IN (SELECT ZRECIPE FROM ZINGREDIENT i WHERE i.ZNAME = ZRECIPE.ZTITLE OR i.ZSORTINDEX = 3)") {
      $0.filter { recipe in recipe.ingredients.contains { $0.name == recipe.title || $0.sortIndex == 3 } }
    },
    // A condition within another speaks of a relationship of the outermost object.
    Case(
      "Z_PK IN (SELECT r.Z_PK FROM ZRECIPE r JOIN ZINGREDIENT i ON i.ZRECIPE = r.Z_PK JOIN ZSTEP s ON s.ZRECIPE = r.Z_PK WHERE i.ZSORTINDEX = 3 AND s.ZDURATION > 100)"
    ) {
      $0.filter { recipe in
        recipe.ingredients.contains { ingredient in
          ingredient.sortIndex == 3 && recipe.steps.contains { $0.duration > 100 }
        }
      }
    },
    // Within a condition about many objects goes another one through one object.
    Case("Z_PK IN (SELECT ZRECIPE FROM ZINGREDIENT WHERE ZRECIPE IN (SELECT Z_PK FROM ZRECIPE WHERE ZRATING > 4.5))") {
      $0.filter { $0.ingredients.contains { $0.recipe.rating > 4.5 } }
    },
    Case("Z_PK IN (SELECT Z_PK FROM ZRECIPE ORDER BY Z_PK LIMIT 5) AND ZRATING > 4.2") {
      $0.prefix(5).filter { $0.rating > 4.2 }
    },
    Case("0") { $0.prefix(-1) },
    Case("Z_PK IN (SELECT ZVARIANTOF FROM ZRECIPE WHERE Z_PK IN (SELECT Z_6RECIPES FROM Z_6TAGS))") {
      $0.filter { $0.variants.contains { !$0.tags.isEmpty } }
    },
  ]

  @Test(arguments: cases)
  private func `conditions choose what SQL over the tables chooses`(_ each: Case) throws {
    let expected = try Program.sqlite3(kitchens.kitchen, "SELECT Z_PK FROM ZRECIPE WHERE \(each.sql) ORDER BY Z_PK")
      .split(separator: "\n").map { Int64($0) ?? 0 }
    let recipes = each.recipes(store.objects(Recipe.self))
    #expect(try recipes.array().map(\.id.key) == expected)
    #expect(try recipes.count() == expected.count)
    #expect(try recipes.first()?.id.key == expected.first)
    #expect(try recipes.isEmpty() == expected.isEmpty)
  }

  @Test func `objects come in the order that is asked for, equal ones by key`() throws {
    let orders: [(String, @Sendable (Recipe.Fields) -> [ObjectOrder])] = [
      ("ZTITLE", { [$0.title.ascending] }), ("ZTITLE DESC", { [$0.title.descending] }),
      ("ZRATING DESC, ZTITLE", { [$0.rating.descending, $0.title.ascending] }),
      ("ZSUBTITLE", { [$0.subtitle.ascending] }), ("ZSUBTITLE DESC", { [$0.subtitle.descending] }),
      ("ZTITLE COLLATE NOCASE DESC", { [$0.title.descendingIgnoringCase] }),
      (
        "(SELECT ZNAME FROM ZCATEGORY c WHERE c.Z_PK = ZCATEGORY) DESC, ZISFAVORITE",
        { [$0.category.name.descending, $0.isFavorite.ascending] }
      ),
    ]
    for (sql, order) in orders {
      let expected = try Program.sqlite3(kitchens.kitchen, "SELECT Z_PK FROM ZRECIPE ORDER BY \(sql), Z_PK")
      let keys = try store.objects(Recipe.self).order(order).array().map { String($0.id.key) }
      #expect(keys == expected.split(separator: "\n").map(String.init), "\(sql)")
    }
  }

  @Test func `a list of parts has its order, and its own conditions`() throws {
    let steps = try #require(try store.object(ObjectID<Recipe>(4))).steps(in: store)
    let expected = try Program.sqlite3(
      kitchens.kitchen, "SELECT Z_PK FROM ZSTEP WHERE ZRECIPE = 4 ORDER BY Z_FOK_RECIPE")
    #expect(try steps.array().map { String($0.id.key) } == expected.split(separator: "\n").map(String.init))
    let tags = try #require(try store.object(ObjectID<Recipe>(4))).tags(in: store)
    #expect(
      try tags.filter { $0.name != "quick" }.count()
        == Int(
          Program.sqlite3(
            kitchens.kitchen,
            """
            SELECT count(*) FROM Z_6TAGS JOIN ZTAG ON Z_PK = Z_8TAGS WHERE Z_6RECIPES = 4 AND ZNAME <> 'quick'
            """
          ).filter(\.isNumber))
    )
  }

  @Test func `values are those of the tables`() throws {
    let recipe = try #require(try store.objects(Recipe.self).filter { $0.id == ObjectID(4) }.first())
    let row = try Program.sqlite3(
      kitchens.kitchen,
      "SELECT ZTITLE, ZRATING, ZISFAVORITE, hex(ZUUID), ZCREATEDAT, ZCATEGORY FROM ZRECIPE WHERE Z_PK = 4"
    ).split(separator: "\n")[0].split(separator: "|").map(String.init)
    let hex = recipe.uuid.bytes.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true) }
    #expect(row[0] == recipe.title && Float(row[1]) == recipe.rating && row[2] == (recipe.isFavorite ? "1" : "0"))
    #expect(row[3] == hex.joined() && Double(row[4]) == recipe.createdAt.seconds)
    #expect(row[5] == recipe.category.map { String($0.key) })
    let record = try #require(try store.objects("Recipe").filter { $0["title"] == .text(recipe.title) }.first())
    #expect(record["rating"] == recipe.rating.map { .double(Double($0)) } && record["uuid"] == .uuid(recipe.uuid.bytes))
    #expect(record["createdAt"] == .date(recipe.createdAt.seconds) && record["nosuch"] == nil)
    #expect(try store.objects("Recipe").filter { $0.one("category")["name"] == .text("Soups") }.count() > 0)
  }

  @Test func `pictures are read from the store and from external files`() throws {
    let images = try store.objects(Image.self).array()
    #expect(!images.isEmpty)
    for image in images {
      let bytes = try #require(try store.bytes(of: image.id) { $0.data })
      #expect(Int64(bytes.count) == image.byteCount)
      #expect(bytes.starts(with: [0xFF, 0xD8]) || bytes.starts(with: [0x89, 0x50]))
    }
    let error = try failure { _ = try store.bytes(of: ObjectID<Image>(999)) { $0.data } }
    #expect(error.code == .objectNotFound)
  }

  @Test func `a name that the model lacks is told with the nearest one`() throws {
    func code(_ body: () throws -> Void) throws -> String {
      let error = try failure(body)
      #expect(error.code == .unknownName)
      return error.remedies.map { "\($0)" }.joined()
    }
    #expect(try code { _ = try store.objects("Recipee").count() }.contains("Recipe"))
    #expect(try code { _ = try store.objects("Recipe").filter { $0["titel"] == .null }.count() }.contains("title"))
    #expect(try code { _ = try store.objects("Recipe").order { [$0["ratng"].ascending] }.array() }.contains("rating"))
    #expect(try code { _ = try store.objects("Recipe").filter { $0.many("tag").isEmpty }.count() }.contains("tags"))
    #expect(throws: DecantError.self) {
      try store.objects("Recipe").filter { $0.one("tags")["name"] == .text("x") }.count()
    }
  }
}
