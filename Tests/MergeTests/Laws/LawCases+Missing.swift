/// Links that lead nowhere, under every rule of a mapping and however they come to the destination.
extension LawCases {
  static let missing =
    rules.flatMap { rule in Way.allCases.map { test(rule, $0) } } + late + [there] + loose

  enum Way: String, CaseIterable, Sendable {
    case new, append, merge
  }

  /// What a mapping says of links, and what comes of it.
  private struct Rule: Sendable {
    let name: String
    let relationships: String
    var defaults = ""
    var status: Int32 = 0
    var says: @Sendable (Way) -> [String] = { _ in [] }
    var exempt: Set<Law> = []
    var counts: [String: [String: Int]] = [:]
    var known: @Sendable (Way) -> Set<Law> = { _ in [] }
    /// The lines that differ from what comes where nothing is said, empty where the object is not there.
    let changes: @Sendable (Way) -> [String: String]
  }

  /// Group 2 and tag 2 are left out by the mapping; groups 98 and 99 and tag 77 were never there.
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

  /// Each recipe with its group, base, lines and tags, each card with its group: `?` leads to nothing or an object
  /// without a name, `-` nowhere.
  private static let query = """
    SELECT printf('%s: %s, %s, %s, %s', r.title, iif(r.grp IS NULL, '-', coalesce(g.label || coalesce(' ' || g.note, ''), '?')),
      coalesce(b.title, '-'), coalesce((SELECT group_concat(what) FROM line WHERE recipe = r.id), '-'),
      coalesce((SELECT group_concat(name) FROM (SELECT coalesce(name || coalesce(' ' || note, ''), '?') AS name FROM tagged
        LEFT JOIN tag ON tag.id = tag WHERE recipe = r.id ORDER BY 1)), '-'))
    FROM recipe r LEFT JOIN grp g ON g.id = r.grp LEFT JOIN recipe b ON b.id = r.base
    UNION ALL SELECT 'card ' || code || ': ' || iif(grp IS NULL, '-', coalesce(label || coalesce(' ' || note, ''), '?'))
    FROM card LEFT JOIN grp ON grp.id = grp ORDER BY 1
    """
  private static let own = "Tart: own o, -, -, -"

  /// What comes where nothing is said, with `changes`: a new database keeps what leads nowhere.
  private static func facts(_ way: Way, _ changes: [String: String]) -> [LawCase.Fact] {
    let lost = way == .new ? "?" : "-"
    var lines: [String: String] = [
      "Flan": "soups s, Leek, egg, \(lost)", "Leek": "soups s, -, leek, hot h",
      "Pie": "-, Tart, flour, -", "Roll": "soups s, Roll, -, -", "Stew": "\(lost), -, -, -",
      "Tart": way == .merge ? "own o, -, plum, -" : "-, -, plum, -", "card v": "soups s",
      "card w": "-", "card x": lost,
    ]
    lines.merge(changes) { $1 }
    let rows = lines.filter { !$0.value.isEmpty }.map { "\($0): \($1)" }
    return [.init(query, rows: (rows + (way == .append ? [own] : [])).sorted().map { "'\($0)'" })]
  }

  private static func test(_ rule: Rule, _ way: Way) -> LawCase {
    let isComplete = [0, 3].contains(rule.status)
    return LawCase(
      name: "\(rule.name), \(way.rawValue)",
      schema: schema,
      source: theirs,
      destination: way == .new ? nil : mine,
      mapping: """
        defaults: { \(rule.defaults) }
        entities:
          grp: { where: "label <> 'gone'", identity: [label], merge: skip }
          recipe: { identity: [title], merge: update }
          line: { identity: [what], merge: skip }
          tag: { where: "name <> 'sweet'", identity: [name], merge: skip }
          card: { merge: skip }
        relationships: { \(rule.relationships) }
        """,
      verb: [way == .merge ? "merge" : "copy"],
      options: ["--mapping", "map.yaml"] + (way == .append ? ["--append"] : []),
      status: rule.status,
      says: rule.says(way),
      // What fails leaves what is there as it is.
      facts: isComplete
        ? facts(way, rule.changes(way)) : way == .new ? [] : [.init(query, "'\(own)'")],
      counts: way == .append ? rule.counts : [:],
      // A loose link of the source stays one, so that soundness says nothing.
      exempt: rule.exempt.union(way == .append ? [.kill, .soundness] : [.kill, .soundness, .renumbering]),
      known: rule.known(way)
    )
  }

