/// What becomes of an object that both stores have, with other values, under every policy.
extension LawCases {
  /// Mine has book A on shelf one, B and C; theirs has A with another title, on shelf two and changed later, B changed
  /// earlier and on no shelf, C as it is.
  private static let schema = """
    CREATE TABLE shelf (id INTEGER PRIMARY KEY, name TEXT UNIQUE);
    CREATE TABLE book (id INTEGER PRIMARY KEY, isbn TEXT UNIQUE, title TEXT, size INTEGER,
      shelf INTEGER REFERENCES shelf (id), changed INTEGER);
    CREATE TABLE page (id INTEGER PRIMARY KEY, book INTEGER NOT NULL REFERENCES book (id) ON DELETE CASCADE, text TEXT);
    CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT UNIQUE);
    CREATE TABLE wrote (book INTEGER REFERENCES book (id), author INTEGER REFERENCES author (id),
      PRIMARY KEY (book, author))
    """
  private static let mine = """
    INSERT INTO shelf VALUES (1, 'one');
    INSERT INTO book VALUES (1, 'A', 'mine', NULL, 1, 10), (2, 'B', 'mine', 20, 1, 10), (3, 'C', 'same', 1, NULL, 1);
    INSERT INTO page VALUES (1, 1, 'p');
    INSERT INTO author VALUES (1, 'ann'), (2, 'ben'); INSERT INTO wrote VALUES (1, 1), (1, 2), (2, 2)
    """
  private static let theirs = """
    INSERT INTO shelf VALUES (5, 'two');
    INSERT INTO book VALUES (7, 'A', 'theirs', 70, 5, 11), (8, 'B', 'theirs', NULL, NULL, 9), (9, 'C', 'same', 1, NULL, 1);
    INSERT INTO page VALUES (1, 7, 'p'), (2, 7, 'q');
    INSERT INTO author VALUES (3, 'cas'), (4, 'ben'); INSERT INTO wrote VALUES (7, 3), (8, 4)
    """
  private static let books = """
    SELECT isbn, title, size, name, changed, (SELECT group_concat(text, '') FROM (SELECT text FROM page
      WHERE book = book.id ORDER BY 1)), (SELECT group_concat(name) FROM (SELECT name FROM wrote JOIN author
      ON author.id = author WHERE book = book.id ORDER BY 1))
    FROM book LEFT JOIN shelf ON shelf.id = shelf ORDER BY 1
    """

  /// The page that both have is there once, the other one with its book; that Ben did not write A only `replace` takes.
  static let policies = [
    ("skip", 0, "'A','mine',NULL,'one',10", "'B','mine',20,'one',10"),
    ("update", 2, "'A','theirs',70,'two',11", "'B','theirs',NULL,NULL,9"),
    ("fill", 1, "'A','mine',70,'one',10", "'B','mine',20,'one',10"),
    ("newest by changed", 1, "'A','theirs',70,'two',11", "'B','mine',20,'one',10"),
    ("replace", 2, "'A','theirs',70,'two',11", "'B','theirs',NULL,NULL,9"),
    ("keep-both", 0, "'A','mine',NULL,'one',10", "'B','mine',20,'one',10"),
  ].map { policy, updated, a, b in
    let isDoubled = policy == "keep-both"
    let rows = [
      a
        + (isDoubled
          ? ",'p','ann,ben'" : policy == "replace" ? ",'pq','ann,cas'" : ",'pq','ann,ben,cas'"),
      isDoubled ? "'A (2)','theirs (2)',70,'two',11,'pq','cas'" : nil,
      b + ",NULL,'ben'",
      isDoubled ? "'B (2)','theirs (2)',NULL,NULL,9,NULL,'ben'" : nil,
      "'C','same',1,NULL,1,NULL,NULL",
    ]
    return LawCase(
      name: "a policy, \(policy)",
      schema: schema,
      source: theirs,
      destination: mine,
      options: ["--merge", "skip", "--merge", "book: \(policy)"],
      facts: [.init(books, rows: rows.compactMap(\.self))],
      counts: [
        "book": ["updated": Int(updated), "copied": isDoubled ? 2 : 0, "same": 1, "changed": 2]
      ],
      exempt: [.editedCopy, .kill, .damage],
      known: [.pairs],
      defect: 8
    )
  }
}
