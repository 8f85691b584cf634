import Decant
import Foundation
import StoreTestSupport
import TestSupport
import Testing

/// What a merge of plain databases says of rows that a reader would miss else.
@Suite struct MergeNoteTests {
  private let place: PlainDatabase

  init() throws { place = try PlainDatabase() }

  private func hasBackup() throws -> Bool {
    try FileManager.default.contentsOfDirectory(atPath: place.folder.url.path).contains { $0.contains("backup") }
  }

  private func notes(_ kind: ReportNote.Kind, _ configure: (inout CopyOptions) -> Void = { _ in }) throws
    -> [ReportNote]
  {
    let report = try place.copy {
      $0.merge = MergeRules(.skip)
      configure(&$0)
    }
    return report.notes.filter { $0.kind == kind }
  }

  private static let book = """
    CREATE TABLE note (id INTEGER PRIMARY KEY, title TEXT, body TEXT, stars INT);
    INSERT INTO note VALUES (1, 'Soup', 'boil', 1), (2, 'Bread', 'bake', 2), (3, 'Salad', 'cut', 3), (4, 'Cake', 'stir', 4),
      (5, 'Tea', 'steep', 5), (6, 'Rice', 'steam', 2)
    """

  @Test(arguments: [true, false])
  func `copies of one database of which most rows were edited are told of`(_ isDryRun: Bool) throws {
    try place.make(
      "a.db",
      "\(Self.book); UPDATE note SET title = title || '!', body = body || ' it', stars = stars + 10 WHERE id < 6")
    try place.make("b.db", Self.book)
    let note = try #require(try notes(.keysNotMatched) { $0.isDryRun = isDryRun }.first)
    #expect(note.message.contains("5 rows of note"))
    #expect(note.remedies.contains(.setOption(.sameLineage, nil)))
    #expect(try place.read("b.db", "SELECT count(*) FROM note") == [isDryRun ? "6" : "11"])
  }

  @Test func `databases that have no row under one key in common are not told of`() throws {
    try place.make("a.db", "\(Self.book); UPDATE note SET title = 'other ' || id, body = id * 7, stars = id")
    try place.make("b.db", Self.book)
    #expect(try notes(.keysNotMatched).isEmpty)
  }

