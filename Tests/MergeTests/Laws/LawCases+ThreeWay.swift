import StoreTestSupport
import TestSupport

/// Merges of what two stores have made of what both had: what is known by its key and by what it holds.
extension LawCases {
  static let threeWay: [LawCase] = [
    history(
      "what comes back brings back what it leads to, once",
      folders,
      mine: "DELETE FROM folder WHERE id IN (5, 1); UPDATE folder SET parent = NULL WHERE id = 2",
      theirs: "UPDATE folder SET stars = 41 WHERE id = 5",
      .init(
        """
        SELECT f.title, f.stars, p.title FROM folder AS f LEFT JOIN folder AS p ON p.id = f.parent
        WHERE f.title IN ('b1', 'b2', 'b5') ORDER BY 1
        """,
        "'b1',7,NULL",
        "'b2',14,NULL",
        "'b5',41,'b1'"
      )
    ),
    history(
      "equal rows that both added stay one, though they lead to an object in conflict",
      folders,
      mine: """
        UPDATE folder SET stars = 54 WHERE id = 4;
        INSERT INTO folder VALUES (9, 'x', 7, 'note x', 4), (10, 'y', 8, 'note y', 9)
        """,
      theirs: """
        UPDATE folder SET stars = 55 WHERE id = 4;
        INSERT INTO folder VALUES (11, 'x', 7, 'note x', 4), (12, 'y', 8, 'note y', 11)
        """,
      .init(
        """
        SELECT f.title, f.stars, p.title FROM folder AS f JOIN folder AS p ON p.id = f.parent
        WHERE f.title IN ('b4', 'x', 'y') ORDER BY 1, 2
        """,
        "'b4',54,'b3'",
        "'b4',55,'b3'",
        "'x',7,'b4'",
        "'y',8,'x'"
      )
    ),
    history(
      "equal rows that both added stay one, though they lead to a row of another table in conflict",
      books,
      mine:
        "UPDATE shelf SET place = 'here' WHERE id = 1; INSERT INTO book VALUES (7, 'x', 700, 1)",
      theirs: """
        UPDATE shelf SET place = 'there' WHERE id = 1;
        INSERT INTO book VALUES (9, 'x', 700, 1), (10, 'y', 701, 1)
        """,
      .init(
        "SELECT title, place FROM book JOIN shelf ON shelf.id = shelf ORDER BY 1",
        "'b1','here'",
        "'b2','attic'",
        "'b3','cellar'",
        "'b4','bath'",
        "'x','here'",
        "'y','there'"
      )
    ),
    history(
      "an owner that mine deleted comes back with the part that theirs moved to it",
      recipes,
      mine: "DELETE FROM line WHERE id = 2; DELETE FROM recipe WHERE id = 2",
      theirs: "UPDATE line SET recipe = 2 WHERE id = 3",
      parts("'b1','line 1'", "'b2','line 2'", "'b2','line 3'", "'b3',NULL", "'b4','line 4'")
    ),
    history(
      "an owner that mine deleted comes back with its version of a part that both moved",
      recipes,
      mine:
        "UPDATE line SET recipe = 1 WHERE id = 3; DELETE FROM line WHERE id = 2; DELETE FROM recipe WHERE id = 2",
      theirs: "UPDATE line SET recipe = 2 WHERE id = 3",
      parts("'b1','line 1'", "'b1','line 3'", "'b2','line 2'", "'b2','line 3'", "'b3',NULL", "'b4','line 4'")
    ),
    history(
      "an owner that theirs deleted stays with the part that mine moved to it",
      recipes,
      mine: "UPDATE line SET recipe = 2 WHERE id = 3",
      theirs: "DELETE FROM line WHERE id = 2; DELETE FROM recipe WHERE id = 2",
      parts("'b1','line 1'", "'b2','line 2'", "'b2','line 3'", "'b3',NULL", "'b4','line 4'")
    ),
    history(
      "an owner that theirs deleted goes, and the parts that theirs moved elsewhere before stay",
      recipes,
      mine: "INSERT INTO recipe VALUES (9, 'b9', 1909)",
      theirs: """
        UPDATE line SET recipe = 1 WHERE id = 2; DELETE FROM recipe WHERE id = 2;
        INSERT INTO line VALUES (9, 'line 9', 9.5, 1)
        """,
      parts(
        "'b1','line 1'", "'b1','line 2'", "'b1','line 9'", "'b3','line 3'", "'b4','line 4'", "'b9',NULL"
      )
    ),
    history(
      "a row that theirs deleted goes, and the rows that were deleted with it before stay without it",
      threads,
      mine: "INSERT INTO message VALUES (9, 'm9', NULL)",
      theirs: "UPDATE message SET answers = NULL WHERE answers = 2; DELETE FROM message WHERE id = 2",
      .init("SELECT * FROM message ORDER BY 1", "1,'m1',NULL", "3,'m3',NULL", "4,'m4',3", "9,'m9',NULL")
    ),
    history(
      "rows go before what they lead to, as a trigger asks",
      authors,
      mine: "INSERT INTO author VALUES (9, 'a9')",
      theirs: "DELETE FROM book WHERE id = 2; DELETE FROM author WHERE id = 2",
      .init("SELECT name FROM author ORDER BY 1", "'a1'", "'a9'"),
      .init("SELECT id, book, author FROM credit ORDER BY 1", "1,1,1"),
      options: authorLinks
    ),
    LawCase(
      name: "three ways: a trigger that keeps every row",
      schema: authors,
      source: "DELETE FROM book WHERE id = 2; DELETE FROM author WHERE id = 2",
      destination: """
        CREATE TRIGGER keep BEFORE DELETE ON author BEGIN SELECT RAISE(ABORT, 'authors are kept'); END
        """,
      base: "",
      options: ["--merge", "three-way", "--base", "base.db"] + authorLinks,
      status: 1,
      says: ["authors are kept", "--no-triggers"],
      facts: [.init("SELECT name FROM author ORDER BY 1", "'a1'", "'a2'")],
      exempt: [.prediction, .renumbering, .batches, .pairs, .damage, .editedCopy, .kill]
    ),
    history(
      "links from many to many that either side added or removed",
      """
      CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT UNIQUE);
      CREATE TABLE tag (id INTEGER PRIMARY KEY, name TEXT UNIQUE);
      CREATE TABLE book_tag (book INTEGER REFERENCES book, tag INTEGER REFERENCES tag, PRIMARY KEY (book, tag));
      INSERT INTO book VALUES (1, 'a'), (2, 'b'); INSERT INTO tag VALUES (1, 'x'), (2, 'y'), (3, 'z');
      INSERT INTO book_tag VALUES (1, 1), (1, 2), (2, 1)
      """,
      mine: "DELETE FROM book_tag WHERE book = 1 AND tag = 1; INSERT INTO book_tag VALUES (2, 2)",
      theirs: "DELETE FROM book_tag WHERE book = 1 AND tag = 2; INSERT INTO book_tag VALUES (2, 3)",
      .init(
        "SELECT title, name FROM book_tag JOIN book ON book.id = book JOIN tag ON tag.id = tag ORDER BY 1, 2",
        "'b','x'",
        "'b','y'",
        "'b','z'"
      )
    ),
    // Theirs gives one note the key that mine has given to another: what each keeps is asked for by the key that it has.
    LawCase(
      name: "three ways: values that either side changed, under other keys",
      schema:
        "CREATE TABLE note (id INTEGER PRIMARY KEY, name TEXT UNIQUE, text TEXT, stars INTEGER)",
      source:
        "INSERT INTO note VALUES (21, 'a', 't', 9), (11, 'b', 'theirs', 2), (13, 'c', 't', 7)",
      destination:
        "INSERT INTO note VALUES (11, 'a', 'mine', 1), (12, 'b', 't', 2), (13, 'c', 'm', 3)",
      base: "INSERT INTO note VALUES (1, 'a', 't', 1), (2, 'b', 't', 2), (3, 'c', 't', 3)",
      options: ["--merge", "three-way", "--base", "base.db"],
      facts: [
        .init("SELECT name, text, stars FROM note ORDER BY 1", "'a','mine',9", "'b','theirs',2", "'c','m',7")
      ],
      counts: ["note": ["changed": 3, "updated": 3]],
      exempt: [.batches, .editedCopy, .damage, .kill]
    ),
  ]

