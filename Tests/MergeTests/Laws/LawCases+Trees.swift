/// Merges of folders within folders, whose names differ within a folder, after an outer one was changed.
extension LawCases {
  static let trees: [LawCase] = [
    LawCase(
      name: "trees: what lies in a changed folder is found, however deep",
      schema: nested,
      source: "UPDATE folder SET color = 'green' WHERE id = 1",
      destination: "DELETE FROM note WHERE id = 2",
      options: ["--merge", "update"],
      facts: [.init(query, "'n1','Work/2026/May/Week 1'", "'n2','Work/2026/May/Week 1'", "'n3','Home'"), color],
      exempt: [.renumbering, .pairs]
    ),
    history(
      "theirs removes what lies deep in a folder that mine has changed",
      mine: "UPDATE folder SET color = 'green' WHERE id = 1",
      theirs: "DELETE FROM label WHERE folder = 4; DELETE FROM note WHERE id = 2",
      .init(query, "'n1','Work/2026/May/Week 1'", "'n3','Home'"),
      .init("SELECT name, text FROM label JOIN folder ON folder.id = folder", "'Home','b'"),
      color
    ),
    history(
      "theirs changes what lies deep in a folder that mine has changed",
      mine: "UPDATE folder SET color = 'green' WHERE id = 1",
      theirs: "UPDATE folder SET color = 'black' WHERE id = 4",
      .init(
        "SELECT name, color FROM folder ORDER BY 1", "'2026','red'", "'Home','blue'", "'May','red'", "'Week 1','black'",
        "'Work','green'")
    ),
    history(
      "both have added folders of the same names, and one differs",
      mine: "INSERT INTO folder VALUES (6, 4, 'x', 'red'), (7, 6, 'y', 'red'), (8, 7, 'z', 'red')",
      theirs:
        "INSERT INTO folder VALUES (11, 4, 'x', 'blue'), (12, 11, 'y', 'red'), (13, 12, 'z', 'red'), (14, 13, 'w', 'red')",
      .init(
        "SELECT f.name, p.name FROM folder AS f JOIN folder AS p ON p.id = f.parent WHERE f.id > 5 ORDER BY 1",
        "'w','z'", "'x','Week 1'", "'x (2)','Week 1'", "'y','x'", "'z','y'")
    ),
    LawCase(
      name: "trees: outermost rows have the parent 0",
      schema:
        "CREATE TABLE tag (id INTEGER PRIMARY KEY, pid INTEGER, name TEXT NOT NULL, icon TEXT, UNIQUE (name, pid));",
      source: "INSERT INTO tag VALUES (1, 0, 'People', 'a'), (2, 1, 'Ann', 'x'), (3, 0, 'Places', 'y')",
      destination: "INSERT INTO tag VALUES (1, 0, 'Places', 'c'), (2, 0, 'People', 'd'), (3, 2, 'Ben', 'z')",
      options: ["--merge", "update", "--link", "tag.pid -> tag"],
      facts: [
        .init(
          """
          SELECT t.name, t.icon, coalesce(p.name, t.pid) FROM tag AS t LEFT JOIN tag AS p ON p.id = t.pid ORDER BY 1
          """,
          "'Ann','x','People'", "'Ben','z','People'", "'People','a',0", "'Places','y',0"
        )
      ],
      exempt: [.renumbering, .pairs, .batches, .damage, .editedCopy, .kill],
      // A link that leads nowhere is no identity: the rows are refused for their unique values.
      known: [.outcome, .prediction, .repetition]
    ),
    albums("an image that both have added", cover: "NULL", "'nice','na','t',NULL"),
    albums("an image that both have added, and made the cover", cover: "id + 75", "'nice','na','t','na'"),
  ]

  /// Merges of albums and images that lead to each other: both stores have added the same image, under different keys.
  private static func albums(_ name: String, cover: String, _ row: String) -> LawCase {
    LawCase(
      name: "trees: \(name)",
      schema: """
        CREATE TABLE album (id INTEGER PRIMARY KEY, path TEXT UNIQUE, cover INTEGER REFERENCES image (id));
        CREATE TABLE image (id INTEGER PRIMARY KEY, album INTEGER REFERENCES album (id), name TEXT, text TEXT,
          UNIQUE (album, name));
        INSERT INTO album VALUES (1, 'nice', NULL), (4, 'other', NULL);
        """,
      source: "INSERT INTO image VALUES (76, 1, 'na', 't'); UPDATE album SET cover = \(cover) WHERE id = 1",
      destination: """
        INSERT INTO image VALUES (76, 4, 'nb', 'm'), (80, 1, 'na', 't');
        UPDATE album SET cover = \(cover == "NULL" ? "NULL" : "80") WHERE id = 1
        """,
      base: "",
      options: ["--merge", "three-way", "--base", "base.db"],
      facts: [
        .init(
          """
          SELECT path, i.name, i.text, c.name FROM album JOIN image AS i ON i.album = album.id
          LEFT JOIN image AS c ON c.id = cover ORDER BY 1
          """,
          row, "'other','nb','m',NULL"
        )
      ],
      exempt: [.renumbering, .batches, .pairs, .damage, .editedCopy, .kill]
    )
  }

  private static let nested = """
    CREATE TABLE folder (id INTEGER PRIMARY KEY, parent INTEGER REFERENCES folder (id), name TEXT NOT NULL, color TEXT,
      UNIQUE (parent, name));
    CREATE TABLE note (id INTEGER PRIMARY KEY, folder INTEGER REFERENCES folder (id), title TEXT UNIQUE);
    CREATE TABLE label (folder INTEGER NOT NULL REFERENCES folder (id), text TEXT NOT NULL, PRIMARY KEY (folder, text));
    INSERT INTO folder VALUES (1, NULL, 'Work', 'red'), (2, 1, '2026', 'red'), (3, 2, 'May', 'red'), (4, 3, 'Week 1', 'red'),
      (5, NULL, 'Home', 'blue');
    INSERT INTO note VALUES (1, 4, 'n1'), (2, 4, 'n2'), (3, 5, 'n3');
    INSERT INTO label VALUES (4, 'a'), (5, 'b');
    """

  private static let query = """
    WITH RECURSIVE p (id, path) AS (SELECT id, name FROM folder WHERE parent IS NULL
      UNION ALL SELECT f.id, p.path || '/' || f.name FROM folder AS f JOIN p ON p.id = f.parent)
    SELECT title, path FROM note JOIN p ON p.id = note.folder ORDER BY 1
    """

  private static let color = LawCase.Fact("SELECT color FROM folder WHERE name = 'Work'", "'green'")

  private static func history(_ name: String, mine: String, theirs: String, _ facts: LawCase.Fact...) -> LawCase {
    LawCase(
      name: "trees: \(name)",
      schema: nested,
      source: theirs,
      destination: mine,
      base: "",
      options: ["--merge", "three-way", "--base", "base.db"],
      facts: facts,
      exempt: [.renumbering, .batches, .pairs, .damage, .editedCopy, .kill]
    )
  }
}
