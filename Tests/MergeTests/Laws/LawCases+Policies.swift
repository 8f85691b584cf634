/// What becomes of an object that both stores have, with other values, under every policy.
extension LawCases {
  /// Mine has book A on shelf one, B and C; theirs has A with another title, on shelf two and changed later, B changed
  /// earlier and on no shelf, C as it is.
  static let bookSchema = """
    CREATE TABLE shelf (id INTEGER PRIMARY KEY, name TEXT UNIQUE);
    CREATE TABLE book (id INTEGER PRIMARY KEY, isbn TEXT UNIQUE, title TEXT, size INTEGER,
      shelf INTEGER REFERENCES shelf (id), changed INTEGER);
    CREATE TABLE page (id INTEGER PRIMARY KEY, book INTEGER NOT NULL REFERENCES book (id) ON DELETE CASCADE, text TEXT);
    CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT UNIQUE);
    CREATE TABLE wrote (book INTEGER REFERENCES book (id), author INTEGER REFERENCES author (id),
      PRIMARY KEY (book, author))
    """
  static let myBooks = """
    INSERT INTO shelf VALUES (1, 'one');
    INSERT INTO book VALUES (1, 'A', 'mine', NULL, 1, 10), (2, 'B', 'mine', 20, 1, 10), (3, 'C', 'same', 1, NULL, 1);
    INSERT INTO page VALUES (1, 1, 'p');
    INSERT INTO author VALUES (1, 'ann'), (2, 'ben'); INSERT INTO wrote VALUES (1, 1), (1, 2), (2, 2)
    """
  static let theirBooks = """
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

  /// The page that both have is there once, the other one comes where its book takes values; that Ben did not write A
  /// only `replace` takes.
  static let policies = [
    ("skip", 0, "'A','mine',NULL,'one',10", "'B','mine',20,'one',10"),
    ("update", 2, "'A','theirs',70,'two',11", "'B','theirs',NULL,NULL,9"),
    ("fill", 1, "'A','mine',70,'one',10", "'B','mine',20,'one',10"),
    ("newest by changed", 1, "'A','theirs',70,'two',11", "'B','mine',20,'one',10"),
    ("replace", 2, "'A','theirs',70,'two',11", "'B','theirs',NULL,NULL,9"),
    ("error", -1, "'A','mine',NULL,'one',10", "'B','mine',20,'one',10"),
    ("keep-both", 0, "'A','mine',NULL,'one',10", "'B','mine',20,'one',10"),
  ].map { policy, updated, a, b in
    let (isDoubled, isRefused) = (policy == "keep-both", updated < 0)
    let rows = [
      a
        + (isDoubled || isRefused
          ? ",'p','ann,ben'"
          : policy == "replace"
            ? ",'pq','ann,cas'"
            : ",'\(["skip", "fill"].contains(policy) ? "p" : "pq")','ann,ben,cas'"),
      isDoubled ? "'A (2)','theirs (2)',70,'two',11,'pq','cas'" : nil,
      b + ",NULL,'ben'",
      isDoubled ? "'B (2)','theirs (2)',NULL,NULL,9,NULL,'ben'" : nil,
      "'C','same',1,NULL,1,NULL,NULL",
    ]
    return LawCase(
      name: "a policy, \(policy)",
      schema: bookSchema,
      source: theirBooks,
      destination: myBooks,
      options: ["--merge", "skip", "--merge", "book: \(policy)"],
      status: isRefused ? 1 : 0,
      says: isRefused ? ["2 rows", "book key 7"] : [],
      facts: [.init(books, rows: rows.compactMap(\.self))],
      counts: isRefused
        ? [:]
        : ["book": ["updated": updated, "copied": isDoubled ? 2 : 0, "same": 1, "changed": 2]],
      // Kept both, what both have comes with its owner once more.
      exempt: isDoubled ? [.editedCopy, .kill, .damage, .pairs] : [.editedCopy, .kill, .damage]
    )
  }

  /// A trigger of the destination changes what a merge has written: nothing is published, under any policy that says of
  /// every value what it becomes.
  static let spoiled = ["update", "replace", "newest by stars", "three-way"].map { policy in
    LawCase(
      name: "a trigger that changes what is written, \(policy)",
      schema: """
        CREATE TABLE note (id INTEGER PRIMARY KEY, name TEXT UNIQUE, text TEXT, stars INTEGER);
        CREATE TRIGGER spoil AFTER UPDATE ON note BEGIN UPDATE note SET stars = 100 WHERE id = new.id; END
        """,
      source: "INSERT INTO note VALUES (21, 'a', 't', 9), (11, 'b', 'theirs', 2)",
      destination: "INSERT INTO note VALUES (11, 'a', 'mine', 1), (12, 'b', 't', 2)",
      base: "INSERT INTO note VALUES (1, 'a', 't', 1), (2, 'b', 't', 2)",
      options: ["--merge", policy] + (policy == "three-way" ? ["--base", "base.db"] : []),
      status: 1,
      says: ["was updated but does not have the source's values", "--no-triggers"],
      facts: [.init("SELECT * FROM note", "11,'a','mine',1", "12,'b','t',2")],
      // A dry run writes nothing that a trigger could change.
      exempt: [.prediction]
    )
  }

  // MARK: Duplicates

  static let duplicates = [true, false].flatMap { isNew in
    [
      doubled("first", isNew, ["'soup',2,'salt,water','cheap,hot'"]),
      doubled("last", isNew, ["'soup',4,'salt,water','cheap,hot'"]),
      doubled("keep-both", isNew, ["'soup',2,'water','hot'", "'soup (2)',4,'salt','cheap,hot'"]),
    ]
  }

  /// Two soups of the source count as one or not; two recipes without a title are known by nothing.
  private static func doubled(_ rule: String, _ isNew: Bool, _ soups: [String]) -> LawCase {
    let others = ["NULL,1,NULL,NULL", "NULL,1,NULL,NULL", "'bread',5,'flour','cheap'"]
    return LawCase(
      name: "duplicates, \(rule), \(isNew ? "copied" : "merged")",
      schema: """
        CREATE TABLE recipe (id INTEGER PRIMARY KEY, title TEXT, stars INTEGER);
        CREATE TABLE part (id INTEGER PRIMARY KEY, recipe INTEGER REFERENCES recipe (id), name TEXT);
        CREATE TABLE tag (id INTEGER PRIMARY KEY, name TEXT);
        CREATE TABLE recipe_tag (recipe INTEGER REFERENCES recipe (id), tag INTEGER REFERENCES tag (id),
          PRIMARY KEY (recipe, tag))
        """,
      source: """
        INSERT INTO recipe VALUES (3, 'soup', 2), (7, 'bread', 5), (9, 'soup', 4), (11, NULL, 1), (12, NULL, 1);
        INSERT INTO part VALUES (1, 3, 'water'), (2, 9, 'salt'), (3, 7, 'flour');
        INSERT INTO tag VALUES (1, 'hot'), (2, 'cheap');
        INSERT INTO recipe_tag VALUES (3, 1), (9, 1), (9, 2), (7, 2)
        """,
      destination: isNew ? nil : "INSERT INTO recipe VALUES (1, 'soup', 1)",
      verb: [isNew ? "copy" : "merge"],
      options: ["--identity", "recipe: title", "--duplicates", rule]
        + (isNew ? [] : ["--merge", "update"]),
      facts: [
        .init(
          """
          SELECT title, stars, (SELECT group_concat(name) FROM (SELECT name FROM part WHERE recipe = r.id ORDER BY 1)),
            (SELECT group_concat(name) FROM (SELECT name FROM recipe_tag JOIN tag ON tag.id = tag
              WHERE recipe = r.id ORDER BY 1)) FROM recipe r ORDER BY 1, 2
          """,
          rows: others + soups
        )
      ],
      counts: ["recipe": [rule == "keep-both" ? "keptBoth" : "duplicate": 1]],
      // In another order another one is the first; a copy that looks for duplicates cannot be resumed.
      exempt: [.renumbering, .batches, .editedCopy, .kill, .damage],
      known: isNew ? [] : rule == "keep-both" ? [.pairs, .repetition] : [.pairs]
    )
  }
}
