/// Merges that would change or remove rows to which a table refers that only the destination has.
extension LawCases {
  static let ownTables: [LawCase] = ["", " WITHOUT ROWID"].flatMap { after in
    [
      country(
        "a key that would change", after, visits: "UK", status: 1,
        says: [
          "1 row of visit of the destination refers through country to an object of country whose code would change"
        ],
        "'UK','r1'", "'FR','r2'"),
      country("the key of another row changes", after, visits: "FR", status: 0, says: [], "'GB','r1'", "'FR','r2'"),
      lines("a numbered line stays", after, shipped: 2, "1,'a'", "2,'b'"),
      lines("a line to which nothing refers", after, shipped: 1, "1,'a'"),
    ]
  }

  private static func country(
    _ name: String,
    _ after: String,
    visits code: String,
    status: Int32,
    says: [String],
    _ rows: String...
  ) -> LawCase {
    let schema = "CREATE TABLE country (code TEXT PRIMARY KEY, ref TEXT NOT NULL UNIQUE, name TEXT)\(after)"
    return LawCase(
      name: "own tables: \(name)\(after)",
      schema: schema,
      source: "INSERT INTO country VALUES ('GB', 'r1', 'Britain'), ('FR', 'r2', 'France')",
      destination: """
        INSERT INTO country VALUES ('UK', 'r1', 'Britain'), ('FR', 'r2', 'France'); INSERT INTO visit VALUES (1, '\(code)')
        """,
      destinationSchema: """
        \(schema); CREATE TABLE visit (id INTEGER PRIMARY KEY, country TEXT REFERENCES country (code) ON UPDATE CASCADE)
        """,
      options: ["--merge", "update", "--identity", "country: ref"],
      status: status,
      says: says,
      facts: [
        .init("SELECT code, ref FROM country ORDER BY ref", rows: rows),
        .init("SELECT country FROM visit", "'\(code)'"),
      ],
      exempt: [.batches, .pairs, .damage, .editedCopy, .kill]
    )
  }

  private static func lines(_ name: String, _ after: String, shipped: Int, _ rows: String...) -> LawCase {
    let schema = """
      CREATE TABLE ord (id INTEGER PRIMARY KEY, ref TEXT NOT NULL UNIQUE);
      CREATE TABLE line (ord INTEGER NOT NULL REFERENCES ord (id) ON DELETE CASCADE, n INTEGER NOT NULL, sku TEXT,
        PRIMARY KEY (ord, n))\(after)
      """
    return LawCase(
      name: "own tables: \(name)\(after)",
      schema: schema,
      source: "INSERT INTO ord VALUES (1, 'o1'); INSERT INTO line VALUES (1, 1, 'a')",
      destination: """
        INSERT INTO ord VALUES (1, 'o1'); INSERT INTO line VALUES (1, 1, 'a'), (1, 2, 'b');
        INSERT INTO shipment VALUES (1, 1, \(shipped))
        """,
      destinationSchema: """
        \(schema); CREATE TABLE shipment (id INTEGER PRIMARY KEY, ord INTEGER NOT NULL, n INTEGER NOT NULL,
          FOREIGN KEY (ord, n) REFERENCES line (ord, n) ON DELETE CASCADE)
        """,
      options: ["--merge", "replace"],
      facts: [
        .init("SELECT n, sku FROM line ORDER BY n", rows: rows), .init("SELECT n FROM shipment", "\(shipped)"),
      ],
      exempt: [.batches, .pairs, .damage, .editedCopy, .kill]
    )
  }
}
