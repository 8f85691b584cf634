import Foundation
import TestSupport
import Testing

/// `samples/recipes-to-kitchen.yaml`: recipe files into an app's own store, as the README says.
@Suite struct SampleMappingTests {
  private let place: CommandFolder

  init() throws {
    place = try CommandFolder()
    for name in ["Soup.melarecipe", "recipes-to-kitchen.yaml"] {
      let sample = Fixtures.projectFolder.appendingPathComponent("samples/\(name)")
      try FileManager.default.copyItem(at: sample, to: place.url.appendingPathComponent(name))
    }
  }

  private func kitchen(_ sql: String) throws -> String {
    try Program.sqlite3(place.folder.path("Kitchen.sqlite"), sql)
  }

  /// How many objects there are of each kind, and links between recipes and tags.
  private let counts = """
    SELECT (SELECT count(*) FROM ZRECIPE), (SELECT count(*) FROM ZINGREDIENT), (SELECT count(*) FROM ZSTEP),
      (SELECT count(*) FROM ZIMAGE), (SELECT count(*) FROM ZCATEGORY), (SELECT count(*) FROM ZTAG),
      (SELECT count(*) FROM Z_6TAGS)
    """

  /// The line that the README names.
  private func line() throws -> [String] {
    let readme = try String(contentsOf: Fixtures.projectFolder.appendingPathComponent("README.md"), encoding: .utf8)
    let text = readme.replacing("\n", with: " ")
    let match = try #require(text.firstMatch(of: /`decant (import [^`]*--mapping recipes-to-kitchen\.yaml)`/))
    return match.1.split(separator: " ").map(String.init)
  }

  @Test func `the line of the README brings a recipe into the app's store`() throws {
    #expect(try kitchen(counts) == "12|73|42|9|5|6|22")
    let run = try place.run(line())
    #expect(run.status == 0, "\(run.errors)\(run.output)")
    // A category of that name was there; the other one of the recipe is new, and no recipe's.
    #expect(try kitchen(counts) == "13|78|45|10|6|6|22")
    #expect(
      try kitchen(
        """
        SELECT ZTITLE, ZSUBTITLE, ZSERVINGS, ZPREPMINUTES, ZCOOKMINUTES, ZISFAVORITE, ZSOURCEURL, length(ZUUID),
          (SELECT Z_PK || ZNAME || ZSYMBOL FROM ZCATEGORY WHERE Z_PK = ZCATEGORY),
          (SELECT Z_PK FROM ZCATEGORY WHERE ZNAME = 'Soups'), ZCREATEDAT, ZVIEWCOUNT
        FROM ZRECIPE WHERE Z_PK > 15
        """
      ) == "Leek and Potato Soup|Green, thick, and ready in half an hour.|4|10|25|1|"
        + "https://recipes.example/soup/leek|16|1Soups🥣|1|0|0"
    )
    #expect(
      try kitchen(
        """
        SELECT ZSORTINDEX, ZNAME, coalesce(ZAMOUNT, '-'), coalesce(ZUNIT, '-'), coalesce(ZNOTE, '-')
        FROM ZINGREDIENT WHERE ZRECIPE > 15 ORDER BY 1
        """
      ) == """
        0|leeks|3.0|-|in rings
        1|floury potatoes|400.0|g|-
        2|vegetable stock|1.0|l|-
        3|To serve|-|-|-
        4|2–3 tbsp soured cream|-|-|-
        """
    )
    // The steps in the order of their list.
    #expect(
      try kitchen("SELECT ZTEXT FROM ZSTEP WHERE ZRECIPE > 15 ORDER BY Z_FOK_RECIPE") == """
        Soften the leeks in a little butter.
        Add potatoes and stock, and simmer for twenty minutes.
        Blend it, and serve with the cream.
        """
    )
    #expect(try kitchen("PRAGMA integrity_check") == "ok")
    // Every identifier is another one.
    #expect(
      try kitchen(
        """
        SELECT count(*) - count(DISTINCT u), sum(length(u) <> 16) FROM (SELECT ZUUID AS u FROM ZRECIPE UNION ALL
          SELECT ZUUID FROM ZINGREDIENT UNION ALL SELECT ZUUID FROM ZSTEP UNION ALL SELECT ZUUID FROM ZIMAGE)
        """
      ) == "0|0"
    )
  }

  @Test func `the picture is the file's, byte by byte, and the cover`() throws {
    #expect(try place.run(line()).status == 0)
    let script = """
      import base64, json, sqlite3
      db = sqlite3.connect("Kitchen.sqlite")
      row = db.execute('''SELECT i.ZDATA, i.ZBYTECOUNT, i.ZMIMETYPE, e.Z_NAME, r.Z2_COVER = i.Z_ENT, i.ZRECIPE = r.Z_PK
        FROM ZRECIPE r JOIN ZIMAGE i ON i.Z_PK = r.ZCOVER JOIN Z_PRIMARYKEY e ON e.Z_ENT = i.Z_ENT
        WHERE r.Z_PK > 15''').fetchone()
      picture = base64.b64decode(json.load(open("Soup.melarecipe"))["images"][0])
      # What lies in the column itself begins with the byte 1.
      print(row[0] == b"\\x01" + picture, row[1] == len(picture), *row[2:])
      """
    let run = try Program.run(["python3", "-c", script], in: place.url)
    #expect(run.output == "True True image/png RecipeImage 1 1\n", "\(run.errors)")
  }

  @Test func `a second import adds nothing`() throws {
    #expect(try place.run(line()).status == 0)
    let before = try kitchen(".dump")
    let run = try place.run(line())
    #expect(run.status == 0, "\(run.errors)")
    #expect(try kitchen(".dump") == before)
  }

  @Test func `tags, dates, ratings and nutrition come along from a web page's recipe`() throws {
    let recipe = """
      {"@type": "Recipe", "name": "Tart", "keywords": "quick, summer", "recipeYield": "8 servings",
       "datePublished": "2024-05-06", "recipeCategory": "Baking", "author": {"@type": "Person", "name": "Ann"},
       "aggregateRating": {"ratingValue": 4, "ratingCount": 1}, "nutrition": {"calories": "310 kcal"},
       "recipeIngredient": ["500 g plums"], "recipeInstructions": ["Bake."], "prepTime": "PT20M"}
      """
    try Data(recipe.utf8).write(to: place.url.appendingPathComponent("tart.json"))
    let run = try place.run(["import", "tart.json", "Kitchen.sqlite", "--mapping", "recipes-to-kitchen.yaml"])
    #expect(run.status == 0, "\(run.errors)")
    #expect(try kitchen(counts) == "13|74|43|9|5|7|24")
    #expect(
      try kitchen(
        """
        SELECT ZAUTHOR, ZSERVINGS, ZCREATEDAT, ZRATING, ZENERGY, ZPREPMINUTES,
          (SELECT ZNAME FROM ZCATEGORY c WHERE c.Z_PK = r.ZCATEGORY),
          (SELECT group_concat(ZNAME) FROM (SELECT ZNAME FROM Z_6TAGS JOIN ZTAG t ON t.Z_PK = Z_8TAGS
            WHERE Z_6RECIPES = r.Z_PK ORDER BY 1))
        FROM ZRECIPE r WHERE Z_PK > 15
        """
      )
        // 2024-05-06 is 8526 days after 2001-01-01.
        == "Ann|8|\(8_526 * 86_400)|4.0|310.0|20|Baking|quick,summer"
    )
  }
}
