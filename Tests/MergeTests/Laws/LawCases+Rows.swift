/// Rows without an integer key, merged with a base.
extension LawCases {
  static let rows: [LawCase] = [
    LawCase(
      name: "rows without an integer key are merged three ways, value by value",
      schema: """
        CREATE TABLE region (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
        CREATE TABLE land (code TEXT PRIMARY KEY, name TEXT, size INTEGER, region INTEGER REFERENCES region) WITHOUT ROWID;
        CREATE TABLE town (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, land TEXT REFERENCES land);
        CREATE TABLE post (region INTEGER NOT NULL REFERENCES region, code TEXT NOT NULL, text TEXT, note TEXT,
          PRIMARY KEY (region, code)) WITHOUT ROWID
        """,
      source: """
        INSERT INTO region VALUES (1, 'south'), (2, 'north'), (3, 'west');
        INSERT INTO land VALUES ('de', 'Deutschland', 2, 2), ('fr', 'France', 1, 1), ('at', 'Austria', 1, 2), ('pt', 'Portugal', 1, 3);
        INSERT INTO town VALUES (1, 'Berlin', 'de'), (2, 'Paris', 'fr'), (3, 'Porto', 'pt');
        INSERT INTO post VALUES (2, 'x', 'there', 'a'), (1, 'x', 'one', 'b'), (3, 'y', 'new', NULL)
        """,
      destination: """
        INSERT INTO region VALUES (1, 'north'), (2, 'south');
        INSERT INTO land VALUES ('de', 'Germany', 1, 1), ('fr', 'France', 1, 1), ('es', 'Spain', 1, 2), ('it', 'Italy', 1, 2);
        INSERT INTO town VALUES (1, 'Berlin', 'de'), (2, 'Paris', 'fr'), (3, 'Lyon', 'fr');
        INSERT INTO post VALUES (1, 'x', 'here', 'mine'), (2, 'x', 'one', 'b'), (2, 'z', 'gone', NULL)
        """,
      base: """
        INSERT INTO region VALUES (7, 'north'), (9, 'south');
        INSERT INTO land VALUES ('de', 'Deutschland', 1, 7), ('fr', 'France', 1, 7), ('es', 'Spain', 1, 9), ('at', 'Austria', 1, 7);
        INSERT INTO town VALUES (1, 'Berlin', 'de'), (2, 'Paris', 'fr');
        INSERT INTO post VALUES (7, 'x', 'here', 'a'), (9, 'x', 'one', 'b'), (9, 'z', 'gone', NULL)
        """,
      options: ["--merge", "three-way", "--base", "base.db"],
      facts: [
        .init(
          """
          SELECT code, land.name, size, region.name FROM land JOIN region ON region.id = region ORDER BY 1
          """,
          "'de','Germany',2,'north'",
          "'fr','France',1,'south'",
          "'it','Italy',1,'south'",
          "'pt','Portugal',1,'west'"
        ),
        .init("SELECT name, land FROM town ORDER BY 1", "'Berlin','de'", "'Lyon','fr'", "'Paris','fr'", "'Porto','pt'"),
        .init(
          """
          SELECT region.name, code, text, note FROM post JOIN region ON region.id = region ORDER BY 1, 2
          """,
          "'north','x','there','mine'",
          "'south','x','one','b'",
          "'west','y','new',NULL"
        ),
      ],
      counts: [
        "land": ["new": 1, "same": 0, "changed": 2], "post": ["new": 1, "same": 1, "changed": 1],
      ],
      // The row that stays away is one that only the source has to a comparison without a base.
      exempt: [.batches, .kill, .pairs]
    )
  ]
}
