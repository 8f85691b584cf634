import Foundation
import TestSupport
import Testing

/// What the server makes of rows that are added to tables of other programs.
@Suite(.enabled(if: PostgresServer.isInstalled)) struct ServerDefaultTests {
  private let place: PostgresFolder

  init() throws { place = try PostgresFolder() }

  private func make(_ name: String, _ sql: String) throws {
    _ = try Program.sqlite3(place.folder.path(name), sql)
  }

  @Test func `functions of the database find what they name`() throws {
    try place.psql(
      """
      CREATE FUNCTION plain(t text) RETURNS text LANGUAGE sql IMMUTABLE AS 'SELECT lower(t)';
      CREATE FUNCTION slug(t text) RETURNS text LANGUAGE sql IMMUTABLE AS 'SELECT plain(t)';
      CREATE TABLE post (id int PRIMARY KEY, title text CHECK (slug(title) <> 'no'));
      CREATE INDEX ON post (slug(title));
      CREATE SCHEMA audit; CREATE TABLE audit.log (what text);
      CREATE FUNCTION log() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        INSERT INTO audit.log SELECT plain(title) FROM post WHERE id = NEW.id; RETURN NEW; END $$;
      CREATE TRIGGER log AFTER INSERT ON post FOR EACH ROW EXECUTE FUNCTION log();
      INSERT INTO post VALUES (1, 'A')
      """)
    try place.expect("copy", place.location, "back.db")
    try make("back.db", "INSERT INTO post VALUES (2, 'B')")
    try place.expect("merge", "back.db", place.location)
    #expect(try place.psql("SELECT string_agg(what, ',') FROM audit.log") == "a,b")
  }

  @Test func `links to texts that are equal in another case are links`() throws {
    try place.psql(
      """
      CREATE EXTENSION citext;
      CREATE TABLE account (mail citext PRIMARY KEY, name text); INSERT INTO account VALUES ('Ann@x', 'ann');
      CREATE TABLE login (id int PRIMARY KEY, mail citext REFERENCES account); INSERT INTO login VALUES (1, 'ann@X')
      """)
    let read = try place.expect("copy", place.location, "back.db")
    #expect(read.contains("1 copied") && !read.contains("dangling"), "\(read)")
    #expect(try Program.sqlite3(place.folder.path("back.db"), "SELECT mail FROM login") == "ann@X")
    try make("back.db", "INSERT INTO login VALUES (2, 'ANN@x'); UPDATE account SET name = 'Ann'")
    try place.expect("merge", "back.db", place.location, "--merge", "update")
    #expect(try place.psql("SELECT string_agg(mail::text, ',' ORDER BY id) FROM login") == "ann@X,ANN@x")
    #expect(try place.psql("SELECT mail || name FROM account") == "Ann@xAnn")
  }
}