  private static let rules: [Rule] = [
    Rule(name: "missing: not said", relationships: "", changes: { _ in [:] }),
    Rule(
      name: "missing: null",
      relationships:
        "recipe.grp: { missing: null }, recipe.tagged: { missing: null }, card.grp: { missing: null }",
      // In a new database what dangled is left as it is.
      known: { $0 == .new ? [.outcome] : [] },
      changes: { _ in
        ["Flan": "soups s, Leek, egg, -", "Stew": "-, -, -, -", "card x": "-"]
      }
    ),
    Rule(
      name: "missing: reject",
      relationships:
        "recipe.grp: { missing: reject }, recipe.base: { missing: reject }, line.recipe: { missing: reject }",
      status: 3,
      counts: ["recipe": ["rejected": 3, "copied": 3], "line": ["rejected": 2, "copied": 2]],
      // A tart that is there stays, and so does what rests on it.
      changes: { $0 == .merge ? ["Stew": ""] : ["Pie": "", "Stew": "", "Tart": ""] }
    ),
    Rule(
      name: "missing: reject, of rows with keys of text",
      relationships: "card.grp: { missing: reject }",
      status: 3,
      // A dry run counts the links of rejected rows.
      known: { _ in [.prediction] },
      changes: { _ in ["card w": "", "card x": ""] }
    ),
    Rule(
      name: "missing: stub",
      relationships: "recipe.grp: { missing: stub }",
      counts: ["grp": ["stubs": 2, "copied": 1]],
      // What else leads there finds it; where the tart is there nothing new leads to its group.
      changes: {
        let stew = ["Stew": "?, -, -, -"]
        return $0 == .merge
          ? stew : stew.merging(["Tart": "gone, -, plum, -", "card w": "gone"]) { $1 }
      }
    ),
    Rule(
      name: "missing: stub, of rows with keys of text",
      relationships: "card.grp: { missing: stub }",
      // A second merge finds the group for the tart.
      exempt: [.repetition],
      changes: {
        let cards = ["card w": "gone", "card x": "?"]
        return $0 == .merge ? cards : cards.merging(["Tart": "gone, -, plum, -"]) { $1 }
      }
    ),
    Rule(
      name: "missing: error",
      relationships: "recipe.grp: { missing: error }",
      status: 1,
      // The tart that is there keeps its link.
      says: {
        $0 == .merge
          ? ["1 link of recipe.grp points to objects that are not copied", "recipe p4"]
          : ["2 links of recipe.grp point to objects that are not copied", "recipe p2 is the first"]
      },
      changes: { _ in [:] }
    ),
    // Links in a table of their own are part of no object.
    Rule(
      name: "missing: stub, of a table of links",
      relationships: "recipe.tagged: { missing: stub }",
      changes: {
        [
          "Flan": "soups s, Leek, egg, ?", "Leek": "soups s, -, leek, hot h,sweet",
          "Tart": $0 == .merge ? "own o, -, plum, sweet" : "-, -, plum, sweet",
        ]
      }
    ),
    Rule(
      name: "missing: reject for all, and a table of links",
      relationships:
        "recipe.grp: { missing: null }, recipe.base: { missing: null }, card.grp: { missing: null }",
      defaults: "missing: reject",
      known: { $0 == .new ? [.outcome] : [] },
      changes: { _ in ["Stew": "-, -, -, -", "card x": "-"] }
    ),
    Rule(
      name: "missing: reject, of a table of links",
      relationships: "recipe.tagged: { missing: reject }",
      status: 64,
      says: { _ in ["map.yaml:8:18"] },
      changes: { _ in [:] }
    ),
    Rule(
      name: "missing: error, of a table of links",
      relationships: "recipe.tagged: { missing: error }",
      status: 1,
      says: { _ in ["3 links of recipe.tagged point to objects that are not copied", "recipe p1 is the first"] },
      changes: { _ in [:] }
    ),
  ]

