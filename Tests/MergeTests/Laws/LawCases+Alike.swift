/// Rows that hold the same and differ in the links that lead to and from them, and keys that continue one another.
extension LawCases {
  static let alike = directions + [chain, third] + strangers

  /// Two that hold the same in mine: theirs is the one of its key, whatever else holds what it holds.
  private static let third = LawCase(
    name: "rows that hold the same: one more of them in a store that went on",
    schema: """
      CREATE TABLE note (id INTEGER PRIMARY KEY, title TEXT, text TEXT);
      CREATE TABLE star (id INTEGER PRIMARY KEY, by TEXT UNIQUE, note INTEGER REFERENCES note (id))
      """,
    source: """
      INSERT INTO note VALUES (1, 'a', 'one'), (2, 'b', 'two'), (4, 'x', 'y');
      INSERT INTO star VALUES (1, 'ann', 1), (2, 'bob', 1)
      """,
    destination: """
      INSERT INTO note VALUES (1, 'a', 'one'), (2, 'b', 'two'), (3, 'a', 'one');
      INSERT INTO star VALUES (1, 'ann', 1)
      """,
    options: ["--merge", "update"],
    facts: [
      .init("SELECT * FROM note", "1,'a','one'", "2,'b','two'", "3,'a','one'", "4,'x','y'"),
      .init("SELECT by, note FROM star", "'ann',1", "'bob',1"),
    ],
    counts: ["note": ["new": 1, "same": 2], "star": ["new": 1, "same": 1]],
    // It is about keys.
    exempt: [.renumbering, .editedCopy, .damage, .kill]
  )

  private static let follows = """
    CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT);
    CREATE TABLE follows (a INTEGER REFERENCES person (id), b INTEGER REFERENCES person (id), PRIMARY KEY (a, b))
    """

  /// The links by what their ends are followed by and follow: keys mean nothing.
  private static let circles = """
    SELECT p.name, (SELECT group_concat(name) FROM (SELECT o.name FROM follows JOIN person o ON o.id = b WHERE a = p.id
      ORDER BY 1)), (SELECT group_concat(name) FROM (SELECT o.name FROM follows JOIN person o ON o.id = a WHERE b = p.id
      ORDER BY 1)) FROM person p ORDER BY 1, 2, 3
    """

  /// Two bobs of which nothing but a direction tells which is which; in mine their keys are in the other order.
  private static let directions = [
    (
      "one leads to ann, and the other is led to by her", "(1, 3), (3, 2)", "(2, 3), (3, 1)",
      ["'ann','bob','bob'", "'bob',NULL,'ann'", "'bob','ann',NULL"]
    ),
    (
      "each is led to by another one", "(3, 1), (4, 2)", "(3, 2), (4, 1)",
      ["'ann','bob',NULL", "'bob',NULL,'ann'", "'bob',NULL,'cid'", "'cid','bob',NULL"]
    ),
    (
      "each leads to another one", "(1, 3), (2, 4)", "(2, 3), (1, 4)",
      ["'ann',NULL,'bob'", "'bob','ann',NULL", "'bob','cid',NULL", "'cid',NULL,'bob'"]
    ),
  ].map { name, theirs, mine, rows in
    let persons = "INSERT INTO person VALUES (1, 'bob'), (2, 'bob'), (3, 'ann')"
    let all = persons + (rows.count > 3 ? ", (4, 'cid')" : "")
    return LawCase(
      name: "rows that hold the same: \(name)",
      schema: follows,
      source: "\(all); INSERT INTO follows VALUES \(theirs)",
      destination: "\(all); INSERT INTO follows VALUES \(mine)",
      options: ["--no-lineage", "--merge", "update"],
      facts: [.init(circles, rows: rows)],
      counts: ["person": ["new": 0, "same": rows.count]],
      // A person that is edited is another one where nothing else is known of it.
      exempt: [.editedCopy]
    )
  }

  // MARK: Keys

  /// The last of three tables comes first, so that one look at each does not do.
  private static let chain = LawCase(
    name: "keys that continue one another go with the first that is left out",
    schema: """
      CREATE TABLE chief (id INTEGER PRIMARY KEY REFERENCES staff (id), car TEXT);
      CREATE TABLE staff (id INTEGER PRIMARY KEY REFERENCES person (id), job TEXT);
      CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT)
      """,
    source: """
      INSERT INTO person VALUES (1, 'ann'), (2, 'bob'), (3, 'cid');
      INSERT INTO staff VALUES (1, 'cook'), (2, 'guard'), (3, 'chef');
      INSERT INTO chief VALUES (2, 'van'), (3, 'bus')
      """,
    destination: nil,
    verb: ["copy"],
    options: ["--where", "person: name <> 'bob'"],
    facts: [
      .init("SELECT car FROM chief", "'bus'"),
      .init(
        "SELECT name, job, car FROM person LEFT JOIN staff USING (id) LEFT JOIN chief USING (id) ORDER BY 1",
        "'ann','cook',NULL",
        "'cid','chef','bus'"
      ),
    ],
    counts: ["chief": ["copied": 1], "staff": ["copied": 2]]
  )

  /// A link that leads nowhere keeps a value below every key that there is or will be; one that could be a key some day
  /// would lead to a stranger.
  private static let strangers = [
    ("below one", "(4, 'there')", ["'a',-2", "'b',0", "'c',NULL", "'d',NULL", "'e',NULL"]),
    ("below the lowest key", "(-1, 'there')", ["'a',-2", "'b',NULL", "'c',NULL", "'d',NULL", "'e',NULL"]),
    ("below the lowest key of all", "(-2, 'there')", ["'a',NULL", "'b',NULL", "'c',NULL", "'d',NULL", "'e',NULL"]),
    ("below none", "(0, 'there')", ["'a',-2", "'b',NULL", "'c',NULL", "'d',NULL", "'e',NULL"]),
  ].map { name, row, rows in
    LawCase(
      name: "a link that leads nowhere keeps a value \(name)",
      schema: """
        CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT);
        CREATE TABLE pet (id INTEGER PRIMARY KEY, name TEXT, owner INTEGER)
        """,
      source:
        "INSERT INTO pet VALUES (1, 'a', -2), (2, 'b', 0), (3, 'c', 1), (4, 'd', 2), (5, 'e', 90)",
      destination: "INSERT INTO person VALUES \(row)",
      verb: ["copy"],
      options: ["--append", "--link", "pet.owner -> person"],
      facts: [.init("SELECT name, owner FROM pet ORDER BY 1", rows: rows)],
      // Other keys are other values where these are no keys.
      exempt: [.renumbering]
    )
  }
}
