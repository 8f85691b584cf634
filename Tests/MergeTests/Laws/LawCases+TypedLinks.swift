/// Merges of rows whose links have a type beside them, as Rails and Django write them.
extension LawCases {
  static let typedLinks: [LawCase] = [
    history(
      "another column of a commented photo",
      mine: "INSERT INTO person VALUES (3, 'mine'); ",
      theirs: "UPDATE comment SET author = 2 WHERE id = 1",
      "'nice',2,'Photo','sea'", "'sharp',1,'Post','hello'"
    ),
    history(
      "another photo",
      mine: "INSERT INTO person VALUES (3, 'mine'); ",
      theirs: "UPDATE comment SET object_id = 6 WHERE id = 1",
      "'nice',1,'Photo','hill'", "'sharp',1,'Post','hello'"
    ),
    history(
      "a post instead of a photo",
      mine: "INSERT INTO person VALUES (3, 'mine'); UPDATE comment SET author = 2 WHERE id = 1",
      theirs: "UPDATE comment SET object_type = 'Post', object_id = 9 WHERE id = 1",
      "'nice',2,'Post','bye'", "'sharp',1,'Post','hello'"
    ),
    history(
      "a new photo whose key is taken",
      mine: "INSERT INTO person VALUES (3, 'mine'); INSERT INTO photo VALUES (7, 'sun')",
      theirs: "INSERT INTO photo VALUES (7, 'moon'); UPDATE comment SET object_id = 7 WHERE id = 1",
      "'nice',1,'Photo','moon'", "'sharp',1,'Post','hello'"
    ),
    history(
      "nothing instead of a photo",
      mine: "INSERT INTO person VALUES (3, 'mine'); ",
      theirs: "UPDATE comment SET object_type = NULL, object_id = NULL WHERE id = 1",
      "'nice',1,NULL,NULL", "'sharp',1,'Post','hello'"
    ),
    history(
      "mine is a post now, and theirs has another author",
      mine:
        "INSERT INTO person VALUES (3, 'mine'); UPDATE comment SET object_type = 'Post', object_id = 9 WHERE id = 1",
      theirs: "UPDATE comment SET author = 2 WHERE id = 1",
      "'nice',2,'Post','bye'", "'sharp',1,'Post','hello'"
    ),
    history(
      "mine has a number without a type, and theirs has another author",
      mine: "INSERT INTO person VALUES (3, 'mine'); UPDATE comment SET object_type = NULL, object_id = 9 WHERE id = 1",
      theirs: "UPDATE comment SET author = 2 WHERE id = 1",
      "'nice',2,NULL,'bye'", "'sharp',1,'Post','hello'"
    ),
    history(
      "mine has another type, which no link has, and theirs has another author",
      mine:
        "INSERT INTO person VALUES (3, 'mine'); UPDATE comment SET object_type = 'Film', object_id = 9 WHERE id = 1",
      theirs: "UPDATE comment SET author = 2 WHERE id = 1",
      "'nice',2,'Film','bye'", "'sharp',1,'Post','hello'"
    ),
    history(
      "theirs has a number without a type",
      mine: "INSERT INTO person VALUES (3, 'mine'); ",
      theirs: "UPDATE comment SET object_type = NULL, object_id = 9 WHERE id = 1",
      "'nice',1,NULL,'bye'", "'sharp',1,'Post','hello'"
    ),
    history(
      "mine is a post now, and theirs another photo",
      mine:
        "INSERT INTO person VALUES (3, 'mine'); UPDATE comment SET object_type = 'Post', object_id = 9 WHERE id = 1",
      theirs: "UPDATE comment SET object_id = 6 WHERE id = 1",
      "'nice',1,'Post','bye'", "'nice (2)',1,'Photo','hill'", "'sharp',1,'Post','hello'"
    ),
    history(
      "theirs leads to a post that is gone",
      mine: "INSERT INTO person VALUES (3, 'mine'); ",
      theirs: "UPDATE comment SET object_type = 'Post', object_id = 77, author = 2 WHERE id = 1",
      "'nice',2,'Photo','sea'", "'sharp',1,'Post','hello'"
    ),
    history(
      "theirs leads to a post that is gone, and mine has another author",
      mine: "INSERT INTO person VALUES (3, 'mine'); UPDATE comment SET author = 2 WHERE id = 1",
      theirs: "UPDATE comment SET object_type = 'Post', object_id = 77 WHERE id = 1",
      "'nice',2,'Photo','sea'", "'sharp',1,'Post','hello'"
    ),
    history(
      "theirs of a row without integer key leads to a post that is gone",
      schema: withoutRowID,
      mine: "INSERT INTO person VALUES (3, 'mine'); ",
      theirs: "UPDATE comment SET object_type = 'Post', object_id = 77, author = 2 WHERE text = 'nice'",
      "'nice',2,'Photo','sea'", "'sharp',1,'Post','hello'"
    ),
    updated(
      "the source leads to a post that is gone",
      source: "UPDATE comment SET object_type = 'Post', object_id = 77, author = 2 WHERE id = 1",
      ["changed": 1, "updated": 1],
      "'nice',2,'Photo','sea'", "'sharp',1,'Post','hello'"
    ),
    updated(
      "the source differs only by a post that is gone",
      source: "UPDATE comment SET object_type = 'Post', object_id = 77 WHERE id = 1",
      ["changed": 0, "updated": 0],
      "'nice',1,'Photo','sea'", "'sharp',1,'Post','hello'"
    ),
    updated(
      "the source of a row without integer key leads to a post that is gone",
      schema: withoutRowID,
      source: "UPDATE comment SET object_type = 'Post', object_id = 77, author = 2 WHERE text = 'nice'",
      ["changed": 1, "updated": 1],
      // As with any link that leads nowhere from a row without integer key, the row counts as changed each time.
      known: [.repetition],
      "'nice',2,'Photo','sea'", "'sharp',1,'Post','hello'"
    ),
    history(
      "theirs removes a photo whose number a post has too",
      mine: "INSERT INTO person VALUES (3, 'mine'); ",
      theirs: "UPDATE comment SET object_id = 6 WHERE id = 1; DELETE FROM photo WHERE id = 5",
      "'nice',1,'Photo','hill'", "'sharp',1,'Post','hello'"
    ),
    history(
      "theirs removes a photo whose number a post has too, beside rows without integer keys",
      schema: withoutRowID,
      mine: "INSERT INTO person VALUES (3, 'mine'); ",
      theirs: "UPDATE comment SET object_id = 6 WHERE text = 'nice'; DELETE FROM photo WHERE id = 5",
      "'nice',1,'Photo','hill'", "'sharp',1,'Post','hello'"
    ),
    filled(
      "a link that leads nowhere fills nothing, nor does its type",
      source: "UPDATE comment SET object_type = 'Post', object_id = 77 WHERE id = 1",
      destination: "UPDATE comment SET object_type = NULL, object_id = NULL WHERE id = 1",
      .init(typesAndKeys, "'nice',NULL,NULL", "'sharp','Post',5")
    ),
    filled(
      "a number without a type gets none of another",
      destination: "UPDATE comment SET object_type = NULL, object_id = 6 WHERE id = 1",
      .init(typesAndKeys, "'nice',NULL,6", "'sharp','Post',5")
    ),
    filled(
      "a row without integer key is filled with both, or with none",
      schema: withoutRowID,
      destination: """
        UPDATE comment SET object_type = NULL, object_id = 6 WHERE text = 'nice';
        UPDATE comment SET object_type = NULL, object_id = NULL WHERE text = 'sharp'
        """,
      .init(typesAndKeys, "'nice',NULL,6", "'sharp','Post',5")
    ),
    filled(
      "a type and its link are filled together",
      destination: "UPDATE comment SET object_type = NULL, object_id = NULL WHERE id = 1",
      .init(query, "'nice',1,'Photo','sea'", "'sharp',1,'Post','hello'")
    ),
    filled(
      "a type of the destination's own gets no link of another",
      source: "UPDATE comment SET object_type = 'Post', object_id = 9 WHERE id = 1",
      destination: "UPDATE comment SET object_id = NULL",
      .init(query, "'nice',1,'Photo',NULL", "'sharp',1,'Post','hello'")
    ),
    history(
      "a row without integer key leads to another post",
      schema: withoutRowID,
      mine: "UPDATE comment SET object_type = 'Post', object_id = 9 WHERE text = 'nice'",
      theirs:
        "UPDATE comment SET object_id = 9 WHERE text = 'sharp'; UPDATE comment SET author = 2 WHERE text = 'nice'",
      "'nice',2,'Post','bye'", "'sharp',1,'Post','bye'"
    ),
  ]

