/// Links that lead nowhere, under every rule of a mapping and however they come to the destination.
extension LawCases {
  static let missing = columns + tables + late + loose

  /// Group 2 and tag 2 are left out by the mapping; group 99 and tag 77 were never there.
  private static let schema = """
    CREATE TABLE grp (id INTEGER PRIMARY KEY, label TEXT, note TEXT);
    CREATE TABLE recipe (id INTEGER PRIMARY KEY, title TEXT CHECK (title <> 'Bad'), grp INTEGER REFERENCES grp (id),
      base INTEGER REFERENCES recipe (id));
    CREATE TABLE line (id INTEGER PRIMARY KEY, what TEXT, recipe INTEGER NOT NULL REFERENCES recipe (id));
    CREATE TABLE tag (id INTEGER PRIMARY KEY, name TEXT, note TEXT);
    CREATE TABLE tagged (recipe INTEGER REFERENCES recipe (id), tag INTEGER REFERENCES tag (id),
      PRIMARY KEY (recipe, tag));
    CREATE TABLE card (code TEXT PRIMARY KEY, grp INTEGER REFERENCES grp (id)) WITHOUT ROWID
    """
  private static let theirs = """
    INSERT INTO grp VALUES (1, 'soups', 's'), (2, 'gone', 'g');
    INSERT INTO recipe VALUES (1, 'Leek', 1, NULL), (2, 'Tart', 2, NULL), (3, 'Pie', NULL, 2), (4, 'Stew', 99, NULL),
      (5, 'Flan', 1, 1), (6, 'Roll', 1, 6);
    INSERT INTO line VALUES (1, 'leek', 1), (2, 'plum', 2), (3, 'flour', 3), (4, 'egg', 5);
    INSERT INTO tag VALUES (1, 'hot', 'h'), (2, 'sweet', 's');
    INSERT INTO tagged VALUES (1, 1), (1, 2), (2, 2), (5, 77);
    INSERT INTO card VALUES ('v', 1), ('w', 2), ('x', 98)
    """
  private static let mine = """
    INSERT INTO grp VALUES (2, 'own', 'o'); INSERT INTO recipe VALUES (1, 'Tart', 2, NULL)
    """

  private enum Way: String, CaseIterable {
    case new, append, merge
  }

  /// A copy through a mapping with `relationships`; where something is there, that is `mine`.
  private static func mapped(
    _ name: String,
    _ way: Way,
    _ relationships: String,
    defaults: String = "",
    source: String = theirs,
    options: [String] = [],
    status: Int32 = 0,
    says: [String] = [],
    facts: [LawCase.Fact],
    exempt: Set<Law> = [],
    known: Set<Law> = []
  ) -> LawCase {
    LawCase(
      name: "\(name), \(way.rawValue)",
      schema: schema,
      source: source,
      destination: way == .new ? nil : mine,
      mapping: """
        \(defaults)
        entities:
          grp: { where: "label <> 'gone'", identity: [label] }
          recipe: { identity: [title] }
          line: { identity: [what] }
          tag: { where: "name <> 'sweet'", identity: [name] }
        relationships: { \(relationships) }
        """,
      verb: [way == .merge ? "merge" : "copy"],
      options: ["--mapping", "map.yaml"] + (way == .append ? ["--append"] : []) + options,
      status: status,
      says: says,
      facts: facts,
      exempt: exempt.union([.kill]),
      known: known
    )
  }

  /// Recipes with their groups: an empty group has a key and a label alone.
  private static func recipes(_ rows: [String]) -> LawCase.Fact {
    .init(
      """
      SELECT title, grp NOT NULL, label, note FROM recipe LEFT JOIN grp ON grp.id = grp ORDER BY 1, 2, 3
      """,
      rows: rows
    )
  }
  private static func cards(_ rows: String...) -> LawCase.Fact {
    .init(
      "SELECT code, grp.id NOT NULL, label, note FROM card LEFT JOIN grp ON grp.id = grp ORDER BY 1",
      rows: rows
    )
  }
  private static func lines(_ rows: String...) -> LawCase.Fact {
    .init(
      """
      SELECT what, title, (SELECT title FROM recipe b WHERE b.id = recipe.base) FROM line
      LEFT JOIN recipe ON recipe.id = recipe ORDER BY 1
      """,
      rows: rows
    )
  }
  private static func tags(_ rows: [String]) -> LawCase.Fact {
    .init(
      """
      SELECT title, name, tag.note FROM tagged JOIN recipe ON recipe.id = recipe LEFT JOIN tag ON tag.id = tag
      ORDER BY 1, 2, 3
      """,
      rows: rows
    )
  }

