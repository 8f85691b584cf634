/// The seventeen cases of the design's table of what went wrong, in its order.
extension LawCases {
  private static let joined = """
    CREATE TABLE place (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, city TEXT);
    CREATE TABLE restaurant (pid INTEGER PRIMARY KEY REFERENCES place (id), stars INTEGER)
    """
  private static let restaurants = """
    SELECT name, city, stars FROM place LEFT JOIN restaurant ON pid = id ORDER BY 1
    """
  private static let kitchen = """
    CREATE TABLE recipe (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, rating INTEGER);
    CREATE TABLE ingredient (id INTEGER PRIMARY KEY, recipe INTEGER NOT NULL REFERENCES recipe (id) ON DELETE CASCADE,
      place INTEGER, what TEXT)
    """
  private static let lines = """
    SELECT name, place, what FROM ingredient JOIN recipe ON recipe.id = recipe ORDER BY 1, 2, 3
    """
  private static let soup = """
    INSERT INTO recipe VALUES (1, 'soup', 3);
    INSERT INTO ingredient VALUES (1, 1, 0, 'water'), (2, 1, 1, 'salt'), (3, 1, 2, 'leek')
    """
  /// A recipe that knows its first line, and lines that know their recipe.
  private static let cycle = """
    CREATE TABLE recipe (id INTEGER PRIMARY KEY, uuid TEXT, title TEXT, rating INTEGER,
      first INTEGER REFERENCES line (id));
    CREATE TABLE line (id INTEGER PRIMARY KEY, recipe INTEGER REFERENCES recipe (id), what TEXT)
    """
  private static let cycleRows = """
    INSERT INTO recipe VALUES (1, '6f9619ff-8b86-4d01-b42d-00cf4fc964ff', 'soup', 3, 1),
      (2, '7d444840-9dc0-41d1-b245-5ffdce74fad2', 'bread', 4, 3);
    INSERT INTO line VALUES (1, 1, 'water'), (2, 1, 'salt'), (3, 2, 'flour')
    """
  private static let cycleFacts = """
    SELECT title, rating, (SELECT what FROM line WHERE line.id = first),
      (SELECT count(*) FROM line WHERE line.recipe = recipe.id) FROM recipe ORDER BY 1, 2
    """
  private static let fork = """
    CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
    CREATE TABLE post (id INTEGER PRIMARY KEY, title TEXT NOT NULL UNIQUE, created_by INTEGER)
    """
  private static func users(_ names: String...) -> String {
    names.enumerated().map { place, name in
      """
      INSERT INTO users VALUES (\(place + 1), '\(name)');
      INSERT INTO post VALUES (\(place + 1), 'of \(name)', \(place + 1));
      """
    }.joined()
  }
  private static let pair = """
    CREATE TABLE content_type (id INTEGER PRIMARY KEY, model TEXT NOT NULL UNIQUE);
    CREATE TABLE product (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
    CREATE TABLE shop (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
    CREATE TABLE comment (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE,
      content_type_id INTEGER REFERENCES content_type (id), object_id INTEGER)
    """
  private static let numbered = """
    CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
    INSERT INTO item SELECT i, 'item ' || i FROM n
    """

