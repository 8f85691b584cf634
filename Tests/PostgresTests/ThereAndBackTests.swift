import Foundation
import TestSupport
import Testing

/// A store copied to PostgreSQL and back is the store that it was.
@Suite(.enabled(if: PostgresServer.isInstalled)) struct ThereAndBackTests {
  private let place: PostgresFolder

  init() throws { place = try PostgresFolder() }

  @Test(arguments: ["Kitchen.sqlite", "Guests.sqlite"])
  func `a Core Data store comes back equal`(store: String) throws {
    try place.expect("copy", store, place.location)
    try place.expect("copy", place.location, "back.sqlite")
    #expect(try place.expect("diff", store, "back.sqlite").contains("equal"))
    try place.expect("verify", store, place.location)
    // The app's own metadata and the model cache are there again.
    for table in ["Z_MODELCACHE", "Z_PRIMARYKEY"] {
      let rows = "SELECT * FROM \(table) ORDER BY 1"
      #expect(
        try Program.sqlite3(place.folder.path(store), rows, isQuoted: true)
          == Program.sqlite3(place.folder.path("back.sqlite"), rows, isQuoted: true))
    }
  }

  @Test func `what psql counts is what the store has`() throws {
    try place.expect("copy", "Kitchen.sqlite", place.location)
    for (table, source) in [
      ("recipe", "ZRECIPE"), ("ingredient", "ZINGREDIENT"), ("step", "ZSTEP"), ("image", "ZIMAGE"),
      ("category", "ZCATEGORY"), ("tag", "ZTAG"), ("recipe_tags", "Z_6TAGS"),
    ] {
      #expect(
        try place.psql("SELECT count(*) FROM \(table)")
          == Program.sqlite3(place.folder.path("Kitchen.sqlite"), "SELECT count(*) FROM \(source)"))
    }
    #expect(
      try place.psql("SELECT string_agg(title, '|' ORDER BY id) FROM recipe")
        == Program.sqlite3(
          place.folder.path("Kitchen.sqlite"),
          "SELECT group_concat(ZTITLE, '|') FROM (SELECT ZTITLE FROM ZRECIPE ORDER BY Z_PK)"))
    #expect(
      try place.psql(
        "SELECT string_agg(extract(epoch FROM created_at)::text::float8::text, '|' ORDER BY id) FROM recipe")
        == Program.sqlite3(
          place.folder.path("Kitchen.sqlite"),
          """
          SELECT group_concat(rtrim(rtrim(printf('%.6f', ZCREATEDAT + 978307200), '0'), '.'), '|')
          FROM (SELECT ZCREATEDAT FROM ZRECIPE ORDER BY Z_PK)
          """))
  }

  @Test func `a new row gets a key that no row ever had`() throws {
    try place.expect("copy", "Kitchen.sqlite", place.location)
    let highest = try Program.sqlite3(
      place.folder.path("Kitchen.sqlite"),
      "SELECT max(max(Z_MAX), (SELECT max(Z_PK) FROM ZTAG)) FROM Z_PRIMARYKEY WHERE Z_NAME = 'Tag'")
    let key = try place.psql("INSERT INTO tag (name, color, uuid) VALUES ('new', 7, gen_random_uuid()) RETURNING id")
    #expect(Int(key) ?? 0 > Int(highest) ?? Int.max)
  }

  @Test func `rows that an app added come back`() throws {
    try place.expect("copy", "Kitchen.sqlite", place.location)
    try place.psql(
      "INSERT INTO tag (name, color, uuid) VALUES ('from the server', 7, gen_random_uuid());"
        + "UPDATE recipe SET title = 'Soup' WHERE id = 1")
    try place.expect("copy", place.location, "back.sqlite")
    #expect(
      try Program.sqlite3(place.folder.path("back.sqlite"), "SELECT ZTITLE FROM ZRECIPE WHERE Z_PK = 1") == "Soup")
    #expect(
      try Program.sqlite3(place.folder.path("back.sqlite"), "SELECT count(*) FROM ZTAG WHERE ZNAME = 'from the server'")
        == "1")
    let run = try place.run(["diff", "Kitchen.sqlite", place.location])
    #expect(run.status == 4)
    #expect(run.output.contains("Recipe p1 differs in title"))
  }
}
