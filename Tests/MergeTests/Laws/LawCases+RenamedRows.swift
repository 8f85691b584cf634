/// Rows that one store has renamed since the base, which has them under the same keys.
extension LawCases {
  static let renamedRows: [LawCase] = [
    // AUTOINCREMENT gives no key twice, so that it is the same row whatever its values.
    renamed(
      "the last of many tasks",
      """
      CREATE TABLE task (id INTEGER PRIMARY KEY AUTOINCREMENT, label TEXT, done INTEGER DEFAULT 0, due TEXT);
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 30)
        INSERT INTO task SELECT i, 'task ' || char(96 + i % 7, 97 + i % 5) || ' ' || i, 0, '2026-01-0' || (1 + i % 3) FROM n
      """,
      theirs: "UPDATE task SET label = 'something else' WHERE id = 30",
      mine: "INSERT INTO task VALUES (31, 'zebra crossing', 0, '2026-02-01')",
      .init("SELECT count(*), sum(label = 'something else'), sum(label LIKE 'zebra%') FROM task", "31,1,1"),
      .init("SELECT id FROM task WHERE label = 'something else'", "30")
    ),
    renamed(
      "the last folder, to which a new note leads",
      """
      CREATE TABLE folder (id INTEGER PRIMARY KEY AUTOINCREMENT, parent_id INTEGER REFERENCES folder, name TEXT);
      CREATE TABLE note (id INTEGER PRIMARY KEY AUTOINCREMENT, folder_id INTEGER REFERENCES folder, title TEXT);
      INSERT INTO folder VALUES (1, NULL, 'My notes'), (2, 1, 'Hobbies and clubs'), (3, 2, 'Mountain tours'), (4, 3, 'Alpine huts')
      """,
      theirs: "UPDATE folder SET name = 'Alpine huts Switzerland' WHERE id = 4",
      mine: "INSERT INTO note VALUES (1, 4, 'Keys are at the baker')",
      // A single note with a single text: nothing but its folder tells that it is the same.
      known: [.editedCopy],
      .init(
        "SELECT title, name FROM note JOIN folder ON folder.id = folder_id",
        "'Keys are at the baker','Alpine huts Switzerland'"),
      .init("SELECT count(*) FROM folder", "4")
    ),
    renamed(
      "a tag whose name must be unique, which mine gives to another note", tags,
      theirs: "UPDATE tag SET name = 'soups and stews' WHERE id = 1",
      mine: "INSERT INTO note_tag VALUES (2, 1)",
      .init(tagged, "'bread','Rye loaf'", "'cake',NULL", "'soups and stews','Fish stew'", "'soups and stews','Leek'")
    ),
    renamed(
      "a tag whose name must be unique is deleted, and made again under another key", tags,
      theirs: "DELETE FROM tag WHERE id = 3; INSERT INTO tag VALUES (4, 'cake')",
      mine: "INSERT INTO note_tag VALUES (2, 3)",
      .init(tagged, "'bread','Rye loaf'", "'cake','Fish stew'", "'soup','Leek'")
    ),
    LawCase(
      name: "two new tags under one key, of which one has the name of the other and a word more",
      schema: """
        CREATE TABLE tag (id INTEGER PRIMARY KEY, name TEXT, kind INTEGER REFERENCES kind);
        CREATE TABLE kind (id INTEGER PRIMARY KEY, name TEXT UNIQUE);
        CREATE TABLE note (id INTEGER PRIMARY KEY, title TEXT UNIQUE, tag INTEGER REFERENCES tag);
        INSERT INTO kind VALUES (1, 'meal'), (2, 'place');
        INSERT INTO tag VALUES (1, 'breakfast', 1), (2, 'garden', 2), (3, 'dinner', 1), (4, 'lake', 2);
        INSERT INTO note VALUES (1, 'eggs', 1), (2, 'roses', 2);
        """,
      source: "INSERT INTO tag VALUES (5, 'soup kitchen', 1); INSERT INTO note VALUES (3, 'volunteers', 5)",
      destination: "INSERT INTO tag VALUES (5, 'soup', 1); INSERT INTO note VALUES (3, 'leek', 5)",
      facts: [
        .init(
          "SELECT title, tag.name FROM note JOIN tag ON tag.id = tag ORDER BY 1", "'eggs','breakfast'", "'leek','soup'",
          "'roses','garden'", "'volunteers','soup kitchen'")
      ],
      exempt: [.kill]
    ),
    // Without AUTOINCREMENT, the last key is given again if its row was deleted: words tell.
    renamed(
      "folders, the last of which got a word more", folders,
      theirs:
        "UPDATE folder SET name = 'Mountain tours 2026' WHERE id = 3; INSERT INTO folder VALUES (4, 2, 'Holiday desserts')",
      mine: "UPDATE folder SET name = 'Kitchen recipes vegan' WHERE id = 2",
      .init(
        below, "'Holiday desserts','Kitchen recipes vegan'", "'Kitchen recipes vegan','My notes'",
        "'Mountain tours 2026','My notes'", "'My notes',NULL")
    ),
    // Both have added an album with the same key, whose photo is known by its album, which leads to it.
    LawCase(
      name: "new rows in a circle, one of which is identified by the other",
      schema: """
        CREATE TABLE album (id INTEGER PRIMARY KEY, title TEXT, cover_id INTEGER REFERENCES photo);
        CREATE TABLE photo (id INTEGER PRIMARY KEY, album_id INTEGER NOT NULL REFERENCES album, pos INTEGER, caption TEXT,
          UNIQUE (album_id, pos));
        INSERT INTO album VALUES (1, 'Rome in spring', NULL), (2, 'Sailing to Crete', NULL);
        INSERT INTO photo VALUES (1, 1, 1, 'Forum at dawn'), (2, 2, 1, 'Harbour wall');
        """,
      source: "INSERT INTO album VALUES (3, 'New puppy', 3); INSERT INTO photo VALUES (3, 3, 1, 'Muddy paws')",
      destination: "INSERT INTO album VALUES (3, 'Grandma', 3); INSERT INTO photo VALUES (3, 3, 1, 'Cake')",
      base: "",
      options: ["--merge", "three-way", "--base", "base.db"],
      facts: [
        .init(
          "SELECT title, caption FROM album LEFT JOIN photo ON photo.id = cover_id ORDER BY 1", "'Grandma','Cake'",
          "'New puppy','Muddy paws'", "'Rome in spring',NULL", "'Sailing to Crete',NULL"),
        .init("SELECT count(*) FROM photo", "4"),
      ],
      exempt: [.renumbering, .kill, .pairs, .batches]
    ),
    renamed(
      "the last folder is deleted, and another one gets its key", folders,
      theirs: "DELETE FROM folder WHERE id = 3; INSERT INTO folder VALUES (3, 1, 'Taxes')",
      mine: "INSERT INTO folder VALUES (4, 2, 'Holiday desserts')",
      .init(
        below, "'Holiday desserts','Kitchen recipes'", "'Kitchen recipes','My notes'", "'My notes',NULL",
        "'Taxes','My notes'")
    ),
  ]

