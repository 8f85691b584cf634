/// Objects that lie in two tables under one key, and rows that are no parts of what they lead to.
extension LawCases {
  static let continued = artifacts + [continuedKey, continuesNothing, continuedInCycle, logLines]

  /// As Fossil keeps files: the content of a row of `blob` is a change of another one where `delta` has its key.
  private static let artifacts = ["skip", "update", "replace"].map { policy in
    LawCase(
      name: "a row under the key of one that is there with other values, \(policy)",
      schema: """
        CREATE TABLE blob (rid INTEGER PRIMARY KEY, uuid TEXT UNIQUE NOT NULL, content BLOB);
        CREATE TABLE delta (rid INTEGER PRIMARY KEY, srcid INTEGER NOT NULL REFERENCES blob)
        """,
      source: """
        INSERT INTO blob VALUES (1, 'a', 'change of c'), (2, 'b', 'full'), (3, 'c', 'full'), (4, 'e', 'change of c');
        INSERT INTO delta VALUES (1, 3), (4, 3)
        """,
      destination: """
        INSERT INTO blob VALUES (1, 'd', 'full'), (2, 'b', 'change of d'), (3, 'a', 'full');
        INSERT INTO delta VALUES (2, 1)
        """,
      options: ["--merge", policy, "--link", "delta.rid -> blob"],
      facts: [
        .init(
          "SELECT b.uuid, b.content, s.uuid FROM blob AS b LEFT JOIN delta USING (rid) "
            + "LEFT JOIN blob AS s ON s.rid = srcid ORDER BY 1",
          policy == "skip" ? "'a','full',NULL" : "'a','change of c','c'",
          policy == "skip" ? "'b','change of d','d'" : "'b','full',NULL",
          "'c','full',NULL",
          "'d','full',NULL",
          "'e','change of c','c'"
        )
      ],
      counts: ["blob": ["new": 2, "changed": 2], "delta": ["new": policy == "skip" ? 1 : 2]],
      // What stays away is no pair of the comparison; an edited copy has the destination's rows only.
      exempt: [.pairs]
    )
  }

  /// As GeoPackage keeps the boxes of places: equal keys of two databases are keys of other places.
  private static let continuedKey = LawCase(
    name: "rows that continue others are paired as those are, whatever their keys",
    schema: """
      CREATE TABLE place (fid INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE);
      CREATE TABLE box (id INTEGER PRIMARY KEY, low REAL, high REAL)
      """,
    source: """
      INSERT INTO place VALUES (1, 'one'), (2, 'two'), (3, 'three');
      INSERT INTO box VALUES (1, 1, 1), (2, 2, 2), (3, 3, 3)
      """,
    destination: """
      INSERT INTO place VALUES (1, 'four'), (2, 'two'); INSERT INTO box VALUES (1, 4, 4), (2, 2, 2)
      """,
    options: ["--link", "box.id -> place"],
    facts: [
      .init(
        "SELECT name, low FROM place LEFT JOIN box ON id = fid ORDER BY 1",
        "'four',4.0",
        "'one',1.0",
        "'three',3.0",
        "'two',2.0"
      )
    ],
    counts: ["place": ["new": 2, "same": 1], "box": ["new": 2, "same": 1]]
  )

  /// As catalogs do from which rows were deleted without those that continue them.
  private static let continuesNothing = LawCase(
    name: "a row that continues none is known by its content",
    schema: """
      CREATE TABLE place (fid INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
      CREATE TABLE box (id INTEGER PRIMARY KEY, low REAL, high REAL)
      """,
    source: """
      INSERT INTO place VALUES (1, 'one'), (2, 'two'); INSERT INTO box VALUES (1, 1, 1), (2, 2, 2), (9, 9, 9)
      """,
    destination: """
      INSERT INTO place VALUES (1, 'four'), (9, 'nine'); INSERT INTO box VALUES (1, 4, 4), (9, 0, 0)
      """,
    options: ["--no-lineage", "--link", "box.id -> place"],
    facts: [
      .init(
        "SELECT name, low FROM box LEFT JOIN place ON id = fid ORDER BY 1, 2",
        "NULL,9.0",
        "'four',4.0",
        "'nine',0.0",
        "'one',1.0",
        "'two',2.0"
      )
    ],
    counts: ["place": ["new": 2], "box": ["new": 3]],
    // Without its place a row is known by its content, and is another one when that changed.
    exempt: [.editedCopy]
  )

  /// As Wagtail keeps pages: a page knows its revision, and a revision the page of its own table.
  private static let continuedInCycle = LawCase(
    name: "rows that continue others are paired as those are, also in a cycle",
    schema: """
      CREATE TABLE page (id INTEGER PRIMARY KEY AUTOINCREMENT, path TEXT NOT NULL UNIQUE, rev INTEGER REFERENCES rev);
      CREATE TABLE home (id INTEGER PRIMARY KEY REFERENCES page);
      CREATE TABLE rev (id INTEGER PRIMARY KEY, home INTEGER REFERENCES home, at TEXT)
      """,
    source: """
      INSERT INTO page VALUES (4, 'q1', NULL), (5, 'q2', NULL), (6, 'p3', NULL); INSERT INTO home SELECT id FROM page;
      INSERT INTO rev SELECT id - 3, id, 'at ' || path FROM page; UPDATE page SET rev = id - 3
      """,
    destination: """
      INSERT INTO page VALUES (1, 'p1', NULL), (2, 'p2', NULL), (3, 'p3', NULL); INSERT INTO home SELECT id FROM page;
      INSERT INTO rev SELECT id, id, 'at ' || path FROM page; UPDATE page SET rev = id
      """,
    facts: [
      .init(
        "SELECT p.path, r.at, (SELECT path FROM page WHERE id = r.home) FROM home JOIN page AS p USING (id) "
          + "JOIN rev AS r ON r.id = p.rev ORDER BY 1",
        "'p1','at p1','p1'",
        "'p2','at p2','p2'",
        "'p3','at p3','p3'",
        "'q1','at q1','q1'",
        "'q2','at q2','q2'"
      ),
      .init("SELECT (SELECT count(*) FROM home), (SELECT count(*) FROM rev)", "5,5"),
    ],
    counts: ["page": ["new": 2, "same": 1], "home": ["new": 2, "same": 1], "rev": ["new": 2, "same": 1]]
  )

  /// As Django logs what a user did: lines of one user resemble each other, and nothing deletes them with the user.
  private static let logLines = LawCase(
    name: "rows that have to lead to another one are no parts of it",
    schema: """
      CREATE TABLE user (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
      CREATE TABLE log (id INTEGER PRIMARY KEY, user_id INTEGER NOT NULL REFERENCES user, level INTEGER, kind TEXT,
        what TEXT)
      """,
    source: """
      INSERT INTO user VALUES (1, 'bob'), (2, 'ann');
      INSERT INTO log VALUES (1, 2, 1, 'change', 'pan'), (2, 2, 1, 'change', 'pot'), (3, 1, 1, 'change', 'lid')
      """,
    destination: """
      INSERT INTO user VALUES (1, 'ann'); INSERT INTO log VALUES (7, 1, 1, 'change', 'cup')
      """,
    facts: [
      .init(
        "SELECT name, what FROM log JOIN user ON user.id = user_id ORDER BY 1, 2",
        "'ann','cup'",
        "'ann','pan'",
        "'ann','pot'",
        "'bob','lid'"
      )
    ],
    counts: ["log": ["new": 3]]
  )
}
