/// Merges of tables whose unique indexes have a condition, as those of Rails and Django for what is not deleted.
extension LawCases {
  static let partialKeys: [LawCase] = [
    account(
      "skip", "'a','2020','old','to old'", "'a',NULL,'mine','to new'", "'b','2021','gone',NULL", "'b',NULL,'sb','to b'"),
    account(
      "update", "'a','2020','old','to old'", "'a',NULL,'new','to new'", "'b','2021','gone',NULL", "'b',NULL,'sb','to b'"
    ),
    LawCase(
      name: "partial keys: a row takes the address of one that the merge deletes softly",
      schema: schema
        + "INSERT INTO account VALUES (1, 'a', NULL, 'one'), (2, 'b', NULL, 'two'), (3, 'b', '2020', 'old');",
      source: """
        UPDATE account SET text = 'theirs' WHERE id = 1; UPDATE account SET deleted = '2024' WHERE id = 2;
        INSERT INTO account VALUES (4, 'b', NULL, 'next'), (5, 'c', NULL, 'same')
        """,
      destination: "INSERT INTO account VALUES (4, 'c', NULL, 'same'), (6, 'd', NULL, 'mine')",
      base: "",
      options: ["--merge", "three-way", "--base", "base.db"],
      facts: [
        .init(
          "SELECT email, deleted, text FROM account ORDER BY 1, 2, 3", "'a',NULL,'theirs'", "'b',NULL,'next'",
          "'b','2020','old'",
          "'b','2024','two'", "'c',NULL,'same'", "'d',NULL,'mine'")
      ],
      exempt: [.renumbering, .batches, .pairs, .damage, .editedCopy, .kill]
    ),
    LawCase(
      name: "partial keys: a condition over a computed column",
      schema: """
        CREATE TABLE account (id INTEGER PRIMARY KEY, email TEXT, deleted TEXT, live AS (deleted IS NULL), text TEXT);
        CREATE UNIQUE INDEX of_email ON account (email) WHERE live;
        """,
      source: "INSERT INTO account (id, email, deleted, text) VALUES (1, 'a', '2020', 'old'), (2, 'a', NULL, 'new')",
      destination: "INSERT INTO account (id, email, deleted, text) VALUES (7, 'a', NULL, 'mine'), (8, 'b', NULL, 'b')",
      options: ["--merge", "update"],
      facts: [
        .init(
          "SELECT email, deleted, text FROM account ORDER BY 1, 2, 3", "'a',NULL,'new'", "'a','2020','old'",
          "'b',NULL,'b'")
      ],
      counts: ["account": ["new": 1, "changed": 1, "updated": 1]],
      exempt: [.pairs]
    ),
    LawCase(
      name: "partial keys: one default address per person says nothing about which address it is",
      schema: """
        CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT UNIQUE);
        CREATE TABLE address (id INTEGER PRIMARY KEY, person INTEGER REFERENCES person, street TEXT, chosen INTEGER);
        CREATE UNIQUE INDEX one ON address (person) WHERE chosen = 1;
        INSERT INTO person VALUES (1, 'ann'), (2, 'bob');
        INSERT INTO address VALUES (1, 1, 'Oak', 1), (2, 1, 'Elm', 0), (3, 2, 'Ash', 1), (4, 1, 'Fir', 0);
        """,
      source: "UPDATE address SET chosen = 0 WHERE id = 1; UPDATE address SET chosen = 1 WHERE id = 2",
      destination: "UPDATE address SET street = 'Oak Street' WHERE id = 1; INSERT INTO person VALUES (3, 'mine')",
      base: "",
      options: ["--merge", "three-way", "--base", "base.db"],
      facts: [
        .init(
          "SELECT id, street, chosen FROM address ORDER BY 1", "1,'Oak Street',0", "2,'Elm',1", "3,'Ash',1", "4,'Fir',0"
        )
      ],
      exempt: [.renumbering, .batches, .pairs, .damage, .editedCopy, .kill]
    ),
    LawCase(
      name: "partial keys: a tree with an index for the outermost and one for the others",
      schema: """
        CREATE TABLE folder (id INTEGER PRIMARY KEY, parent INTEGER REFERENCES folder, name TEXT, text TEXT);
        CREATE UNIQUE INDEX outer ON folder (name) WHERE parent IS NULL;
        CREATE UNIQUE INDEX inner ON folder (parent, name) WHERE parent IS NOT NULL;
        """,
      source: "INSERT INTO folder VALUES (1, NULL, 'a', 't'), (2, 1, 'b', 't'), (3, 2, 'c', 't'), (4, 3, 'd', 't')",
      destination: "INSERT INTO folder VALUES (14, NULL, 'a', 'm'), (13, 14, 'b', 'm'), (12, 13, 'c', 'm')",
      options: ["--merge", "skip"],
      facts: [
        .init(
          "SELECT f.name, f.text, p.name FROM folder AS f LEFT JOIN folder AS p ON p.id = f.parent ORDER BY 1",
          "'a','m',NULL", "'b','m','a'", "'c','m','b'", "'d','t','c'")
      ],
      exempt: [.pairs]
    ),
    LawCase(
      name: "partial keys: the same condition in other letters",
      schema: schema,
      source: "INSERT INTO account VALUES (1, 'a', NULL, 'new')",
      destination: "INSERT INTO account VALUES (7, 'a', NULL, 'mine')",
      destinationSchema: schema.replacing("WHERE deleted IS NULL", with: "where Deleted is null"),
      options: ["--merge", "update"],
      facts: [.init("SELECT email, deleted, text FROM account", "'a',NULL,'new'")],
      exempt: [.pairs, .renumbering]
    ),
    LawCase(
      name: "partial keys: another collation than that of the whole index",
      schema: """
        CREATE TABLE genre (id INTEGER PRIMARY KEY, name TEXT UNIQUE, live INTEGER, text TEXT);
        CREATE UNIQUE INDEX of_name ON genre (name COLLATE NOCASE) WHERE live = 1;
        """,
      source: "INSERT INTO genre VALUES (1, 'rock', 0, 'theirs'), (2, 'JAZZ', 1, 'theirs')",
      destination: "INSERT INTO genre VALUES (7, 'Rock', 0, 'mine'), (8, 'Pop', 1, 'mine')",
      options: ["--merge", "update"],
      facts: [
        .init(
          "SELECT name, text FROM genre ORDER BY 1", "'JAZZ','theirs'", "'Pop','mine'", "'Rock','mine'",
          "'rock','theirs'")
      ],
      exempt: [.pairs]
    ),
    LawCase(
      name: "partial keys: an identity that is not that of the index",
      schema: schema,
      source: "INSERT INTO account VALUES (1, 'a', NULL, 'new')",
      destination: "INSERT INTO account VALUES (7, 'a', NULL, 'mine')",
      options: ["--identity", "account: text"],
      status: 1,
      says: ["another object has the same email"],
      exempt: [.prediction]
    ),
  ]

