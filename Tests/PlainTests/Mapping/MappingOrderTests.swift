import Decant
import Foundation
import StoreTestSupport
import TestSupport
import Testing

/// Places in ordered lists that a mapping fills from what has no order.
@Suite struct MappingOrderTests {
  private let databases: MappedDatabases

  init() throws { databases = try MappedDatabases.kitchen() }

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
  func `a list that an expression fills keeps the order of the source`(_ expression: String) throws {
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
      #expect(new[recipe]?.map(\.key) == steps.sorted { $0.place < $1.place }.map(\.key))
      #expect(new[recipe]?.map(\.place) == places)
    }
    let problems = try Inspect(databases.place.path("o.sqlite")).run().problems
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
    let wanted = try databases.rows("\(rows), \(try #require(sorted[order])), Z_PK", of: "Kitchen.sqlite")
    #expect(try databases.rows("\(rows), Z_FOK_RECIPE", of: "o.sqlite") == wanted)
    #expect(wanted != (try databases.rows("\(rows), Z_FOK_RECIPE", of: "Kitchen.sqlite")))
    #expect(try Inspect(databases.place.path("o.sqlite")).run().problems.isEmpty)
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
      ("recipe_positon: text", "Step of the destination has no attribute or relationship recipe_positon"),
      ("recipe_position: \"$self\"", "is a position in a list"),
      ("recipe_position: nothing", "nothing"),
    ] {
      let error = #expect(throws: DecantError.self) {
        try databases.copy("entities: { Step: { set: { \(settings) } } }", from: "Kitchen.sqlite", to: "o.sqlite")
      }
      #expect(error?.family == .usage && error?.place?.hasPrefix("map.yaml:1:") == true)
      #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
    }
    let error = #expect(throws: DecantError.self) {
      try databases.copy(
        "entities: { Step: { set: { recipe: \"NULL\", recipe_position: text }, drop: [recipe] } }",
        from: "Kitchen.sqlite",
        to: "o.sqlite"
      )
    }
    #expect(error?.message.contains("Step.recipe has no target") == true)
  }

  @Test func `what has no order comes behind what has`() throws {
    // An order that is not that of the keys.
    _ = try Program.sqlite3(databases.place.path("Kitchen.sqlite"), "UPDATE ZSTEP SET Z_FOK_RECIPE = 100000 - 7 * Z_PK")
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

  // MARK: Lists with a table of their own

  private static let folders = """
    CREATE TABLE folder (id INTEGER PRIMARY KEY, name TEXT);
    CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT, folder INTEGER REFERENCES folder (id));
    CREATE TABLE fav (folder INTEGER REFERENCES folder (id), item INTEGER REFERENCES item (id),
      PRIMARY KEY (folder, item));
    INSERT INTO folder VALUES (1, 'f1'), (2, 'f2');
    INSERT INTO item VALUES (5, 'e', 1), (3, 'c', 1), (9, 'i', 2), (4, 'd', 2), (7, 'g', 1);
    INSERT INTO fav VALUES (1, 9), (1, 3), (1, 7), (2, 9), (2, 4);
    """

  /// Makes bookmarks of folders and items; a folder's favorites are `links`, or an item's folders are `folder`.
  private func bookmarks(_ links: String?) -> String {
    let made =
      "identity: [title], merge: skip, set: { title: name, uuid: \"name || '-u'\", isPendingDeletion: 0"
    let (list, back) =
      links.map { (", favorites: \($0) }", " }, drop: [folder]") }
      ?? (" }, drop: [fav]", ", favoriteFolders: folder }")
    return """
      entities:
        BookmarkEntity:
          - { from: folder, \(made), isFolder: 1\(list) }
          - { from: item, \(made), isFolder: 0\(back) }
      """
  }

  private func favorites(_ file: String) throws -> [String] {
    try databases.rows(
      """
      SELECT f.ZTITLE, i.ZTITLE, Z_FOK_1FAVORITES FROM Z_1FAVORITES
      JOIN ZBOOKMARKENTITY AS f ON f.Z_PK = Z_1FAVORITEFOLDERS JOIN ZBOOKMARKENTITY AS i ON i.Z_PK = Z_1FAVORITES
      ORDER BY 1, 3
      """,
      of: file
    )
  }

  private func makeFolders(_ more: String = "") throws -> String {
    let template = try Fixtures.copyStore("ddg-bookmarks-v4/Bookmarks_V4.sqlite", into: databases.folder.url)
    try databases.place.make("folders.db", Self.folders + more)
    return template.path
  }

  /// Each list of the source in the order of keys, with places as in a fresh list of Core Data.
  private func expected(_ member: String, _ source: String) throws -> [String] {
    try databases.rows(
      """
      SELECT f.name, i.name, 1024 + 1024 * row_number() OVER (PARTITION BY f.id ORDER BY i.id)
      FROM \(source) AS l JOIN folder AS f ON f.id = l.folder JOIN item AS i ON i.id = l.\(member) ORDER BY 1, 3
      """,
      of: "folders.db"
    )
  }

  @Test(.enabled(if: Fixtures.areAvailable), arguments: ["fav", nil])
  func `links of a list get places from what has none`(_ links: String?) throws {
    let template = try makeFolders()
    let report = try databases.copy(bookmarks(links), from: "folders.db", to: "o.sqlite") {
      $0.template = template
    }
    #expect(report.isVerified && report.links.copied == 5)
    let lists = try expected(links == nil ? "id" : "item", links == nil ? "item" : "fav")
    try #require(lists.count == 5)
    #expect(try favorites("o.sqlite") == lists)
    let problems = try Inspect(databases.place.path("o.sqlite")).run().problems
    #expect(problems.isEmpty, "\(problems)")
  }

  private static let many = """
    WITH RECURSIVE n (i) AS (SELECT 100 UNION ALL SELECT i + 1 FROM n WHERE i < 160)
    INSERT INTO item SELECT i, 'n' || i, 1 + i % 2 FROM n;
    INSERT INTO fav SELECT 1 + id % 2, id FROM item WHERE id >= 100;
    """

  @Test(.enabled(if: Fixtures.areAvailable), arguments: [2, 5, 9, 20, 40, 55])
  func `a copy that was cut off goes on with the same places`(_ count: Int) throws {
    let template = try makeFolders(Self.many)
    func copy() throws -> Copy {
      var options = CopyOptions()
      options.mapping = try Mapping(text: bookmarks("fav"), place: "map.yaml")
      options.leftOver = .resume
      options.batchSize = 2
      options.template = template
      return Copy(from: databases.place.path("folders.db"), to: databases.place.path("o.sqlite"), options: options)
    }
    let stop = Cancellation()
    var batches = 0
    let error = #expect(throws: DecantError.self) {
      try copy().run(cancellation: stop) { event in
        guard case .working(.progress(let progress), _) = event, progress.phase == .copy else {
          return
        }
        batches += 1
        if batches == count { stop.cancel() }
      }
    }
    #expect(error?.family == .interrupted)
    #expect(try copy().run().isVerified)
    let lists = try expected("item", "fav")
    try #require(lists.count == 66)
    #expect(try favorites("o.sqlite") == lists)
  }

  @Test(.enabled(if: Fixtures.areAvailable))
  func `merged, what is new comes behind what is there, in its order`() throws {
    let template = try makeFolders()
    try databases.copy(bookmarks("fav"), from: "folders.db", to: "o.sqlite") {
      $0.template = template
    }
    let before = try favorites("o.sqlite")
    try databases.place.make(
      "folders.db",
      "INSERT INTO item VALUES (6, 'f', 2); INSERT INTO fav VALUES (1, 4), (1, 6), (2, 6)"
    )
    func pour() throws -> CopyReport {
      try databases.copy(bookmarks("fav"), from: "folders.db", to: "o.sqlite") {
        $0.purpose = .merge
      }
    }
    let report = try pour()
    #expect(report.copiedCount == 1 && report.links.copied == 3 && report.isVerified)
    let lists = try favorites("o.sqlite")
    // Places of what was there are what they were.
    #expect(Set(lists).isSuperset(of: before) && lists.count == 8)
    let names = lists.map { $0.split(separator: ",").prefix(2).joined(separator: ",") }
    #expect(
      names == [
        "'f1','c'", "'f1','g'", "'f1','i'", "'f1','d'", "'f1','f'", "'f2','d'", "'f2','i'",
        "'f2','f'",
      ]
    )
    #expect(try pour().copiedCount == 0)
    #expect(try favorites("o.sqlite") == lists)
  }

  @Test func `steps that an expression leads to a recipe come behind its own in a merge`() throws {
    let (mine, theirs) = ("mine.sqlite", "Kitchen.sqlite")
    try FileManager.default.copyItem(atPath: databases.place.path(theirs), toPath: databases.place.path(mine))
    try databases.place.make(
      theirs,
      """
      INSERT INTO ZSTEP (Z_PK, Z_ENT, Z_OPT, ZRECIPE, Z_FOK_RECIPE, ZTEXT, ZUUID)
        SELECT 900 + v, (SELECT Z_ENT FROM ZSTEP LIMIT 1), 1, 1, 5000 - v, 'new' || v, randomblob(16)
        FROM (SELECT 1 AS v UNION ALL SELECT 2 UNION ALL SELECT 3);
      UPDATE Z_PRIMARYKEY SET Z_MAX = 903 WHERE Z_NAME = 'Step'
      """
    )
    let list = "SELECT ZTEXT FROM ZSTEP WHERE ZRECIPE = 1 ORDER BY Z_FOK_RECIPE"
    let before = try databases.rows(list, of: mine)
    let report = try databases.copy(
      """
      defaults: { merge: skip }
      entities: { Step: { identity: [uuid], set: { recipe: "recipe + 0" } } }
      """,
      from: theirs,
      to: mine
    ) { $0.purpose = .merge }
    #expect(report["Step"]?.copied == 3 && report.isVerified)
    // The expression reads the link, whose lists have an order: not that of the keys.
    #expect(try databases.rows(list, of: mine) == before + ["'new3'", "'new2'", "'new1'"])
  }
}
