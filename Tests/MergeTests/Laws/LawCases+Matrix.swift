/// Every way to keep a link under every verb that copies.
extension LawCases {
  /// What is done with a shape of link.
  enum Verb: String, CaseIterable, Sendable {
    case new = "copied into a new store"
    case append = "appended"
    case skip = "merged"
    case keepBoth = "merged, keeping both"
  }

  /// A way to keep a link, and the rows that `query` gives after each verb.
  ///
  /// Both databases hold Bob, with another key and another age.
  struct Shape: Sendable {
    var name: String
    var schema: String
    let mine: String
    let theirs: String
    let query: String
    let rows: [Verb: [String]]
    /// What tells objects apart in a merge.
    let identities: [String]
    var options: [String] = []
    /// Laws that do not apply to any verb.
    var exempt: Set<Law> = []
    /// Laws that decant breaks today.
    var known: [Verb: Set<Law>] = [:]

    /// The same shape under another name, with a part of its schema replaced.
    func called(
      _ name: String,
      _ part: String,
      _ other: String,
      options: [String] = [],
      exempt: Set<Law> = []
    ) -> Shape {
      var shape = self
      shape.name = name
      shape.schema = schema.replacing(part, with: other)
      shape.options = options
      shape.exempt = exempt
      return shape
    }

    func test(_ verb: Verb) -> LawCase {
      let pairing = identities.flatMap { ["--identity", $0] }
      let (command, more): (String, [String]) =
        switch verb {
        case .new: ("copy", [])
        case .append: ("copy", ["--append"])
        case .skip: ("merge", pairing)
        case .keepBoth: ("merge", pairing + ["--merge", "keep-both"])
        }
      return LawCase(
        name: "\(name), \(verb.rawValue)",
        schema: schema,
        source: theirs,
        destination: verb == .new ? nil : mine,
        verb: [command],
        options: options + more,
        facts: [.init(query, rows: rows[verb] ?? [])],
        // The edits would change what tells objects apart; the rest is held by other cases.
        exempt: exempt.union(verb == .skip ? [.editedCopy, .kill] : [.editedCopy, .kill, .damage])
          // What belongs to a copy that is kept is new, and `diff` pairs it with what belongs to its like.
          .union(verb == .keepBoth ? [.pairs] : []),
        known: known[verb] ?? []
      )
    }
  }

  static let matrix = linkShapes.flatMap { shape in Verb.allCases.map(shape.test) }

  private static let people = """
    CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT, age INTEGER);
    """
  private static let ours = "INSERT INTO person VALUES (1, 'ann', 30), (2, 'bob', 40);"
  private static let others = "INSERT INTO person VALUES (1, 'bob', 41), (2, 'cid', 50);"

  private static let column = Shape(
    name: "a link in a column",
    schema: people + """
      CREATE TABLE pet (id INTEGER PRIMARY KEY, name TEXT, owner INTEGER REFERENCES person (id))
      """,
    mine: ours + "INSERT INTO pet VALUES (1, 'rex', 2)",
    theirs: others + "INSERT INTO pet VALUES (1, 'rex', 2), (2, 'tom', 1), (3, 'una', NULL)",
    query: """
      SELECT pet.name, person.name, age FROM pet LEFT JOIN person ON person.id = owner ORDER BY 1, 2, 3
      """,
    rows: [
      .new: ["'rex','cid',50", "'tom','bob',41", "'una',NULL,NULL"],
      .append: ["'rex','bob',40", "'rex','cid',50", "'tom','bob',41", "'una',NULL,NULL"],
      .skip: ["'rex','bob',40", "'tom','bob',40", "'una',NULL,NULL"],
      .keepBoth: ["'rex','bob',40", "'rex (2)','cid',50", "'tom','bob (2)',41", "'una',NULL,NULL"],
    ],
    identities: ["person: name", "pet: name"]
  )

  private static let join = Shape(
    name: "a table of links",
    schema: people + """
      CREATE TABLE pet (id INTEGER PRIMARY KEY, name TEXT);
      CREATE TABLE walks (pet INTEGER REFERENCES pet (id), person INTEGER REFERENCES person (id),
        PRIMARY KEY (pet, person))
      """,
    mine: ours + "INSERT INTO pet VALUES (1, 'rex'); INSERT INTO walks (pet, person) VALUES (1, 2)",
    theirs: others + """
      INSERT INTO pet VALUES (1, 'rex'), (2, 'tom'); INSERT INTO walks (pet, person) VALUES (1, 1), (1, 2), (2, 1)
      """,
    query: """
      SELECT pet.name, person.name, age FROM walks JOIN pet ON pet.id = pet JOIN person ON person.id = person
      ORDER BY 1, 2, 3
      """,
    rows: [
      .new: ["'rex','bob',41", "'rex','cid',50", "'tom','bob',41"],
      .append: ["'rex','bob',40", "'rex','bob',41", "'rex','cid',50", "'tom','bob',41"],
      .skip: ["'rex','bob',40", "'rex','cid',50", "'tom','bob',40"],
      .keepBoth: ["'rex','bob',40", "'rex','bob (2)',41", "'rex','cid',50", "'tom','bob (2)',41"],
    ],
    identities: ["person: name", "pet: name"]
  )

