/// Two copies of one database that each got a new row under the same key: what is one row, and what is two.
extension LawCases {
  /// What is in the 300 rows before, in the new row of mine and of theirs, and which columns tell the rows apart.
  private static let additions:
    [(name: String, columns: String, before: String, mine: String, theirs: String, told: String)] = [
      (
        "two entries of a day", "day TEXT, body TEXT", "date('2018-01-01', '+' || i || ' days'), 'day ' || i",
        "'2026-11-30', 'The doctor says all is well.'", "'2026-11-30', 'Grandma told me of her village.'", "body"
      ),
      (
        "twins", "name TEXT, born TEXT, sex TEXT",
        "'Person ' || i, date('1950-01-01', '+' || i * 31 || ' days'), CASE i % 2 WHEN 0 THEN 'm' ELSE 'f' END",
        "'Anna', '2024-05-05', 'f'", "'Emma', '2024-05-05', 'f'", "name"
      ),
      (
        "two pictures of a moment", "path TEXT, taken TEXT, caption TEXT",
        "'/p/' || i || '.jpg', datetime('2018-01-01', '+' || i || ' hours'), NULL",
        "'/p/IMG_1.jpg', '2026-12-01 10:10', NULL",
        "'/p/IMG_2.jpg', '2026-12-01 10:10', NULL", "path"
      ),
      (
        "two notes without a title", "title TEXT, body TEXT, folder INT", "'Note ' || i, 'body ' || i, i % 3",
        "'Untitled', 'Mine.', 1", "'Untitled', 'Theirs.', 1", "body"
      ),
      (
        "the bills of two months", "subject TEXT, customer TEXT, cents INT",
        "'Bill ' || i || ' for wood', 'c' || i % 9, i * 37", "'Rent January 2026 flat Miller', 'Miller', 90000",
        "'Rent February 2026 flat Miller', 'Miller', 90000", "subject"
      ),
      (
        "two expenses of a day", "day TEXT, cents INT, category INT",
        "date('2018-01-01', '+' || i || ' days'), 100 + i * 7, i % 5", "'2026-12-01', 1250, 2", "'2026-12-01', 9900, 3",
        "cents"
      ),
    ]

  static let newRows: [LawCase] =
    additions.flatMap { addition in
      ["", " with --merge update"].map { policy in
        let rows = """
          WITH n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300)
          INSERT INTO entry SELECT i, \(addition.before) FROM n;
          """
        return LawCase(
          name: "new under one key in two copies: \(addition.name)\(policy)",
          schema: "CREATE TABLE entry (id INTEGER PRIMARY KEY, \(addition.columns))",
          source: "\(rows) INSERT INTO entry VALUES (301, \(addition.theirs))",
          destination: "\(rows) INSERT INTO entry VALUES (301, \(addition.mine))",
          options: policy.isEmpty ? [] : ["--merge", "update"],
          facts: [
            .init("SELECT count(*), count(DISTINCT \(addition.told)) FROM entry WHERE id > 300", "2,2"),
            .init("SELECT count(*) FROM entry", "302"),
          ],
          counts: ["entry": ["new": 1, "changed": 0]],
          exempt: [.renumbering, .kill]
        )
      }
    } + [
      LawCase(
        name: "new in two copies of a small database: recipes of one kind and time",
        schema: """
          CREATE TABLE kind (id INTEGER PRIMARY KEY, name TEXT);
          CREATE TABLE recipe (id INTEGER PRIMARY KEY, name TEXT, kind INTEGER REFERENCES kind (id), prep TEXT, photo BLOB);
          CREATE TABLE ingredient (id INTEGER PRIMARY KEY, recipe INTEGER REFERENCES recipe (id) ON DELETE CASCADE,
            amount TEXT, name TEXT)
          """,
        source: few
          + "INSERT INTO recipe VALUES (6, 'Beef stew', 3, '1 hour', NULL); INSERT INTO ingredient VALUES (6, 6, '1 kg', 'beef')",
        destination: few
          + "INSERT INTO recipe VALUES (6, 'Apple pie', 3, '1 hour', NULL); INSERT INTO ingredient VALUES (6, 6, '6', 'apples')",
        facts: [
          .init(
            "SELECT r.name, i.name FROM recipe AS r JOIN ingredient AS i ON i.recipe = r.id WHERE prep = '1 hour' ORDER BY 1",
            "'Apple pie','apples'", "'Beef stew','beef'")
        ],
        counts: ["recipe": ["new": 1, "changed": 0], "ingredient": ["new": 1]],
        exempt: [.renumbering, .kill]
      ),
      LawCase(
        name: "the last row of two copies, of which one was edited: a sentence was added",
        schema: "CREATE TABLE entry (id INTEGER PRIMARY KEY, day TEXT, body TEXT)",
        source: diary + "UPDATE entry SET body = 'The long walk of day 40. It rained in the end.' WHERE id = 40",
        destination: diary,
        facts: [.init("SELECT count(*) FROM entry", "40")],
        counts: ["entry": ["new": 0, "changed": 1]],
        exempt: [.renumbering, .kill]
      ),
    ]

  private static let few = """
    INSERT INTO kind VALUES (1, 'Dessert'), (2, 'Snack'), (3, 'Bread');
    WITH n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5)
    INSERT INTO recipe SELECT i, 'Recipe ' || i, i % 3 + 1, (i * 5) || ' min', NULL FROM n;
    INSERT INTO ingredient SELECT id, id, id || ' cups', 'flour' FROM recipe;
    """
  private static let diary = """
    WITH n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 40)
    INSERT INTO entry SELECT i, date('2018-01-01', '+' || i || ' days'), 'The long walk of day ' || i || '.' FROM n;
    """
}