  private static let tags = """
    CREATE TABLE tag (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE);
    CREATE TABLE note (id INTEGER PRIMARY KEY AUTOINCREMENT, title TEXT);
    CREATE TABLE note_tag (note_id INTEGER NOT NULL REFERENCES note ON DELETE CASCADE,
      tag_id INTEGER NOT NULL REFERENCES tag ON DELETE CASCADE, PRIMARY KEY (note_id, tag_id));
    INSERT INTO tag VALUES (1, 'soup'), (2, 'bread'), (3, 'cake');
    INSERT INTO note VALUES (1, 'Leek'), (2, 'Fish stew'), (3, 'Rye loaf'); INSERT INTO note_tag VALUES (1, 1), (3, 2)
    """
  private static let tagged = """
    SELECT name, title FROM tag LEFT JOIN note_tag ON tag_id = tag.id LEFT JOIN note ON note.id = note_id ORDER BY 1, 2
    """
  private static let folders = """
    CREATE TABLE folder (id INTEGER PRIMARY KEY, parent_id INTEGER REFERENCES folder, name TEXT);
    INSERT INTO folder VALUES (1, NULL, 'My notes'), (2, 1, 'Kitchen recipes'), (3, 1, 'Mountain tours')
    """
  private static let below = """
    SELECT c.name, p.name FROM folder AS c LEFT JOIN folder AS p ON p.id = c.parent_id ORDER BY 1
    """

  private static func renamed(
    _ name: String, _ base: String, theirs: String, mine: String, known: Set<Law> = [], _ facts: LawCase.Fact...
  ) -> LawCase {
    LawCase(
      name: "renamed since the base: \(name)",
      schema: base + ";",
      source: theirs,
      destination: mine,
      base: "",
      options: ["--merge", "three-way", "--base", "base.db"],
      facts: facts,
      exempt: [.renumbering, .kill, .pairs, .batches],
      known: known
    )
  }
}
