import Decant
import StoreTestSupport
import TestSupport
import Testing

/// Rows added to a database that has some: keys that collide are renumbered, and every link follows.
@Suite struct PlainAppendTests {
  private let place: PlainDatabase

  init() throws { place = try PlainDatabase() }

  /// Makes both databases of one schema, with rows of their own.
  private func make(_ schema: String, a: String, b: String) throws {
    try place.make("a.db", schema + ";" + a)
    try place.make("b.db", schema + ";" + b)
  }

  @Test func `a value that can be no key stays, and one that might becomes null`() throws {
    try make(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, up INT REFERENCES t)",
      a: "INSERT INTO t VALUES (1, 0), (2, -1), (3, 'none'), (4, 99), (5, 1), (6, NULL)",
      b: "INSERT INTO t VALUES (1, NULL), (2, 50)"
    )
    let report = try place.append()
    #expect(report.isVerified)
    #expect(report.links == LinkCounts(copied: 1, cut: 0, dangling: 4))
    // A link of the destination's own that leads to 50 must never find a stranger there.
    #expect(
      try place.read("b.db", "SELECT * FROM t WHERE id > 2")
        == ["51,0", "52,-1", "53,'none'", "54,NULL", "55,51", "56,NULL"]
    )
  }

  @Test func `what looks like a link stops the copy until it is said what it is`() throws {
    try make(
      "CREATE TABLE recipe (id INTEGER PRIMARY KEY, title); CREATE TABLE note (id INTEGER PRIMARY KEY, recipe_id INT, rating INT)",
      a:
        "INSERT INTO recipe VALUES (1, 'a'), (2, 'b'); INSERT INTO note VALUES (1, 2, 2), (2, 0, 1), (3, NULL, 1)",
      b: "INSERT INTO recipe VALUES (1, 'x'); INSERT INTO note VALUES (1, 1, 5)"
    )
    let before = try place.dump("b.db")
    let error = #expect(throws: DecantError.self) { try place.append() }
    #expect(error?.family == .usage)
    #expect(error?.message.contains("note.recipe_id") == true)
    #expect(error?.advice?.commandLine.contains("--link 'note.recipe_id -> recipe'") == true)
    #expect(error?.advice?.commandLine.contains("--no-link note.recipe_id") == true)
    #expect(try place.dump("b.db") == before)
    let property = Property("note", "recipe_id")
    try place.make("c.db", before)
    try place.append(to: "c.db") { $0.noLinks = [property] }
    #expect(try place.read("c.db", "SELECT id, recipe_id FROM note") == ["1,1", "2,2", "3,0", "4,NULL"])
    try place.append { $0.links = [.init(property, to: "recipe")] }
    #expect(try place.read("b.db", "SELECT id, recipe_id FROM note") == ["1,1", "2,3", "3,0", "4,NULL"])
    // Into a new place keys stay, and nothing is asked.
    #expect(try place.copy(to: "new.db").isVerified)
  }

  /// Selections of posts that leave out users, all of whose keys stay as they are.
  private static let selections: [(roots: [EntityCondition], filters: [EntityCondition])] = [
    ([.init(entity: "posts", expression: "title = 'Bread'")], []),
    (
      [],
      [
        .init(entity: "posts", expression: "title IN ('Bread', 'Cake')"),
        .init(entity: "users", expression: "login = 'gina'"),
      ]
    ),
  ]

  @Test(arguments: selections.indices) func `what looks like a link to a row that is left out stops the copy`(
    number: Int
  )
    throws
  {
    let schema = """
      CREATE TABLE users (id INTEGER PRIMARY KEY, login TEXT); CREATE TABLE posts (id INTEGER PRIMARY KEY, user_id INTEGER, title TEXT)
      """
    try make(
      schema,
      a: """
        INSERT INTO users VALUES (1, 'anna'), (3, 'carla'), (9, 'gina');
        INSERT INTO posts VALUES (1, 1, 'Soup'), (2, 3, 'Bread'), (4, 9, 'Cake')
        """,
      b: "INSERT INTO users VALUES (1, 'zoe'), (3, 'xaver'); INSERT INTO posts VALUES (1, 1, 'Rome')"
    )
    let (roots, filters) = Self.selections[number]
    let error = #expect(throws: DecantError.self) {
      try place.append { ($0.roots, $0.filters) = (roots, filters) }
    }
    #expect(error?.message.contains("posts.user_id") == true)
    // In a new database it leads nowhere.
    let report = try place.copy(to: "new.db") { ($0.roots, $0.filters) = (roots, filters) }
    #expect(report.notes.commandLine.contains { $0.contains("posts.user_id") }, "\(report.notes.commandLine)")
    // With the link, its target is part of the selection, or the link is cut.
    let links = [CopyOptions.Link(Property("posts", "user_id"), to: "users")]
    try place.append { ($0.roots, $0.filters, $0.links) = (roots, filters, links) }
    #expect(
      try place.read("b.db", "SELECT login FROM posts LEFT JOIN users ON users.id = user_id WHERE title = 'Bread'")
        == [roots.isEmpty ? "NULL" : "'carla'"])
  }

  @Test func `what the destination refuses is left out when asked, without a key as with one`() throws {
    try make(
      """
      CREATE TABLE tag (name TEXT PRIMARY KEY, v) WITHOUT ROWID;
      CREATE TABLE t (id INTEGER PRIMARY KEY, name UNIQUE, up INT NOT NULL REFERENCES t)
      """,
      a:
        "INSERT INTO tag VALUES ('a', 1), ('b', 2), ('c', 3), (x'00', 4); INSERT INTO t VALUES (1, 'x', 1), (2, 'y', 1), (3, 'z', 3)",
      b: "INSERT INTO tag VALUES ('b', 9), (x'00', 9); INSERT INTO t VALUES (1, 'y', 1)"
    )
    let before = try place.dump("b.db")
    let error = #expect(throws: DecantError.self) { try place.append() }
    #expect(error?.family == .failed)
    #expect(try place.dump("b.db") == before)
    let list = place.path("rejects.decant")
    let report = try place.append {
      $0.onError = .reject
      $0.rejectsFile = list
    }
    #expect(report.isVerified)
    #expect(report.rejectedCount == 3)
    #expect(
      try place.read("b.db", "SELECT * FROM tag ORDER BY name")
        == ["'a',1", "'b',9", "'c',3", "X'00',9"]
    )
    #expect(try place.read("b.db", "SELECT * FROM t") == ["1,'y',1", "2,'x',2", "4,'z',4"])
  }

  @Test func `counters of keys go on where both had got to`() throws {
    try make(
      "CREATE TABLE t (id INTEGER PRIMARY KEY AUTOINCREMENT, a)",
      a: "INSERT INTO t VALUES (3, 'a')",
      b: "INSERT INTO t VALUES (1, 'x'), (500, 'y'); DELETE FROM t WHERE id = 500"
    )
    try place.append()
    #expect(try place.read("b.db", "SELECT * FROM t") == ["1,'x'", "503,'a'"])
    #expect(try place.read("b.db", "SELECT * FROM sqlite_sequence") == ["'t',503"])
  }

  @Test(arguments: [false, true])
  func `added in batches and cut off, it is completed exactly once`(hasTriggers: Bool) throws {
    let schema = """
      CREATE TABLE t (id INTEGER PRIMARY KEY, v); CREATE TABLE k (a TEXT, b TEXT, t INT REFERENCES t, PRIMARY KEY (a, b)) WITHOUT ROWID
      """
    let rows = (1...50).map { "(\($0), 'v\($0)')" }.joined(separator: ", ")
    let keys = (1...50).map { "('\($0 % 7)', '\($0)', \($0))" }.joined(separator: ", ")
    try make(
      schema,
      a: "INSERT INTO t VALUES \(rows); INSERT INTO k VALUES \(keys)",
      b: "INSERT INTO t VALUES (10, 'x'); INSERT INTO k VALUES ('x', 'y', 10)"
    )
    if hasTriggers {
      try place.make(
        "b.db",
        "CREATE TABLE log (x); CREATE TRIGGER r AFTER INSERT ON k BEGIN INSERT INTO log VALUES (new.a); END"
      )
    }
    let cancellation = Cancellation()
    var options = CopyOptions()
    options.appends = true
    options.commit = .batch
    options.batchSize = 3
    var batches = 0
    #expect(throws: DecantError.self) {
      try Copy(from: place.path("a.db"), to: place.path("b.db"), options: options).run(
        cancellation: cancellation
      ) { event in
        guard case .working(.progress, _) = event else { return }
        batches += 1
        if batches == 25 { cancellation.cancel() }
      }
    }
    options.leftOver = .resume
    let report = try Copy(from: place.path("a.db"), to: place.path("b.db"), options: options).run()
    #expect(report.isVerified)
    #expect(try place.complaints("b.db") == "")
    #expect(
      try place.read("b.db", "SELECT count(*), count(DISTINCT id), sum('v' || (id - 10) = v) FROM t")
        == ["51,51,50"]
    )
    #expect(try place.read("b.db", "SELECT count(*), sum(t - 10 = CAST(b AS INT)) FROM k") == ["51,51"])
    if hasTriggers { #expect(try place.read("b.db", "SELECT count(*) FROM log") == ["50"]) }
  }

  @Test(arguments: ["", " WITHOUT ROWID"])
  func `what a table says of conflicts deletes nothing`(_ rowID: String) throws {
    try make(
      "CREATE TABLE p (id INTEGER PRIMARY KEY, email UNIQUE ON CONFLICT REPLACE, bio); CREATE TABLE k (k TEXT PRIMARY KEY ON CONFLICT REPLACE, v)\(rowID)",
      a: "INSERT INTO p VALUES (1, 'x@y', 'theirs')",
      b: "INSERT INTO p VALUES (1, 'x@y', 'mine'); INSERT INTO k VALUES ('a', 'mine')"
    )
    let before = try place.dump("b.db")
    let error = #expect(throws: DecantError.self) { try place.append() }
    #expect(error?.message.contains("another object has the same email") == true)
    #expect(try place.dump("b.db") == before)
    try place.make("a.db", "DELETE FROM p; INSERT INTO k VALUES ('a', 'theirs')")
    #expect(throws: DecantError.self) { try place.append() }
    #expect(try place.dump("b.db") == before)
  }

  @Test func `a key that is a number in one database only is no reason to lose it`() throws {
    try make(
      "CREATE TABLE a (id INT PRIMARY KEY, t); CREATE TABLE b (id INTEGER PRIMARY KEY, a REFERENCES a)",
      a: "INSERT INTO a VALUES (1, 's'), (7, 'k'); INSERT INTO b VALUES (1, 7)",
      b: "INSERT INTO a VALUES (1, 'd'), ('z', 'z'); INSERT INTO b VALUES (1, 1)"
    )
    let before = try place.dump("b.db")
    let error = #expect(throws: DecantError.self) { try place.append() }
    #expect(error?.family == .modelMismatch)
    #expect(try place.dump("b.db") == before)
    // The other way round keys are values, and those that are taken are refused.
    #expect(throws: DecantError.self) { try place.append("b.db", to: "a.db") }
  }

  @Test(arguments: [
    "CREATE TABLE b (id INTEGER PRIMARY KEY, raw INT, a_id INT AS (raw) STORED REFERENCES a)",
    "CREATE TABLE b (id INTEGER PRIMARY KEY, raw REFERENCES a (k))",
  ])
  func `a link in a computed column is refused where keys change`(_ table: String) throws {
    try make(
      "CREATE TABLE a (id INTEGER PRIMARY KEY, t, k AS ('k' || id) STORED UNIQUE); " + table,
      a: "INSERT INTO a (id, t) VALUES (1, 's'), (2, 't'); INSERT INTO b (id, raw) VALUES (1, 2)",
      b: "INSERT INTO a (id, t) VALUES (1, 'd')"
    )
    let error = #expect(throws: DecantError.self) { try place.append() }
    #expect(error?.family == .modelMismatch)
    #expect(try place.copy(to: "c.db").isVerified)
  }

  @Test(arguments: ["INT", "TEXT", "REAL", ""])
  func `orphans among its values do not hide an undeclared link`(_ type: String) throws {
    try make(
      "CREATE TABLE customer (id INTEGER PRIMARY KEY, n); CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id \(type))",
      a:
        "INSERT INTO customer VALUES (1, 'a'), (2, 'b'), (4, 'd'); INSERT INTO orders VALUES (1, 1), (2, 2), (3, 3), (4, 4)",
      b: "INSERT INTO customer VALUES (1, 'x')"
    )
    let error = #expect(throws: DecantError.self) { try place.append() }
    #expect(error?.advice?.commandLine.contains("--link 'orders.customer_id -> customer'") == true)
    try place.append { $0.links = [.init(Property("orders", "customer_id"), to: "customer")] }
    #expect(
      try place.read("b.db", "SELECT CAST(customer_id AS INT) FROM orders")
        == ["2", "3", "NULL", "5"]
    )
  }

  @Test func `an object whose key is a link goes only with what it leads to`() throws {
    try make(
      "CREATE TABLE r (id INTEGER PRIMARY KEY, t); CREATE TABLE e (r INTEGER PRIMARY KEY REFERENCES r, info)",
      a: "INSERT INTO r VALUES (1, 's'), (9, 't'); INSERT INTO e VALUES (1, 'e'), (9, 'f')",
      b: "INSERT INTO r VALUES (1, 'd')"
    )
    let filters = [CopyOptions.Filter(entity: "r", expression: "id < 5")]
    let report = try place.append { $0.filters = filters }
    #expect(report.isVerified)
    #expect(report.entities.first { $0.name == "e" }?.filtered == 1)
    #expect(try place.read("b.db", "SELECT * FROM e") == ["2,'e'"])
    try place.copy(to: "c.db") { $0.filters = filters }
    #expect(try place.complaints("c.db") == "")
  }

  @Test func `numbers as texts lead where a foreign key says`() throws {
    try make(
      "CREATE TABLE a (id INTEGER PRIMARY KEY, t); CREATE TABLE b (id INTEGER PRIMARY KEY, a TEXT REFERENCES a)",
      a:
        "INSERT INTO a VALUES (1, 's'), (2, 't'); INSERT INTO b VALUES (1, '02'), (2, ' 2'), (3, '2.0'), (4, '2x'), (5, '1')",
      b: "INSERT INTO a VALUES (1, 'd')"
    )
    try place.append()
    #expect(
      try place.read("b.db", "SELECT b.a, t FROM b LEFT JOIN a ON a.id = b.a ORDER BY b.id")
        == ["'3','t'", "'3','t'", "'3','t'", "'2x',NULL", "'2','s'"]
    )
  }

  @Test func `an index without content of its own is left behind only when told`() throws {
    try make(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, v); CREATE VIRTUAL TABLE f USING fts5 (x, content = '')",
      a: "INSERT INTO t VALUES (1, 'a'); INSERT INTO f (rowid, x) VALUES (1, 'leek')",
      b: "INSERT INTO t VALUES (1, 'b')"
    )
    let error = #expect(throws: DecantError.self) { try place.append() }
    #expect(error?.advice?.commandLine.contains("--leave-out f") == true)
    try place.append { $0.leftOutTables = ["f"] }
    #expect(try place.read("b.db", "SELECT count(*) FROM t") == ["2"])
  }

  @Test func `a table may have two thousand columns`() throws {
    let columns = (1...1_990).map { "c\($0)" }
    try place.make(
      "a.db",
      "CREATE TABLE t (\(columns.joined(separator: ", "))); INSERT INTO t (c1, c1990) VALUES (1, x'00')"
    )
    try place.copy()
    #expect(try place.dump("b.db") == place.dump("a.db"))
    #expect(try Inspect(place.path("a.db")).run().objectCount == 1)
  }
}
