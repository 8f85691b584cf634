/// Links that nothing declares: the program asks before keys change, and follows what it was told.
extension LawCases {
  static let links =
    keys + prefixes + [searchIndex, lostKey, highestKey] + leftOut + questions + pairWords + quiet
    + types

  /// A table whose primary key is a link, declared by an option only.
  private static let keys: [LawCase] = ["", " WITHOUT ROWID"].flatMap { kind in
    ["skip", "update"].map { policy in
      LawCase(
        name: "a primary key that --link declares\(kind), \(policy)",
        schema: """
          CREATE TABLE doc (rid INTEGER PRIMARY KEY, title TEXT NOT NULL UNIQUE);
          CREATE TABLE delta (rid INTEGER NOT NULL PRIMARY KEY, note TEXT)\(kind)
          """,
        source: """
          INSERT INTO doc VALUES (1, 'b'), (2, 'c'), (3, 'a'), (4, 'd');
          INSERT INTO delta VALUES (1, 'of b'), (2, 'of c'), (3, 'of a, new')
          """,
        destination: "INSERT INTO doc VALUES (1, 'a'); INSERT INTO delta VALUES (1, 'of a')",
        options: ["--merge", policy, "--link", "delta.rid -> doc"],
        facts: [
          .init(
            "SELECT title, note FROM doc LEFT JOIN delta USING (rid) ORDER BY 1",
            "'a','of a\(policy == "update" ? ", new" : "")'",
            "'b','of b'",
            "'c','of c'",
            "'d',NULL"
          )
        ],
        counts: ["doc": ["new": 3, "same": 1], "delta": ["new": 2, "changed": 1]]
      )
    }
  }

  /// Texts that are a prefix and a key: both keys change, and what is none stays.
  private static let prefixes: [LawCase] = ["skip", "update"].map { policy in
    LawCase(
      name: "keys behind a text, \(policy)",
      schema: """
        CREATE TABLE text (old_id INTEGER PRIMARY KEY, old_text TEXT NOT NULL UNIQUE);
        CREATE TABLE page (id INTEGER PRIMARY KEY, title TEXT NOT NULL UNIQUE);
        CREATE TABLE content (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, address)
        """,
      source: """
        INSERT INTO text VALUES (1, 'b'), (2, 'c'), (3, 'a'); INSERT INTO page VALUES (1, 'q'), (2, 'p');
        INSERT INTO content VALUES (1, 'to b', 'tt:1'), (2, 'to a', 'tt:3'), (3, 'to q', 'page/1'), (4, 'else', 'es:9'),
          (5, 'number', 7), (6, 'capitals', 'TT:1'), (7, 'nothing', NULL), (8, 'other', 'tt:2')
        """,
      destination: """
        INSERT INTO text VALUES (1, 'a'), (2, 'z'); INSERT INTO page VALUES (1, 'p');
        INSERT INTO content VALUES (1, 'other', 'tt:2'), (2, 'own', 'tt:2'), (3, 'its', 'page/1')
        """,
      options: [
        "--merge", policy, "--link", #"content.address -> text WHERE address LIKE "tt:%""#,
        "--link", #"content.address -> page WHERE address LIKE "page/%""#,
      ],
      facts: [
        .init(
          """
          SELECT name, coalesce(old_text, title, address), typeof(address) FROM content LEFT JOIN text ON address = 'tt:' || old_id
          LEFT JOIN page ON address = 'page/' || page.id ORDER BY 1
          """,
          "'capitals','TT:1','text'",
          "'else','es:9','text'",
          "'its','p','text'",
          "'nothing',NULL,'null'",
          "'number',7,'integer'",
          "'other','\(policy == "skip" ? "z" : "c")','text'",
          "'own','z','text'",
          "'to a','a','text'",
          "'to b','b','text'",
          "'to q','q','text'"
        )
      ],
      counts: ["text": ["new": 2, "same": 1], "content": ["new": 7, "changed": 1]],
      // Python's program for other keys knows numbers only.
      exempt: [.renumbering]
    )
  }

