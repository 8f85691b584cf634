-- Shapes and names that a copy may stumble over, each in a table of its own.
PRAGMA auto_vacuum = INCREMENTAL;
PRAGMA foreign_keys = OFF;
PRAGMA user_version = -7;
PRAGMA application_id = 0x6B697463;
BEGIN;

-- Names: spaces, quotes, keywords, nothing that folds to ASCII, brackets, a line's end, the empty name.
CREATE TABLE "select" ("group" INTEGER PRIMARY KEY, "order" TEXT, "a""b" TEXT, [c d] TEXT, `e``f` TEXT, 'g''h' TEXT, "日本" TEXT, "é" TEXT, "" TEXT);
INSERT INTO "select" VALUES (1, 'one', 'q', 'w', 'e', 'r', 't', 'y', 'u'), (5, '', NULL, x'', 0, -0.0, 1e999, 'é', '日本');
CREATE TABLE "sp ace" (id INTEGER PRIMARY KEY, "to select" INTEGER REFERENCES "select" ("group") ON DELETE SET NULL ON UPDATE CASCADE, "x.y" TEXT, "it's" TEXT);
INSERT INTO "sp ace" VALUES (1, 1, 'a', 'b'), (2, 5, 'c', 'd'), (3, NULL, 'e', 'f');
CREATE INDEX "index of ""sp ace""" ON "sp ace" ("x.y" DESC, "it's" COLLATE NOCASE) WHERE "to select" > 0;
CREATE TABLE "line
end" ("a
b" PRIMARY KEY, "c;d" REFERENCES "sp ace");
INSERT INTO "line
end" VALUES ('k', 1), (7, 2), (x'07', 3);
CREATE TABLE "%s" ("%d" INTEGER, "?1" INTEGER, ":a" INTEGER, "@b" INTEGER, "$c" INTEGER);
INSERT INTO "%s" VALUES (1, 2, 3, 4, 5);
CREATE TABLE "" (x);
INSERT INTO "" VALUES (1), (2);
CREATE TABLE rowid (rowid TEXT, oid TEXT, _rowid_ TEXT);
INSERT INTO rowid VALUES ('hidden', 'by', 'columns'), ('a', 'b', 'c');
CREATE TABLE "ROWID of mine" (rowid INTEGER PRIMARY KEY, oid TEXT);
INSERT INTO "ROWID of mine" VALUES (3, 'x'), (9, 'y');

-- Keys: no key with repeated rows, DESC, INT, text, NULLs in a key, blobs, reals, the ends of 64 bits.
CREATE TABLE "nothing" (a, b);
INSERT INTO "nothing" VALUES (1, 'x'), (1, 'x'), (NULL, NULL), (NULL, NULL);
CREATE TABLE descending (id INTEGER PRIMARY KEY DESC, a);
INSERT INTO descending VALUES (3, 'c'), (1, 'a'), (2, 'b'), ('7', 'text that is a number');
CREATE TABLE notalias (id INT PRIMARY KEY, a REFERENCES notalias);
INSERT INTO notalias VALUES (10, 20), (20, 10), (NULL, 10), (NULL, NULL), ('word', 10), (1.5, 'word');
CREATE TABLE ends (id INTEGER PRIMARY KEY AUTOINCREMENT, a);
INSERT INTO ends VALUES (-9223372036854775808, 'lowest'), (-1, 'below zero'), (0, 'zero'), (1, 'one');
INSERT INTO ends VALUES (1000, 'gone'); DELETE FROM ends WHERE id = 1000;
CREATE TABLE words (word TEXT PRIMARY KEY COLLATE NOCASE, next TEXT REFERENCES words ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED) WITHOUT ROWID;
INSERT INTO words VALUES ('Apple', 'PEAR'), ('pear', 'apple'), ('', NULL), ('été', '');
CREATE TABLE composite (a INTEGER, b TEXT COLLATE RTRIM, c BLOB, v, PRIMARY KEY (c, a DESC, b)) WITHOUT ROWID;
INSERT INTO composite VALUES (1, 'x  ', x'00', 1), (1, 'y', x'00', 2), (2, 'x', x'', NULL), (1, 'x', 3.25, 'real in a blob column');
CREATE TABLE loose (a INTEGER, b TEXT, PRIMARY KEY (a, b));
INSERT INTO loose VALUES (1, 'x'), (NULL, 'x'), (NULL, 'x'), (1, NULL), ('w', 5);

