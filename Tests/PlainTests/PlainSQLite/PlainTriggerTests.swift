import Decant
import StoreTestSupport
import TestSupport
import Testing

/// Triggers and virtual tables: what runs, what is filled, and what is left alone.
@Suite struct PlainTriggerTests {
  private let place: PlainDatabase

  init() throws { place = try PlainDatabase() }

  private static let notes = """
    CREATE TABLE note (id INTEGER PRIMARY KEY, body TEXT);
    CREATE TABLE log (said TEXT);
    CREATE VIRTUAL TABLE found USING fts5 (body, content = 'note', content_rowid = 'id');
    CREATE TRIGGER filled AFTER INSERT ON note BEGIN
      INSERT INTO found (rowid, body) VALUES (new.id, new.body);
      INSERT INTO log VALUES ('note ' || new.id);
    END
    """

  private func make() throws {
    try place.make("a.db", Self.notes + "; INSERT INTO note VALUES (1, 'soup of leek'), (2, 'plum cake')")
    try place.make("b.db", Self.notes + "; INSERT INTO note VALUES (1, 'bread')")
  }

  private func search(_ name: String, _ words: String) throws -> [String] {
    try place.read(name, "SELECT rowid FROM found WHERE found MATCH '\(words)' ORDER BY rowid")
  }

