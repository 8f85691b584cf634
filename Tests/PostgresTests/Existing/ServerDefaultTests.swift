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

  @Test func `columns that the source does not have get their defaults`() throws {
    try place.psql(
      """
      CREATE DOMAIN stars AS int DEFAULT 3;
      CREATE TABLE post (id serial PRIMARY KEY, title text NOT NULL, status varchar(9) DEFAULT 'draft', score int,
        made timestamptz NOT NULL DEFAULT now(), token uuid NOT NULL UNIQUE DEFAULT gen_random_uuid(), rank stars,
        comments int NOT NULL DEFAULT 0, loud text NOT NULL GENERATED ALWAYS AS (upper(title)) STORED,
        number bigint GENERATED ALWAYS AS IDENTITY);
      INSERT INTO post (title, status) VALUES ('old', NULL);
      CREATE TABLE note (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), text text, post int DEFAULT 1 REFERENCES post)
      """)
    let tables = """
      CREATE TABLE post (id INTEGER PRIMARY KEY, title TEXT NOT NULL, score INTEGER);
      CREATE TABLE note (id TEXT NOT NULL PRIMARY KEY, text TEXT);
      """
    try make(
      "new.db",
      tables + """
        INSERT INTO post VALUES (1, 'a', NULL), (2, 'b', 7);
        INSERT INTO note VALUES ('aaaaaaaa-0000-0000-0000-000000000001', 'n')
        """)
    try place.expect("copy", "new.db", place.location, "--append")
    #expect(
      try place.psql(
        """
        SELECT string_agg(concat_ws(',', title, status, score, rank, comments, loud, number), ';' ORDER BY id) FROM post
        """) == "old,3,0,OLD,1;a,draft,3,0,A,2;b,draft,7,3,0,B,3")
    #expect(try place.psql("SELECT count(DISTINCT token) || ',' || count(made) FROM post") == "3,3")
    #expect(try place.psql("SELECT text || post FROM note") == "n1")
    // The same again changes nothing; a merge leaves to rows what it does not have.
    #expect(try place.expect("merge", "new.db", place.location, "--identity", "post: title").contains("nothing to do"))
    try place.psql("UPDATE post SET status = 'done', comments = 5")
    try make("new.db", "UPDATE post SET score = 8")
    try place.expect("merge", "new.db", place.location, "--identity", "post: title", "--merge", "update")
    #expect(
      try place.psql("SELECT string_agg(status || score || comments, ';' ORDER BY id) FROM post WHERE id > 1")
        == "done85;done85")
    // A value that is given is taken, also if it is none.
    try make(
      "given.db",
      "CREATE TABLE post (id INTEGER PRIMARY KEY, title TEXT, status TEXT); INSERT INTO post VALUES (1, 'c', NULL)")
    try place.expect("copy", "given.db", place.location, "--append")
    #expect(try place.psql("SELECT status IS NULL FROM post WHERE title = 'c'") == "t")
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
