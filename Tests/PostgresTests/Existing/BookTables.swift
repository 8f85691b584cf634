import TestSupport
import Testing

/// Tables with all that batches may separate: parents, a circle, a reference within a table, a table of links, unique
/// columns and triggers; the oracle compares them by natural keys.
struct BookTables {
  /// Makes the tables with a few rows in a new schema.
  func make(in schema: String, _ place: PostgresFolder) throws {
    try place.psql(
      """
      DROP SCHEMA IF EXISTS \(schema) CASCADE; CREATE SCHEMA \(schema); SET search_path = \(schema);
      CREATE TABLE author (id serial PRIMARY KEY, code text NOT NULL UNIQUE, name text, best integer);
      CREATE TABLE book (id serial PRIMARY KEY, isbn text NOT NULL UNIQUE, title text,
        author_id integer NOT NULL REFERENCES author ON DELETE CASCADE, sequel_id integer REFERENCES book,
        seen timestamptz NOT NULL DEFAULT now(), slug text);
      ALTER TABLE author ADD CONSTRAINT author_best FOREIGN KEY (best) REFERENCES book ON DELETE SET NULL;
      COMMENT ON CONSTRAINT author_best ON author IS 'the best one';
      CREATE TABLE tag (id serial PRIMARY KEY, label text NOT NULL UNIQUE);
      CREATE TABLE book_tag (book_id integer REFERENCES book, tag_id integer REFERENCES tag, PRIMARY KEY (book_id, tag_id));
      CREATE TABLE log (what text);
      CREATE FUNCTION slug() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN NEW.slug := lower(NEW.isbn); RETURN NEW; END';
      CREATE TRIGGER slug BEFORE INSERT ON book FOR EACH ROW EXECUTE FUNCTION slug();
      CREATE FUNCTION log() RETURNS trigger LANGUAGE plpgsql AS
        'BEGIN INSERT INTO \(schema).log VALUES (NEW.isbn); RETURN NULL; END';
      CREATE TRIGGER log AFTER INSERT ON book FOR EACH ROW EXECUTE FUNCTION log();
      INSERT INTO author (code, name) VALUES ('old 1', 'One'), ('old 2', 'Two');
      INSERT INTO book (isbn, title, author_id) VALUES ('old 1', 'First', 1), ('old 2', 'Second', 2);
      UPDATE author SET best = id; UPDATE book SET sequel_id = 2 WHERE id = 1;
      INSERT INTO tag (label) VALUES ('old 1'), ('old 2'); INSERT INTO book_tag VALUES (1, 1), (2, 2);
      """)
  }

  /// Makes the databases `fresh.db`, whose rows are new, and `both.db`, which also has rows that are there, with other
  /// values and links.
  func makeSources(_ place: PostgresFolder) throws {
    let tables = """
      CREATE TABLE author (id INTEGER PRIMARY KEY, code TEXT NOT NULL UNIQUE, name TEXT, best INTEGER REFERENCES book);
      CREATE TABLE book (id INTEGER PRIMARY KEY, isbn TEXT NOT NULL UNIQUE, title TEXT,
        author_id INTEGER NOT NULL REFERENCES author, sequel_id INTEGER REFERENCES book);
      CREATE TABLE tag (id INTEGER PRIMARY KEY, label TEXT NOT NULL UNIQUE);
      CREATE TABLE book_tag (book_id INTEGER REFERENCES book, tag_id INTEGER REFERENCES tag, PRIMARY KEY (book_id, tag_id));
      CREATE TEMP TABLE n (i); WITH s (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM s WHERE i < 7) INSERT INTO n SELECT i FROM s;
      INSERT INTO author SELECT i, 'f' || i, CASE i WHEN 5 THEN NULL ELSE 'Name ' || i END, CASE WHEN i <> 6 THEN 8 - i END FROM n;
      INSERT INTO book SELECT i, 'f' || i, 'Title ' || i, i, CASE WHEN i < 7 THEN i + 1 END FROM n;
      INSERT INTO tag SELECT i, 'fresh ' || i FROM n WHERE i < 5;
      INSERT INTO book_tag SELECT a.i, b.i FROM n AS a JOIN n AS b ON b.i < 5 AND (a.i + b.i) % 2;
      """
    let others = """
      INSERT INTO author VALUES (21, 'old 1', 'Uno', 3), (22, 'old 2', 'Two', 22);
      INSERT INTO book VALUES (21, 'old 1', 'First again', 1, 4), (22, 'old 2', 'Second', 22, NULL);
      UPDATE book SET sequel_id = 21 WHERE id = 7; INSERT INTO tag VALUES (21, 'old 1');
      INSERT INTO book_tag VALUES (21, 1), (1, 21);
      """
    _ = try Program.sqlite3(place.folder.path("fresh.db"), tables)
    _ = try Program.sqlite3(place.folder.path("both.db"), tables + others)
  }

