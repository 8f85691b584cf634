import Decant
import DecantStores
import Foundation
import TestSupport
import Testing

/// Places in ordered lists that a mapping fills from what has no order.
@Suite struct MappingOrderTests {
  private let databases: MappedDatabases

  init() throws {
    databases = try MappedDatabases("SELECT 1")
    try FileManager.default.copyItem(
      atPath: Fixtures.projectFolder.appendingPathComponent("samples/Kitchen.sqlite").path,
      toPath: databases.place.path("Kitchen.sqlite")
    )
  }

  /// The steps of each recipe in the order of their places: their keys, and the places.
  private func lists(_ file: String) throws -> [Int: [(key: Int, place: Int)]] {
    let rows = try databases.rows(
      "SELECT ZRECIPE, Z_PK, coalesce(Z_FOK_RECIPE, -1) FROM ZSTEP WHERE ZRECIPE NOT NULL ORDER BY 1, 3",
      of: file
    )
    var lists: [Int: [(key: Int, place: Int)]] = [:]
    for row in rows {
      let numbers = row.split(separator: ",").compactMap { Int($0) }
      lists[numbers[0], default: []].append((numbers[1], numbers[2]))
    }
    return lists
  }

  @Test(arguments: [
    "recipe + 0", "(SELECT r._id FROM Recipe AS r WHERE r._id = Step.recipe)",
  ])
  func `a list that an expression fills is in the order of its keys`(_ expression: String) throws {
    let report = try databases.copy(
      "entities: { Step: { set: { recipe: \"\(expression)\" } } }",
      from: "Kitchen.sqlite",
      to: "o.sqlite"
    )
    #expect(report.isVerified)
    let (old, new) = (try lists("Kitchen.sqlite"), try lists("o.sqlite"))
    try #require(old.values.contains { $0.count > 2 } && old.count == new.count)
    for (recipe, steps) in old {
      // As in a fresh list of Core Data.
      let places = steps.indices.map { 2048 + 1024 * $0 }
      #expect(new[recipe]?.map(\.key) == steps.map(\.key).sorted())
      #expect(new[recipe]?.map(\.place) == places)
    }
    let problems = try Inspection.of(databases.place.path("o.sqlite")).problems
    #expect(problems.isEmpty, "\(problems)")
  }

  @Test(arguments: ["-Step.recipe_position", "upper(text)", "-length(text)"])
  func `a list is in the order that the mapping says`(_ order: String) throws {
    let report = try databases.copy(
      "entities: { Step: { set: { recipe_position: \"\(order)\" } } }",
      from: "Kitchen.sqlite",
      to: "o.sqlite"
    )
    #expect(report.isVerified)
    let sorted = [
      "-Step.recipe_position": "Z_FOK_RECIPE DESC", "upper(text)": "upper(ZTEXT)",
      "-length(text)": "length(ZTEXT) DESC",
    ]
    let rows = "SELECT ZRECIPE, Z_PK FROM ZSTEP WHERE ZRECIPE NOT NULL ORDER BY ZRECIPE"
    let wanted = try databases.rows(
      "\(rows), \(try #require(sorted[order])), Z_PK",
      of: "Kitchen.sqlite"
    )
    #expect(try databases.rows("\(rows), Z_FOK_RECIPE", of: "o.sqlite") == wanted)
    #expect(wanted != (try databases.rows("\(rows), Z_FOK_RECIPE", of: "Kitchen.sqlite")))
    #expect(try Inspection.of(databases.place.path("o.sqlite")).problems.isEmpty)
  }

  @Test func `another order is another plan, and nonsense is told with its place`() throws {
    func plan(_ order: String) throws -> String? {
      try databases.copy(
        "entities: { Step: { set: { recipe_position: \"\(order)\" } } }",
        from: "Kitchen.sqlite",
        to: "o.sqlite"
      ) { $0.isDryRun = true }.planHash
    }
    #expect(try plan("text") != plan("text || 'x'"))
    for (settings, words) in [
      (
        "recipe_positon: text",
        "Step of the destination has no attribute or relationship recipe_positon"
      ),
      ("recipe_position: \"$self\"", "is a place in a list"),
      ("recipe_position: nothing", "nothing"),
    ] {
      let error = #expect(throws: DecantError.self) {
        try databases.copy(
          "entities: { Step: { set: { \(settings) } } }",
          from: "Kitchen.sqlite",
          to: "o.sqlite"
        )
      }
      #expect(error?.code == .usage && error?.place?.hasPrefix("map.yaml:1:") == true)
      #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
    }
    let error = #expect(throws: DecantError.self) {
      try databases.copy(
        "entities: { Step: { set: { recipe: \"NULL\", recipe_position: text }, drop: [recipe] } }",
        from: "Kitchen.sqlite",
        to: "o.sqlite"
      )
    }
    #expect(error?.message.contains("Step.recipe leads nowhere") == true)
  }

  @Test func `what has no order comes behind what has`() throws {
    // An order that is not that of the keys.
    _ = try Program.sqlite3(
      databases.place.path("Kitchen.sqlite"),
      "UPDATE ZSTEP SET Z_FOK_RECIPE = 100000 - 7 * Z_PK"
    )
    let report = try databases.copy(
      """
      entities:
        Step:
          - {}
          - { from: Ingredient, set: { text: name } }
        Ingredient: {}
      """,
      from: "Kitchen.sqlite",
      to: "o.sqlite"
    )
    #expect(report.isVerified)
    let ingredients = try databases.rows(
      "SELECT ZRECIPE, ZNAME FROM ZINGREDIENT WHERE ZRECIPE NOT NULL ORDER BY ZRECIPE, Z_PK",
      of: "Kitchen.sqlite"
    )
    let steps = try databases.rows(
      "SELECT ZRECIPE, ZTEXT FROM ZSTEP WHERE ZRECIPE NOT NULL ORDER BY ZRECIPE, Z_FOK_RECIPE",
      of: "Kitchen.sqlite"
    )
    let new = try databases.rows(
      "SELECT ZRECIPE, ZTEXT FROM ZSTEP WHERE ZRECIPE NOT NULL ORDER BY ZRECIPE, Z_FOK_RECIPE",
      of: "o.sqlite"
    )
    func list(_ rows: [String], _ recipe: Int) -> [String] {
      rows.filter { $0.hasPrefix("\(recipe),") }
    }
    for recipe in 1...12 {
      #expect(list(new, recipe) == list(steps, recipe) + list(ingredients, recipe))
    }
    try #require(!ingredients.isEmpty && !steps.isEmpty)
  }

  @Test func `and what has an order everywhere keeps its places`() throws {
    try databases.copy(
      "entities: { Step: [ { where: \"_id % 2 = 0\" }, { from: Step, where: \"_id % 2 = 1\" } ] }",
      from: "Kitchen.sqlite",
      to: "o.sqlite"
    )
    let (old, new) = (try lists("Kitchen.sqlite"), try lists("o.sqlite"))
    try #require(!old.isEmpty && old.keys.sorted() == new.keys.sorted())
    for (recipe, steps) in old {
      #expect(new[recipe]?.map(\.key) == steps.map(\.key))
      #expect(new[recipe]?.map(\.place) == steps.map(\.place))
    }
  }
}