  private static let schema = """
    CREATE TABLE account (id INTEGER PRIMARY KEY, email TEXT, deleted TEXT, text TEXT);
    CREATE UNIQUE INDEX of_email ON account (email) WHERE deleted IS NULL;
    CREATE TABLE note (id INTEGER PRIMARY KEY, account INTEGER REFERENCES account, title TEXT UNIQUE);
    """

  /// A merge of accounts, of which one has an e-mail address that a deleted one has as well.
  private static func account(_ policy: String, _ rows: String...) -> LawCase {
    LawCase(
      name: "partial keys: \(policy)",
      schema: schema,
      source: """
        INSERT INTO account VALUES (1, 'a', '2020', 'old'), (2, 'a', NULL, 'new'), (3, 'b', NULL, 'sb');
        INSERT INTO note VALUES (1, 1, 'to old'), (2, 2, 'to new'), (3, 3, 'to b')
        """,
      destination: "INSERT INTO account VALUES (7, 'a', NULL, 'mine'), (8, 'b', '2021', 'gone')",
      options: ["--merge", policy],
      facts: [
        .init(
          """
          SELECT email, deleted, text, title FROM account LEFT JOIN note ON account.id = account
          ORDER BY 1, deleted IS NULL, 2, 3
          """,
          rows: rows
        )
      ],
      exempt: [.pairs]
    )
  }
}