  /// Returns all rows by their natural keys, sorted; a row that is there twice is listed twice.
  func rows(in schema: String, _ place: PostgresFolder, besides left: String = "") throws -> String {
    let parts = [
      "author":
        "SELECT concat_ws('|', a.code, coalesce(a.name, '-'), coalesce(b.isbn, '-')) FROM author AS a LEFT JOIN book AS b ON b.id = a.best",
      "book": """
      SELECT concat_ws('|', b.isbn, b.title, a.code, coalesce(s.isbn, '-'), b.slug, b.seen IS NULL) FROM book AS b
      LEFT JOIN author AS a ON a.id = b.author_id LEFT JOIN book AS s ON s.id = b.sequel_id
      """,
      "tag": "SELECT label FROM tag",
      "book_tag":
        "SELECT concat_ws('|', isbn, label) FROM book_tag LEFT JOIN book ON book_id = book.id LEFT JOIN tag ON tag_id = tag.id",
      "log": "SELECT what FROM log",
    ].filter { $0.key != left }.map { "SELECT '\($0.key)', t.v FROM (\($0.value)) AS t (v)" }
    return try place.psql("SET search_path = \(schema); \(parts.joined(separator: " UNION ALL ")) ORDER BY 1, 2")
  }

  /// Whether there is a record of a run of which only the end was not confirmed.
  func isComplete(_ place: PostgresFolder) throws -> Bool {
    let record = try place.psql("SELECT min(nspname) FROM pg_namespace WHERE nspname ~ '^decant_batch_'")
    return try !record.isEmpty
      && place.psql("SELECT count(*) FROM \(record).decant_run WHERE key = 'complete'") != "0"
  }

  /// Returns the links of the first rows.
  func firstLinks(_ place: PostgresFolder) throws -> String {
    try place.psql(
      """
      SELECT string_agg(concat_ws(' ', a.code, b.isbn), ',' ORDER BY a.code) FROM n.author AS a
      LEFT JOIN n.book AS b ON b.id = a.best WHERE a.code LIKE 'old%'
      UNION ALL SELECT string_agg(concat_ws(' ', b.isbn, a.code, s.isbn), ',' ORDER BY b.isbn) FROM n.book AS b
      LEFT JOIN n.author AS a ON a.id = b.author_id LEFT JOIN n.book AS s ON s.id = b.sequel_id WHERE b.isbn LIKE 'old%'
      """)
  }

  /// Drops the records of interrupted runs.
  func dropRecords(_ place: PostgresFolder) throws {
    try place.psql(
      """
      DO $$ DECLARE name text; BEGIN
        FOR name IN SELECT nspname FROM pg_namespace WHERE nspname ~ '^decant_batch_' LOOP
          EXECUTE format('DROP SCHEMA %I CASCADE', name);
        END LOOP;
      END $$
      """)
  }

  /// Returns the constraints of the tables, with their state and comments.
  func constraints(in schema: String, _ place: PostgresFolder) throws -> String {
    try place.psql(
      """
      SET search_path = \(schema);
      SELECT conrelid::regclass, conname, pg_get_constraintdef(oid), convalidated, obj_description(oid, 'pg_constraint')
      FROM pg_constraint WHERE connamespace = '\(schema)'::regnamespace ORDER BY 1, 2
      """)
  }
}