  @Test func `triggers of a database that is added to run as for any insert`() throws {
    try make()
    let report = try place.append()
    #expect(report.isVerified)
    #expect(report.notes.commandLine.contains { $0.contains("1 trigger") })
    #expect(try search("b.db", "cake") == ["3"])
    // Those the source wrote down itself, then those that were written for the new rows.
    #expect(
      try place.read("b.db", "SELECT said FROM log")
        == ["'note 1'", "'note 1'", "'note 2'", "'note 2'", "'note 3'"]
    )
    #expect(try place.complaints("b.db") == "")
    try place.make("b.db", "INSERT INTO found (found) VALUES ('integrity-check')")
  }

  @Test func `an index of texts that triggers fill is not copied, and not counted`() throws {
    let schema = """
      CREATE TABLE note (id INTEGER PRIMARY KEY, body TEXT);
      CREATE VIRTUAL TABLE found USING fts5 (body);
      CREATE TRIGGER filled AFTER INSERT ON note BEGIN INSERT INTO found (rowid, body) VALUES (new.id, new.body); END;
      """
    try place.make("a.db", schema + "INSERT INTO note VALUES (1, 'soup of leek'), (2, 'plum cake')")
    try place.make("b.db", schema + "INSERT INTO note VALUES (1, 'bread')")
    for added: Int64 in [2, 0] {
      let report = try place.copy("a.db", to: "b.db") { $0.merge = MergeRules(.skip) }
      #expect(report.entities.map(\.name) == ["note"])
      #expect(report.entities.map(\.copied) == [added])
      #expect(report.notes.commandLine.contains("filled by triggers, not copied: found"))
    }
    #expect(
      try place.read("b.db", "SELECT body FROM found ORDER BY 1") == ["'bread'", "'plum cake'", "'soup of leek'"])
  }

  @Test func `rows of an index that no trigger adds are counted`() throws {
    let schema = """
      CREATE TABLE note (id INTEGER PRIMARY KEY, body TEXT);
      CREATE VIRTUAL TABLE found USING fts5 (body);
      CREATE TRIGGER filled AFTER INSERT ON note BEGIN INSERT INTO found (rowid, body) VALUES (new.id, new.body); END;
      """
    try place.make(
      "a.db", schema + "INSERT INTO note VALUES (1, 'leek'); INSERT INTO found (rowid, body) VALUES (77, 'plum')")
    try place.make("b.db", schema)
    let report = try place.append()
    #expect(report.notes.commandLine.contains { $0.contains("1 row of found in the source was not copied") })
    try place.make("c.db", schema)
    let whole = try place.append(to: "c.db") { $0.firesTriggers = false }
    #expect(!whole.notes.commandLine.contains { $0.contains("not copied") })
    #expect(try place.read("c.db", "SELECT body FROM found ORDER BY 1") == ["'leek'", "'plum'"])
  }

  @Test(arguments: [
    "CREATE TABLE found_log (t); CREATE TRIGGER said AFTER INSERT ON note BEGIN INSERT INTO found_log VALUES (new.body); END",
    "CREATE TRIGGER gone AFTER DELETE ON note BEGIN DELETE FROM found WHERE rowid = old.id; END",
    "CREATE TABLE log (t); "
      + "CREATE TRIGGER asked AFTER INSERT ON note BEGIN INSERT INTO log SELECT body FROM found WHERE rowid = new.id; END",
  ])
  func `an index of texts that triggers only mention is copied`(trigger: String) throws {
    let schema = """
      CREATE TABLE note (id INTEGER PRIMARY KEY, body TEXT); CREATE VIRTUAL TABLE found USING fts5 (body); \(trigger);
      """
    try place.make("a.db", schema + "INSERT INTO found VALUES ('leek'), ('plum')")
    try place.make("b.db", schema + "INSERT INTO found VALUES ('bread')")
    try place.append()
    #expect(try place.read("b.db", "SELECT body FROM found ORDER BY 1") == ["'bread'", "'leek'", "'plum'"])
  }

  @Test(arguments: [
    ("kind TEXT PRIMARY KEY", "INSERT OR REPLACE", "'x','plum'"),
    ("kind TEXT PRIMARY KEY", "INSERT OR IGNORE", "'x','bread'"),
    ("kind TEXT UNIQUE ON CONFLICT REPLACE", "INSERT", "'x','plum'"),
  ])
  func `a trigger decides itself what happens in a conflict`(_ key: String, _ insert: String, _ last: String) throws {
    let schema = """
      CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT, kind TEXT);
      CREATE TABLE last (\(key), name TEXT);
      CREATE TRIGGER latest AFTER INSERT ON item BEGIN \(insert) INTO last VALUES (new.kind, new.name); END;
      """
    try place.make("a.db", schema + "INSERT INTO item VALUES (5, 'leek', 'x'), (6, 'plum', 'x')")
    try place.make("b.db", schema + "INSERT INTO item VALUES (1, 'bread', 'x')")
    let report = try place.copy("a.db", to: "b.db") {
      $0.merge = MergeRules(.skip)
    }
    #expect(report.isVerified)
    #expect(try place.read("b.db", "SELECT name FROM item ORDER BY 1") == ["'bread'", "'leek'", "'plum'"])
    #expect(try place.read("b.db", "SELECT kind, name FROM last") == [last])
  }

  @Test func `without triggers an index of texts is built anew`() throws {
    try make()
    let report = try place.append { $0.firesTriggers = false }
    #expect(report.isVerified)
    #expect(try search("b.db", "cake") == ["3"])
    #expect(try place.read("b.db", "SELECT said FROM log") == ["'note 1'", "'note 1'", "'note 2'"])
    try place.make("b.db", "INSERT INTO found (found) VALUES ('integrity-check')")
  }

  @Test func `counts that triggers keep are named where they do not run`() throws {
    let schema = """
      CREATE TABLE roads (fid INTEGER PRIMARY KEY, name TEXT, length REAL);
      CREATE TABLE "Counts of" (table_name TEXT PRIMARY KEY, feature_count INT, lost INT);
      CREATE TABLE log (said TEXT);
      CREATE TRIGGER more AFTER INSERT ON roads BEGIN
        UPDATE "Counts of" SET feature_count = feature_count + 1 WHERE lower(table_name) = lower('roads');
        INSERT INTO log VALUES ('more'); UPDATE roads SET length = 1 WHERE fid = new.fid;
      END;
      CREATE TRIGGER less AFTER DELETE ON roads BEGIN UPDATE "Counts of" SET lost = lost + 1; END;
      INSERT INTO "Counts of" VALUES ('roads', 0, 0)
      """
    try place.make("a.db", "\(schema); INSERT INTO roads VALUES (1, 'a', 5)")
    try place.make("b.db", "\(schema); INSERT INTO roads VALUES (1, 'b', 7)")
    let report = try place.copy("a.db", to: "b.db") {
      $0.firesTriggers = false
      $0.merge = MergeRules(.skip)
    }
    #expect(
      report.notes.commandLine.contains {
        $0.contains("2 triggers") && $0.hasSuffix(" unchanged: Counts of.feature_count")
      }
    )
    #expect(try place.read("b.db", "SELECT feature_count FROM \"Counts of\"") == ["1"])
  }

  @Test func `a trigger that changes what is copied is told, and nothing is added`() throws {
    try make()
    try place.make(
      "b.db",
      """
      CREATE TRIGGER loud AFTER INSERT ON note BEGIN
        UPDATE note SET body = upper(body) WHERE id = new.id;
      END
      """
    )
    let before = try place.read("b.db", "SELECT * FROM note")
    let error = #expect(throws: DecantError.self) { try place.append() }
    #expect(error?.family == .failed)
    #expect(error?.advice?.commandLine.contains("--no-triggers") == true)
    #expect(try place.read("b.db", "SELECT * FROM note") == before)
    try place.append { $0.firesTriggers = false }
    #expect(
      try place.read("b.db", "SELECT body FROM note WHERE id > 1") == [
        "'soup of leek'", "'plum cake'",
      ]
    )
  }

  @Test func `a new database gets its triggers after its rows`() throws {
    try make()
    for name in ["c.db", "d.db"] {
      if name == "c.db" { try place.copy(to: name) } else { try place.copyRows(to: name) }
      #expect(try place.read(name, "SELECT said FROM log") == ["'note 1'", "'note 2'"])
      #expect(try search(name, "leek") == ["1"])
      try place.make(name, "INSERT INTO note (body) VALUES ('leek again')")
      #expect(try search(name, "leek") == ["1", "3"])
    }
  }

  @Test func `an index with content of its own is content, and its numbers may be links`() throws {
    let schema = """
      CREATE TABLE note (id INTEGER PRIMARY KEY, a); CREATE VIRTUAL TABLE words USING fts4 (body);
      CREATE VIRTUAL TABLE box USING rtree (id, x0, x1)
      """
    try place.make(
      "a.db",
      schema
        + """
        ; INSERT INTO note VALUES (1, 1), (2, 2); INSERT INTO words (docid, body) VALUES (1, 'leek'), (2, 'plum');
        INSERT INTO box VALUES (1, 0.5, 1), (2, 2, 3)
        """
    )
    try place.make(
      "b.db",
      schema
        + "; INSERT INTO note VALUES (5, 1); INSERT INTO words (docid, body) VALUES (5, 'leek'); INSERT INTO box VALUES (5, 0, 9)"
    )
    let error = #expect(throws: DecantError.self) { try place.append() }
    #expect(error?.advice?.commandLine.contains("--link 'words.rowid -> note'") == true)
    #expect(error?.advice?.commandLine.contains("--link 'box.id -> note'") == true)
    try place.append {
      $0.links = [
        .init(Property("words", "rowid"), to: "note"), .init(Property("box", "id"), to: "note"),
      ]
    }
    #expect(try place.read("b.db", "SELECT docid FROM words WHERE words MATCH 'leek'") == ["5", "6"])
    #expect(try place.read("b.db", "SELECT id, x0 FROM box ORDER BY id") == ["5,0.0", "6,0.5", "7,2.0"])
    #expect(try place.read("b.db", "SELECT id FROM note") == ["5", "6", "7"])
  }

  @Test func `what cannot be read goes along as a whole, and is named where it cannot`() throws {
    try place.make(
      "a.db",
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, a, CHECK (a > 0)); CREATE TABLE h (a, CHECK (a > 0));
      CREATE VIRTUAL TABLE bare USING fts5 (x, content = '');
      INSERT INTO bare (rowid, x) VALUES (3, 'leek'); INSERT INTO h VALUES (1), (2); DELETE FROM h WHERE a = 1
      """
    )
    #expect(try place.copy().isVerified)
    #expect(try place.read("b.db", "SELECT rowid FROM bare WHERE bare MATCH 'leek'") == ["3"])
    #expect(try place.read("b.db", "SELECT rowid, a FROM h") == ["2,2"])
    let filters = [CopyOptions.Filter(entity: "t", expression: "1")]
    let error = #expect(throws: DecantError.self) {
      try place.copy(to: "c.db") { $0.filters = filters }
    }
    #expect(error?.message.contains("bare") == true)
    #expect(error?.advice?.commandLine.contains("--leave-out bare") == true)
    try place.copy(to: "c.db") {
      $0.filters = filters
      $0.leftOutTables = ["bare"]
    }
    #expect(try place.read("c.db", "SELECT count(*) FROM sqlite_schema WHERE name LIKE 'bare%'") == ["0"])
  }

  @Test func `a refusal names the table to which a trigger adds rows, and only a trigger that may be the cause`() throws
  {
    let tree = """
      CREATE TABLE tag (id INTEGER PRIMARY KEY, parent INTEGER REFERENCES tag, name TEXT, UNIQUE (name, parent));
      CREATE TABLE tree (id INTEGER NOT NULL REFERENCES tag, parent INTEGER NOT NULL REFERENCES tag, UNIQUE (id, parent));
      CREATE TRIGGER grow AFTER INSERT ON tag WHEN new.parent IS NOT NULL BEGIN
        INSERT INTO tree SELECT new.id, new.parent UNION SELECT new.id, parent FROM tree WHERE id = new.parent; END;
      INSERT INTO tag VALUES (1, NULL, 'places');
      """
    try place.make("a.db", tree + "INSERT INTO tag VALUES (2, 1, 'Rome')")
    try place.make("b.db", tree + "INSERT INTO tag VALUES (2, 1, 'Paris')")
    let error = #expect(throws: DecantError.self) {
      try place.copy("a.db", to: "b.db") { $0.merge = MergeRules(.skip) }
    }
    #expect(
      error?.message.contains("a trigger adds a row to tree, which has another one with the same id") == true,
      "\(error as Any)")
    #expect(error?.remedy?.contains("grow") == true)
    let feeds = """
      CREATE TABLE tag (name TEXT PRIMARY KEY) WITHOUT ROWID; CREATE TABLE feed (id INTEGER PRIMARY KEY, url TEXT);
      CREATE TABLE log (id INTEGER PRIMARY KEY, what TEXT); INSERT INTO tag VALUES ('tech');
      CREATE TRIGGER feed_log AFTER INSERT ON feed BEGIN INSERT INTO log (what) VALUES (new.url); END;
      """
    try place.make("c.db", feeds + "INSERT INTO feed VALUES (1, 'x')")
    try place.make("d.db", feeds)
    let other = #expect(throws: DecantError.self) { try place.append("c.db", to: "d.db") }
    #expect(other?.message.contains("another object has the same name") == true)
    #expect(other?.remedy?.contains("feed_log") == false)
  }
}