  static let defects: [LawCase] = [
    LawCase(
      name: "1 an edited object on a cycle, with an identity",
      schema: cycle,
      source: cycleRows + "; UPDATE recipe SET rating = 1 WHERE id = 1",
      destination: cycleRows,
      options: ["--identity", "recipe: uuid", "--merge", "update"],
      facts: [.init(cycleFacts, "'bread',4,'flour',1", "'soup',1,'water',2")],
      counts: ["recipe": ["new": 0, "changed": 1], "line": ["new": 0]],
      defect: 1
    ),
    LawCase(
      name: "2 an edited object with a UUID, without --identity",
      schema: cycle,
      source: cycleRows + "; UPDATE recipe SET rating = 1 WHERE id = 1",
      destination: cycleRows,
      options: ["--merge", "update"],
      facts: [.init(cycleFacts, "'bread',4,'flour',1", "'soup',1,'water',2")],
      counts: ["recipe": ["new": 0, "changed": 1], "line": ["new": 0]],
      defect: 2
    ),
    LawCase(
      name: "3 update by a text identifier, a second time",
      schema: """
        CREATE TABLE folder (id INTEGER PRIMARY KEY, identifier TEXT, title TEXT, parent INTEGER REFERENCES folder (id));
        CREATE TABLE note (id INTEGER PRIMARY KEY, identifier TEXT, title TEXT, folder INTEGER REFERENCES folder (id),
          head INTEGER REFERENCES note (id))
        """,
      source: """
        INSERT INTO folder VALUES (1, 'f-1', 'all', NULL), (2, 'f-2', 'work', 1);
        INSERT INTO note VALUES (1, 'n-1', 'one', 2, 2), (2, 'n-2', 'two', 1, 1)
        """,
      destination: """
        INSERT INTO folder VALUES (1, 'f-2', 'Work', NULL), (2, 'f-3', 'home', 1);
        INSERT INTO note VALUES (1, 'n-2', 'zwei', 2, NULL), (2, 'n-3', 'three', 1, 1)
        """,
      options: [
        "--identity", "folder: identifier", "--identity", "note: identifier", "--merge", "update",
      ],
      facts: [
        .init(
          """
          SELECT n.title, f.title, p.title, h.title FROM note n LEFT JOIN folder f ON f.id = n.folder
          LEFT JOIN folder p ON p.id = f.parent LEFT JOIN note h ON h.id = n.head ORDER BY 1
          """,
          "'one','work','all','two'",
          "'three','work','all','two'",
          "'two','all',NULL,'one'"
        )
      ],
      counts: ["folder": ["new": 1, "changed": 1], "note": ["new": 1, "changed": 1]],
      defect: 3
    ),
    LawCase(
      name: "4 a primary key that is a declared foreign key",
      schema: joined,
      source: "INSERT INTO place VALUES (7, 'inn', 'Ulm'); INSERT INTO restaurant VALUES (7, 5)",
      destination:
        "INSERT INTO place VALUES (1, 'inn', 'Ulm'); INSERT INTO restaurant VALUES (1, 3)",
      options: ["--merge", "update"],
      facts: [.init(restaurants, "'inn','Ulm',5")],
      counts: ["restaurant": ["new": 0, "changed": 1]],
      defect: 4
    ),
    LawCase(
      name: "5 a primary key that is an undeclared link",
      schema: """
        CREATE TABLE doc (rid INTEGER PRIMARY KEY, title TEXT NOT NULL UNIQUE);
        CREATE TABLE delta (rid INTEGER PRIMARY KEY, note TEXT)
        """,
      source:
        "INSERT INTO doc VALUES (1, 'b'), (2, 'c'); INSERT INTO delta VALUES (1, 'of b'), (2, 'of c')",
      destination: "INSERT INTO doc VALUES (1, 'a'); INSERT INTO delta VALUES (1, 'of a')",
      status: 64,
      says: ["delta.rid", "--link 'delta.rid -> doc'"],
      facts: [.init("SELECT title, note FROM doc JOIN delta USING (rid)", "'a','of a'")],
      // Other keys may be free in the destination, and stay.
      exempt: [.renumbering],
      defect: 5
    ),
    LawCase(
      name: "6 a link that no name of a table gives away",
      schema: fork,
      source: users("ann", "bob", "cid"),
      destination: users("zoe", "bob"),
      status: 64,
      says: ["post.created_by", "--link 'post.created_by -> users'"],
      facts: [
        .init(
          "SELECT title, name FROM post JOIN users ON users.id = created_by ORDER BY 1",
          "'of bob','bob'",
          "'of zoe','zoe'"
        )
      ],
      exempt: [.renumbering],
      defect: 6
    ),
    LawCase(
      name: "7 a pair of a type and a key",
      schema: pair,
      source: """
        INSERT INTO content_type VALUES (7, 'product'), (8, 'shop');
        INSERT INTO product VALUES (1, 'pan'), (2, 'pot');
        INSERT INTO shop VALUES (1, 'north'), (2, 'south');
        INSERT INTO comment VALUES (1, 'good pan', 7, 1), (2, 'nice people', 8, 1)
        """,
      destination: """
        INSERT INTO content_type VALUES (1, 'shop'), (2, 'product');
        INSERT INTO product VALUES (1, 'cup');
        INSERT INTO shop VALUES (1, 'west');
        INSERT INTO comment VALUES (1, 'good cup', 2, 1)
        """,
      options: [
        "--link", "comment.object_id -> product WHERE content_type_id = 7",
        "--link", "comment.object_id -> shop WHERE content_type_id = 8",
      ],
      facts: [
        .init(
          """
          SELECT text, model, CASE model WHEN 'product' THEN product.name ELSE shop.name END FROM comment
          JOIN content_type ON content_type.id = content_type_id LEFT JOIN product ON product.id = object_id
          LEFT JOIN shop ON shop.id = object_id ORDER BY 1
          """,
          "'good cup','product','cup'",
          "'good pan','product','pan'",
          "'nice people','shop','north'"
        )
      ],
      // Other keys of the types would be other options.
      exempt: [.renumbering, .editedCopy],
      defect: 7
    ),
    LawCase(
      name: "8 text keys in another order",
      schema: "CREATE TABLE country (code TEXT PRIMARY KEY, title TEXT)",
      source: "INSERT INTO country VALUES ('de', 'Germany'), ('fr', 'France')",
      destination: "INSERT INTO country VALUES ('fr', 'France'), ('de', 'Germany')",
      verb: ["diff"],
      exempt: [.prediction],
      defect: 8
    ),
    LawCase(
      name: "8 diff and merge of rows with a unique name",
      schema: "CREATE TABLE grp (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, note TEXT)",
      source: "INSERT INTO grp VALUES (1, 'a', 'x'), (2, 'b', 'y')",
      destination: "INSERT INTO grp VALUES (1, 'b', 'y')",
      facts: [.init("SELECT name, note FROM grp ORDER BY 1", "'a','x'", "'b','y'")],
      counts: ["grp": ["new": 1, "same": 1]],
      defect: 8
    ),
    LawCase(
      name: "9 replace with a link table that has an id",
      schema: """
        CREATE TABLE book (id INTEGER PRIMARY KEY, isbn TEXT NOT NULL UNIQUE);
        CREATE TABLE tag (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
        CREATE TABLE book_tag (id INTEGER PRIMARY KEY, book INTEGER NOT NULL REFERENCES book (id),
          tag INTEGER NOT NULL REFERENCES tag (id), UNIQUE (book, tag))
        """,
      source: """
        INSERT INTO book VALUES (1, 'i1'); INSERT INTO tag VALUES (1, 'red'), (2, 'blue');
        INSERT INTO book_tag VALUES (1, 1, 2)
        """,
      destination: """
        INSERT INTO book VALUES (4, 'i1'); INSERT INTO tag VALUES (5, 'red'), (6, 'blue');
        INSERT INTO book_tag VALUES (1, 4, 5)
        """,
      options: ["--merge", "replace"],
      facts: [
        .init(
          "SELECT isbn, name FROM book_tag JOIN book ON book.id = book JOIN tag ON tag.id = tag ORDER BY 1, 2",
          "'i1','blue'"
        )
      ],
      defect: 9
    ),
    LawCase(
      name: "10 one new row keeps its key where that is free",
      schema: numbered,
      source: "INSERT INTO item VALUES (1001, 'new')",
      destination: "",
      facts: [.init("SELECT count(*), max(id) FROM item", "1001,1001")],
      counts: ["item": ["new": 1, "same": 1000]],
      exempt: [.renumbering],
      defect: 10
    ),
    LawCase(
      name: "10 a new row whose key is taken comes behind the highest",
      schema: numbered,
      source: "UPDATE item SET name = 'new' WHERE id = 500",
      destination: "",
      facts: [
        .init("SELECT count(*), max(id) FROM item", "1001,1001"),
        .init("SELECT name FROM item WHERE id IN (500, 1001) ORDER BY id", "'item 500'", "'new'"),
      ],
      counts: ["item": ["new": 1, "same": 999]],
      exempt: [.renumbering],
      defect: 10
    ),
    LawCase(
      name: "11 three ways, a value changed on either side",
      schema:
        "CREATE TABLE book (id INTEGER PRIMARY KEY, isbn TEXT NOT NULL UNIQUE, author TEXT, year INTEGER)",
      source: "INSERT INTO book VALUES (1, 'i1', 'Ann', 1990)",
      destination: "INSERT INTO book VALUES (1, 'i1', 'ann', 1991)",
      base: "INSERT INTO book VALUES (1, 'i1', 'ann', 1990)",
      options: ["--merge", "three-way", "--base", "base.db"],
      facts: [.init("SELECT isbn, author, year FROM book", "'i1','Ann',1991")],
      exempt: [.batches],
      defect: 11
    ),
    LawCase(
      name: "12 a trigger that calls an app's function, and nothing to write",
      schema: """
        CREATE TABLE geo (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, shape BLOB);
        CREATE TRIGGER geo_check AFTER INSERT ON geo WHEN ST_IsEmpty(NEW.shape) BEGIN SELECT 1; END
        """,
      source: "DROP TRIGGER geo_check; INSERT INTO geo VALUES (1, 'a', x'00'); \(trigger)",
      destination: "DROP TRIGGER geo_check; INSERT INTO geo VALUES (1, 'a', x'00'); \(trigger)",
      facts: [.init("SELECT name FROM geo", "'a'")],
      counts: ["geo": ["new": 0, "same": 1]],
      defect: 12
    ),
    LawCase(
      name: "13 names that differ in case",
      schema: "CREATE TABLE Tag (id INTEGER PRIMARY KEY, Name TEXT NOT NULL UNIQUE, note TEXT)",
      source: "INSERT INTO Tag VALUES (1, 'a', 'x'), (2, 'b', 'y')",
      destination: "INSERT INTO tag VALUES (1, 'b', 'y')",
      destinationSchema:
        "CREATE TABLE tag (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, Note TEXT)",
      options: ["--identity", "TAG: NAME"],
      facts: [.init("SELECT name, note FROM tag ORDER BY 1", "'a','x'", "'b','y'")],
      defect: 13
    ),
    LawCase(
      name: "14 a lower row for an upper one that both have",
      schema: joined,
      source: "INSERT INTO place VALUES (7, 'inn', 'Ulm'); INSERT INTO restaurant VALUES (7, 5)",
      destination: "INSERT INTO place VALUES (1, 'inn', 'Ulm')",
      facts: [.init(restaurants, "'inn','Ulm',5")],
      counts: ["place": ["new": 0, "same": 1], "restaurant": ["new": 1]],
      defect: 14
    ),
    LawCase(
      name: "15 diff after a lost index",
      schema: "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT); CREATE INDEX t_a ON t (a)",
      source: "INSERT INTO t VALUES (1, 'x')",
      destination: "INSERT INTO t VALUES (1, 'x'); DROP INDEX t_a",
      verb: ["diff"],
      status: 4,
      exempt: [.prediction],
      defect: 15
    ),
    LawCase(
      name: "15 diff between schemas that differ by a column",
      schema: "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b TEXT)",
      source: "INSERT INTO t VALUES (1, 'x', NULL)",
      destination: "INSERT INTO t VALUES (1, 'x')",
      destinationSchema: "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT)",
      verb: ["diff"],
      status: 4,
      exempt: [.prediction],
      defect: 15
    ),
    LawCase(
      name: "17 an edited part of an object that both have, skip",
      schema: kitchen,
      source: soup + "; UPDATE ingredient SET what = 'sea salt' WHERE id = 2",
      destination: soup,
      facts: [.init(lines, "'soup',0,'water'", "'soup',1,'salt'", "'soup',2,'leek'")],
      counts: ["recipe": ["new": 0], "ingredient": ["new": 0]],
      defect: 17
    ),
    LawCase(
      name: "17 an edited part of an object that both have, update",
      schema: kitchen,
      source: soup + "; UPDATE ingredient SET what = 'sea salt' WHERE id = 2",
      destination: soup,
      options: ["--merge", "update"],
      facts: [.init(lines, "'soup',0,'water'", "'soup',1,'sea salt'", "'soup',2,'leek'")],
      counts: ["recipe": ["new": 0], "ingredient": ["new": 0]],
      defect: 17
    ),
    LawCase(
      name: "17 parts that only the destination has, replace",
      schema: kitchen + "; CREATE TABLE note (id INTEGER PRIMARY KEY, said TEXT)",
      source: "INSERT INTO recipe VALUES (1, 'soup', 3), (2, 'bread', 5);"
        + "INSERT INTO ingredient VALUES (1, 1, 0, 'water'), (2, 2, 0, 'flour')",
      destination: soup + "; INSERT INTO recipe VALUES (2, 'cake', 1);"
        + "INSERT INTO ingredient VALUES (4, 2, 0, 'sugar'); INSERT INTO note VALUES (1, 'mine')",
      options: ["--merge", "replace"],
      facts: [
        .init(lines, "'bread',0,'flour'", "'cake',0,'sugar'", "'soup',0,'water'"),
        .init("SELECT said FROM note", "'mine'"),
      ],
      counts: ["recipe": ["new": 1], "ingredient": ["new": 1]],
      // The newest row, given to another recipe, is taken for a row of its own.
      exempt: [.editedCopy],
      defect: 17
    ),
    LawCase(
      name: "17 parts that something else leads to, replace",
      schema: kitchen
        + "; CREATE TABLE star (id INTEGER PRIMARY KEY, ingredient INTEGER REFERENCES ingredient (id))",
      source: "INSERT INTO recipe VALUES (1, 'soup', 3);"
        + "INSERT INTO ingredient VALUES (1, 1, 0, 'water')",
      destination: soup + "; INSERT INTO star VALUES (1, 2)",
      options: ["--merge", "replace"],
      facts: [
        .init(lines, "'soup',0,'water'", "'soup',1,'salt'", "'soup',2,'leek'"),
        .init("SELECT what FROM star JOIN ingredient ON ingredient.id = ingredient", "'salt'"),
      ],
      counts: ["recipe": ["new": 0], "ingredient": ["new": 0]],
      // A star is nothing but its link: another link makes another star.
      exempt: [.editedCopy],
      defect: 17
    ),
  ]

  private static let trigger = """
    CREATE TRIGGER geo_check AFTER INSERT ON geo WHEN ST_IsEmpty(NEW.shape) BEGIN SELECT 1; END
    """
}
