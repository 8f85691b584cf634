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

  @Test func `values that the server generates are neither compared nor identities`() throws {
    try place.psql(
      """
      CREATE TABLE item (id serial PRIMARY KEY, name text UNIQUE NOT NULL, net numeric(8,2),
        gross numeric(8,2) GENERATED ALWAYS AS (round(net * 1.2, 2)) STORED);
      CREATE TABLE page (id serial PRIMARY KEY, title text NOT NULL, slug text GENERATED ALWAYS AS (lower(title)) STORED UNIQUE);
      CREATE TABLE word (code text PRIMARY KEY, n int, twice int GENERATED ALWAYS AS (n * 2) STORED)
      """)
    try make(
      "s.db",
      """
      CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT UNIQUE NOT NULL, net TEXT, gross TEXT);
      CREATE TABLE page (id INTEGER PRIMARY KEY, title TEXT NOT NULL, slug TEXT UNIQUE);
      CREATE TABLE word (code TEXT PRIMARY KEY, n INTEGER, twice INTEGER);
      INSERT INTO item VALUES (1, 'a', '10', '11.90'), (2, 'b', '20', '24.00'); INSERT INTO page VALUES (1, 'Bar', 'bar-1');
      INSERT INTO word VALUES ('x', 1, 2), ('y', 2, 5)
      """)
    let said = try place.expect("merge", "s.db", place.location, "--merge", "update")
    let note = "the server generates values that differ from the source's, which are not written: "
    #expect(said.contains(note), "\(said)")
    for name in ["item.gross in 1 row", "page.slug in 1 row", "word.twice in 1 row"] {
      #expect(said.contains(name), "\(said)")
    }
    #expect(try place.psql("SELECT string_agg(gross::text, ',' ORDER BY id) FROM item") == "12.00,24.00")
    let again = try place.expect("merge", "s.db", place.location, "--merge", "update")
    #expect(again.contains("nothing to do"), "\(again)")
    try make("s.db", "UPDATE item SET net = '30' WHERE id = 1; UPDATE word SET n = 4 WHERE code = 'y'")
    try place.expect("merge", "s.db", place.location, "--merge", "update")
    #expect(try place.psql("SELECT string_agg(gross::text, ',' ORDER BY id) FROM item") == "36.00,24.00")
    #expect(try place.psql("SELECT string_agg(twice::text, ',' ORDER BY code) FROM word") == "2,8")
  }

  @Test func `numbers that rows bring along are not handed out again`() throws {
    try place.psql(
      """
      CREATE TABLE org (tenant int, id bigint GENERATED ALWAYS AS IDENTITY, name text, PRIMARY KEY (tenant, id));
      CREATE TABLE item (id int PRIMARY KEY, number serial, far bigint GENERATED BY DEFAULT AS IDENTITY);
      INSERT INTO org (tenant, name) VALUES (1, 'a'); INSERT INTO item (id) VALUES (1)
      """)
    try place.expect("copy", place.location, "back.db")
    try make(
      "back.db",
      "INSERT INTO org VALUES (1, 2, 'b'), (1, 3, 'c'); INSERT INTO item VALUES (2, 40, 90000000000), (3, 7, 5)")
    try place.expect("merge", "back.db", place.location)
    #expect(try place.psql("INSERT INTO org (tenant, name) VALUES (1, 'd') RETURNING id") == "4")
    #expect(try place.psql("INSERT INTO item (id) VALUES (9) RETURNING number || ',' || far") == "41,90000000001")
    // A sequence that is ahead stays there.
    try make("back.db", "INSERT INTO org VALUES (2, 1, 'e')")
    try place.expect("merge", "back.db", place.location)
    #expect(try place.psql("INSERT INTO org (tenant, name) VALUES (1, 'f') RETURNING id") == "5")
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

  @Test(arguments: [
    ("AFTER INSERT", "UPDATE post SET title = 'x' WHERE id = NEW.id", "title"),
    ("BEFORE INSERT", "NEW.parent := 1", "parent"),
  ])
  func `a NULL that is filled otherwise is a difference`(time: String, action: String, column: String) throws {
    try place.psql(
      """
      CREATE TABLE post (id int PRIMARY KEY, title text, parent int REFERENCES post); INSERT INTO post VALUES (1);
      CREATE FUNCTION fill() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN \(action); RETURN NEW; END $$;
      CREATE TRIGGER fill \(time) ON post FOR EACH ROW EXECUTE FUNCTION fill()
      """)
    try make(
      "s.db",
      """
      CREATE TABLE post (id INTEGER PRIMARY KEY, title TEXT, parent INTEGER REFERENCES post (id));
      INSERT INTO post VALUES (1, NULL, NULL), (2, NULL, NULL)
      """)
    try place.expect(["merge", "s.db", place.location], 1, ": \(column) of")
    #expect(try place.psql("SELECT count(*) FROM post") == "1")
  }

  /// Triggers that fill columns: of rows that are added, and of rows that are changed.
  private static let stamps = """
    CREATE FUNCTION stamp() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      NEW.changed := clock_timestamp(); NEW.slug := coalesce(NEW.slug, lower(NEW.title)); RETURN NEW; END $$;
    CREATE TRIGGER stamp BEFORE INSERT OR UPDATE ON post FOR EACH ROW EXECUTE FUNCTION stamp();
    """

  @Test func `triggers may fill what the source does not have`() throws {
    try place.psql(
      """
      CREATE TABLE post (id bigserial PRIMARY KEY, code text UNIQUE NOT NULL, title text, slug text, changed timestamptz,
        parent bigint REFERENCES post);
      INSERT INTO post (code, title) VALUES ('a', 'A');
      """ + Self.stamps)
    let schema = "CREATE TABLE post (id INTEGER PRIMARY KEY, code TEXT UNIQUE NOT NULL, title TEXT, slug TEXT);"
    try make("s.db", schema + "INSERT INTO post VALUES (1, 'a', 'A2', NULL), (2, 'b', 'B', NULL), (3, 'c', 'C', 'own')")
    let said = try place.expect("merge", "s.db", place.location, "--merge", "update")
    #expect(said.contains("triggers of the server filled values that were empty: post.slug in 2 rows"), "\(said)")
    #expect(
      try place.psql("SELECT string_agg(concat_ws(',', title, slug, changed IS NULL), ';' ORDER BY code) FROM post")
        == "A2,a2,f;B,b,f;C,own,f")
    // Rows that are there are left alone.
    let rows = try place.psql("SELECT string_agg(post::text, ';' ORDER BY code) FROM post")
    #expect(try place.expect("merge", "s.db", place.location).contains("nothing to do"))
    #expect(try place.psql("SELECT string_agg(post::text, ';' ORDER BY code) FROM post") == rows)
    // A value that was given stays the one that was given.
    try place.psql(
      """
      CREATE FUNCTION loud() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.title := upper(NEW.title); RETURN NEW; END $$;
      CREATE TRIGGER loud BEFORE INSERT ON post FOR EACH ROW EXECUTE FUNCTION loud()
      """)
    try make("s.db", "INSERT INTO post VALUES (4, 'd', 'd', NULL)")
    try place.expect(["merge", "s.db", place.location], 1, "title of post 4 of the source")
    #expect(try place.psql("SELECT count(*) FROM post") == "3")
  }

  @Test(arguments: [
    "id bigserial PRIMARY KEY, b int NOT NULL REFERENCES book, t int NOT NULL REFERENCES tag, UNIQUE (b, t)",
    "id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, b int NOT NULL REFERENCES book, t int NOT NULL REFERENCES tag, UNIQUE (t, b)",
    "id uuid DEFAULT gen_random_uuid() PRIMARY KEY, b int NOT NULL REFERENCES book, t int NOT NULL REFERENCES tag, UNIQUE (b, t), "
      + "made timestamptz NOT NULL DEFAULT now()",
    "b int REFERENCES book, t int REFERENCES tag, made timestamptz NOT NULL DEFAULT now(), PRIMARY KEY (b, t)",
  ])
  func `a table of links may have a key and columns of its own`(columns: String) throws {
    try place.psql(
      """
      CREATE TABLE book (id serial PRIMARY KEY, isbn text UNIQUE NOT NULL);
      CREATE TABLE tag (id serial PRIMARY KEY, name text UNIQUE NOT NULL);
      CREATE TABLE book_tag (\(columns));
      INSERT INTO book (isbn) VALUES ('b0'), ('b1'); INSERT INTO tag (name) VALUES ('t1'), ('t2');
      INSERT INTO book_tag (b, t) VALUES (1, 2), (2, 1)
      """)
    try make(
      "s.db",
      """
      CREATE TABLE book (id INTEGER PRIMARY KEY, isbn TEXT UNIQUE NOT NULL);
      CREATE TABLE tag (id INTEGER PRIMARY KEY, name TEXT UNIQUE NOT NULL);
      CREATE TABLE book_tag (b INTEGER REFERENCES book (id), t INTEGER REFERENCES tag (id), PRIMARY KEY (b, t));
      INSERT INTO book VALUES (1, 'b1'), (2, 'b2'); INSERT INTO tag VALUES (7, 't1'), (8, 't2');
      INSERT INTO book_tag VALUES (1, 7), (1, 8), (2, 8)
      """)
    let links = """
      SELECT string_agg(isbn || name, ',' ORDER BY isbn, name) FROM book_tag JOIN book ON book.id = b JOIN tag ON tag.id = t
      """
    let rows = "SELECT string_agg(l::text, ';' ORDER BY b, t) FROM book_tag AS l"
    let before = try place.psql(rows)
    try place.expect("merge", "s.db", place.location, "--keep-ids", "ids.sqlite")
    #expect(try place.psql(links) == "b0t2,b1t1,b1t2,b2t2")
    #expect(try place.expect("merge", "s.db", place.location).contains("nothing to do"))
    try place.expect("rollback", place.location, "--ids", "ids.sqlite")
    #expect(try place.psql(rows) == before)
    // What the source does not have goes where it is complete.
    try make("s.db", "DELETE FROM book_tag WHERE b = 1 AND t = 7")
    try place.expect("merge", "s.db", place.location, "--merge", "replace")
    #expect(try place.psql(links) == "b0t2,b1t2,b2t2")
    #expect(try place.psql("INSERT INTO book_tag (b, t) VALUES (1, 1) RETURNING b") == "1")
  }
}
