import Foundation
import TestSupport
import Testing

/// Runs with `--commit batch` into tables whose triggers change what is written, or without the foreign keys of the source.
@Suite(.enabled(if: PostgresServer.isInstalled)) struct BatchedRunTriggerTests {
  private let place: PostgresFolder
  private var location: String { place.server.location(place.database, schema: "n") }
  private static let batches = ["--commit", "batch", "--batch-size", "1", "--no-lineage"]

  init() throws { place = try PostgresFolder() }

  /// Messages of which the first replies to the second, so that its link is written after both.
  private func makeMessages() throws {
    _ = try Program.sqlite3(
      place.folder.path("messages.db"),
      """
      CREATE TABLE msg (id INTEGER PRIMARY KEY, body TEXT NOT NULL UNIQUE, parent_id INTEGER REFERENCES msg, day TEXT);
      INSERT INTO msg VALUES (1, 'reply', 2, '2020-01-01'), (2, 'question', NULL, '2020-01-02');
      """)
    try place.psql(
      """
      CREATE SCHEMA n;
      CREATE TABLE n.msg (id bigserial PRIMARY KEY, body text NOT NULL UNIQUE, parent_id bigint REFERENCES n.msg, day text);
      INSERT INTO n.msg (body, day) VALUES ('own', '2020-01-03');
      """)
  }

  private func makeTrigger(_ event: String, _ effect: String) throws {
    let kind = event.hasSuffix("DEFERRED") ? "CONSTRAINT TRIGGER" : "TRIGGER"
    try place.psql(
      """
      CREATE FUNCTION n.effect() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN \(effect); RETURN NEW; END$$;
      CREATE \(kind) effect \(event) FOR EACH ROW EXECUTE FUNCTION n.effect()
      """)
  }

  private static let triggers = [
    (
      "AFTER INSERT ON n.msg DEFERRABLE INITIALLY DEFERRED", "DELETE FROM n.msg WHERE id = NEW.id AND body = 'question'"
    ),
    ("AFTER INSERT ON n.msg DEFERRABLE INITIALLY DEFERRED", "UPDATE n.msg SET day = 'lost' WHERE id = NEW.id"),
    ("AFTER UPDATE ON n.msg DEFERRABLE INITIALLY DEFERRED", "DELETE FROM n.msg WHERE id = NEW.id AND body = 'reply'"),
    ("BEFORE INSERT ON n.msg", "NEW.day := 'lost'"),
    ("BEFORE UPDATE ON n.msg", "NEW.day := 'lost'"),
    ("BEFORE UPDATE ON n.msg", "NEW.parent_id := OLD.parent_id"),
    ("BEFORE UPDATE ON n.msg", "NEW.parent_id := NEW.id"),
    ("BEFORE UPDATE ON n.msg", "IF NEW.day = '2020-01-01' THEN NEW.day := NULL; END IF"),
  ]

  @Test(arguments: triggers.indices) func `what a trigger does to a batch ends the run`(number: Int) throws {
    try makeMessages()
    try makeTrigger(Self.triggers[number].0, Self.triggers[number].1)
    let command = ["merge", "messages.db", location] + Self.batches
    let run = try place.run(command)
    #expect(run.status == 1 && run.errors.contains("not on the server as written"), "\(run.errors)")
    #expect(run.errors.contains("--resume"), "\(run.errors)")
    try place.psql("DROP FUNCTION n.effect() CASCADE")
    let resumed = try place.run(command + ["--resume"])
    #expect(resumed.status == 0, "\(resumed.errors)")
    let rows = try place.psql(
      "SELECT m.body, p.body, m.day FROM n.msg AS m LEFT JOIN n.msg AS p ON p.id = m.parent_id ORDER BY m.day")
    #expect(rows == "reply|question|2020-01-01\nquestion||2020-01-02\nown||2020-01-03")
  }

  @Test func `what a deferred trigger does to an existing row ends the run`() throws {
    try makeMessages()
    try place.psql("INSERT INTO n.msg (body, day) VALUES ('question', 'old')")
    try makeTrigger(
      "AFTER UPDATE ON n.msg DEFERRABLE INITIALLY DEFERRED", "UPDATE n.msg SET day = 'lost' WHERE day <> 'lost'")
    try place.expect(
      ["merge", "messages.db", location, "--merge", "update"] + Self.batches, 1, "the server has changed 0 rows")
    #expect(try place.psql("SELECT body, day FROM n.msg ORDER BY id") == "own|2020-01-03\nquestion|old")
  }

  /// The server would refuse the row with the batch's COMMIT only.
  @Test func `the target of a deferred foreign key is deleted between batches`() throws {
    _ = try Program.sqlite3(
      place.folder.path("notes.db"),
      """
      CREATE TABLE book (id INTEGER PRIMARY KEY, name TEXT UNIQUE);
      CREATE TABLE note (id INTEGER PRIMARY KEY, book_id INTEGER REFERENCES book, text TEXT UNIQUE);
      INSERT INTO book VALUES (1, 'z'); INSERT INTO note VALUES (1, 1, 'n');
      """)
    try place.psql(
      """
      CREATE SCHEMA n;
      CREATE TABLE n.book (id serial PRIMARY KEY, name text UNIQUE);
      CREATE TABLE n.note (id serial PRIMARY KEY, book_id int REFERENCES n.book DEFERRABLE INITIALLY DEFERRED, text text UNIQUE);
      INSERT INTO n.book (name) VALUES ('own'), ('z');
      """)
    try makeTrigger("BEFORE INSERT ON n.note", "RAISE EXCEPTION 'stop'")
    let command = ["merge", "notes.db", location] + Self.batches
    try place.expect(command, 1, "stop")
    try place.psql("DROP FUNCTION n.effect() CASCADE; DELETE FROM n.book WHERE name = 'z'")
    try place.expect(command + ["--resume"], 1, "another program has deleted a row to which a row to be added refers")
    try place.psql("INSERT INTO n.book VALUES (2, 'z')")
    let resumed = try place.run(command + ["--resume"])
    #expect(resumed.status == 0, "\(resumed.errors)")
    #expect(try place.psql("SELECT book_id, text FROM n.note") == "2|n")
  }

  /// Links that the server does not check: one that the source declares, one of `--link`, and one with a prefix.
  private static let unchecked = [
    ("INTEGER REFERENCES book", "int", "1", []),
    ("INTEGER", "int", "1", ["--link", "note.book_id -> book"]),
    ("TEXT", "text", "'b:1'", ["--link", "note.book_id -> book WHERE book_id LIKE \"b:%\""]),
  ]

  @Test(arguments: unchecked.indices, ["added", "changed"])
  func `rows with links that the server does not check are one transaction`(number: Int, what: String) throws {
    let (type, serverType, value, options) = Self.unchecked[number]
    _ = try Program.sqlite3(
      place.folder.path("notes.db"),
      """
      CREATE TABLE book (id INTEGER PRIMARY KEY, name TEXT UNIQUE);
      CREATE TABLE note (id INTEGER PRIMARY KEY, book_id \(type), text TEXT UNIQUE);
      INSERT INTO book VALUES (1, 'z'); INSERT INTO note VALUES (1, \(value), 'n');
      """)
    let isChanged = what == "changed"
    try place.psql(
      """
      CREATE SCHEMA n;
      CREATE TABLE n.book (id serial PRIMARY KEY, name text UNIQUE);
      CREATE TABLE n.note (id serial PRIMARY KEY, book_id \(serverType), text text UNIQUE);
      INSERT INTO n.book (name) VALUES ('own');
      \(isChanged ? "INSERT INTO n.note (book_id, text) VALUES (\(value), 'n');" : "")
      """)
    let run = try place.run(["merge", "notes.db", location, "--merge", "update"] + options + Self.batches)
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.contains("the server has no foreign key for links (note.book_id)"), "\(run.output)")
    let rows = try place.psql(
      "SELECT n.text, b.name FROM n.note AS n JOIN n.book AS b ON b.id::text = ltrim(n.book_id::text, 'b:')")
    #expect(rows == "n|z")
  }
}