-- Keys made of keys.
CREATE TABLE shelf (id INTEGER PRIMARY KEY, name TEXT UNIQUE);
INSERT INTO shelf VALUES (1, 'a'), (4, 'b'), (9, 'c');
CREATE TABLE slot (shelf INTEGER REFERENCES shelf ON DELETE CASCADE, place INTEGER, PRIMARY KEY (shelf, place)) WITHOUT ROWID;
INSERT INTO slot VALUES (1, 1), (1, 2), (4, 1), (9, 7);
CREATE TABLE jar (id INTEGER PRIMARY KEY AUTOINCREMENT, shelf INTEGER, place INTEGER, label TEXT REFERENCES shelf (name) ON UPDATE CASCADE,
  FOREIGN KEY (shelf, place) REFERENCES slot (shelf, place) ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED);
INSERT INTO jar VALUES (2, 1, 2, 'a'), (3, 9, 7, 'c'), (8, NULL, 3, NULL), (9, 4, 1, 'b');
CREATE TABLE lid (jar INTEGER PRIMARY KEY REFERENCES jar ON DELETE CASCADE, colour TEXT);
INSERT INTO lid VALUES (3, 'red'), (8, 'blue');
CREATE TABLE tag (id INTEGER PRIMARY KEY, parent INTEGER REFERENCES tag, name TEXT);
INSERT INTO tag VALUES (1, 3, 'a'), (2, 1, 'b'), (3, 2, 'c'), (4, 4, 'itself'), (5, NULL, 'alone');
CREATE TABLE jar_tag (jar INTEGER NOT NULL REFERENCES jar ON DELETE CASCADE, tag INTEGER NOT NULL REFERENCES tag ON DELETE CASCADE, PRIMARY KEY (jar, tag)) WITHOUT ROWID;
INSERT INTO jar_tag VALUES (2, 1), (2, 3), (9, 4);
CREATE TABLE hen (id INTEGER PRIMARY KEY, egg INTEGER REFERENCES egg DEFERRABLE INITIALLY DEFERRED);
CREATE TABLE egg (id INTEGER PRIMARY KEY, hen INTEGER NOT NULL REFERENCES hen DEFERRABLE INITIALLY DEFERRED);
INSERT INTO hen VALUES (1, 2), (3, 1);
INSERT INTO egg VALUES (1, 1), (2, 3);
CREATE TABLE undeclared (id INTEGER PRIMARY KEY, jar_id INTEGER, tagId INTEGER, shelf INTEGER, amount INTEGER);
INSERT INTO undeclared VALUES (1, 2, 5, 1, 2), (2, 3, 1, 4, 1), (3, 9, NULL, NULL, 4);
CREATE TABLE lost (id INTEGER PRIMARY KEY, tag INTEGER REFERENCES tag, nowhere INTEGER REFERENCES nowhere, jar INTEGER REFERENCES jar (id) ON DELETE SET DEFAULT);
INSERT INTO lost VALUES (1, 99, 7, 2), (2, 1, NULL, 77), (3, 'not a key', 2.5, NULL);

