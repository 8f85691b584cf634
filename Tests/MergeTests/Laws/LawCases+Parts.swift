/// Parts of objects that both stores have, and objects that only a second rule pairs.
extension LawCases {
  private static let soups = """
    CREATE TABLE soup (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, stars INTEGER);
    CREATE TABLE line (id INTEGER PRIMARY KEY, soup INTEGER NOT NULL REFERENCES soup (id) ON DELETE CASCADE, what TEXT)
    """
  private static let lines =
    "SELECT name, stars, what FROM soup LEFT JOIN line ON soup = soup.id ORDER BY 1, 2, 3"

  static let parts: [LawCase] = [
    LawCase(
      name: "the only part that is left on either side, under other keys",
      schema: soups,
      source:
        "INSERT INTO soup VALUES (8, 'pea', 1), (9, 'leek', 2); INSERT INTO line VALUES (5, 8, 'pepper'), (6, 9, 'leek')",
      destination:
        "INSERT INTO soup VALUES (1, 'leek', 2), (2, 'pea', 1); INSERT INTO line VALUES (1, 1, 'leek'), (2, 2, 'black pepper')",
      options: ["--merge", "update"],
      facts: [.init(lines, "'leek',2,'leek'", "'pea',1,'pepper'")],
      counts: ["line": ["new": 0, "changed": 1], "soup": ["new": 0]],
      // The newest row, given to another soup, is taken for a row of its own.
      exempt: [.editedCopy],
      defect: 17
    ),
    LawCase(
      name: "the only parts that are left have nothing in common",
      schema: soups,
      source: "INSERT INTO soup VALUES (8, 'pea', 1); INSERT INTO line VALUES (5, 8, 'leek, 3')",
      destination:
        "INSERT INTO soup VALUES (2, 'pea', 1); INSERT INTO line VALUES (2, 2, 'my carrot')",
      options: ["--merge", "update"],
      facts: [.init(lines, "'pea',1,'leek, 3'", "'pea',1,'my carrot'")],
      counts: ["line": ["new": 1, "changed": 0]],
      exempt: [.editedCopy],
      defect: 17
    ),
    LawCase(
      name: "a part that only the source has, skip",
      schema: soups,
      source:
        "INSERT INTO soup VALUES (1, 'pea', 1), (2, 'leek', 2); INSERT INTO line VALUES (1, 1, 'peas'), (2, 1, 'salt'), (3, 2, 'leek')",
      destination: "INSERT INTO soup VALUES (1, 'pea', 1); INSERT INTO line VALUES (1, 1, 'peas')",
      facts: [.init(lines, "'leek',2,'leek'", "'pea',1,'peas'")],
      counts: ["line": ["new": 1, "same": 1, "notAdded": 1], "soup": ["new": 1]],
      defect: 17
    ),
    LawCase(
      name: "a part that only the source has, newest",
      schema: soups,
      source:
        "INSERT INTO soup VALUES (1, 'pea', 5), (2, 'leek', 2); INSERT INTO line VALUES (1, 1, 'salt'), (2, 2, 'more')",
      destination: "INSERT INTO soup VALUES (1, 'pea', 1), (2, 'leek', 3)",
      options: ["--merge", "newest by stars"],
      facts: [.init(lines, "'leek',3,NULL", "'pea',5,'salt'")],
      counts: ["line": ["new": 1, "notAdded": 1]],
      defect: 17
    ),
    LawCase(
      name: "objects that were paired by their keys, keep-both",
      schema: """
        CREATE TABLE note (id INTEGER PRIMARY KEY, title TEXT, text TEXT);
        CREATE TABLE line (id INTEGER PRIMARY KEY, note INTEGER REFERENCES note (id) ON DELETE CASCADE, what TEXT);
        CREATE TABLE star (id INTEGER PRIMARY KEY, by TEXT UNIQUE, note INTEGER REFERENCES note (id))
        """,
      source: """
        INSERT INTO note VALUES (1, 'a', 'theirs'), (2, 'b', 'two'), (3, 'c', 'three');
        INSERT INTO line VALUES (1, 1, 'one'), (2, 2, 'two'); INSERT INTO star VALUES (1, 'ann', 1)
        """,
      destination: """
        INSERT INTO note VALUES (1, 'a', 'mine'), (2, 'b', 'two'), (3, 'c', 'three');
        INSERT INTO line VALUES (1, 1, 'one'), (2, 2, 'two'); INSERT INTO star VALUES (1, 'ann', 1)
        """,
      options: ["--merge", "keep-both"],
      facts: [
        .init(
          "SELECT title, text, what FROM note LEFT JOIN line ON note = note.id ORDER BY 1, 2",
          "'a','mine','one'",
          "'a','theirs','one'",
          "'b','two','two'",
          "'c','three',NULL"
        ),
        .init("SELECT by, text FROM star JOIN note ON note.id = note", "'ann','mine'"),
      ],
      counts: ["note": ["keptBoth": 1, "same": 2]],
      // Without keys in common nothing says that the two notes are one.
      exempt: [.renumbering, .editedCopy, .pairs, .damage, .kill]
    ),
    LawCase(
      name: "two databases that went on from one and were merged once",
      schema: "CREATE TABLE note (id INTEGER PRIMARY KEY, title TEXT, text TEXT)",
      source: """
        INSERT INTO note VALUES (1, 'a', 'one'), (2, 'b', 'two'), (3, 'theirs', 'edited since'), (4, 'c', 'four'), (5, 'd', 'five')
        """,
      // The keys 4 and 5 were kept when they came; 3 had been given here to another note.
      destination: """
        INSERT INTO note VALUES (1, 'a', 'one'), (2, 'b', 'two'), (3, 'mine', 'keep me'), (4, 'e', 'own'), (5, 'd', 'five'),
          (6, 'c', 'four')
        """,
      options: ["--merge", "update"],
      facts: [
        .init("SELECT text FROM note WHERE title = 'mine'", "'keep me'"),
        .init("SELECT text FROM note WHERE title = 'theirs'", "'edited since'"),
        .init("SELECT count(*) FROM note", "7"),
      ],
      // It is about keys.
      exempt: [.renumbering, .editedCopy, .damage, .kill, .pairs]
    ),
    LawCase(
      name: "a second unique column pairs what the first does not",
      schema: "CREATE TABLE person (id INTEGER PRIMARY KEY, mail TEXT UNIQUE, phone TEXT UNIQUE)",
      source: "INSERT INTO person VALUES (4, 'new', '1'), (5, NULL, '2'), (6, 'c', '3')",
      destination: "INSERT INTO person VALUES (1, 'old', '1'), (2, 'b', '2'), (3, 'd', '4')",
      options: ["--merge", "update"],
      facts: [
        .init("SELECT mail, phone FROM person ORDER BY 2", "'new','1'", "NULL,'2'", "'c','3'", "'d','4'")
      ],
      counts: ["person": ["new": 1, "changed": 2]],
      exempt: [.kill]
    ),
    LawCase(
      name: "rows of three tables under one key, of which the destination has the first",
      schema: """
        CREATE TABLE place (id INTEGER PRIMARY KEY, name TEXT UNIQUE);
        CREATE TABLE inn (place INTEGER PRIMARY KEY REFERENCES place (id), stars INTEGER);
        CREATE TABLE bar (inn INTEGER PRIMARY KEY REFERENCES inn (place), beer TEXT)
        """,
      source: """
        INSERT INTO place VALUES (4, 'north'), (7, 'south'); INSERT INTO inn VALUES (4, 3), (7, 5);
        INSERT INTO bar VALUES (4, 'pale'), (7, 'dark')
        """,
      destination:
        "INSERT INTO place VALUES (1, 'south'), (2, 'west'); INSERT INTO inn VALUES (2, 1)",
      facts: [
        .init(
          "SELECT name, stars, beer FROM place LEFT JOIN inn ON place = id LEFT JOIN bar ON inn = place ORDER BY 1",
          "'north',3,'pale'",
          "'south',5,'dark'",
          "'west',1,NULL"
        )
      ],
      counts: ["place": ["new": 1, "same": 1], "inn": ["new": 2], "bar": ["new": 2]],
      exempt: [.kill],
      defect: 14
    ),
    LawCase(
      name: "rows whose key holds their owner's, replace",
      schema: """
        CREATE TABLE soup (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
        CREATE TABLE food (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
        CREATE TABLE step (soup INTEGER REFERENCES soup (id), number INTEGER, what TEXT, PRIMARY KEY (soup, number))
          WITHOUT ROWID;
        CREATE TABLE line (soup INTEGER REFERENCES soup (id) ON DELETE CASCADE, food INTEGER REFERENCES food (id), amount TEXT,
          PRIMARY KEY (soup, food))
        """,
      source: """
        INSERT INTO soup VALUES (7, 'pea'); INSERT INTO food VALUES (4, 'salt'), (5, 'peas');
        INSERT INTO step VALUES (7, 1, 'boil'); INSERT INTO line VALUES (7, 4, '1 pinch')
        """,
      destination: """
        INSERT INTO soup VALUES (1, 'pea'), (2, 'leek'); INSERT INTO food VALUES (1, 'salt'), (2, 'peas'), (3, 'leek');
        INSERT INTO step VALUES (1, 1, 'cook'), (1, 2, 'eat'), (2, 1, 'chop');
        INSERT INTO line VALUES (1, 1, '2 pinches'), (1, 2, '1 bag'), (1, 3, 'some'), (2, 3, 'two')
        """,
      options: ["--merge", "replace"],
      facts: [
        .init(
          "SELECT name, number, what FROM step JOIN soup ON soup = id ORDER BY 1, 2",
          "'leek',1,'chop'",
          "'pea',1,'boil'"
        ),
        .init(
          "SELECT soup.name, food.name, amount FROM line JOIN soup ON soup = soup.id JOIN food ON food = food.id ORDER BY 1, 2",
          "'leek','leek','two'",
          // The source knows nothing of leek.
          "'pea','leek','some'",
          "'pea','salt','1 pinch'"
        ),
      ]
    ),
  ]
}
