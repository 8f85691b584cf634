/// Two stores that go back to one, and went on separately.
extension LawCases {
  /// Twelve recipes with three lines each, as they were in the backup.
  private static let backup = """
    WITH n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 12)
    INSERT INTO recipe SELECT i, 'recipe ' || i, 4, 'note ' || i FROM n;
    WITH n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 36)
    INSERT INTO line SELECT i, (i + 2) / 3, 'food ' || (i % 7), i FROM n;
    INSERT INTO tag VALUES (1, 'soup'), (2, 'cake');
    INSERT INTO recipe_tag SELECT id, id % 2 + 1 FROM recipe;
    """
  private static let kitchen = """
    CREATE TABLE recipe (id INTEGER PRIMARY KEY, title TEXT, servings INTEGER, note TEXT);
    CREATE TABLE line (id INTEGER PRIMARY KEY, recipe INTEGER NOT NULL REFERENCES recipe (id) ON DELETE CASCADE,
      food TEXT, amount REAL);
    CREATE TABLE tag (id INTEGER PRIMARY KEY, name TEXT);
    CREATE TABLE recipe_tag (recipe INTEGER REFERENCES recipe (id), tag INTEGER REFERENCES tag (id),
      PRIMARY KEY (recipe, tag))
    """
  private static let added = """
    SELECT title, note, (SELECT group_concat(food || ' ' || amount, ', ') FROM
      (SELECT food, amount FROM line WHERE recipe = r.id ORDER BY 1, 2)),
    (SELECT group_concat(name) FROM recipe_tag JOIN tag ON tag.id = tag WHERE recipe = r.id)
    FROM recipe r WHERE title NOT LIKE 'recipe %' OR title LIKE 'recipe 3%' ORDER BY 1, 2
    """

  /// Twelve persons with two settings each, and entries of two kinds in turn.
  private static func strangers(_ name: String, _ step: Int) -> String {
    """
    WITH n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 12) INSERT INTO person SELECT i, '\(name)' || i FROM n;
    WITH n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 24)
    INSERT INTO setting SELECT i, (i + 1) / 2, CASE i % 2 WHEN 1 THEN 'nickname' ELSE 'level' END, CASE i % 2 WHEN 1 THEN 'n' ELSE '10' END FROM n;
    WITH n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 40)
    INSERT INTO entry SELECT i, i % 12 + 1, CASE i % 2 WHEN 1 THEN 'work' ELSE 'rest' END, CASE i % 2 WHEN 1 THEN 'open' ELSE 'done' END,
      i * \(step) % 11 FROM n
    """
  }

  /// Nine settings, as an app installs them.
  private static let installed = """
    WITH n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9)
    INSERT INTO setting SELECT i, 'option ' || i, 'value ' || (i * 7 % 9) FROM n;
    """

  /// Items of libraries, unique by their library, which nothing but its key tells.
  private static let libraries = """
    CREATE TABLE library (id INTEGER PRIMARY KEY, type TEXT NOT NULL, version INTEGER NOT NULL);
    CREATE TABLE item (id INTEGER PRIMARY KEY, library INTEGER NOT NULL REFERENCES library (id) ON DELETE CASCADE,
      code TEXT NOT NULL, title TEXT, UNIQUE (library, code));
    CREATE TABLE mark (item INTEGER NOT NULL REFERENCES item (id) ON DELETE CASCADE, tag INTEGER NOT NULL, type INTEGER,
      PRIMARY KEY (item, tag));
    CREATE TABLE shelf (id INTEGER PRIMARY KEY, library INTEGER NOT NULL REFERENCES library (id) ON DELETE CASCADE,
      code TEXT NOT NULL, UNIQUE (library, code));
    CREATE TABLE shelf_item (shelf INTEGER NOT NULL REFERENCES shelf (id) ON DELETE CASCADE,
      item INTEGER NOT NULL REFERENCES item (id) ON DELETE CASCADE, place INTEGER, PRIMARY KEY (shelf, item))
    """
  private static let catalogued = """
    WITH n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 6) INSERT INTO library SELECT i, 'group ' || i, i * 10 FROM n;
    WITH n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 12) INSERT INTO item SELECT i, 1 + i % 6, 'K' || i, 'title ' || i FROM n;
    INSERT INTO mark SELECT id, 7, 0 FROM item;
    INSERT INTO shelf SELECT id, id, 'S' || id FROM library;
    INSERT INTO shelf_item SELECT 1 + id % 6, id, id FROM item;
    """