  private static let others = """
    CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT UNIQUE);
    CREATE TABLE photo (id INTEGER PRIMARY KEY, title TEXT UNIQUE);
    CREATE TABLE post (id INTEGER PRIMARY KEY, title TEXT UNIQUE);
    INSERT INTO person VALUES (1, 'ann'), (2, 'bob');
    INSERT INTO photo VALUES (5, 'sea'), (6, 'hill');
    INSERT INTO post VALUES (5, 'hello'), (9, 'bye');
    """

  private static let comments =
    others + """
      CREATE TABLE comment (id INTEGER PRIMARY KEY, text TEXT UNIQUE, object_type TEXT, object_id INTEGER,
        author INTEGER REFERENCES person (id));
      INSERT INTO comment VALUES (1, 'nice', 'Photo', 5, 1), (2, 'sharp', 'Post', 5, 1);
      """

  private static let withoutRowID =
    others + """
      CREATE TABLE comment (text TEXT PRIMARY KEY, object_type TEXT, object_id INTEGER,
        author INTEGER REFERENCES person (id)) WITHOUT ROWID;
      INSERT INTO comment VALUES ('nice', 'Photo', 5, 1), ('sharp', 'Post', 5, 1);
      """

  private static let ofTypes = [
    "--link", "comment.object_id -> photo WHERE object_type = \"Photo\"",
    "--link", "comment.object_id -> post WHERE object_type = \"Post\"",
  ]

