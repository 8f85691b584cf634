/// The same merge again, where rows lead to one that is paired last, or that was kept beside another.
extension LawCases {
  static let again: [LawCase] = late + [inns] + besides + [persons, marks, few]

  private static let library = """
    CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT, born INTEGER, boss INTEGER REFERENCES author (id));
    CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT, author INTEGER REFERENCES author (id));
    CREATE TABLE copy (id INTEGER PRIMARY KEY, shelf TEXT, book INTEGER REFERENCES book (id));
    CREATE TABLE novel (id INTEGER PRIMARY KEY REFERENCES book (id), genre TEXT);
    """
  private static let stock = """
    INSERT INTO author VALUES (1, 'ann', 1948, NULL), (2, 'bob', 1906, NULL), (3, 'cid', 1946, NULL), (4, 'dan', 1900, NULL);
    INSERT INTO book VALUES (1, 'one', 1), (2, 'two', 2), (3, 'three', 4), (4, 'four', NULL);
    INSERT INTO copy VALUES (1, 'a', 1), (2, 'b', 2), (3, 'c', 3); INSERT INTO novel VALUES (1, 'old');
    """
  private static let writers = """
    SELECT a.name, b.name FROM author AS a LEFT JOIN author AS b ON b.id = a.boss ORDER BY 1, 2
    """
  private static let books = """
    SELECT title, name, genre FROM book LEFT JOIN author ON author.id = author LEFT JOIN novel USING (id) ORDER BY 1, 2
    """
  private static let copies = "SELECT shelf, title FROM copy LEFT JOIN book ON book.id = book ORDER BY 1, 2"

  /// Nothing but a book tells that an author is still the same one.
  private static let edited = "UPDATE author SET name = 'dora', born = 1 WHERE id = 4;"

  private static let lateTargets: [(name: String, mine: String, theirs: String, fact: LawCase.Fact)] = [
    (
      "a book", "", "INSERT INTO book VALUES (5, 'five', 4)",
      LawCase.Fact(
        books, "'five','dan',NULL", "'four',NULL,NULL", "'one','ann','old'", "'three','dan',NULL", "'two','bob',NULL")
    ),
    (
      "a book that has a copy", "", "INSERT INTO book VALUES (5, 'five', 4); INSERT INTO copy VALUES (4, 'd', 5)",
      LawCase.Fact(copies, "'a','one'", "'b','two'", "'c','three'", "'d','five'")
    ),
    (
      "a book that another table continues", "",
      "INSERT INTO book VALUES (5, 'five', 4); INSERT INTO novel VALUES (5, 'new')",
      LawCase.Fact(
        books, "'five','dan','new'", "'four',NULL,NULL", "'one','ann','old'", "'three','dan',NULL", "'two','bob',NULL")
    ),
    (
      "an author, where another one has its key", "INSERT INTO author VALUES (5, 'fay', 8, NULL)",
      "INSERT INTO author VALUES (5, 'eve', 7, 4)",
      LawCase.Fact(
        writers, "'ann',NULL", "'bob',NULL", "'cid',NULL", "'dan',NULL", "'eve','dan'", "'fay',NULL")
    ),
  ]

  private static let late: [LawCase] = lateTargets.map { test in
    LawCase(
      name: "the same again: theirs leads to an author that only a link tells: \(test.name)",
      schema: library + stock,
      source: edited + test.theirs,
      destination: test.mine,
      facts: [test.fact],
      counts: ["author": ["changed": 1]],
      // It is about keys.
      exempt: [.renumbering, .editedCopy, .damage, .kill]
    )
  }

  private static let inns = LawCase(
    name: "the same again: a row that only a link tells is continued by another table",
    schema: """
      CREATE TABLE place (id INTEGER PRIMARY KEY, name TEXT, town TEXT);
      CREATE TABLE inn (id INTEGER PRIMARY KEY REFERENCES place (id), beds INTEGER);
      CREATE TABLE visit (id INTEGER PRIMARY KEY, day TEXT, place INTEGER REFERENCES place (id));
      INSERT INTO place VALUES (1, 'a', 'x'), (2, 'b', 'y'), (3, 'c', 'z'); INSERT INTO inn VALUES (1, 5), (3, 8);
      INSERT INTO visit VALUES (1, 'mo', 1), (2, 'tu', 2), (3, 'we', 3), (4, 'th', NULL);
      """,
    source: "UPDATE place SET name = 'new', town = 'old' WHERE id = 3",
    destination: "",
    facts: [
      .init("SELECT name, beds FROM place LEFT JOIN inn USING (id) ORDER BY 1", "'a',5", "'b',NULL", "'c',8"),
      .init("SELECT count(*) FROM inn", "2"),
    ],
    counts: ["place": ["new": 0, "changed": 1], "inn": ["new": 0, "same": 2]],
    exempt: [.renumbering, .editedCopy, .damage, .kill]
  )

