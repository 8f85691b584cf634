import Foundation
import TestSupport
import Testing

/// What is done on servers that lack an ability of PostgreSQL, tried by switching it off.
@Suite(.enabled(if: PostgresServer.isInstalled)) struct AbilityTests {
  /// A server that logs all statements.
  private static let server = Result<PostgresServer, any Error> {
    let server = try PostgresServer()
    try server.psql("postgres", "ALTER SYSTEM SET log_statement = 'all'")
    try server.psql("postgres", "ALTER SYSTEM SET log_line_prefix = '%d|%p|%v|'")
    try server.psql("postgres", "SELECT pg_reload_conf(), pg_sleep(0.5)")
    return server
  }

  private let place: PostgresFolder

  init() throws { place = try PostgresFolder(Self.server.get()) }

  /// The abilities, each with the statements that need it.
  private static let abilities: [(name: String, statements: String)] = [
    ("copy-out", #"(?s)COPY \(.*TO STDOUT"#), ("written-rows", #"age\(xmin\)"#),
    ("not-valid", "NOT VALID|VALIDATE CONSTRAINT"),
    ("deferrable", "DEFERRABLE|SET CONSTRAINTS"), ("atomic-ddl", "SET SCHEMA"),
  ]
  private static let cases = [[]] + abilities.map { [$0.name] } + [abilities.map(\.name)]

  private func expect(_ off: [String], _ arguments: [String], location: SourceLocation = #_sourceLocation) throws
    -> String
  {
    let run = try place.run(arguments, environment: ["DECANT_SERVER_WITHOUT": off.joined(separator: " ")])
    #expect(run.status == 0, "\(off) \(arguments): \(run.output)\(run.errors)", sourceLocation: location)
    return run.output
  }

  // MARK: The log

  /// A statement of a program, and the transaction that it was part of.
  private struct Logged {
    let transaction: Substring
    var sql: String
  }

  private func log() throws -> [Logged] {
    var found: [Logged] = []
    for line in try place.server.log().split(separator: "\n") {
      if line.hasPrefix("\t"), !found.isEmpty {
        found[found.count - 1].sql += "\n\(line)"
      } else if let parts = line.wholeMatch(of: #/([^|]*)\|([^|]*\|[^|]*)\|LOG:  (statement|execute [^:]*): (.*)/#) {
        found.append(Logged(transaction: parts.1 == place.database ? parts.2 : "", sql: String(parts.4)))
      }
    }
    return found.filter { !$0.transaction.isEmpty }
  }

  /// The statements, within a transaction with others, that make or change tables which are not temporary.
  private func changesInTransactions(_ log: [Logged]) -> [String] {
    let counts = Dictionary(log.map { ($0.transaction, 1) }, uniquingKeysWith: +)
    return log.filter { statement in
      statement.sql.contains(#/^(CREATE (UNIQUE INDEX|INDEX|TABLE|SCHEMA)|ALTER TABLE|DROP (TABLE|SCHEMA))/#)
        && !statement.sql.contains("pg_temp") && counts[statement.transaction] != 1
    }.map(\.sql)
  }

  // MARK: Tests

  @Test(arguments: cases) func `stores get there, are added to and merged, and come back`(off: [String]) throws {
    let made = try expect(off, ["copy", "Kitchen.sqlite", place.location, "--workers", "2"])
    #expect(made.contains("the server lacks") != off.isEmpty, "\(made)")
    let constraints = """
      SELECT count(*) > 5, bool_and(convalidated), bool_or(condeferrable) FROM pg_constraint
      WHERE connamespace = 'public'::regnamespace AND contype = 'f'
      """
    let isDeferrable = off.contains("deferrable") ? "f" : "t"
    #expect(try place.psql(constraints) == "t|t|\(isDeferrable)")
    _ = try expect(off, ["verify", "Kitchen.sqlite", place.location])
    _ = try expect(off, ["copy", place.location, "back.sqlite"])
    _ = try expect(off, ["diff", "Kitchen.sqlite", "back.sqlite"])
    for name in ["file", "other"] { try place.expect("copy", "Kitchen.sqlite", "\(name).sqlite") }
    _ = try Program.sqlite3(
      place.folder.path("other.sqlite"), "UPDATE ZRECIPE SET ZVARIANTOF = 3, ZTITLE = 'new' WHERE Z_PK = 2")
    for change in [
      ["copy", "Guests.sqlite", "--append"], ["merge", "Guests.sqlite"],
      ["merge", "other.sqlite", "--merge", "replace"],
    ] {
      for destination in ["file.sqlite", place.location] {
        _ = try expect(off, [change[0], change[1], destination] + change[2...])
      }
      _ = try expect(off, ["diff", "file.sqlite", place.location])
    }
    let log = try log()
    for (name, statements) in Self.abilities {
      let pattern = try Regex(statements)
      let found = log.first { $0.sql.contains(pattern) }
      #expect((found == nil) == off.contains(name), "\(name): \(found?.sql ?? "not sent")")
    }
    let changes = changesInTransactions(log)
    #expect(changes.isEmpty == off.contains("atomic-ddl"), "\(changes.first ?? "")")
  }

  /// Tables with circles, rows, and a change with new rows, changed links to them, and deleted rows.
  private static let circles: [(tables: String, rows: String, change: String, isStrict: Bool)] = [
    (
      "CREATE TABLE a (id INTEGER PRIMARY KEY, name TEXT UNIQUE, up INTEGER REFERENCES a (id));",
      "INSERT INTO a VALUES (1, 'a1', NULL), (2, 'a2', 1), (6, 'a6', 7), (7, 'a7', 6)",
      """
      INSERT INTO a VALUES (3, 'a3', 4), (4, 'a4', 3), (5, 'a5', 5); UPDATE a SET up = 4 WHERE id = 2;
      DELETE FROM a WHERE id IN (1, 6, 7)
      """, false
    ),
    (
      """
      CREATE TABLE a (id INTEGER PRIMARY KEY, name TEXT UNIQUE, up INTEGER REFERENCES b (id));
      CREATE TABLE b (id INTEGER PRIMARY KEY, name TEXT UNIQUE, up INTEGER NOT NULL REFERENCES a (id));
      """,
      "INSERT INTO a VALUES (1, 'a1', 1), (2, 'a2', NULL); INSERT INTO b VALUES (1, 'b1', 1), (2, 'b2', 2)",
      """
      INSERT INTO a VALUES (3, 'a3', 3); INSERT INTO b VALUES (3, 'b3', 3); UPDATE a SET up = 3 WHERE id = 2;
      UPDATE b SET up = 3 WHERE id = 2; DELETE FROM a WHERE id = 1; DELETE FROM b WHERE id = 1
      """, false
    ),
    (
      """
      CREATE TABLE a (id INTEGER PRIMARY KEY, name TEXT UNIQUE, up INTEGER NOT NULL REFERENCES b (id));
      CREATE TABLE b (id INTEGER PRIMARY KEY, name TEXT UNIQUE, up INTEGER NOT NULL REFERENCES a (id));
      """,
      "INSERT INTO a VALUES (1, 'a1', 1); INSERT INTO b VALUES (1, 'b1', 1)",
      "INSERT INTO a VALUES (3, 'a3', 3); INSERT INTO b VALUES (3, 'b3', 3); UPDATE b SET up = 3 WHERE id = 1", true
    ),
  ]

  /// Who writes, and whether constraints can be deferred: not those of another role.
  enum Writer: CaseIterable { case owner, without, other }

  @Test(arguments: circles.indices, Writer.allCases) func `rows in circles`(number: Int, writer: Writer) throws {
    let circle = Self.circles[number]
    for name in ["base", "mine", "file"] {
      _ = try Program.sqlite3(place.folder.path("\(name).db"), circle.tables + circle.rows)
    }
    _ = try Program.sqlite3(place.folder.path("mine.db"), circle.change)
    let off = writer == .without ? ["deferrable"] : []
    _ = try expect(off, ["copy", "base.db", place.location])
    let keys = "SELECT conrelid::regclass, quote_ident(conname) FROM pg_constraint WHERE contype = 'f'"
    for row in try place.psql(keys).split(separator: "\n").map({ $0.split(separator: "|") }) {
      try place.psql("ALTER TABLE \(row[0]) ALTER CONSTRAINT \(row[1]) NOT DEFERRABLE")
    }
    var (location, user) = (place.location, PostgresServer.owner)
    if writer == .other {
      user = "writer\(place.database)"
      location = place.server.location(place.database, user: user)
      try place.psql(
        """
        CREATE ROLE \(user) LOGIN; GRANT USAGE ON SCHEMA decant TO \(user); GRANT SELECT ON decant.store TO \(user);
        GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO \(user);
        GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO \(user)
        """)
    }
    let options =
      ["--base", "base.db"]
      + (circle.tables.contains("TABLE b") ? ["a", "b"] : ["a"]).flatMap {
        ["--identity", "\($0): name"]
      }
    _ = try expect([], ["merge", "mine.db", "file.db"] + options)
    let before = try place.psql("SELECT a::text FROM a ORDER BY 1")
    let run = try place.run(
      ["merge", "mine.db", location] + options, environment: ["DECANT_SERVER_WITHOUT": off.joined(separator: ",")])
    if circle.isStrict, writer != .owner {
      #expect(run.status == 1 && run.errors.contains("in a circle of links that cannot be empty"), "\(run.errors)")
      #expect(try place.psql("SELECT a::text FROM a ORDER BY 1") == before)
      return
    }
    #expect(run.status == 0, "\(run.output)\(run.errors)")
    try place.expect("diff", "file.db", place.location)
    #expect(try place.psql("SELECT count(*) FROM a WHERE name = 'a3' AND up IS NOT NULL") == "1")
  }

  @Test(arguments: [[], ["not-valid"], ["not-valid", "atomic-ddl"]])
  func `a link that leads nowhere is told, and nothing is left`(off: [String]) throws {
    _ = try Program.sqlite3(
      place.folder.path("plain.db"),
      """
      CREATE TABLE town (id INTEGER PRIMARY KEY); CREATE TABLE person (id INTEGER PRIMARY KEY, town INTEGER REFERENCES town (id));
      INSERT INTO town VALUES (1); INSERT INTO person VALUES (1, 1), (2, 7), (3, NULL), (4, 8)
      """)
    for option in [[], ["--no-verify"]] {
      let run = try place.run(
        ["copy", "plain.db", place.location] + option,
        environment: ["DECANT_SERVER_WITHOUT": off.joined(separator: " ")])
      #expect(run.status == 1, "\(run.output)")
      #expect(
        run.errors.contains("2 rows of person (keys 2, 4) lead nowhere: town has no row in town"), "\(run.errors)")
      let left = try place.visible()
      #expect(!left.contains("decant_build") && !left.contains("public."), "\(left)")
    }
  }

  // MARK: Visible tables

  private static let visible = ["DECANT_SERVER_WITHOUT": "atomic-ddl"]

  /// Copies into visible tables until the program is killed.
  private func killedCopy() throws {
    let proxy = try FailingProxy(place.server, .commit, 9, .client)
    let run = try place.run(
      ["copy", "Kitchen.sqlite", proxy.location(place.database), "--batch-size", "7"], environment: Self.visible)
    #expect(proxy.hasFailed && run.status != 0)
    let build = try place.psql("SELECT state FROM decant.store")
    #expect(try place.psql("SELECT sum(rows) > 0 FROM \(build).decant_checkpoint") == "t")
  }

  @Test(arguments: [[], ["--resume"], ["--restart"]])
  func `a killed copy into visible tables is told, and the next one starts over`(option: [String]) throws {
    try killedCopy()
    for command in [
      ["copy", place.location, "back.sqlite"], ["inspect", place.location], ["merge", "Guests.sqlite", place.location],
      ["verify", "Kitchen.sqlite", place.location], ["copy", "Guests.sqlite", place.location, "--append"],
    ] {
      try place.expect(command, 11, "the store in the schema public is not complete")
    }
    let run = try place.run(["copy", "Kitchen.sqlite", place.location] + option, environment: Self.visible)
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.contains("removed the leftovers"), "\(run.output)")
    try InterruptedCopy(place).expectAll("\(option)")
  }

  @Test func `a server with the ability removes visible tables, too`() throws {
    try killedCopy()
    try place.expect("copy", "Kitchen.sqlite", place.location)
    try InterruptedCopy(place).expectAll("atomic")
  }

  @Test func `a table that somebody made since is not dropped`() throws {
    try killedCopy()
    try place.psql("DROP TABLE recipe CASCADE; CREATE TABLE recipe (mine text); INSERT INTO recipe VALUES ('kept')")
    let run = try place.run(["copy", "Kitchen.sqlite", place.location], environment: Self.visible)
    #expect(run.status == 64 && run.errors.contains("public.recipe already exists"), "\(run.output)\(run.errors)")
    #expect(try place.psql("TABLE recipe") == "kept")
    try place.psql("DROP TABLE recipe")
    _ = try expect(["atomic-ddl"], ["copy", "Kitchen.sqlite", place.location])
    try InterruptedCopy(place).expectAll("made since")
  }

  @Test func `a visible table to which others have written is not dropped`() throws {
    try killedCopy()
    try place.psql("INSERT INTO tag (id, name, color, uuid) VALUES (99999, 'theirs', 7, gen_random_uuid())")
    let run = try place.run(["copy", "Kitchen.sqlite", place.location], environment: Self.visible)
    #expect(run.status == 1 && run.errors.contains("public.tag has "), "\(run.output)\(run.errors)")
    #expect(try place.psql("SELECT name FROM tag WHERE id = 99999") == "theirs")
    try place.psql("DELETE FROM tag WHERE id = 99999")
    _ = try expect(["atomic-ddl"], ["copy", "Kitchen.sqlite", place.location])
    try InterruptedCopy(place).expectAll("written to")
  }

  // MARK: Asking

  /// An engine that does not know a clause, as far as a trigger can act like one.
  @Test(arguments: [("not-valid", "NOT VALID|VALIDATE"), ("deferrable", "DEFERRABLE")], ["0A000", "42601"])
  func `a server that does not know a statement is believed`(_ clause: (name: String, words: String), code: String)
    throws
  {
    try place.psql(
      """
      CREATE FUNCTION refuse() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN
        IF current_query() ~ '\(clause.words)' THEN RAISE EXCEPTION 'not known' USING ERRCODE = '\(code)'; END IF;
      END $$;
      CREATE EVENT TRIGGER refuse ON ddl_command_start WHEN TAG IN ('ALTER TABLE') EXECUTE FUNCTION refuse()
      """)
    let plan = try place.expect("copy", "Kitchen.sqlite", place.location, "--dry-run", "--verbose")
    #expect(plan.contains("; missing: \(clause.name) */"), "\(plan)")
    #expect(try place.expect("copy", "Kitchen.sqlite", place.location).contains("the server lacks"))
    try place.expect("merge", "Guests.sqlite", place.location)
    try place.expect("copy", place.location, "back.sqlite")
    #expect(try place.psql("SELECT to_regclass('pg_temp.decant_ability')") == "")
  }

  /// Nothing is missing only because the role may not make temporary tables.
  @Test func `a role without a right is no server without an ability`() throws {
    let role = "poor\(place.database)"
    try place.psql(
      """
      CREATE ROLE \(role) LOGIN; REVOKE TEMPORARY ON DATABASE \(place.database) FROM PUBLIC;
      GRANT CREATE ON DATABASE \(place.database) TO \(role)
      """)
    let location = place.server.location(place.database, schema: "own", user: role)
    let plan = try place.expect("copy", "Kitchen.sqlite", location, "--dry-run", "--verbose")
    #expect(plan.contains("missing: none */"), "\(plan)")
    try place.expect("copy", "Kitchen.sqlite", location)
  }

  // MARK: Switching off

  @Test func `what is switched off is printed, and what is no ability is refused`() throws {
    let environment = ["DECANT_SERVER_WITHOUT": "not-valid, atomic-ddl"]
    let plan = try place.run(
      ["copy", "Kitchen.sqlite", place.location, "--dry-run", "--verbose"], environment: environment)
    #expect(
      plan.output.contains(
        "/* abilities of the server: copy-out, written-rows, deferrable; missing: not-valid, atomic-ddl */"),
      "\(plan.output)")
    let wrong = try place.run(["inspect", place.location], environment: ["DECANT_SERVER_WITHOUT": "copy-out speed"])
    #expect(wrong.status == 64 && wrong.errors.contains("“speed”, which is no ability of a server"), "\(wrong.errors)")
  }
}