-- Columns.
CREATE TABLE classes (id INTEGER PRIMARY KEY, i INTEGER, t TEXT, r REAL, n NUMERIC, b BLOB, x, odd "STRANGE TYPE (1, 2)", bool BOOLEAN, d DATETIME, f FLOATING POINT);
INSERT INTO classes (i, t, r, n, b, x, odd, bool, d, f) VALUES (1, 1, 1, 1, 1, 1, 1, 1, 1, 1), ('a', 'a', 'a', 'a', 'a', 'a', 'a', 'a', 'a', 'a'),
  (1.5, 1.5, 1.5, 1.5, 1.5, 1.5, 1.5, 1.5, 1.5, 1.5), (x'61', x'61', x'61', x'61', x'61', x'61', x'61', x'61', x'61', x'61'), (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
  (9007199254740993, 9007199254740993, 9007199254740993, 9007199254740993, 9007199254740993, 9007199254740993, 9007199254740993, 'true', '2024-02-30', -0.0),
  ('1e3', '1e3', '1e3', '1e3', '1e3', '1e3', '1e3', 2, 12345.678, 1e999), (-9223372036854775808, 'a' || char(0) || 'b', 5e-324, '0x10', x'00', char(0xFEFF), ' 1 ', -1, '', '-inf');
CREATE TABLE generated (id INTEGER PRIMARY KEY, a INTEGER NOT NULL DEFAULT (abs(-5)), twice INTEGER GENERATED ALWAYS AS (a * 2) STORED, text TEXT AS (printf('%d!', a)) VIRTUAL, tag INTEGER, same INTEGER AS (tag) VIRTUAL, z TEXT DEFAULT 'd''q');
INSERT INTO generated (id, a, tag) VALUES (1, 1, 2), (4, 7, 1); INSERT INTO generated (tag) VALUES (3);
CREATE INDEX generated_text ON generated (text, twice);
CREATE TABLE tight (id INTEGER PRIMARY KEY, i INT, t TEXT, r REAL, b BLOB, a ANY, CHECK (i > 0 OR i IS NULL)) STRICT;
INSERT INTO tight VALUES (1, 1, 'x', 1.0, x'01', '1'), (2, NULL, NULL, 2, NULL, 1), (3, 5, '5', 5, x'', 1.0);
CREATE TABLE stamped (id INTEGER PRIMARY KEY, made TEXT DEFAULT CURRENT_TIMESTAMP, r INTEGER DEFAULT (random()), CHECK (length(made) > 0));
INSERT INTO stamped (id) VALUES (1), (2);
CREATE TABLE unique_ (id INTEGER PRIMARY KEY ON CONFLICT REPLACE, a TEXT UNIQUE ON CONFLICT IGNORE, b TEXT COLLATE NOCASE);
INSERT INTO unique_ VALUES (1, 'a', 'X'), (2, NULL, 'x'), (3, NULL, 'y');
CREATE UNIQUE INDEX unique_lower ON unique_ (lower(b), a) WHERE a IS NOT NULL;
CREATE INDEX unique_length ON unique_ (length(b) DESC, b COLLATE BINARY, id);
CREATE TABLE checked (a TEXT CHECK (length(a) > 0), b AS (a || '!'), c JSON CHECK (json_valid(c)));
INSERT INTO checked (rowid, a, c) VALUES (70, 'x', '{"d": [1, 2]}'), (7, 'y', '1');
CREATE INDEX checked_json ON checked (json_extract(c, '$.d[0]'), b);
CREATE TABLE altered (id INTEGER PRIMARY KEY, a);
INSERT INTO altered VALUES (1, 'before');
ALTER TABLE altered ADD COLUMN later TEXT NOT NULL DEFAULT 'added';
ALTER TABLE altered RENAME COLUMN a TO "a renamed";
INSERT INTO altered VALUES (2, 'after', 'x');
ALTER TABLE altered ADD COLUMN link INTEGER REFERENCES tag;

-- What hangs on tables.
CREATE TABLE log (id INTEGER PRIMARY KEY AUTOINCREMENT, word TEXT);
CREATE TRIGGER "tag added" AFTER INSERT ON tag BEGIN INSERT INTO log (word) VALUES ('tag ' || NEW.id); END;
CREATE TRIGGER tag_never BEFORE DELETE ON tag WHEN OLD.id = 1 BEGIN SELECT RAISE(ABORT, 'never'); END;
CREATE VIEW "jar view" AS SELECT jar.id, shelf.name AS "shelf's" FROM jar JOIN shelf ON shelf.id = jar.shelf;
CREATE VIEW broken AS SELECT * FROM gone;
CREATE TRIGGER "view insert" INSTEAD OF INSERT ON "jar view" BEGIN INSERT INTO jar (id) VALUES (NEW.id); END;
INSERT INTO tag VALUES (6, 5, 'logged');

-- Virtual tables.
CREATE VIRTUAL TABLE plain_text USING fts5(title, body, tokenize = 'porter unicode61');
INSERT INTO plain_text VALUES ('Soups', 'leek and potato'), ('Käse', 'cheese from the dairy');
CREATE VIRTUAL TABLE jar_text USING fts5(label, content = 'jar', content_rowid = 'id');
INSERT INTO jar_text (jar_text) VALUES ('rebuild');
CREATE TRIGGER jar_text_added AFTER INSERT ON jar BEGIN INSERT INTO jar_text (rowid, label) VALUES (NEW.id, NEW.label); END;
CREATE VIRTUAL TABLE "bare text" USING fts5(words, content = '', columnsize = 0);
INSERT INTO "bare text" (rowid, words) VALUES (3, 'nothing is kept'), (8, 'but the index');
CREATE VIRTUAL TABLE old_text USING fts4(a, b, notindexed=b, prefix="2,4");
INSERT INTO old_text VALUES ('first words', 'not these'), ('second words', NULL);
CREATE VIRTUAL TABLE older_text USING fts3(a TEXT);
INSERT INTO older_text (docid, a) VALUES (40, 'forty');
CREATE VIRTUAL TABLE area USING rtree(id, x0, x1, y0, y1, +note);
INSERT INTO area VALUES (1, 0, 1, 0, 1, 'unit'), (7, -5.5, 2.25, 3, 4, x'00');
CREATE VIRTUAL TABLE whole_area USING rtree_i32(id, a0, a1);
INSERT INTO whole_area VALUES (1, -5, 5);
COMMIT;
ANALYZE;