  private static let folders = """
    CREATE TABLE folder (id INTEGER PRIMARY KEY, title TEXT, stars INTEGER, note TEXT,
      parent INTEGER REFERENCES folder ON DELETE SET NULL);
    INSERT INTO folder VALUES (1, 'b1', 7, 'note 1', NULL), (2, 'b2', 14, 'note 2', 1),
      (3, 'b3', 21, 'note 3', NULL), (4, 'b4', 28, 'note 4', 3), (5, 'b5', 35, 'note 5', 1),
      (6, 'b6', 42, 'note 6', NULL), (7, 'b7', 49, 'note 7', 3), (8, 'b8', 56, 'note 8', NULL)
    """
  private static let books = """
    CREATE TABLE shelf (id INTEGER PRIMARY KEY, name TEXT, place TEXT);
    CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT, pages INTEGER,
      shelf INTEGER REFERENCES shelf);
    INSERT INTO shelf VALUES (1, 's1', 'hall'), (2, 's2', 'attic'), (3, 's3', 'cellar'), (4, 's4', 'bath');
    INSERT INTO book VALUES (1, 'b1', 101, 1), (2, 'b2', 102, 2), (3, 'b3', 103, 3), (4, 'b4', 104, 4)
    """
  private static let recipes = """
    CREATE TABLE recipe (id INTEGER PRIMARY KEY, title TEXT, year INTEGER);
    CREATE TABLE line (id INTEGER PRIMARY KEY, text TEXT, amount REAL,
      recipe INTEGER NOT NULL REFERENCES recipe ON DELETE CASCADE);
    INSERT INTO recipe VALUES (1, 'b1', 1901), (2, 'b2', 1902), (3, 'b3', 1903), (4, 'b4', 1904);
    INSERT INTO line VALUES (1, 'line 1', 1.5, 1), (2, 'line 2', 2.5, 2), (3, 'line 3', 3.5, 3),
      (4, 'line 4', 4.5, 4)
    """