  private static let soups = [
    "'Flan',1,'soups','s'", "'Leek',1,'soups','s'", "'Pie',0,NULL,NULL", "'Roll',1,'soups','s'",
  ]
  /// What the destination has.
  private static let own = "'Tart',1,'own','o'"

  private static let columns = Way.allCases.flatMap { way in
    let tarts = { (tart: String) in
      switch way {
      case .new: [tart]
      case .append: [tart, own].sorted()
      case .merge: [own]
      }
    }
    let count = way == .merge ? "1 link of recipe.grp leads" : "2 links of recipe.grp lead"
    let isMerge = way == .merge
    return [
      mapped(
        "missing: null",
        way,
        "recipe.grp: { missing: null }",
        facts: [
          recipes(soups + ["'Stew',0,NULL,NULL"] + tarts("'Tart',0,NULL,NULL")),
          cards("'v',1,'soups','s'", "'w',0,NULL,NULL", "'x',0,NULL,NULL"),
        ],
        // In a new database a link that dangled before is left as it is.
        known: way == .new ? [.outcome] : []
      ),
      mapped(
        "missing: reject",
        way,
        """
        recipe.grp: { missing: reject }, recipe.base: { missing: reject }, line.recipe: { missing: reject },
        card.grp: { missing: reject }
        """,
        status: 3,
        // A tart that is there keeps its group, and so do the pie and the lines that rest on it.
        facts: [
          recipes(
            soups.filter { isMerge || !$0.contains("Pie") } + (way == .new ? [] : [own])
          ),
          isMerge
            ? lines(
              "'egg','Flan','Leek'",
              "'flour','Pie','Tart'",
              "'leek','Leek',NULL",
              "'plum','Tart',NULL"
            )
            : lines("'egg','Flan','Leek'", "'leek','Leek',NULL"),
          cards("'v',1,'soups','s'"),
        ],
        // Links of rejected cards are foretold as cut.
        known: [.prediction]
      ),
      mapped(
        "missing: stub",
        way,
        "recipe.grp: { missing: stub }, card.grp: { missing: stub }",
        facts: [
          recipes(soups + ["'Stew',1,NULL,NULL"] + tarts("'Tart',1,'gone',NULL")),
          cards("'v',1,'soups','s'", "'w',1,'gone',NULL", "'x',1,NULL,NULL"),
        ]
      ),
      mapped(
        "missing: error",
        way,
        "recipe.grp: { missing: error }",
        status: 1,
        says: [count],
        facts: way == .new ? [] : [recipes([own])]
      ),
    ]
  }

  /// Links in a table of their own are part of no object: no rule rejects one for them.
  private static let tables = Way.allCases.flatMap { way in
    let leek = "'Leek','hot','h'"
    return [
      mapped(
        "missing: null, table of links",
        way,
        "recipe.tagged: { missing: null }",
        facts: [tags([leek])],
        known: way == .new ? [.outcome] : []
      ),
      mapped(
        "missing: reject for all, table of links",
        way,
        "recipe.grp: { missing: null }, recipe.base: { missing: null }, card.grp: { missing: null }",
        defaults: "defaults: { missing: reject }",
        // A new database keeps what dangled, as nobody speaks of it.
        facts: [tags(way == .new ? ["'Flan',NULL,NULL", leek] : [leek])]
      ),
      mapped(
        "missing: stub, table of links",
        way,
        "recipe.tagged: { missing: stub }",
        facts: [
          tags(["'Flan',NULL,NULL", leek, "'Leek','sweet',NULL", "'Tart','sweet',NULL"])
        ]
      ),
      mapped(
        "missing: error, table of links",
        way,
        "recipe.tagged: { missing: error }",
        status: 1,
        says: ["3 links of recipe.tagged lead to nothing"],
        facts: way == .new ? [] : [tags([])]
      ),
    ]
  } + [
    mapped(
      "missing: reject, table of links",
      .append,
      "recipe.tagged: { missing: reject }",
      status: 64,
      says: ["map.yaml:7:18"],
      facts: [tags([])]
    )
  ]