  private static let linkShapes = [
    column,
    column.called(
      "a link to a key that is no rowid",
      "(id INTEGER PRIMARY KEY, name TEXT, age",
      "(id INT PRIMARY KEY, name TEXT, age"
    ),
    // Renumbering changes integers and single columns only.
    column.called("a link of texts", "owner INTEGER", "owner TEXT", exempt: [.renumbering]),
    column.called(
      "a link that is not declared",
      " REFERENCES person (id)",
      "",
      options: ["--link", "pet.owner -> person"]
    ),
    join,
    join.called("a table of links without keys", "(pet, person))", "(pet, person)) WITHOUT ROWID"),
    join.called(
      "a table of links with keys of their own",
      "(pet INTEGER REFERENCES pet (id), person INTEGER REFERENCES person (id),\n  PRIMARY KEY",
      "(id INTEGER PRIMARY KEY, pet INTEGER REFERENCES pet (id), person INTEGER REFERENCES person (id),\n  UNIQUE"
    ),
    Shape(
      name: "a link from one to one",
      schema: people + """
        CREATE TABLE card (id INTEGER PRIMARY KEY, number TEXT, person INTEGER UNIQUE REFERENCES person (id))
        """,
      mine: ours + "INSERT INTO card VALUES (1, 'A', 1)",
      theirs: others + "INSERT INTO card VALUES (1, 'A', 1), (2, 'B', 2)",
      query:
        "SELECT number, name, age FROM card LEFT JOIN person ON person.id = person ORDER BY 1, 2",
      rows: [
        .new: ["'A','bob',41", "'B','cid',50"],
        .append: ["'A','ann',30", "'A','bob',41", "'B','cid',50"],
        .skip: ["'A','ann',30", "'B','cid',50"],
        .keepBoth: ["'A','ann',30", "'A (2)','bob (2)',41", "'B','cid',50"],
      ],
      identities: ["person: name", "card: number"]
    ),
    Shape(
      name: "a link to the own table",
      schema:
        "CREATE TABLE folder (id INTEGER PRIMARY KEY, name TEXT, up INTEGER REFERENCES folder (id))",
      mine: "INSERT INTO folder VALUES (1, 'home', NULL), (2, 'work', 1), (3, 'old', 2)",
      theirs: """
        INSERT INTO folder VALUES (1, 'work', NULL), (2, 'home', 1), (3, 'new', 2), (4, 'self', 4)
        """,
      query: """
        SELECT f.name, u.name, v.name FROM folder f LEFT JOIN folder u ON u.id = f.up
        LEFT JOIN folder v ON v.id = u.up ORDER BY 1, 2, 3
        """,
      rows: [
        .new: [
          "'home','work',NULL", "'new','home','work'", "'self','self','self'", "'work',NULL,NULL",
        ],
        .append: [
          "'home',NULL,NULL", "'home','work',NULL", "'new','home','work'", "'old','work','home'",
          "'self','self','self'", "'work',NULL,NULL", "'work','home',NULL",
        ],
        .skip: [
          "'home',NULL,NULL", "'new','home',NULL", "'old','work','home'", "'self','self','self'",
          "'work','home',NULL",
        ],
        .keepBoth: [
          "'home',NULL,NULL", "'home (2)','work (2)',NULL", "'new','home (2)','work (2)'",
          "'old','work','home'", "'self','self','self'", "'work','home',NULL",
          "'work (2)',NULL,NULL",
        ],
      ],
      identities: ["folder: name"]
    ),
    Shape(
      name: "a link by a value",
      schema: """
        CREATE TABLE country (code TEXT PRIMARY KEY, title TEXT);
        CREATE TABLE city (id INTEGER PRIMARY KEY, name TEXT, country TEXT REFERENCES country (code))
        """,
      mine:
        "INSERT INTO country VALUES ('fr', 'France'); INSERT INTO city VALUES (1, 'metz', 'fr')",
      theirs: """
        INSERT INTO country VALUES ('de', 'Germany'), ('pl', 'Poland');
        INSERT INTO city VALUES (1, 'ulm', 'de'), (2, 'metz', 'pl'), (3, 'oz', NULL)
        """,
      query: "SELECT name, title FROM city LEFT JOIN country ON code = country ORDER BY 1, 2",
      rows: [
        .new: ["'metz','Poland'", "'oz',NULL", "'ulm','Germany'"],
        .append: ["'metz','France'", "'metz','Poland'", "'oz',NULL", "'ulm','Germany'"],
        .skip: ["'metz','France'", "'oz',NULL", "'ulm','Germany'"],
        .keepBoth: ["'metz','France'", "'metz (2)','Poland'", "'oz',NULL", "'ulm','Germany'"],
      ],
      identities: ["city: name"]
    ),
    Shape(
      name: "a link by two columns, one of which is a link",
      schema: people + """
        CREATE TABLE seat (row TEXT, person INTEGER REFERENCES person (id), PRIMARY KEY (row, person)) WITHOUT ROWID;
        CREATE TABLE bag (id INTEGER PRIMARY KEY, name TEXT, row TEXT, person INTEGER,
          FOREIGN KEY (row, person) REFERENCES seat (row, person))
        """,
      mine: ours + """
        INSERT INTO seat VALUES ('a', 1), ('a', 2); INSERT INTO bag VALUES (1, 'red', 'a', 2)
        """,
      theirs: others + """
        INSERT INTO seat VALUES ('a', 1), ('b', 2); INSERT INTO bag VALUES (1, 'red', 'b', 2), (2, 'tan', 'a', 1)
        """,
      query: """
        SELECT bag.name, row, person.name, age FROM bag LEFT JOIN seat USING (row, person)
        LEFT JOIN person ON person.id = seat.person ORDER BY 1, 2, 3, 4
        """,
      rows: [
        .new: ["'red','b','cid',50", "'tan','a','bob',41"],
        .append: ["'red','a','bob',40", "'red','b','cid',50", "'tan','a','bob',41"],
        .skip: ["'red','a','bob',40", "'tan','a','bob',40"],
        .keepBoth: ["'red','a','bob',40", "'red (2)','b','cid',50", "'tan','a','bob (2)',41"],
      ],
      identities: ["person: name", "bag: name"],
      exempt: [.renumbering]
    ),
    Shape(
      name: "a link of a row whose key is a text",
      schema: people + """
        CREATE TABLE note (code TEXT PRIMARY KEY, person INTEGER REFERENCES person (id)) WITHOUT ROWID
        """,
      mine: ours + "INSERT INTO note VALUES ('x', 2)",
      theirs: others + "INSERT INTO note VALUES ('y', 1), ('z', 2)",
      query: "SELECT code, name, age FROM note LEFT JOIN person ON person.id = person ORDER BY 1",
      rows: [
        .new: ["'y','bob',41", "'z','cid',50"],
        .append: ["'x','bob',40", "'y','bob',41", "'z','cid',50"],
        .skip: ["'x','bob',40", "'y','bob',40", "'z','cid',50"],
        .keepBoth: ["'x','bob',40", "'y','bob (2)',41", "'z','cid',50"],
      ],
      identities: ["person: name"]
    ),
    Shape(
      name: "a key that is a link to another one",
      schema: people + """
        CREATE TABLE staff (id INTEGER PRIMARY KEY REFERENCES person (id), job TEXT);
        CREATE TABLE chief (id INTEGER PRIMARY KEY REFERENCES staff (id), car TEXT)
        """,
      mine: ours + "INSERT INTO staff VALUES (2, 'cook')",
      theirs: others + """
        INSERT INTO staff VALUES (1, 'chef'), (2, 'guard'); INSERT INTO chief VALUES (2, 'van')
        """,
      query: """
        SELECT name, age, job, car FROM person LEFT JOIN staff USING (id) LEFT JOIN chief USING (id) ORDER BY 1, 2
        """,
      rows: [
        .new: ["'bob',41,'chef',NULL", "'cid',50,'guard','van'"],
        .append: [
          "'ann',30,NULL,NULL", "'bob',40,'cook',NULL", "'bob',41,'chef',NULL",
          "'cid',50,'guard','van'",
        ],
        .skip: ["'ann',30,NULL,NULL", "'bob',40,'cook',NULL", "'cid',50,'guard','van'"],
        .keepBoth: [
          "'ann',30,NULL,NULL", "'bob',40,'cook',NULL", "'bob (2)',41,'chef',NULL",
          "'cid',50,'guard','van'",
        ],
      ],
      identities: ["person: name"]
    ),
  ]
}