  /// A recipe that the destination refuses, which is known when lines that lead to it are written.
  private static let late = ["reject", "error", ""].map { text in
    let rule = Rule(
      name: "refused late, missing: \(text.isEmpty ? "not said" : text)",
      relationships: text.isEmpty ? "" : "line.recipe: { missing: \(text) }",
      status: text == "error" ? 1 : 3,
      says: { _ in text == "error" ? ["1 link of line.recipe points to objects"] : [] },
      changes: { _ in ["Flan": ""] }
    )
    var late = test(rule, .append)
    late.source =
      "PRAGMA ignore_check_constraints = ON; \(theirs); UPDATE recipe SET title = 'Bad' WHERE id = 5"
    late.options += ["--on-error", "reject"]
    // What the destination refuses shows when it is written.
    late.exempt.insert(.prediction)
    return late
  }

  /// A group that was left out is there: nothing is made in its place.
  private static let there = {
    let relationships = "recipe.grp: { missing: stub }, card.grp: { missing: stub }"
    let rule = Rule(name: "missing: stub, of what is there", relationships: relationships) { _ in
      [
        "Stew": "?, -, -, -", "Tart": "gone m, -, plum, -", "card w": "gone m", "card x": "?",
      ]
    }
    var there = test(rule, .merge)
    there.destination = mine + "; INSERT INTO grp VALUES (10, 'gone', 'm')"
    return there
  }()

  /// Of five rows between `a` and `b` one has both ends, two lack an object of either: counts are the same however
  /// rows come.
  private static let loose = Way.allCases.flatMap { way in
    ["", " WITHOUT ROWID"].flatMap { kind in
      [loose(way, kind), loose(way, kind, isFiltered: true), loose(way, kind, isMapped: true)]
        + [loose(way, kind, isMapped: true, isFiltered: true)]
    }
  }

  private static func loose(_ way: Way, _ kind: String, isMapped: Bool = false, isFiltered: Bool = false) -> LawCase {
    let mapped = isMapped ? ["--mapping", "map.yaml"] : []
    let filter = isFiltered ? ["--where", "a: t <> 'a4'"] : []
    let options = mapped + filter + (way == .append ? ["--append"] : [])
    return LawCase(
      name: "loose links\(kind), \(options.joined(separator: " ")), \(way.rawValue)",
      schema: """
        CREATE TABLE a (id INTEGER PRIMARY KEY, t TEXT UNIQUE);
        CREATE TABLE b (id INTEGER PRIMARY KEY, t TEXT UNIQUE, a INTEGER REFERENCES a (id));
        CREATE TABLE ab (a INTEGER NOT NULL REFERENCES a (id), b INTEGER NOT NULL REFERENCES b (id),
          PRIMARY KEY (a, b))\(kind);
        CREATE TABLE c (code TEXT PRIMARY KEY, a INTEGER REFERENCES a (id)) WITHOUT ROWID
        """,
      source: """
        INSERT INTO a VALUES (3, 'a3'), (4, 'a4'); INSERT INTO b VALUES (6, 'b6', 99), (8, 'b8', NULL), (9, 'b9', 3);
        INSERT INTO ab VALUES (3, 8), (99, 6), (3, 99), (4, 8), (4, 9);
        INSERT INTO c VALUES ('x', 3), ('y', 99), ('z', NULL)
        """,
      destination: way == .new ? nil : "",
      mapping: "decant: 1",
      verb: [way == .merge ? "merge" : "copy"],
      options: options,
      facts: [
        .init(
          """
          SELECT a.t, b.t FROM ab JOIN a ON a.id = ab.a JOIN b ON b.id = ab.b
          UNION ALL SELECT code, t FROM c LEFT JOIN a ON a.id = c.a ORDER BY 1, 2
          """,
          rows: ["'a3','b8'"] + (isFiltered ? [] : ["'a4','b8'", "'a4','b9'"])
            + ["'x','a3'", "'y',NULL", "'z',NULL"]
        )
      ],
      counts: ["links": ["copied": isFiltered ? 3 : 5, "cut": isFiltered ? 2 : 0, "dangling": 4]],
      exempt: Set(Law.allCases).subtracting([.outcome, .prediction])
    )
  }
}