  private static let searchIndex = LawCase(
    name: "the rows of a search index that --link declares",
    schema: """
      CREATE TABLE doc (rid INTEGER PRIMARY KEY, title TEXT NOT NULL UNIQUE);
      CREATE VIRTUAL TABLE search USING fts5 (body)
      """,
    source: """
      INSERT INTO doc VALUES (1, 'b'), (2, 'c');
      INSERT INTO search (rowid, body) VALUES (1, 'of b'), (2, 'of c')
      """,
    destination: """
      INSERT INTO doc VALUES (1, 'a'); INSERT INTO search (rowid, body) VALUES (1, 'of a')
      """,
    options: ["--link", "search.rowid -> doc"],
    facts: [
      .init(
        "SELECT title, body FROM doc JOIN search ON search.rowid = rid ORDER BY 1",
        "'a','of a'",
        "'b','of b'",
        "'c','of c'"
      )
    ],
    // Python's programs for other keys and edits know no virtual tables.
    exempt: [.renumbering, .editedCopy, .damage, .batches]
  )

  /// A key that leads nowhere would become another row's, and its column takes no NULL; a text stays as it is.
  private static let lostKey = LawCase(
    name: "refused: keys that lead nowhere in a column that must not be empty",
    schema: "\(persons) user_id TEXT NOT NULL)",
    source: """
      INSERT INTO users VALUES (1, 'ann'), (2, 'bob');
      INSERT INTO post VALUES (1, 'p', '1'), (2, 'q', '3'), (3, 'r', 'nobody'), (4, 's', '4')
      """,
    destination:
      "INSERT INTO users VALUES (1, 'zoe'), (2, 'yan'), (3, 'xav'), (4, 'wim')",
    options: ["--link", "post.user_id -> users"],
    status: 1,
    says: [
      "2 rows of post.user_id hold keys of users", "such as 3 in post key 2",
      "--on-error reject leaves these rows out", "--no-link post.user_id",
    ],
    facts: [.init("SELECT count(*) FROM post", "0")],
    // Other keys are named then.
    exempt: [.renumbering]
  )

  /// The same where the rows are to be left out: a dry run knows them, and those that need them.
  private static let leftOut: [LawCase] = [
    ("in every row", "post.user_id -> users"),
    ("under a condition", "post.user_id -> users WHERE type = \"user\""),
  ].map { what, link in
    LawCase(
      name: "left out: keys that lead nowhere in a column that must not be empty, \(what)",
      schema: """
        \(persons) type TEXT, user_id INTEGER NOT NULL);
        CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE, post_id INTEGER NOT NULL REFERENCES post)
        """,
      source: """
        INSERT INTO users VALUES (1, 'ann'), (2, 'bob');
        INSERT INTO post VALUES (1, 'p', 'user', 1), (2, 'q', 'user', 3), (3, 'r', 'user', 0), (4, 's', 'user', 2);
        INSERT INTO note VALUES (1, 'of q', 2), (2, 'of p', 1)
        """,
      destination:
        "INSERT INTO users VALUES (1, 'zoe'), (2, 'yan'), (3, 'xav'), (4, 'wim')",
      options: ["--link", link, "--on-error", "reject"],
      status: 3,
      facts: [
        .init(
          "SELECT title, name FROM post LEFT JOIN users ON users.id = user_id ORDER BY 1",
          "'p','ann'",
          "'r',NULL",
          "'s','bob'"
        ),
        .init("SELECT text, title FROM note JOIN post ON post.id = post_id", "'of p','p'"),
      ],
      counts: ["post": ["rejected": 1], "note": ["rejected": 1]],
      // Other keys may be free in the destination; and these laws are of what ends with 0.
      exempt: [.renumbering, .pairs, .editedCopy, .kill]
    )
  }

