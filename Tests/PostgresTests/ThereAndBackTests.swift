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

  @Test(arguments: ["quote_all_identifiers=on", "bytea_output=escape", "standard_conforming_strings=off"])
  func `settings of the role do not matter`(setting: String) throws {
    _ = try Program.sqlite3(
      place.folder.path("plain.db"),
      "CREATE TABLE t (id INTEGER PRIMARY KEY, b BLOB, s TEXT); INSERT INTO t VALUES (1, x'015c00', 'a\\b')")
    try place.psql("ALTER ROLE \(PostgresServer.owner) IN DATABASE \(place.database) SET \(setting)")
    try place.expect("copy", "plain.db", place.location)
    try place.expect("verify", "plain.db", place.location)
    try place.expect("copy", place.location, "back.db")
    let rows = "SELECT id, hex(b), s FROM t"
    #expect(
      try Program.sqlite3(place.folder.path("back.db"), rows) == Program.sqlite3(place.folder.path("plain.db"), rows))
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

  @Test(arguments: ["Kitchen.sqlite", "plain.db"]) func `a renamed schema is said, and can be the store again`(
    name: String
  )
    throws
  {
    _ = try Program.sqlite3(
      place.folder.path("plain.db"), "CREATE TABLE t (id INTEGER PRIMARY KEY, d DATE); INSERT INTO t VALUES (1, 'x')")
    try place.expect("copy", name, place.server.location(place.database, schema: "one"))
    try place.psql("ALTER SCHEMA one RENAME TO \"o'two\"")
    let location = place.server.location(place.database, schema: "o'two")
    let read = try place.expect("copy", location, "tables.db")
    #expect(read.contains("decant.store describes them in the schema one, which does not exist"), "\(read)")
    let found = try #require(try #/UPDATE decant\.store SET .*/#.firstMatch(in: read)?.0)
    try place.psql(String(found))
    let again = try place.expect("copy", location, "back.db")
    #expect(!again.contains("decant.store"))
    #expect(try place.expect("diff", name, "back.db").contains("equal"))
  }

  @Test func `tables that were dropped are forgotten`() throws {
    try place.expect("copy", "Kitchen.sqlite", place.location)
    try place.psql("DROP SCHEMA public CASCADE; CREATE SCHEMA public")
    try place.expect(["inspect", place.location], 10, "has no tables")
    _ = try Program.sqlite3(place.folder.path("plain.db"), "CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT)")
    _ = try Program.sqlite3(place.folder.path("plain.db"), "INSERT INTO note VALUES (7, 'eggs')")
    try place.expect("copy", "plain.db", place.location)
    #expect(try place.psql("SELECT text FROM note") == "eggs")
  }

  /// The app changes two recipes in each of its transactions.
  @Test(arguments: [true, false]) func `a store that an app writes meanwhile is copied in one state`(isModel: Bool)
    throws
  {
    let store = isModel ? "Kitchen.sqlite" : "plain.db"
    if !isModel { try place.expect("copy", "Kitchen.sqlite", "sqlite:plain.db") }
    let (table, column) = isModel ? ("ZRECIPE", "ZTITLE") : ("recipe", "title")
    let app = try RunningProgram(["python3", "-c", Self.app, place.folder.path(store), table, column])
    defer { app.kill() }
    #expect(app.read().isEmpty == false)
    try place.expect("copy", store, place.location)
    let rows = "SELECT count(*), count(DISTINCT title) FROM recipe WHERE title LIKE 'changed %'"
    #expect(try place.psql(rows) == "2|1")
  }

  private static let app = """
    import sqlite3, sys
    path, table, column = sys.argv[1:]
    app = sqlite3.connect(path, isolation_level=None, timeout=60)
    app.execute("PRAGMA journal_mode = WAL")
    number = 0
    while True:
        app.execute(f"UPDATE {table} SET {column} = ? WHERE rowid IN (SELECT rowid FROM {table} ORDER BY 1 LIMIT 2)", [f"changed {number}"])
        if number == 0:
            print("ready", flush=True)
        number += 1
    """

  @Test func `a new row gets a key that no row ever had`() throws {
    try place.expect("copy", "Kitchen.sqlite", place.location)
    let highest = try Program.sqlite3(
      place.folder.path("Kitchen.sqlite"),
      "SELECT max(max(Z_MAX), (SELECT max(Z_PK) FROM ZTAG)) FROM Z_PRIMARYKEY WHERE Z_NAME = 'Tag'")
    let key = try place.psql("INSERT INTO tag (name, color, uuid) VALUES ('new', 7, gen_random_uuid()) RETURNING id")
    #expect(Int(key) ?? 0 > Int(highest) ?? Int.max)
  }

  @Test(arguments: [
    [], ["--no-verify"], ["--root", "Recipe: rating > 2"], ["--root", "Recipe: rating > 2", "--no-verify"],
  ])
  func `with and without a proof the tables are complete`(options: [String]) throws {
    try place.expect("copy", "Kitchen.sqlite", place.location)
    let made = """
      SELECT contype, conname, convalidated FROM pg_constraint WHERE connamespace = 'SCHEMA'::regnamespace
      UNION ALL SELECT 'i', indexname, true FROM pg_indexes WHERE schemaname = 'SCHEMA' ORDER BY 1, 2
      """
    for _ in 0..<3 {
      try place.psql("DROP SCHEMA IF EXISTS other CASCADE")
      let run = try place.run(
        ["copy", "Kitchen.sqlite", place.server.location(place.database, schema: "other")] + options)
      #expect(run.status == 0, "\(run.errors)")
      let found = try ["public", "other"].map { try place.psql(made.replacingOccurrences(of: "SCHEMA", with: $0)) }
      #expect(found[0] == found[1] && !found[0].contains("|f\n"))
    }
    #expect(try place.psql("SELECT count(*) FROM pg_namespace WHERE nspname ~ '^decant_build'") == "0")
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