  private static let threads = """
    CREATE TABLE message (id INTEGER PRIMARY KEY, text TEXT UNIQUE,
      answers INTEGER REFERENCES message ON DELETE CASCADE);
    INSERT INTO message VALUES (1, 'm1', NULL), (2, 'm2', NULL), (3, 'm3', 2), (4, 'm4', 3)
    """
  /// Tables without foreign keys, as Calibre's: triggers stand in for them.
  private static let authors = """
    CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
    CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT UNIQUE);
    CREATE TABLE credit (id INTEGER PRIMARY KEY, book INTEGER NOT NULL, author INTEGER NOT NULL, UNIQUE (book, author));
    INSERT INTO author VALUES (1, 'a1'), (2, 'a2'); INSERT INTO book VALUES (1, 'b1'), (2, 'b2');
    INSERT INTO credit VALUES (1, 1, 1), (2, 2, 2);
    CREATE TRIGGER linked BEFORE DELETE ON author WHEN EXISTS (SELECT 1 FROM credit WHERE author = OLD.id)
      BEGIN SELECT RAISE(ABORT, 'the author is still linked'); END;
    CREATE TRIGGER deleted AFTER DELETE ON book BEGIN DELETE FROM credit WHERE book = OLD.id; END
    """
  private static let authorLinks = ["--link", "credit.book -> book", "--link", "credit.author -> author"]

  private static func parts(_ rows: String...) -> LawCase.Fact {
    .init("SELECT title, text FROM recipe LEFT JOIN line ON recipe = recipe.id ORDER BY 1, 2", rows: rows)
  }

  /// A base, and two copies of it that were edited apart.
  ///
  /// Its rows have nothing but their keys to be known by: the laws about other keys, and about merges without a base,
  /// say nothing of it.
  private static func history(
    _ name: String,
    _ base: String,
    mine: String,
    theirs: String,
    _ facts: LawCase.Fact...,
    options: [String] = []
  ) -> LawCase {
    LawCase(
      name: "three ways: \(name)",
      schema: base,
      source: theirs,
      destination: mine,
      base: "",
      options: ["--merge", "three-way", "--base", "base.db"] + options,
      facts: facts,
      exempt: [.renumbering, .batches, .pairs, .damage, .editedCopy, .kill]
    )
  }
}
