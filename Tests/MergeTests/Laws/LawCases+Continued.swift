/// Objects that lie in two tables under one key, and rows that are no parts of what they lead to.
extension LawCases {
  static let continued = artifacts + [continuedKey, logLines]

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
