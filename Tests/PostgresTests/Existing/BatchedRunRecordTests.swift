import Foundation
import TestSupport
import Testing

/// What the record of a run with `--commit batch` knows: which rows it added, how far it got, and what is left to do.
@Suite(.enabled(if: PostgresServer.isInstalled)) struct BatchedRunRecordTests {
  private let place: PostgresFolder
  private let books = BookTables()

  init() throws {
    place = try PostgresFolder()
    try books.makeSources(place)
  }

  private static let append = BatchedRunTests.modes[0]
  private static let batches = BatchedRunTests.batches

  private func location(_ schema: String = "n") -> String { place.server.location(place.database, schema: schema) }

  /// Begins a run that is killed when it has sent the COMMIT of the number `moment`.
  private func interrupt(_ command: [String], at moment: Int) throws {
    let proxy = try FailingProxy(place.server, .commit, moment, .client)
    var command = command
    let position = try #require(command.firstIndex(of: location()))
    command[position] = proxy.location(place.database) + " schema=n"
    _ = try place.run(command + Self.batches)
    #expect(proxy.hasFailed)
  }

  /// Makes the schema `n` with tables, and a database `s.db`.
  private func make(_ tables: String, _ source: String) throws {
    try place.psql("DROP SCHEMA IF EXISTS n CASCADE; CREATE SCHEMA n; SET search_path = n; \(tables)")
    try? FileManager.default.removeItem(atPath: place.folder.path("s.db"))
    _ = try Program.sqlite3(place.folder.path("s.db"), source)
  }

  /// A type of a key on the server, what SQLite has of it, and two keys.
  static let keys = [
    ("integer", "INTEGER", ["1", "2"]), ("text", "TEXT", ["'a'", "'b'"]), ("bytea", "BLOB", ["x'00ff'", "x'01'"]),
    ("double precision", "REAL", ["1.0", "2.5"]), ("numeric(8,2)", "NUMERIC", ["1", "2.25"]),
    ("boolean", "INTEGER", ["0", "1"]),
    ("timestamptz", "TEXT", ["'2026-12-01T10:00:00Z'", "'2026-12-01T11:00:00.5Z'"]),
    ("date", "TEXT", ["'2026-12-01'", "'2026-12-02'"]),
    (
      "uuid", "TEXT", ["'A0000000-0000-0000-0000-000000000001'", "'a0000000-0000-0000-0000-000000000002'"]
    ),
  ]

  @Test(arguments: keys, [true, false])
  func `rollback knows rows by keys of any type, and edited ones`(
    _ key: (type: String, own: String, values: [String]), isComplete: Bool
  ) throws {
    try make(
      "CREATE TABLE item (k \(key.type) PRIMARY KEY, v text); CREATE TABLE last (id integer PRIMARY KEY)",
      """
      CREATE TABLE item (k \(key.own) PRIMARY KEY NOT NULL, v TEXT); CREATE TABLE last (id INTEGER PRIMARY KEY);
      INSERT INTO item VALUES (\(key.values[0]), 'one'), (\(key.values[1]), 'two'); INSERT INTO last VALUES (1)
      """)
    let copy = ["copy", "s.db", location(), "--append"]
    if isComplete {
      let run = try place.run(copy + Self.batches + ["--keep-ids", "ids.db"])
      #expect(run.status == 0, "\(run.errors)")
    } else {
      try interrupt(copy, at: 3)
    }
    #expect(try place.psql("SELECT count(*) FROM n.item") == "2")
    try place.psql("UPDATE n.item SET v = 'mine' WHERE v = 'two'")
    let said = try place.run(["rollback", location()] + (isComplete ? ["--ids", "ids.db"] : []))
    #expect(said.status == 0, "\(said.errors)")
    #expect(said.output.contains("changed since") && !said.output.contains("deleted since"), "\(said.output)")
    #expect(try place.psql("SELECT string_agg(v, ',') FROM n.item") == "mine")
  }

  @Test func `rows that only the source links keep their targets`() throws {
    try make(
      """
      CREATE TABLE post (id bigserial PRIMARY KEY, title text NOT NULL UNIQUE);
      CREATE TABLE comment (id bigserial PRIMARY KEY, token text NOT NULL UNIQUE, post_id bigint NOT NULL);
      """,
      """
      CREATE TABLE post (id INTEGER PRIMARY KEY, title TEXT NOT NULL UNIQUE);
      CREATE TABLE comment (id INTEGER PRIMARY KEY, token TEXT NOT NULL UNIQUE, post_id INTEGER NOT NULL REFERENCES post (id));
      INSERT INTO post VALUES (1, 'a'), (2, 'b'), (3, 'c'), (4, 'd'), (5, 'e'), (6, 'f');
      INSERT INTO comment VALUES (1, 'first', 1), (2, 'second', 2)
      """)
    try place.expect("copy", "s.db", location(), "--append", "--keep-ids", "ids.db")
    try place.psql("INSERT INTO n.comment (token, post_id) SELECT 'mine', id FROM n.post WHERE title = 'b'")
    let rollback = ["rollback", location(), "--ids", "ids.db"]
    try place.expect(rollback, 1, "1 row of comment that the run did not add")
    try place.psql("DELETE FROM n.comment WHERE token = 'mine'")
    #expect(try place.run(rollback).status == 0)
    #expect(try place.psql("SELECT count(*) FROM n.post") == "0")
  }

  /// The record is left behind when the schema cannot be dropped, as after a kill.
  @Test(arguments: ["resume", "other", "rollback"]) func `a complete run is not an interrupted one`(next: String) throws
  {
    try books.make(in: "n", place)
    try place.psql(
      """
      CREATE SCHEMA trap;
      CREATE FUNCTION trap.stop() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'not now'; END $$;
      CREATE EVENT TRIGGER stop_drop ON ddl_command_start WHEN TAG IN ('DROP SCHEMA') EXECUTE FUNCTION trap.stop()
      """)
    let options = Self.batches + ["--keep-ids", "ids.db"]
    let run = try place.run(Self.append.command(location(), options))
    #expect(run.status == 0 && run.output.contains("was not removed"), "\(run.output)\(run.errors)")
    let rows = try books.rows(in: "n", place)
    try place.psql("DROP EVENT TRIGGER stop_drop")
    #expect(try place.visible().contains("decant_batch"))
    switch next {
    case "resume":
      let resumed = try place.run(Self.append.command(location(), options + ["--resume"]))
      #expect(resumed.status == 0, "\(resumed.errors)")
      #expect(try books.rows(in: "n", place) == rows)
    case "other":
      let other = BatchedRunTests.modes[2].command(location())
      let merged = try place.run(other)
      #expect(merged.status == 0, "\(merged.errors)")
    default:
      try place.expect(["rollback", location()], 64, "--ids")
      try place.expect("rollback", location(), "--ids", "ids.db")
      #expect(try place.psql("SELECT count(*) FROM n.book") == "2")
    }
    #expect(try !place.visible().contains("decant_batch"))
  }

  @Test func `a record of another version is not used`() throws {
    try books.make(in: "n", place)
    try interrupt(Self.append.command(location()), at: 3)
    let rows = try books.rows(in: "n", place)
    let record = try place.psql("SELECT nspname FROM pg_namespace WHERE nspname ~ '^decant_batch_'")
    let resume = Self.append.command(location(), Self.batches + ["--resume"])
    for (change, back) in [
      ("UPDATE decant_run SET value = '0' WHERE key = 'form'", "UPDATE decant_run SET value = '2' WHERE key = 'form'"),
      (
        "UPDATE decant_step SET kind = 'more' WHERE number = 2", "UPDATE decant_step SET kind = 'rows' WHERE number = 2"
      ),
      ("UPDATE decant_step SET number = 77 WHERE number = 2", "UPDATE decant_step SET number = 2 WHERE number = 77"),
    ] {
      try place.psql("SET search_path = \(record); \(change)")
      for command in [resume, ["rollback", location()], BatchedRunTests.modes[2].command(location())] {
        try place.expect(command, 13, "the record \(record)")
      }
      #expect(try books.rows(in: "n", place) == rows)
      try place.psql("SET search_path = \(record); \(back)")
    }
    try place.psql("UPDATE \(record).decant_run SET value = '[[1]]' WHERE key = 'written'")
    try place.expect(["rollback", location()], 13, "“written” is not valid")
    #expect(try place.run(resume).status == 0)
  }

  @Test func `an ID table that is gone stops nothing`() throws {
    try books.make(in: "n", place)
    try interrupt(Self.append.command(location(), ["--keep-ids", "ids.db"]), at: 3)
    try FileManager.default.removeItem(atPath: place.folder.path("ids.db.decant-partial"))
    let resumed = try place.run(
      Self.append.command(location(), Self.batches + ["--keep-ids", "ids.db", "--resume"]))
    #expect(
      resumed.status == 0 && resumed.output.contains("no ID table was written"), "\(resumed.output)\(resumed.errors)")
    #expect(!FileManager.default.fileExists(atPath: place.folder.path("ids.db")))
  }

  /// Links of rows that are there have their old or their new value at each moment, and are never empty.
  @Test func `existing links stay until the new ones are written`() throws {
    for moment in 1... {
      try books.make(in: "n", place)
      try place.psql(
        "ALTER TABLE n.book DROP CONSTRAINT book_sequel_id_fkey, ADD FOREIGN KEY (sequel_id) REFERENCES n.book")
      let proxy = try FailingProxy(place.server, .commit, moment, .client)
      let command = BatchedRunTests.modes[2].command(proxy.location(place.database) + " schema=n", Self.batches)
      _ = try place.run(command)
      guard proxy.hasFailed else {
        #expect(moment > 6)
        break
      }
      let empty = try place.psql("SELECT string_agg(code, ',') FROM n.author WHERE best IS NULL AND code LIKE 'old%'")
      #expect(empty == "", "\(moment)")
      try books.dropRecords(place)
    }
  }

  /// The number of links that a report says were not written, over all batches.
  private func lostLinks(_ output: String) throws -> Int {
    try output.matches(of: Regex("(\\d+) rows? of \\w+ did not get a link"))
      .compactMap { $0.output[1].substring.flatMap { Int($0) } }.reduce(0, +)
  }

  /// A link that may be empty is lost with its target; a row that cannot be without it waits.
  @Test(arguments: [true, false]) func `an app may delete the target of a link meanwhile`(isLate: Bool) throws {
    var moment = 3
    repeat {
      try books.make(in: "n", place)
      try books.dropRecords(place)
      try interrupt(Self.append.command(location()), at: moment)
      moment += 1
    } while try place.psql(
      isLate ? "SELECT count(*) > 10 FROM n.book_tag" : "SELECT count(*) > 8 FROM n.book") != "t"
    try place.psql(
      "DELETE FROM n.book_tag USING n.book WHERE book_id = id AND isbn = 'f4'; DELETE FROM n.book WHERE isbn = 'f4'")
    let resumed = try place.run(Self.append.command(location(), Self.batches + ["--resume"]))
    if isLate {
      #expect(resumed.status == 0, "\(resumed.errors)")
      // The best book of an author, the sequel of f3, and that of f4.
      #expect(try lostLinks(resumed.output) == 3, "\(resumed.output)")
      #expect(try place.psql("SELECT count(*) FROM n.book WHERE isbn = 'f3' AND sequel_id IS NULL") == "1")
    } else {
      #expect(resumed.status == 1, "\(resumed.output)")
      #expect(resumed.errors.contains("has deleted a row to which a row to be added refers"), "\(resumed.errors)")
      try place.expect("rollback", location())
      #expect(try place.psql("SELECT count(*) FROM n.book") == "2")
    }
  }

  /// What an app adds while a run is interrupted, after the COMMIT of a number.
  static let meanwhile = [
    (
      1,
      """
      INSERT INTO author (code, name) VALUES ('f1', 'by the app');
      INSERT INTO book (isbn, title, author_id) SELECT 'f3', 'by the app', id FROM author WHERE code = 'f1';
      INSERT INTO tag (label) VALUES ('fresh 2'), ('app');
      INSERT INTO book_tag SELECT b.id, t.id FROM book AS b, tag AS t WHERE isbn = 'f3' AND label IN ('fresh 2', 'app')
      """
    ),
    (4, "INSERT INTO tag (label) VALUES ('fresh 2'), ('fresh 4')"),
  ]

  /// As if they had been there before the merge.
  @Test(arguments: meanwhile, [["fresh.db"], ["both.db"], ["both.db", "--defer-constraints"]])
  func `rows that an app adds meanwhile are matched`(_ app: (moment: Int, sql: String), _ source: [String]) throws {
    try books.make(in: "once", place)
    try place.psql("SET search_path = once; \(app.sql)")
    let once = try place.run(["merge", source[0], location("once")])
    #expect(once.status == 0, "\(once.errors)")
    try books.make(in: "n", place)
    let merge = ["merge", source[0], location()] + source.dropFirst()
    try interrupt(merge, at: app.moment)
    try place.psql("SET search_path = n; \(app.sql)")
    let resumed = try place.run(merge + Self.batches + ["--resume"])
    #expect(resumed.status == 0, "\(resumed.errors)")
    #expect(
      resumed.output.contains("of tag") && resumed.output.contains("to which links lead now"), "\(resumed.output)")
    #expect(try books.rows(in: "n", place) == books.rows(in: "once", place))
    #expect(try books.constraints(in: "n", place) == books.constraints(in: "once", place))
    // Merged again, nothing is new.
    let again = try place.run(["merge", source[0], location()])
    #expect(again.status == 0, "\(again.errors)")
    #expect(try books.rows(in: "n", place) == books.rows(in: "once", place))
  }

  /// Numbers that an app gives by itself are of other rows, whatever keys the run has taken.
  @Test(arguments: [["merge"], ["copy", "--append"]]) func `a number of another row is no match`(verb: [String]) throws
  {
    try books.make(in: "n", place)
    let command = [verb[0], "fresh.db", location()] + verb.dropFirst()
    try interrupt(command, at: 2)
    try place.psql("INSERT INTO n.author (id, code) SELECT max(id) + 1, 'stranger' FROM n.author")
    try place.expect(command + Self.batches + ["--resume"], 1, "author_pkey")
    #expect(
      try place.psql("SELECT count(*) FROM n.book AS b JOIN n.author AS a ON a.id = author_id WHERE code = 'stranger'")
        == "0")
    try place.psql("DELETE FROM n.author WHERE code = 'stranger'")
    #expect(try place.run(command + Self.batches + ["--resume"]).status == 0)
    #expect(try books.rows(in: "n", place) == expected(verb))
  }

  private func expected(_ verb: [String]) throws -> String {
    try books.make(in: "once", place)
    #expect(try place.run([verb[0], "fresh.db", location("once")] + verb.dropFirst()).status == 0)
    return try books.rows(in: "once", place)
  }

  /// A key that only the server or only decant assigns.
  @Test(arguments: ["bigserial", "uuid"]) func `links lead to a matched row`(type: String) throws {
    let number = type == "uuid" ? "uuid" : "bigint"
    func key(_ number: Int) -> String {
      type == "uuid" ? "'A0000000-0000-4000-8000-00000000000\(number)'" : "\(number)"
    }
    let own = type == "uuid" ? "TEXT" : "INTEGER"
    let posts = (1...6).map { "(\(key($0)), 'post \($0)')" }.joined(separator: ", ")
    let comments = (1...6).map { "(\($0), 'comment \($0)', \(key($0)))" }.joined(separator: ", ")
    try make(
      """
      CREATE TABLE post (id \(type) PRIMARY KEY, title text NOT NULL UNIQUE);
      CREATE TABLE comment (id bigserial PRIMARY KEY, token text NOT NULL UNIQUE, post_id \(number) NOT NULL REFERENCES post);
      """,
      """
      CREATE TABLE post (id \(own) PRIMARY KEY NOT NULL, title TEXT NOT NULL UNIQUE);
      CREATE TABLE comment (id INTEGER PRIMARY KEY, token TEXT NOT NULL UNIQUE, post_id \(own) NOT NULL REFERENCES post (id));
      INSERT INTO post VALUES \(posts); INSERT INTO comment VALUES \(comments)
      """)
    let merge = ["merge", "s.db", location()]
    try interrupt(merge, at: 1)
    #expect(try place.psql("SELECT count(*) FROM n.comment") == "0")
    try place.psql(
      type == "uuid"
        ? "INSERT INTO n.post VALUES (gen_random_uuid(), 'post 2'), (gen_random_uuid(), 'post 6')"
        : "INSERT INTO n.post (title) VALUES ('post 2'), ('post 6')")
    let resumed = try place.run(merge + Self.batches + ["--resume"])
    #expect(resumed.status == 0, "\(resumed.errors)")
    #expect(resumed.output.contains("2 rows of post were not added"), "\(resumed.output)")
    #expect(
      try place.psql(
        "SELECT string_agg(token || title, ',' ORDER BY token) FROM n.comment JOIN n.post ON post.id = post_id")
        == (1...6).map { "comment \($0)post \($0)" }.joined(separator: ","))
  }

  @Test(arguments: ["mood", "citext"]) func `rollback knows rows whose key is a link`(type: String) throws {
    try place.psql("CREATE EXTENSION IF NOT EXISTS citext; CREATE TYPE mood AS ENUM ('a', 'b', 'c')")
    try make(
      """
      SET search_path = n, public; CREATE TABLE book (code \(type) PRIMARY KEY, title text);
      CREATE TABLE book_tag (code \(type) REFERENCES book, tag integer, note text, PRIMARY KEY (code, tag))
      """,
      """
      CREATE TABLE book (code TEXT PRIMARY KEY NOT NULL, title TEXT);
      CREATE TABLE book_tag (code TEXT REFERENCES book, tag INTEGER, note TEXT, PRIMARY KEY (code, tag));
      INSERT INTO book VALUES ('a', 'one'), ('b', 'two'); INSERT INTO book_tag VALUES ('a', 1, 'x'), ('a', 2, 'y'), ('b', 1, 'z')
      """)
    let run = try place.run(["copy", "s.db", location(), "--append", "--keep-ids", "ids.db"] + Self.batches)
    #expect(run.status == 0, "\(run.errors)")
    try place.psql("UPDATE n.book_tag SET note = 'mine' WHERE code = 'b'")
    try place.expect(["rollback", location(), "--ids", "ids.db"], 1, "1 row of book_tag")
    try place.psql("UPDATE n.book_tag SET note = 'z' WHERE code = 'b'")
    try place.expect("rollback", location(), "--ids", "ids.db")
    #expect(try place.psql("SELECT (SELECT count(*) FROM n.book) + (SELECT count(*) FROM n.book_tag)") == "0")
  }

  /// What an app does with rows of two unique columns: none of it makes one row stand for two.
  static let ambiguous = [
    "INSERT INTO n.item (a, b) VALUES ('a1', 'other'), ('other', 'b1')",
    "INSERT INTO n.item (a, b) VALUES ('a1', 'b2')",
    "UPDATE n.item SET b = 'b1' WHERE a = 'a0'",
    "INSERT INTO n.item (a, b) VALUES ('a1', 'b99'); UPDATE n.item SET b = 'b2' WHERE a = 'a0'",
  ]

  @Test(arguments: ambiguous) func `no row stands for two`(app: String) throws {
    try make(
      """
      CREATE TABLE item (id serial PRIMARY KEY, a text UNIQUE, b text UNIQUE, v text); CREATE TABLE last (id integer);
      INSERT INTO item (a, b, v) VALUES ('a0', 'b0', 'old')
      """,
      """
      CREATE TABLE item (id INTEGER PRIMARY KEY, a TEXT UNIQUE, b TEXT UNIQUE, v TEXT); CREATE TABLE last (id INTEGER);
      INSERT INTO item VALUES (1, 'a1', 'b1', 'x'), (2, 'a2', 'b2', 'y'), (3, 'a0', 'b0', 'old')
      """)
    let merge = ["merge", "s.db", location()]
    try interrupt(merge, at: 1)
    try place.psql(app)
    let before = try place.psql("SELECT string_agg(concat_ws(' ', a, b), ',' ORDER BY a) FROM n.item")
    try place.expect(merge + Self.batches + ["--resume"], 1, "unique values")
    #expect(try place.psql("SELECT string_agg(concat_ws(' ', a, b), ',' ORDER BY a) FROM n.item") == before)
    try place.psql("DELETE FROM n.item WHERE a <> 'a0'; UPDATE n.item SET b = 'b0'")
    #expect(try place.run(merge + Self.batches + ["--resume"]).status == 0)
    #expect(try place.psql("SELECT string_agg(a || b || v, ',' ORDER BY a) FROM n.item") == "a0b0old,a1b1x,a2b2y")
  }

  @Test(arguments: ["keep-both", "error"]) func `policies that match nothing refuse a row of an app`(policy: String)
    throws
  {
    try books.make(in: "n", place)
    let merge = ["merge", "fresh.db", location(), "--merge", policy]
    try interrupt(merge, at: 1)
    try place.psql("INSERT INTO n.tag (label) VALUES ('fresh 2')")
    try place.expect(merge + Self.batches + ["--resume"], 1, "tag_label_key")
    try place.psql("DELETE FROM n.tag WHERE label = 'fresh 2'")
    #expect(try place.run(merge + Self.batches + ["--resume"]).status == 0)
  }

  @Test func `another table of the same name is not continued`() throws {
    try books.make(in: "n", place)
    try interrupt(Self.append.command(location()), at: 3)
    try place.psql("ALTER TABLE n.tag RENAME TO old_tag; CREATE TABLE n.tag (LIKE n.old_tag INCLUDING ALL)")
    try place.expect(Self.append.command(location(), Self.batches + ["--resume"]), 12, "the table tag is another one")
    try place.expect(["rollback", location()], 12, "tag")
    try place.psql("DROP TABLE n.tag; ALTER TABLE n.old_tag RENAME TO tag")
    #expect(try place.run(Self.append.command(location(), Self.batches + ["--resume"])).status == 0)
    #expect(try books.rows(in: "n", place) == expected(["copy", "--append"]))
  }

  @Test func `sequences end beyond the new keys, whatever others do meanwhile`() throws {
    try books.make(in: "n", place)
    try interrupt(Self.append.command(location()), at: 3)
    try place.psql(
      "SELECT setval('n.author_id_seq', max(id)) FROM n.author; SELECT setval('n.tag_id_seq', max(id)) FROM n.tag")
    #expect(try place.run(Self.append.command(location(), Self.batches + ["--resume"])).status == 0)
    try place.psql("INSERT INTO n.author (code) VALUES ('next'); INSERT INTO n.tag (label) VALUES ('next')")
  }

  /// Two late links in a row: one is lost, the other is written.
  @Test func `each lost link is counted`() throws {
    try make(
      """
      CREATE TABLE node (id serial PRIMARY KEY, name text UNIQUE NOT NULL, up_id integer REFERENCES node,
        left_id integer REFERENCES node, right_id integer REFERENCES node)
      """,
      """
      CREATE TABLE node (id INTEGER PRIMARY KEY, name TEXT UNIQUE NOT NULL, up_id INTEGER REFERENCES node,
        left_id INTEGER REFERENCES node, right_id INTEGER REFERENCES node);
      INSERT INTO node (id, name, left_id, right_id) VALUES
        (1, 'a', 2, 3), (2, 'b', 3, 4), (3, 'c', 4, 1), (4, 'd', 1, 2), (5, 'e', 1, 4), (6, 'f', 1, 1)
      """)
    let copy = ["copy", "s.db", location(), "--append"]
    try interrupt(copy, at: 3)
    try place.psql("UPDATE n.node SET left_id = (SELECT id FROM n.node WHERE name = 'a') WHERE name = 'a'")
    try place.psql("UPDATE n.node SET right_id = (SELECT id FROM n.node WHERE name = 'e') WHERE name = 'd'")
    try place.psql("DELETE FROM n.node WHERE name = 'c'")
    let resumed = try place.run(copy + Self.batches + ["--resume"])
    #expect(resumed.status == 0, "\(resumed.errors)")
    // b → c, c itself and a, of the first link; a → c, c, d of the second.
    #expect(try lostLinks(resumed.output) == 6, "\(resumed.output)")
    let rows = try place.psql(
      """
      SELECT string_agg(concat_ws('', t.name, ':', coalesce(l.name, '-'), coalesce(r.name, '-')), ' ' ORDER BY t.name)
      FROM n.node AS t LEFT JOIN n.node AS l ON l.id = t.left_id LEFT JOIN n.node AS r ON r.id = t.right_id
      """)
    #expect(rows == "a:a- b:-d d:ae e:ad f:aa")
  }

  @Test func `--defer-constraints checks that it may create the foreign keys again`() throws {
    let role = "referring_\(place.database)"
    try make(
      """
      CREATE ROLE \(role) LOGIN; GRANT ALL ON SCHEMA n TO \(role); GRANT CREATE ON DATABASE \(place.database) TO \(role);
      CREATE TABLE author (id serial PRIMARY KEY, name text UNIQUE NOT NULL);
      CREATE TABLE book (id serial PRIMARY KEY, title text UNIQUE NOT NULL, author_id integer REFERENCES author);
      GRANT SELECT, INSERT, UPDATE, DELETE ON author TO \(role); GRANT ALL ON ALL SEQUENCES IN SCHEMA n TO \(role);
      ALTER TABLE book OWNER TO \(role)
      """,
      """
      CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT UNIQUE NOT NULL);
      CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT UNIQUE NOT NULL, author_id INTEGER REFERENCES author);
      INSERT INTO author VALUES (1, 'a'); INSERT INTO book VALUES (1, 't', 1)
      """)
    let other = place.server.location(place.database, schema: "n", user: role)
    let copy = ["copy", "s.db", other, "--append", "--defer-constraints"] + Self.batches
    try place.expect(copy, 1, "REFERENCES on n.author")
    #expect(try place.psql("SELECT count(*) FROM n.author") == "0")
    try place.psql("GRANT REFERENCES (id) ON n.author TO \(role)")
    let run = try place.run(copy)
    #expect(run.status == 0, "\(run.errors)")
    #expect(try books.constraints(in: "n", place).contains("FOREIGN KEY (author_id) REFERENCES author(id)"))
    try place.psql("DROP OWNED BY \(role); DROP ROLE \(role)")
  }

  @Test func `the definitions of foreign keys do not depend on the search path`() throws {
    try books.make(in: "n", place)
    try place.psql(
      "CREATE TABLE public.author (id integer PRIMARY KEY); CREATE TABLE public.book (id integer PRIMARY KEY)")
    let constraints = try books.constraints(in: "n", place)
    let proxy = try FailingProxy(place.server, .commit, 3, .client)
    let mode = Self.append
    _ = try place.run(
      mode.command(proxy.location(place.database) + " schema=n", Self.batches + ["--defer-constraints"]),
      environment: ["PGOPTIONS": "-c search_path=n"])
    #expect(proxy.hasFailed)
    let resumed = try place.run(
      mode.command(location(), Self.batches + ["--defer-constraints", "--resume"]),
      environment: ["PGOPTIONS": "-c search_path=public"])
    #expect(resumed.status == 0, "\(resumed.errors)")
    #expect(try books.constraints(in: "n", place) == constraints)
  }

  @Test func `of a series, the interrupted source is resumed by itself`() throws {
    try books.make(in: "once", place)
    for source in ["both.db", "fresh.db"] {
      let run = try place.run(["merge", source, location("once"), "--merge", "update"])
      #expect(run.status == 0, "\(run.errors)")
    }
    let expected = try books.rows(in: "once", place)
    try books.make(in: "n", place)
    try place.psql(
      """
      CREATE FUNCTION n.stop() RETURNS trigger LANGUAGE plpgsql AS
        $$BEGIN IF EXISTS (SELECT FROM n.tag WHERE label = 'stop') THEN RAISE 'stopped'; END IF; RETURN NULL; END$$;
      CREATE TRIGGER stop AFTER INSERT ON n.book_tag FOR EACH STATEMENT EXECUTE FUNCTION n.stop();
      INSERT INTO n.tag (label) VALUES ('stop')
      """)
    let options = ["--merge", "update"] + Self.batches
    let series = ["merge", "both.db", "fresh.db", location()] + options
    let stopped = try place.run(series)
    #expect(stopped.status != 0)
    try place.psql("DELETE FROM n.tag WHERE label = 'stop'")
    #expect(stopped.errors.contains("--resume"), "\(stopped.errors)")
    #expect(stopped.errors.contains("by decant merge both.db 'postgres:"), "\(stopped.errors)")
    #expect(stopped.errors.contains("continue with decant merge fresh.db 'postgres:"), "\(stopped.errors)")
    let resumed = try place.run(["merge", "both.db", location()] + options + ["--resume"])
    #expect(resumed.status == 0, "\(resumed.errors)")
    let rest = try place.run(["merge", "fresh.db", location()] + options)
    #expect(rest.status == 0, "\(rest.errors)")
    #expect(try books.rows(in: "n", place) == expected)
  }
}
