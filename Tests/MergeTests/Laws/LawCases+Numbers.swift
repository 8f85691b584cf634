/// Numbers and names that look like identities and are none.
extension LawCases {
  private static let tracks = """
    CREATE TABLE track (id INTEGER PRIMARY KEY, name TEXT, position INT UNIQUE);
    CREATE TABLE play (id INTEGER PRIMARY KEY, track INTEGER REFERENCES track (id), day TEXT);
    """
  private static let played = """
    INSERT INTO track VALUES (1, 'one', 1), (2, 'two', 2), (3, 'three', 3), (4, 'four', 4), (5, 'five', 5);
    INSERT INTO play VALUES (1, 1, 'mon'), (2, 2, 'tue'), (3, 3, 'wed');
    """
  /// The first two tracks change places.
  private static let moved = """
    UPDATE track SET position = -1 WHERE id = 1; UPDATE track SET position = 1 WHERE id = 2;
    UPDATE track SET position = 2 WHERE id = 1; INSERT INTO play VALUES (4, 1, 'fri');
    """
  private static let plays = LawCase.Fact(
    "SELECT day, name FROM play JOIN track ON track.id = track ORDER BY 1",
    "'fri','one'",
    "'mon','one'",
    "'thu','one'",
    "'tue','two'",
    "'wed','three'"
  )

  static let numbers: [LawCase] = [
    LawCase(
      name: "a position that must be unique is no identity where keys tell which track moved",
      schema: tracks,
      source: played + moved,
      destination: played + "INSERT INTO play VALUES (4, 1, 'thu')",
      facts: [
        plays, .init("SELECT name FROM track ORDER BY position", "'one'", "'two'", "'three'", "'four'", "'five'"),
      ],
      counts: ["track": ["new": 0, "same": 3, "changed": 2], "play": ["new": 1]],
      exempt: [.renumbering, .kill]
    ),
    LawCase(
      name: "a position that must be unique is no identity in a merge of three, either",
      schema: tracks,
      source: played + moved,
      destination: played + "INSERT INTO play VALUES (4, 1, 'thu')",
      base: played,
      options: ["--merge", "three-way", "--base", "base.db"],
      facts: [
        plays, .init("SELECT name FROM track ORDER BY position", "'two'", "'one'", "'three'", "'four'", "'five'"),
      ],
      exempt: [.renumbering, .kill, .pairs, .batches]
    ),
    LawCase(
      name: "the key of another object is no identity, though all its values differ",
      schema: """
        CREATE TABLE note (id TEXT PRIMARY KEY, title TEXT);
        CREATE TABLE alarm (id INTEGER PRIMARY KEY, note_id TEXT NOT NULL, at INT);
        """,
      source:
        "INSERT INTO note VALUES ('n1', 'One'), ('n2', 'Two'); INSERT INTO alarm VALUES (1, 'n1', 10), (2, 'n2', 22)",
      destination:
        "INSERT INTO note VALUES ('n1', 'One'), ('n2', 'Two'); INSERT INTO alarm VALUES (1, 'n1', 10), (2, 'n2', 20)",
      base: "INSERT INTO note VALUES ('n1', 'One'), ('n2', 'Two'); INSERT INTO alarm VALUES (1, 'n1', 10)",
      options: ["--merge", "three-way", "--base", "base.db"],
      facts: [.init("SELECT note_id, at FROM alarm ORDER BY 2", "'n1',10", "'n2',20", "'n2',22")],
      exempt: [.renumbering, .kill, .pairs, .batches]
    ),
    LawCase(
      name: "two entries of a log about one object, whose link has a condition",
      schema: """
        CREATE TABLE ct (id INTEGER PRIMARY KEY, model TEXT UNIQUE);
        CREATE TABLE post (id INTEGER PRIMARY KEY, title TEXT UNIQUE);
        CREATE TABLE log (id INTEGER PRIMARY KEY, object_id TEXT, ct_id INT REFERENCES ct (id), msg TEXT);
        """,
      source: logged + "INSERT INTO log VALUES (2, '3', 2, 'B')",
      destination: logged + "INSERT INTO log VALUES (2, '3', 2, 'A')",
      base: logged,
      options: ["--link", "log.object_id -> post WHERE ct_id = 2", "--merge", "three-way", "--base", "base.db"],
      facts: [
        .init(
          "SELECT msg, title FROM log JOIN post ON post.id = object_id ORDER BY 1",
          "'A','three'",
          "'B','three'",
          "'made','one'"
        )
      ],
      exempt: [.renumbering, .kill, .pairs, .batches]
    ),
    LawCase(
      name: "a rejected row takes along those with its text in their key, and empties references",
      schema: """
        CREATE TABLE tag (id TEXT PRIMARY KEY, title TEXT UNIQUE);
        CREATE TABLE note_tag (note TEXT, tag_id TEXT REFERENCES tag (id), PRIMARY KEY (note, tag_id));
        CREATE TABLE pin (name TEXT PRIMARY KEY, tag_id TEXT REFERENCES tag (id));
        """,
      source: """
        INSERT INTO tag VALUES ('b1', 'green'); INSERT INTO note_tag VALUES ('n2', 'b1'); INSERT INTO pin VALUES ('q', 'b1')
        """,
      destination: "INSERT INTO tag VALUES ('a1', 'green'); INSERT INTO note_tag VALUES ('n1', 'a1')",
      options: ["--on-error", "reject"],
      status: 3,
      facts: [
        .init("SELECT note, tag_id FROM note_tag", "'n1','a1'"), .init("SELECT name, tag_id FROM pin", "'q',NULL"),
        .init("SELECT count(*) FROM pragma_foreign_key_check", "0"),
      ],
      exempt: [.prediction, .kill]
    ),
  ]

  private static let logged = """
    INSERT INTO ct VALUES (2, 'post'); INSERT INTO post VALUES (1, 'one'), (3, 'three');
    INSERT INTO log VALUES (1, '1', 2, 'made');
    """
}
