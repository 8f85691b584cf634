/// Keys of new rows in tables that do not remember which keys they handed out.
extension LawCases {
  static let freeKeys =
    [
      freeKey("kept", "id INTEGER PRIMARY KEY", becomes: "7,0,-5,1003,1001,1002"),
      // Such a table handed out every key up to its highest, whatever became of the rows.
      freeKey(
        "not kept by AUTOINCREMENT",
        "id INTEGER PRIMARY KEY AUTOINCREMENT",
        becomes: "1005,1003,1002,1006,1001,1004"
      ),
      freeKey(
        "not kept by --append",
        "id INTEGER PRIMARY KEY",
        options: ["--append"],
        becomes: "1013,1006,1001,1506,2007,1008"
      ),
    ] + [spokenFor, sharedFreeKeys, loneFreeKey]

  /// What becomes of the keys 7, 0 and -5, which the destination does not have, 500, which it has, 1001, which is above
  /// its highest, and 2, which a link of the destination speaks of.
  private static func freeKey(_ name: String, _ key: String, options: [String] = [], becomes keys: String) -> LawCase {
    LawCase(
      name: "a free key below the highest is \(name)",
      schema: """
        CREATE TABLE item (\(key), name TEXT NOT NULL UNIQUE);
        CREATE TABLE part (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, item INTEGER REFERENCES item)
        """,
      source: """
        INSERT INTO item VALUES (7, 'seven'), (0, 'zero'), (-5, 'minus'), (500, 'other'), (1001, 'above'), (2, 'two');
        INSERT INTO part SELECT id, 'of ' || name, id FROM item
        """,
      destination: """
        WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
        INSERT INTO item SELECT i, 'item ' || i FROM n WHERE i NOT IN (7, 2);
        INSERT INTO part VALUES (600, 'of nothing', 2)
        """,
      verb: options.isEmpty ? ["merge"] : ["copy"],
      options: options,
      facts: [
        .init(
          """
          SELECT group_concat(id) FROM (SELECT id FROM item WHERE name NOT LIKE 'item %'
          ORDER BY name = 'seven' DESC, name = 'zero' DESC, name = 'minus' DESC, name = 'other' DESC, name = 'above' DESC)
          """,
          "'\(keys)'"
        ),
        .init(
          "SELECT part.name, item.name FROM part LEFT JOIN item ON item.id = item ORDER BY 1",
          "'of above','above'",
          "'of minus','minus'",
          "'of nothing',NULL",
          "'of other','other'",
          "'of seven','seven'",
          "'of two','two'",
          "'of zero','zero'"
        ),
      ],
      exempt: [.renumbering]
    )
  }

  /// A key that a link speaks of is not free, be the link the key of another row or a row of a table of links.
  private static let spokenFor = LawCase(
    name: "a key that a link speaks of is not free",
    schema: """
      CREATE TABLE tag (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
      CREATE TABLE page (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
      CREATE TABLE page_tag (page INTEGER NOT NULL REFERENCES page, tag INTEGER NOT NULL REFERENCES tag,
        PRIMARY KEY (page, tag));
      CREATE TABLE note (tag TEXT REFERENCES tag (id), text TEXT NOT NULL UNIQUE)
      """,
    source:
      "INSERT INTO tag VALUES (3, 'three'), (4, 'four'), (5, 'five'); INSERT INTO page VALUES (3, 'p')",
    destination: """
      INSERT INTO tag VALUES (1, 'one'), (9, 'nine'); INSERT INTO page VALUES (1, 'first'), (9, 'ninth');
      INSERT INTO page_tag VALUES (1, 3), (3, 1); INSERT INTO note VALUES ('4', 'of a tag')
      """,
    facts: [
      .init("SELECT id, name FROM tag ORDER BY 1", "1,'one'", "5,'five'", "9,'nine'", "10,'three'", "11,'four'"),
      .init("SELECT id, name FROM page ORDER BY 1", "1,'first'", "9,'ninth'", "10,'p'"),
      .init("SELECT * FROM page_tag ORDER BY 1", "1,3", "3,1"),
    ],
    exempt: [.renumbering]
  )

  /// Tables of one kind of key: a key is free where none of them has it.
  private static let sharedFreeKeys = LawCase(
    name: "a key that tables share is free where none of them has it",
    schema: """
      CREATE TABLE place (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
      CREATE TABLE restaurant (place INTEGER PRIMARY KEY REFERENCES place, stars INTEGER);
      CREATE TABLE bar (restaurant INTEGER PRIMARY KEY REFERENCES restaurant, beers INTEGER)
      """,
    source: """
      INSERT INTO place VALUES (2, 'two'), (3, 'three'), (4, 'four'), (5, 'five');
      INSERT INTO restaurant VALUES (2, 2), (3, 3), (4, 4); INSERT INTO bar VALUES (2, 20), (4, 40)
      """,
    destination: """
      INSERT INTO place VALUES (1, 'one'), (5, 'fifth'), (8, 'eight');
      INSERT INTO restaurant VALUES (8, 8); INSERT INTO bar VALUES (4, 44)
      """,
    facts: [
      .init(
        """
        SELECT id, name, stars, beers FROM place LEFT JOIN restaurant ON place = id LEFT JOIN bar ON restaurant = place
        ORDER BY 1
        """,
        "1,'one',NULL,NULL",
        "2,'two',2,20",
        "3,'three',3,NULL",
        "5,'fifth',NULL,NULL",
        "8,'eight',8,NULL",
        "9,'four',4,40",
        "10,'five',NULL,NULL"
      ),
      .init("SELECT * FROM bar ORDER BY 1", "2,20", "4,44", "9,40"),
    ],
    // A row that continues one which is not there is no object that another row could be.
    exempt: [.renumbering, .editedCopy]
  )

  /// The row that is added is the only one: no other has to give way.
  private static let loneFreeKey = LawCase(
    name: "every new row keeps its key where all of them are free",
    schema: "CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE)",
    source:
      "INSERT INTO item VALUES (3, 'three'), (9223372036854775700, 'far'), (-9223372036854775808, 'low')",
    destination: "INSERT INTO item VALUES (1, 'one'), (9223372036854775800, 'last')",
    facts: [
      .init(
        "SELECT id, name FROM item ORDER BY 1",
        "-9223372036854775808,'low'",
        "1,'one'",
        "3,'three'",
        "9223372036854775700,'far'",
        "9223372036854775800,'last'"
      )
    ],
    exempt: [.renumbering]
  )
}