  /// A recipe that the destination refuses, which is known when lines that lead to it are written.
  private static let late = [("reject", 3), ("error", 1), ("", 3)].map { rule, status in
    let isError = status == 1
    return mapped(
      "refused late, missing: \(rule.isEmpty ? "not said" : rule)",
      .append,
      rule.isEmpty ? "" : "line.recipe: { missing: \(rule) }",
      source: "PRAGMA ignore_check_constraints = ON; " + theirs
        + "; UPDATE recipe SET title = 'Bad' WHERE title = 'Flan'",
      options: ["--on-error", "reject"],
      status: Int32(status),
      says: isError ? ["1 link of line.recipe leads to an object"] : [],
      facts: [
        recipes(
          isError
            ? [own]
            : soups.filter { !$0.contains("Flan") }
              + ["'Stew',0,NULL,NULL", "'Tart',0,NULL,NULL", own]
        ),
        isError
          ? lines()
          : lines("'flour','Pie','Tart'", "'leek','Leek',NULL", "'plum','Tart',NULL"),
        tags(isError ? [] : ["'Leek','hot','h'"]),
      ],
      // What the destination refuses shows when it is written.
      exempt: [.prediction]
    )
  }

  // MARK: Counts

  /// Of five rows between `a` and `b` one has both ends, two lack an object of either.
  private static let loose: [LawCase] = ["", " WITHOUT ROWID"].flatMap { kind in
    Way.allCases.flatMap { way in
      [false, true].flatMap { isMapped in
        [false, true].map { isFiltered in
          let names = [
            "loose links", kind.isEmpty ? nil : "without keys", isMapped ? "mapped" : nil,
            isFiltered ? "filtered" : nil, way.rawValue,
          ]
          var test = LawCase(
            name: names.compactMap(\.self).joined(separator: ", "),
            schema: """
              CREATE TABLE a (id INTEGER PRIMARY KEY, t TEXT UNIQUE);
              CREATE TABLE b (id INTEGER PRIMARY KEY, t TEXT UNIQUE, a INTEGER REFERENCES a (id));
              CREATE TABLE ab (a INTEGER NOT NULL REFERENCES a (id), b INTEGER NOT NULL REFERENCES b (id),
                PRIMARY KEY (a, b))\(kind);
              CREATE TABLE c (code TEXT PRIMARY KEY, a INTEGER REFERENCES a (id)) WITHOUT ROWID
              """,
            source: """
              INSERT INTO a VALUES (3, 'a3'), (4, 'a4');
              INSERT INTO b VALUES (6, 'b6', 99), (8, 'b8', NULL), (9, 'b9', 3);
              INSERT INTO ab VALUES (3, 8), (99, 6), (3, 99), (4, 8), (4, 9);
              INSERT INTO c VALUES ('x', 3), ('y', 99), ('z', NULL)
              """,
            destination: way == .new ? nil : ""
          )
          test.mapping = isMapped ? "decant: 1" : nil
          test.verb = [way == .merge ? "merge" : "copy"]
          test.options =
            (way == .append ? ["--append"] : []) + (isMapped ? ["--mapping", "map.yaml"] : [])
            + (isFiltered ? ["--where", "a: t <> 'a4'"] : [])
          let pairs = ["'a3','b8'"] + (isFiltered ? [] : ["'a4','b8'", "'a4','b9'"])
          test.facts = [
            .init("SELECT a.t, b.t FROM ab JOIN a ON a.id = ab.a JOIN b ON b.id = ab.b ORDER BY 1, 2", rows: pairs),
            .init("SELECT code, t FROM c LEFT JOIN a ON a.id = c.a ORDER BY 1", "'x','a3'", "'y',NULL", "'z',NULL"),
          ]
          test.counts = [
            "links": isFiltered
              ? ["copied": 3, "cut": 2, "dangling": 4] : ["copied": 5, "cut": 0, "dangling": 4]
          ]
          test.exempt = Set(Law.allCases).subtracting([.outcome, .soundness, .prediction])
          return test
        }
      }
    }
  }
}