  private static let originals: [(name: String, both: String, theirs: String, fact: LawCase.Fact)] = [
    (
      "rows of its table lead to it", "UPDATE author SET boss = 2 WHERE id = 3",
      "UPDATE author SET name = 'bert' WHERE id = 2",
      LawCase.Fact(writers, "'ann',NULL", "'bert',NULL", "'bob',NULL", "'cid','bob'", "'dan',NULL")
    ),
    (
      "books lead to it", "", "UPDATE author SET name = 'bert', born = 3 WHERE id = 2",
      LawCase.Fact(copies, "'a','one'", "'b','two'", "'c','three'")
    ),
    (
      "a book, which was kept as well, leads to it", "",
      "UPDATE author SET name = 'bert', born = 3 WHERE id = 2; UPDATE book SET title = 'second' WHERE id = 2",
      LawCase.Fact(copies, "'a','one'", "'b','two'", "'c','three'")
    ),
  ]

  private static let besides: [LawCase] = originals.map { test in
    LawCase(
      name: "the same again: an author was kept beside another one: \(test.name)",
      schema: library + stock + test.both,
      source: test.theirs,
      destination: "",
      options: ["--merge", "keep-both"],
      facts: [test.fact],
      exempt: [.renumbering, .editedCopy, .damage, .kill]
    )
  }

  private static let persons = LawCase(
    name: "the same again: rows that differ in links of their own table were kept as well, and new ones lead to them",
    schema: """
      CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT UNIQUE, boss INTEGER REFERENCES person (id));
      INSERT INTO person VALUES (1, 'ann', NULL), (2, 'bob', NULL), (3, 'cid', 1);
      """,
    source: "INSERT INTO person VALUES (4, 'dan', 3), (5, 'eve', 4); UPDATE person SET boss = 2 WHERE id = 2",
    destination: "UPDATE person SET boss = 2 WHERE id = 3",
    options: ["--merge", "keep-both"],
    facts: [
      .init(
        "SELECT p.name, b.name FROM person AS p LEFT JOIN person AS b ON b.id = p.boss ORDER BY 1",
        "'ann',NULL", "'bob',NULL", "'bob (2)','bob (2)'", "'cid','bob'", "'cid (2)','ann'", "'dan','cid (2)'",
        "'eve','dan'")
    ],
    exempt: [.editedCopy, .damage, .kill]
  )

  /// Neither store's note 4 was kept beside the other.
  private static let marks = LawCase(
    name: "the same again: marks of two notes to which both stores gave one key are two marks",
    schema: """
      CREATE TABLE note (id INTEGER PRIMARY KEY, title TEXT, text TEXT);
      CREATE TABLE mark (id INTEGER PRIMARY KEY, note INTEGER REFERENCES note (id), name TEXT);
      INSERT INTO note VALUES (1, 'a', 'one'), (2, 'b', 'two'), (3, 'c', 'three');
      INSERT INTO mark VALUES (1, 1, 'star');
      """,
    source: "INSERT INTO note VALUES (4, 'x', 'four'), (5, 'y', 'five'); INSERT INTO mark VALUES (2, 4, 'star')",
    destination: """
      INSERT INTO note VALUES (4, 'm', 'fore'), (5, 'y', 'five'), (6, 'x', 'four');
      INSERT INTO mark VALUES (2, 4, 'star')
      """,
    options: ["--merge", "keep-both"],
    facts: [.init("SELECT title FROM mark JOIN note ON note.id = note ORDER BY 1", "'a'", "'m'", "'x'")],
    exempt: [.editedCopy, .damage, .kill]
  )

  /// Whether both stores go back to one is told by the rows that were there before the first merge.
  private static let few = LawCase(
    name: "the same again: few rows, of which most were edited",
    schema: """
      CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT, color TEXT);
      CREATE TABLE kind (id INTEGER PRIMARY KEY, name TEXT UNIQUE);
      INSERT INTO kind VALUES (1, 'one');
      """,
    source: """
      INSERT INTO item VALUES (1, 'tin', 'grey'), (2, 'box', 'pink'), (7, 'cup', 'red'), (8, 'pot', 'white'),
        (9, 'jar', 'blue'), (10, 'jug', NULL)
      """,
    destination: """
      INSERT INTO item VALUES (1, 'can', 'grey'), (2, 'box', NULL), (7, 'mug', 'red'), (8, 'pot', 'white'),
        (9, 'urn', 'teal'), (10, 'keg', NULL)
      """,
    facts: [.init("SELECT name FROM item WHERE id > 10 ORDER BY 1", "'jar'", "'jug'")],
    counts: ["item": ["new": 2, "same": 1, "changed": 3]],
    exempt: [.renumbering, .editedCopy, .damage, .kill]
  )
}