  /// A table with gaps, of which the source has one row more: it is no reason to leave more of them.
  private static let highestKey = LawCase(
    name: "one new row raises the highest key by one",
    schema: """
      CREATE TABLE word (id INTEGER PRIMARY KEY AUTOINCREMENT, word TEXT NOT NULL UNIQUE);
      CREATE TABLE plain (id INTEGER PRIMARY KEY, word TEXT NOT NULL UNIQUE, of INTEGER REFERENCES word)
      """,
    source: """
      \(words) INSERT INTO word SELECT i * 2, 'w' || i FROM n; INSERT INTO word VALUES (7, 'new');
      \(words) INSERT INTO plain SELECT i, 'w' || i, i * 2 FROM n; UPDATE plain SET word = 'new', of = 7 WHERE id = 500
      """,
    destination: """
      \(words) INSERT INTO word SELECT i * 3, 'w' || i FROM n; \(words) INSERT INTO plain SELECT i, 'w' || i, i * 3 FROM n;
      INSERT INTO word VALUES (3005, 'gone'); DELETE FROM word WHERE id = 3005
      """,
    facts: [
      .init("SELECT max(id), count(*) FROM plain", "1001,1001"),
      .init("SELECT word, of FROM plain WHERE id = 1001", "'new',3006"),
      .init("SELECT id, word FROM word WHERE id > 3000", "3006,'new'"),
      .init("SELECT seq FROM sqlite_sequence WHERE name = 'word'", "3006"),
    ],
    exempt: [.renumbering]
  )
  private static let words =
    "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)"

  private static let persons = """
    CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
    CREATE TABLE post (id INTEGER PRIMARY KEY, title TEXT NOT NULL UNIQUE,
    """
  private static let threePersons =
    "INSERT INTO users VALUES (1, 'ann'), (2, 'bob'), (3, 'cid'); "
  private static let otherPersons = "INSERT INTO users VALUES (1, 'zoe'), (2, 'bob'); "

  /// Names, values and columns beside them that look like links.
  private static let questions: [LawCase] =
    [
      ("a role", "author INTEGER", "1), (2, 'q', 3", "author"),
      ("a role with an ending", "edited_by_id INTEGER", "1), (2, 'q', 3", "edited_by_id"),
      ("a table's name", "user INTEGER", "1), (2, 'q', 3", "user"),
      ("a text of digits", "user_id TEXT", "'1'), (2, 'q', '3'", "user_id"),
      ("most values", "user_id INTEGER", "1), (2, 'q', 3), (3, 'r', 77", "user_id"),
    ].map { what, column, values, name in
      LawCase(
        name: "asked: \(what)",
        schema: "\(persons) \(column))",
        source: threePersons + "INSERT INTO post VALUES (1, 'p', \(values))",
        destination: otherPersons,
        status: 64,
        says: ["post.\(name)", "--link 'post.\(name) -> users'", "--no-link post.\(name)"],
        facts: [.init("SELECT count(*) FROM post", "0")],
        // Other keys may be free in the destination, and stay.
        exempt: [.renumbering]
      )
    }
    + [
      LawCase(
        name: "asked: another row of the same table",
        schema: """
          CREATE TABLE folder (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, parent INTEGER)
          """,
        source: "INSERT INTO folder VALUES (1, 'a', NULL), (2, 'b', 1), (3, 'c', 1)",
        destination: "INSERT INTO folder VALUES (1, 'z', NULL)",
        status: 64,
        says: ["--link 'folder.parent -> folder'"],
        facts: [.init("SELECT name FROM folder", "'z'")],
        exempt: [.renumbering]
      ),
      LawCase(
        name: "asked: a pair of a type and a key",
        schema: pairSchema,
        source: pairRows,
        destination: "INSERT INTO shop VALUES (1, 'west'); INSERT INTO product VALUES (1, 'cup')",
        status: 64,
        says: [
          "content_type names the table of each key: product (1 row), shop (1 row)",
          "--link 'comment.object_id -> product WHERE content_type = \"product\"'",
          "--link 'comment.object_id -> shop WHERE content_type = \"shop\"'",
          "--no-link comment.object_id",
        ],
        facts: [.init("SELECT count(*) FROM comment", "0")],
        exempt: [.renumbering]
      ),
    ]