  @Test(arguments: [MergePolicy.skip, .update, .fill, .keepBoth], [true, false])
  func `rows that keep other values are told of with their number`(_ policy: MergePolicy, _ isDryRun: Bool) throws {
    let shelf = """
      CREATE TABLE item (id INTEGER PRIMARY KEY, code TEXT UNIQUE, name TEXT);
      CREATE TABLE box (id INTEGER PRIMARY KEY, code TEXT UNIQUE, size INT);
      INSERT INTO item VALUES (1, 'a', 'soup'), (2, 'b', 'bread'), (3, 'c', 'tea'); INSERT INTO box VALUES (1, 'x', 1), (2, 'y', 2)
      """
    try place.make(
      "a.db", "\(shelf); UPDATE item SET name = 'my ' || name WHERE id < 3; UPDATE box SET size = 9 WHERE id = 2")
    try place.make("b.db", shelf)
    let told = try notes(.differentContent) {
      $0.merge = MergeRules(policy)
      $0.isDryRun = isDryRun
    }
    guard policy == .skip else {
      #expect(told.isEmpty)
      return
    }
    let note = try #require(told.first)
    #expect(
      told.count == 1 && note.message.contains("3 rows") && note.message.contains("item 2")
        && note.message.contains("box 1"), "\(note.message)")
    #expect(note.remedies.contains(.setOption(.merge, "update")))
  }

  private static let audited = """
    CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT);
    CREATE TABLE audit (id INTEGER PRIMARY KEY, what TEXT);
    CREATE TABLE "old names" (what TEXT);
    CREATE TRIGGER noted AFTER INSERT ON item BEGIN INSERT INTO audit (what) VALUES ('added ' || new.name); END;
    CREATE TRIGGER kept AFTER UPDATE ON item BEGIN INSERT INTO "old names" VALUES (old.name); END
    """

  @Test func `rows that triggers add to a table that is copied as well are told of, with their number`() throws {
    try place.make("a.db", "\(Self.audited); INSERT INTO item VALUES (1, 'soup'), (2, 'bread')")
    try place.make("b.db", "\(Self.audited); INSERT INTO item VALUES (7, 'cake')")
    let foretold = try notes(.triggersRun) { $0.isDryRun = true }.map(\.message)
    #expect(foretold.contains("the trigger noted may add rows to audit, besides the 2 rows copied from the source"))
    let told = try notes(.triggersRun)
    #expect(
      told.contains {
        $0.message == "the trigger noted added 2 rows to audit, besides the 2 rows copied from the source"
      })
    #expect(told.contains { $0.remedies == [.setOption(.noTriggers, nil)] })
    #expect(!told.contains { $0.message.contains("old names") })
    #expect(try place.read("b.db", "SELECT count(*) FROM audit") == ["5"])
  }

  @Test(arguments: [true, false])
  func `rows that a trigger deletes are told of with their number`(_ fires: Bool) throws {
    let recent = """
      CREATE TABLE recent (id INTEGER PRIMARY KEY, what TEXT UNIQUE);
      CREATE TRIGGER newest AFTER INSERT ON recent
        BEGIN DELETE FROM recent WHERE id NOT IN (SELECT id FROM recent ORDER BY id DESC LIMIT 3); END
      """
    try place.make("a.db", "\(recent); INSERT INTO recent (what) VALUES ('d'), ('e')")
    try place.make("b.db", "\(recent); INSERT INTO recent (what) VALUES ('a'), ('b'), ('c')")
    let told = try notes(.triggersRun) { $0.firesTriggers = fires }.map(\.message)
    #expect(try place.read("b.db", "SELECT group_concat(what) FROM recent") == [fires ? "'c,d,e'" : "'a,b,c,d,e'"])
    #expect(told.contains { $0.contains("the trigger newest deleted 2 rows of recent") } == fires, "\(told)")
  }

  @Test func `tables to which triggers lead are filled before those that set them off`() throws {
    for side in ["a", "b"] {
      try place.make(
        "\(side).db",
        """
        CREATE TABLE a (id INTEGER PRIMARY KEY, n TEXT); CREATE TABLE b (id INTEGER PRIMARY KEY, n TEXT);
        CREATE TABLE c (id INTEGER PRIMARY KEY, n TEXT);
        CREATE TRIGGER ab AFTER INSERT ON a BEGIN INSERT INTO b (n) VALUES ('made'); END;
        CREATE TRIGGER bc AFTER INSERT ON b BEGIN INSERT INTO c (n) VALUES ('made'); END;
        INSERT INTO a (n) VALUES ('\(side) one'), ('\(side) two')
        """)
    }
    _ = try notes(.triggersRun)
    #expect(try place.read("b.db", "SELECT n FROM a ORDER BY n") == ["'a one'", "'a two'", "'b one'", "'b two'"])
    #expect(try place.complaints("b.db").isEmpty)
  }

  @Test func `a row that a trigger wrote first is named as the reason, with the way out`() throws {
    for side in ["a", "b"] {
      try place.make(
        "\(side).db",
        """
        CREATE TABLE user (id INTEGER PRIMARY KEY, name TEXT UNIQUE);
        CREATE TABLE settings (user INTEGER PRIMARY KEY REFERENCES user (id), theme TEXT);
        CREATE TRIGGER made AFTER INSERT ON user BEGIN INSERT INTO settings VALUES (new.id, 'default'); END;
        INSERT INTO user (name) VALUES ('\(side)-one'), ('\(side)-two'); UPDATE settings SET theme = '\(side) dark'
        """)
    }
    let error = #expect(throws: DecantError.self) { try place.copy { $0.merge = MergeRules(.skip) } }
    let advice = error.map { String(describing: $0) } ?? ""
    #expect(advice.contains("made"), "\(advice)")
    try place.copy {
      $0.merge = MergeRules(.skip)
      $0.firesTriggers = false
    }
    let themes = "SELECT name, theme FROM user JOIN settings ON user = id ORDER BY 1"
    #expect(
      try place.read("b.db", themes) == [
        "'a-one','a dark'", "'a-two','a dark'", "'b-one','b dark'", "'b-two','b dark'",
      ])
  }

  @Test func `triggers that do not run are told of once`() throws {
    try place.make("a.db", "\(Self.audited); INSERT INTO item VALUES (1, 'soup')")
    try place.make("b.db", Self.audited)
    #expect(try notes(.triggersRun) { $0.firesTriggers = false }.isEmpty)
    #expect(try place.read("b.db", "SELECT what FROM audit") == ["'added soup'"])
  }

  @Test(arguments: ["", "WITHOUT ROWID"])
  func `a dry run lists rows by whatever key they have`(_ after: String) throws {
    let schema = """
      CREATE TABLE w (k TEXT PRIMARY KEY, title TEXT) \(after);
      CREATE TABLE p (a INT, b INT, v, PRIMARY KEY (a, b)) \(after);
      """
    try place.make(
      "a.db",
      "\(schema) INSERT INTO w VALUES ('a', 'x'), ('b', 'y'), ('c', 'z'); INSERT INTO p VALUES (1, 1, 1), (1, 2, 1)")
    try place.make("b.db", "\(schema) INSERT INTO w VALUES ('a', 'x'), ('b', 'other'); INSERT INTO p VALUES (1, 1, 1)")
    let report = try place.copy {
      ($0.merge, $0.isDryRun, $0.listedObjectCount) = (MergeRules(.skip), true, 20)
    }
    let groups = Dictionary(grouping: report.preview, by: \.entity)
    #expect(groups["w"]?.map(\.outcome) == [.added, .kept])
    #expect(groups["w"]?.flatMap(\.objects).map(\.title) == ["z", after.isEmpty ? "other" : "y"])
    #expect(groups["p"]?.map(\.count) == [1])
    guard !after.isEmpty else { return }
    #expect(groups["w"]?.flatMap(\.objects).map(\.key) == [#"["c"]"#, #"["b"]"#])
    #expect(groups["p"]?.flatMap(\.objects).map(\.key) == ["[1,2]"])
  }

  @Test(arguments: ["", "WITHOUT ROWID"])
  func `a dry run tells of rows whose unique values others have`(_ after: String) throws {
    let schema = "CREATE TABLE u (code TEXT PRIMARY KEY, email TEXT UNIQUE, n) \(after);"
    try place.make("a.db", "\(schema) INSERT INTO u VALUES ('a', 'x@x', 1), ('b', 'y@y', 2), ('d', 'z@z', 3)")
    try place.make("b.db", "\(schema) INSERT INTO u VALUES ('a', 'x@x', 1), ('c', 'y@y', 3)")
    let told = try notes(.valuesTaken) {
      $0.isDryRun = true
      if after.isEmpty { $0.merge?.identities = ["u": ["code"]] }
    }
    #expect(
      told.map(\.message) == ["1 new row of u will be refused: the destination has other rows with the same email"])
    #expect(told[0].remedies.contains(.setOption(.onError, "reject")))
    let rejected = try notes(.valuesTaken) {
      ($0.isDryRun, $0.onError) = (true, .reject)
      if after.isEmpty { $0.merge?.identities = ["u": ["code"]] }
    }
    #expect(
      rejected.map(\.message) == [
        "1 new row of u will be rejected: the destination has other rows with the same email"
      ]
    )
    #expect(!rejected[0].remedies.contains(.setOption(.onError, "reject")))
    let error = #expect(throws: DecantError.self) {
      try notes(.valuesTaken) { if after.isEmpty { $0.merge?.identities = ["u": ["code"]] } }
    }
    #expect(error?.code == .constraintViolated)
  }

  @Test func `a dry run of keep-both tells of a unique index with a condition`() throws {
    let schema = """
      CREATE TABLE u (id INTEGER PRIMARY KEY, email TEXT, live INT, n);
      CREATE UNIQUE INDEX one ON u (email) WHERE live;
      """
    try place.make("a.db", "\(schema) INSERT INTO u VALUES (7, 'x@x', 1, 1), (8, 'y@y', 0, 1)")
    try place.make("b.db", "\(schema) INSERT INTO u VALUES (1, 'x@x', 1, 2), (2, 'y@y', 0, 1)")
    let told = try notes(.valuesTaken) { ($0.merge, $0.isDryRun) = (MergeRules(.keepBoth), true) }
    #expect(
      told.map(\.message) == ["1 new row of u will be refused: the destination has other rows with the same email"])
    let error = #expect(throws: DecantError.self) {
      try notes(.valuesTaken) { $0.merge = MergeRules(.keepBoth) }
    }
    #expect(error?.code == .constraintViolated)
  }

  @Test func `an identity that is named is no further one`() throws {
    let schema = "CREATE TABLE u (code TEXT PRIMARY KEY, email TEXT UNIQUE, n);"
    try place.make("a.db", "\(schema) INSERT INTO u VALUES ('b', 'y@y', 2)")
    try place.make("b.db", "\(schema) INSERT INTO u VALUES ('c', 'y@y', 3)")
    #expect(try notes(.furtherIdentity) { $0.merge?.identities = ["u": ["email"]] }.isEmpty)
  }

  @Test(arguments: [true, false])
  func `a backup stays only where something changed`(_ isLogged: Bool) throws {
    let mode = isLogged ? "PRAGMA journal_mode = WAL;" : ""
    try place.make("a.db", Self.book)
    try place.make("b.db", "\(mode) \(Self.book)")
    let none = try place.copy { ($0.merge, $0.keepsBackup) = (MergeRules(.skip), true) }
    #expect(none.notes.map(\.kind).contains(.noBackup))
    #expect(try !hasBackup())
    try place.make("a.db", "INSERT INTO note VALUES (9, 'New', 'new', 1)")
    let one = try place.copy { ($0.merge, $0.keepsBackup) = (MergeRules(.skip), true) }
    #expect(one.notes.map(\.kind).contains(.previousStore))
    #expect(try hasBackup())
  }

  @Test func `of several sources the first that changes anything leaves a backup`() throws {
    try place.make("a.db", Self.book)
    try place.make("b.db", Self.book)
    try place.make("c.db", "\(Self.book); INSERT INTO note VALUES (9, 'New', 'new', 1)")
    try place.make("d.db", "\(Self.book); INSERT INTO note VALUES (10, 'Newer', 'newer', 1)")
    let run = try Program.run(
      [DecantProgram.path, "merge", "a.db", "c.db", "d.db", "b.db", "--backup"],
      in: place.folder.url
    )
    #expect(run.status == 0, "\(run.errors)")
    let backups = try FileManager.default.contentsOfDirectory(atPath: place.folder.url.path).filter {
      $0.contains("backup")
    }
    #expect(backups == ["b.db.backup-1"])
    #expect(try place.read("b.db.backup-1", "SELECT count(*) FROM note") == ["6"])
    #expect(try place.read("b.db", "SELECT count(*) FROM note") == ["8"])
  }
}
