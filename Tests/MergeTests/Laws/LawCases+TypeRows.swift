/// Types in a table of their own, whose rows have other keys in every database.
extension LawCases {
  static let typeRows = linkedTypes + [namedByIdentity] + unreported

  /// A type is known by its model and by the name of its app, which is in a table of its own.
  private static let linkedSchema = """
    CREATE TABLE app (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
    CREATE TABLE kind (id INTEGER PRIMARY KEY, app_id INTEGER NOT NULL REFERENCES app, model TEXT NOT NULL,
      UNIQUE (app_id, model));
    CREATE TABLE product (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
    CREATE TABLE shop (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
    CREATE TABLE comment (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE, kind_id INTEGER REFERENCES kind,
      object_id INTEGER)
    """
  private static let linkedSource = """
    INSERT INTO app VALUES (1, 'x'), (2, 'y'); INSERT INTO kind VALUES (1, 2, 'product'), (2, 1, 'shop');
    INSERT INTO product VALUES (1, 'pan'), (2, 'pot'); INSERT INTO shop VALUES (1, 'north'), (2, 'south');
    INSERT INTO comment VALUES (1, 'good', 1, 1), (2, 'nice', 2, 2), (3, 'both', 1, 2)
    """
  private static let linkedDestination = """
    INSERT INTO app VALUES (1, 'y'), (2, 'x'); INSERT INTO kind VALUES (1, 2, 'shop'), (2, 1, 'product');
    INSERT INTO product VALUES (1, 'cup'), (2, 'pan'); INSERT INTO shop VALUES (1, 'west');
    INSERT INTO comment VALUES (1, 'bad', 1, 1), (2, 'both', 2, 2)
    """
  private static func linkedFacts(_ both: String) -> [LawCase.Fact] {
    [
      .init(
        """
        SELECT c.text, a.name, model, coalesce(p.name, s.name) FROM comment AS c JOIN kind AS k ON k.id = kind_id
        JOIN app AS a ON a.id = app_id LEFT JOIN product AS p ON model = 'product' AND p.id = object_id
        LEFT JOIN shop AS s ON model = 'shop' AND s.id = object_id ORDER BY 1
        """,
        "'bad','x','shop','west'",
        "'both','y','product','\(both)'",
        "'good','y','product','pan'",
        "'nice','x','shop','south'"
      )
    ]
  }

  private static let linkedTypes = [("skip", "pan"), ("update", "pot")].flatMap { policy, both in
    [
      (
        "by path",
        ["kind_id.app_id.name = 'y' AND kind_id.model = 'product'", "kind_id.model = 'shop'"],
        [] as Set<Law>
      ),
      // In a renumbered source types have other numbers, and the copy that is edited has the destination's.
      ("by number", ["kind_id = 1", "kind_id = 2"], [.renumbering, .editedCopy]),
    ].map { what, conditions, exempt in
      LawCase(
        name: "types known by a link, \(what), \(policy)",
        schema: linkedSchema,
        source: linkedSource,
        destination: linkedDestination,
        options: ["--merge", policy]
          + zip(["product", "shop"], conditions).flatMap {
            ["--link", "comment.object_id -> \($0) WHERE \($1)"]
          },
        facts: linkedFacts(both),
        counts: ["kind": ["same": 2], "comment": ["new": 2, "changed": 1]],
        exempt: exempt
      )
    }
  }

  /// Nothing in the schema says that names of types are unique, and their other values differ.
  private static let plainSchema = """
    CREATE TABLE kind (id INTEGER PRIMARY KEY, model TEXT NOT NULL, made TEXT);
    CREATE TABLE product (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
    CREATE TABLE shop (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
    CREATE TABLE comment (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE, kind_id INTEGER REFERENCES kind,
      object_id INTEGER)
    """
  private static let plainSource = """
    INSERT INTO kind VALUES (1, 'product', '2020'), (2, 'shop', '2020');
    INSERT INTO product VALUES (1, 'pan'), (2, 'pot'); INSERT INTO shop VALUES (1, 'north'), (2, 'south');
    INSERT INTO comment VALUES (1, 'good', 1, 1), (2, 'nice', 2, 2), (3, 'both', 1, 2)
    """

  private static let namedByIdentity = LawCase(
    name: "types known by what --identity names",
    schema: plainSchema,
    source: plainSource,
    destination: """
      INSERT INTO kind VALUES (1, 'shop', '2021'), (2, 'product', '2021');
      INSERT INTO product VALUES (1, 'cup'), (2, 'pan'), (3, 'pot'); INSERT INTO shop VALUES (1, 'west');
      INSERT INTO comment VALUES (1, 'bad', 1, 1), (2, 'both', 2, 3)
      """,
    options: [
      "--identity", "kind: model", "--link", "comment.object_id -> product WHERE kind_id = 1",
      "--link",
      "comment.object_id -> shop WHERE kind_id = 2",
    ],
    facts: [
      .init(
        """
        SELECT c.text, model, coalesce(p.name, s.name) FROM comment AS c JOIN kind AS k ON k.id = kind_id
        LEFT JOIN product AS p ON model = 'product' AND p.id = object_id
        LEFT JOIN shop AS s ON model = 'shop' AND s.id = object_id ORDER BY 1
        """,
        "'bad','shop','west'",
        "'both','product','pot'",
        "'good','product','pan'",
        "'nice','shop','south'"
      )
    ],
    // The row that both have leads to the same product, whatever its numbers are.
    counts: ["kind": ["changed": 2], "comment": ["new": 2, "same": 1]],
    exempt: [.renumbering, .editedCopy]
  )

  /// Types that nothing but their keys tells apart.
  private static let unreported = [
    ("kind: COLUMN", "(1, 'product', NULL), (2, 'product', NULL)", "other rows of kind"),
    ("kind: COLUMN", "(1, 'product', NULL), (2, 'product', NULL), (3, 'shop', '1')", "row 1"),
  ].map { option, rows, words in
    LawCase(
      name: "refused: a type that nothing tells from others, \(words)",
      schema: plainSchema,
      source: "INSERT INTO kind VALUES \(rows); INSERT INTO comment VALUES (1, 'a', 1, 1)",
      destination: "",
      options: ["--link", "comment.object_id -> product WHERE kind_id = 1"],
      status: 64,
      says: [words, "--identity '\(option)'", "model, made"],
      exempt: [.renumbering]
    )
  }
}