  private static let query = """
    SELECT text, author, object_type, CASE object_type WHEN 'Photo' THEN photo.title ELSE post.title END FROM comment
    LEFT JOIN photo ON photo.id = object_id LEFT JOIN post ON post.id = object_id ORDER BY 1
    """

  private static let typesAndKeys = "SELECT text, object_type, object_id FROM comment ORDER BY 1"

  /// Comments that take the values of the source.
  private static func updated(
    _ name: String,
    schema: String = comments,
    source: String,
    _ counts: [String: Int],
    known: Set<Law> = [],
    _ rows: String...
  ) -> LawCase {
    LawCase(
      name: "typed links: \(name)",
      schema: schema,
      source: source,
      destination: "INSERT INTO person VALUES (3, 'mine')",
      options: ["--merge", "update"] + ofTypes,
      facts: [.init(query, rows: rows)],
      counts: ["comment": counts],
      exempt: [.renumbering, .pairs, .batches, .damage, .editedCopy, .kill],
      known: known
    )
  }

  /// Comments whose gaps are filled.
  private static func filled(
    _ name: String,
    schema: String = comments,
    source: String = "",
    destination: String,
    _ fact: LawCase.Fact
  ) -> LawCase {
    LawCase(
      name: "typed links: \(name)",
      schema: schema,
      source: source,
      destination: destination,
      options: ["--merge", "fill"] + ofTypes,
      facts: [fact],
      exempt: [.renumbering, .pairs]
    )
  }

  /// What two stores have made of the comments that both had.
  private static func history(
    _ name: String,
    schema: String = comments,
    mine: String,
    theirs: String,
    _ rows: String...
  ) -> LawCase {
    LawCase(
      name: "typed links: \(name)",
      schema: schema,
      source: theirs,
      destination: mine,
      base: "",
      options: ["--merge", "three-way", "--base", "base.db"] + ofTypes,
      facts: [.init(query, rows: rows)],
      exempt: [.renumbering, .batches, .pairs, .damage, .editedCopy, .kill]
    )
  }
}
