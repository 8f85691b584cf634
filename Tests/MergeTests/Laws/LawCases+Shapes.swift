/// The ways in which a database keeps links, all in one.
extension LawCases {
  /// People know each other by a column, a join table, one to one, and by a value; one link leads nowhere.
  private static let schema = """
    CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, boss INTEGER REFERENCES person (id),
      country TEXT REFERENCES country (code), age INTEGER);
    CREATE TABLE country (code TEXT PRIMARY KEY, title TEXT);
    CREATE TABLE passport (id INTEGER PRIMARY KEY, number TEXT NOT NULL UNIQUE,
      person INTEGER UNIQUE REFERENCES person (id));
    CREATE TABLE pet (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, owner INTEGER REFERENCES person (id));
    CREATE TABLE walks (pet INTEGER REFERENCES pet (id), person INTEGER REFERENCES person (id),
      PRIMARY KEY (pet, person))
    """
  private static let theirs = """
    INSERT INTO country VALUES ('de', 'Germany'), ('pl', 'Poland');
    INSERT INTO person VALUES (1, 'anna', NULL, 'de', 30), (2, 'bob', 1, 'pl', 41), (3, 'cid', 2, NULL, 52);
    INSERT INTO passport VALUES (1, 'A1', 2), (2, 'A2', 3);
    INSERT INTO pet VALUES (1, 'rex', 1), (2, 'tom', 3), (3, 'una', NULL);
    INSERT INTO walks VALUES (1, 2), (1, 3), (2, 1)
    """
  private static let mine = """
    INSERT INTO country VALUES ('fr', 'France'), ('pl', 'Polska');
    INSERT INTO person VALUES (1, 'dora', NULL, 'fr', 60), (2, 'bob', 1, 'fr', 40);
    INSERT INTO passport VALUES (1, 'B7', 1);
    INSERT INTO pet VALUES (1, 'lux', 2), (2, 'rex', 2);
    INSERT INTO walks VALUES (1, 1)
    """
  private static let people = """
    SELECT p.name, b.name, p.country, p.age FROM person p LEFT JOIN person b ON b.id = p.boss ORDER BY 1, 2
    """
  private static let passports = """
    SELECT number, name FROM passport LEFT JOIN person ON person.id = passport.person ORDER BY 1, 2
    """
  private static let pets = """
    SELECT pet.name, person.name FROM pet LEFT JOIN person ON person.id = owner ORDER BY 1, 2
    """
  private static let walks = """
    SELECT pet.name, person.name FROM walks LEFT JOIN pet ON pet.id = pet LEFT JOIN person ON person.id = person
    ORDER BY 1, 2
    """

  static let shapes: [LawCase] = [
    LawCase(
      name: "every shape of link, update",
      schema: schema,
      source: theirs,
      destination: mine,
      options: ["--merge", "update"],
      facts: [
        .init(people, "'anna',NULL,'de',30", "'bob','anna','pl',41", "'cid','bob',NULL,52", "'dora',NULL,'fr',60"),
        .init(passports, "'A1','bob'", "'A2','cid'", "'B7','dora'"),
        .init(pets, "'lux','bob'", "'rex','anna'", "'tom','cid'", "'una',NULL"),
        .init(walks, "'lux','dora'", "'rex','bob'", "'rex','cid'", "'tom','anna'"),
        .init("SELECT * FROM country ORDER BY 1", "'de','Germany'", "'fr','France'", "'pl','Poland'"),
      ],
      counts: ["person": ["new": 2, "changed": 1], "pet": ["new": 2, "changed": 1]]
    ),
    LawCase(
      name: "a link from one to one that another object gives up",
      schema: """
        CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
        CREATE TABLE card (id INTEGER PRIMARY KEY, number TEXT NOT NULL UNIQUE, person INTEGER REFERENCES person (id),
          UNIQUE (person))
        """,
      source:
        "INSERT INTO person VALUES (1, 'bob'), (2, 'cid'); INSERT INTO card VALUES (1, 'A', 2), (2, 'B', 1)",
      destination:
        "INSERT INTO person VALUES (1, 'ann'), (2, 'bob'); INSERT INTO card VALUES (1, 'A', 2)",
      options: ["--merge", "update"],
      facts: [
        .init("SELECT number, name FROM card JOIN person ON person.id = person ORDER BY 1", "'A','cid'", "'B','bob'")
      ],
      exempt: [.editedCopy, .kill, .damage],
      known: [.batches]
    ),
  ]
}
