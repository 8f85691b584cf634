/// Merges without a base of two copies of one database, each of which got rows of its own under the same keys.
extension LawCases {
  static let ownNewRows: [LawCase] = ["skip", "update"].flatMap { policy in
    [notes(policy, tags: 1), notes(policy, tags: 2), orders(policy), properties(policy)]
  }

  private static let unkeyed: Set<Law> = [.renumbering, .damage, .editedCopy, .batches, .kill]

  private static func numbers(_ count: Int) -> String {
    "WITH n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))"
  }

  private static func law(
    _ name: String, _ policy: String, _ schema: String, _ base: String, mine: String, theirs: String, _ query: String,
    _ rows: String...
  ) -> LawCase {
    LawCase(
      name: "own new rows: \(name), \(policy)",
      schema: schema,
      source: base + theirs,
      destination: base + mine,
      options: ["--merge", policy],
      facts: [.init(query, rows: rows)],
      exempt: unkeyed
    )
  }

  /// Two notes with nothing in common but their tags.
  private static func notes(_ policy: String, tags: Int) -> LawCase {
    func note(_ title: String, _ body: String, _ open: Int, _ line: String) -> String {
      """
      INSERT INTO note (title, body, open) VALUES ('\(title)', '\(body)', \(open));
      INSERT INTO note_tag SELECT 31, id FROM tag WHERE id > \(3 - tags);
      INSERT INTO line (note_id, txt) VALUES (31, '\(line)')
      """
    }
    return law(
      "notes with \(tags) common tags", policy,
      """
      CREATE TABLE note (id INTEGER PRIMARY KEY AUTOINCREMENT, title TEXT, body TEXT, open INTEGER);
      CREATE TABLE tag (id INTEGER PRIMARY KEY, name TEXT UNIQUE);
      CREATE TABLE note_tag (note_id INTEGER REFERENCES note, tag_id INTEGER REFERENCES tag, PRIMARY KEY (note_id, tag_id));
      CREATE TABLE line (id INTEGER PRIMARY KEY AUTOINCREMENT, note_id INTEGER NOT NULL REFERENCES note, txt TEXT)
      """,
      """
      INSERT INTO tag VALUES (1, 'home'), (2, 'work'), (3, 'later');
      \(numbers(30)) INSERT INTO note SELECT i, 'Title ' || (i * i), 'Body ' || (i * 7), i % 2 FROM n;
      INSERT INTO note_tag SELECT id, 1 + id % 3 FROM note;
      INSERT INTO line (note_id, txt) SELECT id, 'Line ' || (id * 11) FROM note;
      """,
      mine: note("Dentist", "Monday 9:00", 1, "bring card"),
      theirs: note("Birthday Eva", "cake, candles", 0, "invite Finn"),
      "SELECT title, txt, (SELECT count(*) FROM note_tag WHERE note_id = n.id) FROM note AS n JOIN line ON note_id = n.id "
        + "WHERE title NOT LIKE 'Title%' ORDER BY 1",
      "'Birthday Eva','invite Finn',\(tags)", "'Dentist','bring card',\(tags)")
  }

  /// Two orders, each with a line of the same values.
  private static func orders(_ policy: String) -> LawCase {
    func order(_ number: String, _ other: String) -> String {
      "INSERT INTO orders (number) VALUES ('\(number)');"
        + "INSERT INTO items (order_id, product, qty) VALUES (21, 'Prod new', 7), (21, '\(other)', 1)"
    }
    return law(
      "lines of two orders", policy,
      """
      CREATE TABLE orders (id INTEGER PRIMARY KEY AUTOINCREMENT, number TEXT UNIQUE);
      CREATE TABLE items (id INTEGER PRIMARY KEY AUTOINCREMENT, order_id INTEGER NOT NULL REFERENCES orders, product TEXT, qty INTEGER)
      """,
      """
      \(numbers(20)) INSERT INTO orders SELECT i, 'B-' || i FROM n;
      INSERT INTO items (order_id, product, qty)
      SELECT o.id, 'Prod ' || ((o.id * 7 + k) % 9), (o.id + k) % 4 + 1 FROM orders AS o, (SELECT 1 AS k UNION SELECT 2) ORDER BY 1;
      """,
      mine: order("M-1", "Prod 3"), theirs: order("T-1", "Prod 1"),
      "SELECT number, product, qty FROM orders AS o JOIN items ON order_id = o.id WHERE number NOT LIKE 'B%' ORDER BY 1, 2",
      "'M-1','Prod 3',1", "'M-1','Prod new',7", "'T-1','Prod 1',1", "'T-1','Prod new',7")
  }

  /// Two products with one price, in a table of names and values.
  private static func properties(_ policy: String) -> LawCase {
    func post(_ title: String, _ code: String) -> String {
      "INSERT INTO posts (title) VALUES ('\(title)'); INSERT INTO meta (post_id, name, value) VALUES (21, 'price', '99.00'), "
        + "(21, 'sku', '\(code)')"
    }
    return law(
      "properties of two products", policy,
      """
      CREATE TABLE posts (id INTEGER PRIMARY KEY AUTOINCREMENT, title TEXT NOT NULL);
      CREATE TABLE meta (id INTEGER PRIMARY KEY AUTOINCREMENT, post_id INTEGER NOT NULL REFERENCES posts, name TEXT, value TEXT)
      """,
      """
      \(numbers(20)) INSERT INTO posts SELECT i, 'Product ' || i FROM n;
      INSERT INTO meta (post_id, name, value)
      SELECT id, k, CASE k WHEN 'price' THEN (id * 3) || '.50' WHEN 'sku' THEN 'S-' || id ELSE id || ' g' END
      FROM posts, (SELECT 'price' AS k UNION SELECT 'sku' UNION SELECT 'weight') ORDER BY id, k;
      """,
      mine: post("Teapot", "TEA"), theirs: post("Grinder", "GRI"),
      "SELECT title, name, value FROM posts AS p JOIN meta ON post_id = p.id WHERE title NOT LIKE 'Product%' ORDER BY 1, 2",
      "'Grinder','price','99.00'", "'Grinder','sku','GRI'", "'Teapot','price','99.00'", "'Teapot','sku','TEA'")
  }
}
