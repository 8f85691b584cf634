import Decant
import DecantStore
import StoreTestSupport
import TestSupport
import Testing

/// A link that the user names behaves as one that the database declares, whatever the target's key is.
@Suite struct ValueLinkOptionTests {
  /// The key of a table, and two of its values.
  struct Key: CustomTestStringConvertible {
    let column: String
    var options = ""
    let values: [String]
    var testDescription: String { column + options }

    static let all = [
      Key(column: "TEXT PRIMARY KEY", values: ["'k1'", "'k2'"]),
      Key(column: "TEXT PRIMARY KEY", options: " WITHOUT ROWID", values: ["'k1'", "'k2'"]),
      Key(column: "BLOB PRIMARY KEY", values: ["x'01'", "x'02'"]),
      Key(column: "NUMERIC PRIMARY KEY", values: ["1.5", "2.5"]),
      Key(column: "TEXT UNIQUE", values: ["'k1'", "'k2'"]),
      Key(column: "BIGINT PRIMARY KEY", values: ["1", "2"]),
      Key(column: "INTEGER PRIMARY KEY", values: ["1", "2"]),
    ]
  }

  private let place: PlainDatabase
  private static let link = CopyOptions.Link(Property("note", "cat"), to: "cat")

  init() throws { place = try PlainDatabase() }

  /// Makes a database in which the first note is in the first or second category.
  private func make(_ name: String, _ key: Key, isDeclared: Bool, second: Bool, more: String = "") throws {
    try place.make(
      name,
      """
      CREATE TABLE cat (id \(key.column), name TEXT)\(key.options);
      CREATE TABLE note (id INTEGER PRIMARY KEY, title TEXT UNIQUE, cat \(isDeclared ? "REFERENCES cat (id)" : ""));
      INSERT INTO cat VALUES (\(key.values[0]), 'soups'), (\(key.values[1]), 'mains');
      INSERT INTO note VALUES (1, 'leek', \(key.values[second ? 1 : 0])), (2, 'roast', \(key.values[1]));\(more)
      """
    )
  }