  /// Forty notes, of which those in a range were rewritten.
  private static func notes(rewritten: ClosedRange<Int>, _ name: String) -> String {
    """
    WITH n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 40)
    INSERT INTO note SELECT i, 'F' || (i % 5), 'Title ' || i, 'body ' || (i * 7919), '2026-01-' || (10 + i % 18) FROM n;
    UPDATE note SET body = '\(name) ' || (id * 7907), modified = '2026-02-' || (10 + id % 18)
    WHERE id BETWEEN \(rewritten.lowerBound) AND \(rewritten.upperBound);
    """
  }

  /// A diary of which the first ten days and the last one are shared, and the others were written on each device.
  private static func diary(_ name: String) -> String {
    """
    WITH n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 40)
    INSERT INTO entry SELECT i, date('2026-01-01', '+' || i || ' days'),
      iif(i <= 10 OR i = 40, 'both', '\(name)') || ' wrote ' || (i * 7919),
      iif('\(name)' = 'mine' OR i <= 10 OR i = 40, i % 5, (i + 2) % 5) FROM n
    """
  }

  static let lineage: [LawCase] = [
    LawCase(
      name: "entries of the same days on two devices",
      schema: "CREATE TABLE entry (id INTEGER PRIMARY KEY, day TEXT, body TEXT, mood INTEGER)",
      source: diary("theirs"),
      destination: diary("mine"),
      facts: [.init("SELECT count(*), sum(body LIKE 'mine %'), sum(body LIKE 'theirs %') FROM entry", "69,29,29")],
      counts: ["entry": ["new": 29, "same": 11]],
      exempt: [.renumbering, .kill, .editedCopy]
    ),
    LawCase(
      name: "most notes were rewritten in two copies, and kept their titles",
      schema: "CREATE TABLE note (id INTEGER PRIMARY KEY, folder TEXT, title TEXT, body TEXT, modified TEXT)",
      source: notes(rewritten: 15...28, "theirs"),
      destination: notes(rewritten: 1...14, "mine"),
      options: ["--merge", "note: newest by modified"],
      facts: [
        .init("SELECT count(*), sum(body LIKE 'mine %'), sum(body LIKE 'theirs %') FROM note", "40,14,14")
      ],
      counts: ["note": ["new": 0, "updated": 14]],
      exempt: [.renumbering, .kill]
    ),
    LawCase(
      name: "theirs gave the key of a deleted note to a new note in another folder",
      schema: """
        CREATE TABLE folder (id INTEGER PRIMARY KEY, name TEXT UNIQUE);
        CREATE TABLE note (id INTEGER PRIMARY KEY, folder INTEGER REFERENCES folder (id) ON DELETE CASCADE, text TEXT,
          color TEXT, body TEXT);
        CREATE TABLE tag (id INTEGER PRIMARY KEY, note INTEGER REFERENCES note (id), name TEXT);
        INSERT INTO folder VALUES (1, 'home'), (2, 'work'), (3, 'garden');
        INSERT INTO note VALUES (1, 1, 'rent', 'red', 'a'), (2, 1, 'milk', 'blue', 'b'), (3, 2, 'mail', 'red', 'c'),
          (4, 3, 'seed', 'green', 'd'), (5, 2, 'call', 'blue', 'e');
        """,
      source: "DELETE FROM note WHERE id = 5; INSERT INTO note VALUES (5, 3, 'dig', 'blue', 'z')",
      destination: "UPDATE note SET color = 'black' WHERE id = 5; INSERT INTO tag VALUES (1, 5, 'on call')",
      base: "",
      options: ["--merge", "three-way", "--base", "base.db"],
      facts: [
        .init(
          "SELECT text, name, color, body FROM note JOIN folder ON folder.id = folder WHERE text IN ('call', 'dig') ORDER BY 1",
          "'call','work','black','e'", "'dig','garden','blue','z'"),
        .init("SELECT name, text FROM tag JOIN note ON note.id = note", "'on call','call'"),
      ],
      exempt: [.renumbering, .pairs, .batches, .damage, .editedCopy, .kill]
    ),
    LawCase(
      name: "what is unique by a link to an object that is known by its key alone, as a part of it was edited",
      schema: libraries,
      source: catalogued + "UPDATE mark SET type = 1 WHERE item = 3",
      destination: catalogued,
      options: ["--merge", "update"],
      facts: [
        .init("SELECT (SELECT count(*) FROM library), count(*) FROM item", "6,12"),
        .init("SELECT (SELECT count(*) FROM shelf), count(*) FROM shelf_item", "6,12"),
        .init("SELECT item.code, mark.type FROM mark JOIN item ON item.id = item WHERE type", "'K3',1"),
      ],
      counts: ["item": ["new": 0], "shelf": ["new": 0]],
      exempt: [.renumbering]
    ),
    LawCase(
      name: "the same with a base",
      schema: libraries,
      source: catalogued + "UPDATE library SET version = 99 WHERE id = 2; UPDATE item SET title = 'new' WHERE id = 3",
      destination: catalogued,
      base: catalogued,
      options: ["--merge", "three-way", "--base", "base.db"],
      facts: [
        .init("SELECT (SELECT count(*) FROM library), count(*) FROM item", "6,12"),
        .init("SELECT code, version FROM item JOIN library ON library.id = library WHERE title = 'new'", "'K3',40"),
        .init("SELECT count(*) FROM library WHERE version = 99", "1"),
      ],
      exempt: [.renumbering, .editedCopy, .batches]
    ),
    LawCase(
      name:
        "two stores that have nothing in common but the order in which a program writes kinds of rows",
      schema: """
        CREATE TABLE person (id INTEGER PRIMARY KEY, login TEXT NOT NULL UNIQUE);
        CREATE TABLE setting (id INTEGER PRIMARY KEY, person INTEGER NOT NULL REFERENCES person (id), name TEXT, value TEXT);
        CREATE TABLE entry (id INTEGER PRIMARY KEY, person INTEGER REFERENCES person (id), kind TEXT, state TEXT, hours INTEGER)
        """,
      source: strangers("a", 7),
      destination: strangers("b", 5),
      options: ["--merge", "update"],
      facts: [
        .init(
          """
          SELECT count(*), sum(login LIKE 'a%'), (SELECT count(*) FROM person) FROM setting JOIN person ON person.id = person
          """,
          "48,24,24"
        ),
        .init("SELECT count(*), sum(login LIKE 'a%') FROM entry JOIN person ON person.id = person", "80,40"),
      ],
      counts: ["setting": ["new": 24, "changed": 0], "entry": ["new": 40, "changed": 0]],
      exempt: [.kill]
    ),
    LawCase(
      name: "two devices went on from one backup and gave the same keys",
      schema: kitchen,
      source: backup + """
        INSERT INTO recipe VALUES (13, 'bread', 4, 'bob'); INSERT INTO tag VALUES (3, 'bob');
        INSERT INTO line VALUES (37, 13, 'salt', 3), (38, 13, 'flour', 500); INSERT INTO recipe_tag VALUES (13, 3);
        UPDATE recipe SET note = 'theirs' WHERE id = 3
        """,
      destination: backup + """
        INSERT INTO recipe VALUES (13, 'leek soup', 4, 'ann'); INSERT INTO tag VALUES (3, 'ann');
        INSERT INTO line VALUES (37, 13, 'salt', 1), (38, 13, 'leek', 2); INSERT INTO recipe_tag VALUES (13, 3)
        """,
      options: ["--merge", "update"],
      facts: [
        .init(
          added,
          "'bread','bob','flour 500.0, salt 3.0','bob'",
          "'leek soup','ann','leek 2.0, salt 1.0','ann'",
          "'recipe 3','theirs','food 0 7.0, food 1 8.0, food 2 9.0','cake'"
        ),
        .init("SELECT count(*), (SELECT count(*) FROM line) FROM recipe", "14,40"),
      ],
      counts: [
        "recipe": ["new": 1, "changed": 1], "line": ["new": 2, "changed": 0], "tag": ["new": 1],
      ],
      // Without the same keys nothing says that recipe 3 was changed.
      exempt: [.renumbering, .kill]
    ),
    LawCase(
      name: "two databases that an app installed with the same settings, and that share one note by chance",
      schema:
        "CREATE TABLE setting (id INTEGER PRIMARY KEY, name TEXT, value TEXT); CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT)",
      source: installed + "INSERT INTO note VALUES (1, 'milk'), (2, 'eggs'), (3, 'same')",
      destination: installed + "INSERT INTO note VALUES (1, 'tea'), (2, 'coffee'), (3, 'same')",
      facts: [
        .init("SELECT text FROM note ORDER BY 1", "'coffee'", "'eggs'", "'milk'", "'same'", "'tea'"),
        .init("SELECT count(*), count(DISTINCT name) FROM setting", "9,9"),
      ],
      counts: ["note": ["new": 2, "same": 1, "changed": 0], "setting": ["new": 0, "same": 9]],
      exempt: [.kill]
    ),
    LawCase(
      name: "the last row of a backup was edited",
      schema: kitchen,
      source: backup + "UPDATE recipe SET note = 'theirs', servings = 6 WHERE id = 12",
      destination: backup,
      facts: [.init("SELECT count(*), sum(servings) FROM recipe", "12,48")],
      counts: ["recipe": ["new": 0, "changed": 1], "line": ["new": 0, "changed": 0]],
      exempt: [.renumbering, .kill]
    ),
    LawCase(
      name: "stores of one beginning, said to have nothing to do with each other",
      schema: kitchen,
      source: backup + "UPDATE recipe SET note = 'theirs' WHERE id = 3",
      destination: backup,
      options: ["--no-lineage"],
      facts: [
        .init("SELECT note FROM recipe WHERE title = 'recipe 3' ORDER BY 1", "'note 3'", "'theirs'")
      ],
      counts: ["recipe": ["new": 1, "changed": 0], "line": ["new": 3]],
      exempt: [.editedCopy, .kill],
    ),
    LawCase(
      name: "UUIDs tell objects apart, though both stores gave one key to objects of their own",
      schema: "CREATE TABLE note (id INTEGER PRIMARY KEY, uuid TEXT, title TEXT, text TEXT)",
      source: notes + "(4, '4\(uuid)', 'theirs', 'x'), (6, '5\(uuid)', 'edited', 'new')",
      destination: notes + "(4, '6\(uuid)', 'mine', 'y'), (5, '5\(uuid)', 'e', 'old')",
      options: ["--merge", "update"],
      facts: [
        .init(
          "SELECT substr(uuid, 1, 1), title, text FROM note ORDER BY 1",
          "'1','a','one'",
          "'2','b','two'",
          "'3','c','three'",
          "'4','theirs','x'",
          "'5','edited','new'",
          "'6','mine','y'"
        )
      ],
      counts: ["note": ["new": 1, "same": 3, "changed": 1]],
      exempt: [.kill, .damage]
    ),
    LawCase(
      name: "an edited line of a recipe of a title, where keys differ",
      schema: kitchen,
      source: backup + "UPDATE line SET food = 'sea salt' WHERE id = 8",
      destination: "INSERT INTO recipe VALUES (1, 'recipe 3', 4, 'note 3'); "
        + "INSERT INTO line VALUES (5, 1, 'food 0', 7), (6, 1, 'food 1', 8), (7, 1, 'food 2', 9)",
      options: ["--identity", "recipe: title", "--merge", "update"],
      facts: [
        .init(
          "SELECT food, amount FROM line JOIN recipe ON recipe.id = recipe WHERE title = 'recipe 3' ORDER BY amount",
          "'food 0',7.0",
          "'sea salt',8.0",
          "'food 2',9.0"
        )
      ],
      counts: ["recipe": ["new": 11, "same": 1], "line": ["new": 33, "same": 2, "changed": 1]],
      exempt: [.kill]
    ),
  ]

  private static let uuid = "AAAAAAA-0000-4000-8000-000000000000"
  /// Three notes, and what follows.
  private static let notes = """
    INSERT INTO note VALUES (1, '1\(uuid)', 'a', 'one'), (2, '2\(uuid)', 'b', 'two'), (3, '3\(uuid)', 'c', 'three'),
    """
}