  /// A column of words is that of a pair where half of its different words are names of tables, however many rows have
  /// them.
  private static let pairWords: [LawCase] = [
    (
      "asked: two of three words name tables, in few rows",
      "(1, 'good', 'product', 1), (2, 'nice', 'shop', 2), (3, 'c', 'note', NULL), (4, 'd', 'note', NULL), (5, 'e', 'note', NULL)",
      true
    ),
    (
      "not asked: one of five words names a table, in most rows",
      """
      (1, 'good', 'product', 1), (2, 'nice', 'product', 2), (3, 'fine', 'product', 2), (4, 'c', 'small', NULL),
      (5, 'd', 'large', NULL), (6, 'e', 'red', NULL), (7, 'f', 'blue', NULL)
      """,
      false
    ),
  ].map { name, rows, isAsked in
    LawCase(
      name: name,
      schema: """
        CREATE TABLE product (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
        CREATE TABLE shop (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
        CREATE TABLE comment (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE, about TEXT, ref_id INTEGER)
        """,
      source: """
        INSERT INTO product VALUES (1, 'pan'), (2, 'pot'); INSERT INTO shop VALUES (1, 'north'), (2, 'south');
        INSERT INTO comment VALUES \(rows)
        """,
      destination: "INSERT INTO shop VALUES (1, 'west'); INSERT INTO product VALUES (1, 'cup')",
      status: isAsked ? 64 : 0,
      says: isAsked ? ["--link 'comment.ref_id -> shop WHERE about = \"shop\"'"] : [],
      facts: [.init("SELECT count(*) FROM comment", isAsked ? "0" : "7")],
      // Other keys may be free in the destination, and stay.
      exempt: [.renumbering]
    )
  }

  private static let pairSchema = """
    CREATE TABLE product (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
    CREATE TABLE shop (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
    CREATE TABLE comment (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE, content_type TEXT, object_id TEXT)
    """
  private static let pairRows = """
    INSERT INTO product VALUES (1, 'pan'), (2, 'pot'); INSERT INTO shop VALUES (1, 'north'), (2, 'south');
    INSERT INTO comment VALUES (1, 'good', 'product', '1'), (2, 'nice', 'shop', '2')
    """

  /// What is not asked about.
  private static let quiet: [LawCase] = [
    LawCase(
      name: "not asked: a rating and a position",
      schema: "\(persons) rating INTEGER, position INTEGER)",
      source: threePersons + "INSERT INTO post VALUES (1, 'p', 1, 1), (2, 'q', 3, 2)",
      destination: otherPersons,
      facts: [.init("SELECT title, rating, position FROM post ORDER BY 1", "'p',1,1", "'q',3,2")]
    ),
    LawCase(
      name: "not asked: nothing is renumbered",
      schema: "\(persons) user_id INTEGER)",
      source: threePersons + "INSERT INTO post VALUES (1, 'p', 1), (2, 'q', 3)",
      destination: "INSERT INTO users VALUES (1, 'ann'), (2, 'bob')",
      facts: [
        .init("SELECT title, name FROM post JOIN users ON users.id = user_id ORDER BY 1", "'p','ann'", "'q','cid'")
      ],
      // Other keys are a reason to ask.
      exempt: [.renumbering]
    ),
    LawCase(
      name: "not asked: values of which most are no keys",
      schema: "\(persons) user_id INTEGER)",
      source: threePersons + "INSERT INTO post VALUES (1, 'p', 1), (2, 'q', 30), (3, 'r', 31)",
      destination: otherPersons,
      facts: [.init("SELECT title, user_id FROM post ORDER BY 1", "'p',1", "'q',30", "'r',31")],
      exempt: [.renumbering]
    ),
  ]
}