  @Test(arguments: Key.all, [false, true])
  func `a changed link is a change`(key: Key, isDeclared: Bool) throws {
    try make("base.db", key, isDeclared: isDeclared, second: false)
    try make("a.db", key, isDeclared: isDeclared, second: true)
    for (number, rules) in [MergeRules(.update), MergeRules(.replace)].enumerated() {
      let mine = "mine\(number).db"
      try make(mine, key, isDeclared: isDeclared, second: false, more: "INSERT INTO note VALUES (3, 'mine', NULL)")
      let report = try place.copy(to: mine) {
        $0.merge = rules
        if !isDeclared { $0.links = [Self.link] }
      }
      #expect(report.isVerified)
      #expect(
        try place.read(mine, "SELECT title, (SELECT name FROM cat WHERE cat.id = note.cat) FROM note ORDER BY 1")
          == ["'leek','mains'", "'mine',NULL", "'roast','mains'"])
    }
  }

  @Test(arguments: Key.all.filter { $0.column.contains("PRIMARY") }) func `rows that differ in the link only are two`(
    key: Key
  ) throws {
    let schema =
      "CREATE TABLE cat (id \(key.column), name TEXT UNIQUE)\(key.options); CREATE TABLE line (id INTEGER PRIMARY KEY, cat, text TEXT)"
    for (name, place, value) in [("a.db", 0, "soups"), ("b.db", 1, "mains")] {
      try self.place.make(
        name,
        """
        \(schema); INSERT INTO cat VALUES (\(key.values[place]), '\(value)');
        INSERT INTO line VALUES (\(1 + 6 * place), \(key.values[place]), 'paid')
        """
      )
    }
    let report = try place.copy {
      $0.merge = MergeRules(.skip)
      $0.links = [CopyOptions.Link(Property("line", "cat"), to: "cat")]
    }
    #expect(report.isVerified)
    #expect(
      try place.read("b.db", "SELECT name, text FROM line JOIN cat ON cat.id = line.cat ORDER BY 1")
        == ["'mains','paid'", "'soups','paid'"])
  }

  @Test func `what a chosen row leads to by such a link comes with it`() throws {
    try make("a.db", Key.all[0], isDeclared: false, second: false)
    try place.copy {
      $0.roots = [CopyOptions.Filter(entity: "note", expression: "title = 'leek'")]
      $0.links = [Self.link]
    }
    #expect(try place.read("b.db", "SELECT title, name FROM note JOIN cat ON cat.id = note.cat") == ["'leek','soups'"])
    #expect(try place.read("b.db", "SELECT count(*) FROM cat") == ["1"])
  }

  @Test func `integers that lead to a table with a key of texts are its row numbers`() throws {
    try place.make(
      "a.db",
      """
      CREATE TABLE cat (id TEXT PRIMARY KEY); CREATE TABLE note (id INTEGER PRIMARY KEY, cat INTEGER);
      INSERT INTO cat (rowid, id) VALUES (5, 'k1'); INSERT INTO note VALUES (1, 5)
      """
    )
    try place.make(
      "b.db",
      """
      CREATE TABLE cat (id TEXT PRIMARY KEY); CREATE TABLE note (id INTEGER PRIMARY KEY, cat INTEGER);
      INSERT INTO cat (rowid, id) VALUES (5, 'k5')
      """
    )
    try place.append { $0.links = [Self.link] }
    #expect(try place.read("b.db", "SELECT cat.id FROM note JOIN cat ON cat.rowid = note.cat") == ["'k1'"])
  }

  /// What a table's key, a column that leads to the table and its values are, and what the link leads to.
  static let choices: [(key: String, column: String, values: [String], leadsToRows: Bool)] = [
    ("TEXT PRIMARY KEY", "", ["5"], true), ("TEXT PRIMARY KEY", "", ["'k1'"], false),
    ("TEXT PRIMARY KEY", "INTEGER", ["5"], true), ("TEXT PRIMARY KEY", "INTEGER", ["'k1'"], false),
    ("NUMERIC PRIMARY KEY", "INTEGER", ["41"], false), ("NUMERIC PRIMARY KEY", "INTEGER", ["5"], true),
    ("TEXT UNIQUE", "", ["6"], true), ("BLOB PRIMARY KEY", "BLOB", ["x'01'"], false),
  ]

  @Test(arguments: choices.indices) func `values show whether a link leads to keys or to row numbers`(
    index: Int
  ) throws {
    let choice = Self.choices[index]
    let other =
      choice.key.contains("NUMERIC")
      ? ["41", "7.5"] : choice.values[0] == "x'01'" ? ["x'01'", "x'02'"] : ["'k1'", "'k2'"]
    let schema =
      "CREATE TABLE cat (id \(choice.key), name TEXT); CREATE TABLE note (id INTEGER PRIMARY KEY, cat \(choice.column));"
    try place.make(
      "a.db",
      "\(schema) INSERT INTO cat (rowid, id, name) VALUES (5, \(other[0]), 'soups'), (6, \(other[1]), 'mains');"
        + "INSERT INTO note VALUES (1, \(choice.values[0]))"
    )
    try place.make("b.db", "\(schema) INSERT INTO cat (rowid, id, name) VALUES (5, 'theirs', 'theirs')")
    let report = try place.append { $0.links = [Self.link] }
    #expect(report.isVerified)
    let name = choice.values[0] == "6" ? "'mains'" : "'soups'"
    #expect(
      try place.read("b.db", "SELECT name FROM note JOIN cat ON cat.\(choice.leadsToRows ? "rowid" : "id") = note.cat")
        == [name])
  }

  @Test func `a link that leads to keys in some rows and to row numbers in others is refused`() throws {
    let schema = "CREATE TABLE cat (id TEXT PRIMARY KEY); CREATE TABLE note (id INTEGER PRIMARY KEY, cat);"
    try place.make(
      "a.db",
      "\(schema) INSERT INTO cat (rowid, id) VALUES (5, 'k1'); INSERT INTO note VALUES (1, 5), (2, 'k1'), (3, 'k1')"
    )
    try place.make("b.db", schema)
    let error = #expect(throws: DecantError.self) { try place.append { $0.links = [Self.link] } }
    #expect(error?.family == .usage)
    #expect(error?.message.contains("2 values can only be keys, and 1 only row numbers") == true, "\(error as Any)")
  }

  @Test func `a link that leads to something else in the other database is refused`() throws {
    let schema = "CREATE TABLE cat (id TEXT PRIMARY KEY); CREATE TABLE note (id INTEGER PRIMARY KEY, cat);"
    try place.make("a.db", "\(schema) INSERT INTO cat (rowid, id) VALUES (5, 'k1'); INSERT INTO note VALUES (1, 5)")
    try place.make("b.db", "\(schema) INSERT INTO cat (rowid, id) VALUES (5, 'k2'); INSERT INTO note VALUES (1, 'k2')")
    let error = #expect(throws: DecantError.self) { try place.append { $0.links = [Self.link] } }
    #expect(error?.family == .usage)
    #expect(error?.message.contains("in the other database") == true, "\(error as Any)")
  }

  @Test func `a condition needs an integer key`() throws {
    try make("a.db", Key.all[0], isDeclared: false, second: false)
    let leek = RowCondition([RowCondition.Comparison("title", in: [.text("leek")])])
    let error = #expect(throws: DecantError.self) {
      try place.copy { $0.links = [CopyOptions.Link(Property("note", "cat"), to: "cat", where: leek)] }
    }
    #expect(error?.message.contains("cat has no integer key") == true)
  }
}
