import Decant
import Foundation
import StoreTestSupport
import TestSupport
import Testing

/// The file of rejected objects: an archive that is imported when nothing is in the way any more.
@Suite struct RejectFileTests {
  private let place: PlainDatabase
  private var file: String { place.path("rejects.decant") }

  init() throws { place = try PlainDatabase() }

  private static let schema = """
    CREATE TABLE shelf (id INTEGER PRIMARY KEY, name TEXT UNIQUE);
    CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT UNIQUE, price REAL CHECK (price >= 0),
      shelf INT NOT NULL REFERENCES shelf, up INT REFERENCES item, picture BLOB, note);
    CREATE TABLE tag (id INTEGER PRIMARY KEY, name TEXT UNIQUE);
    CREATE TABLE item_tag (item INT REFERENCES item, tag INT REFERENCES tag, PRIMARY KEY (item, tag));
    CREATE TABLE label (code TEXT, lang TEXT, text TEXT NOT NULL, item INT REFERENCES item,
      PRIMARY KEY (code, lang)) WITHOUT ROWID;
    """

  /// Makes a source, a destination with something in the way, and one without.
  private func make() throws {
    try place.make(
      "a.db",
      RejectFileTests.schema + """
        INSERT INTO shelf VALUES (1, 's'), (2, 't');
        INSERT INTO item VALUES (1, 'a', 1.5, 1, NULL, x'0102', 'plain'),
          (2, 'b', 2, 2, 1, randomblob(200000), -0.0), (3, 'c', 3, 2, 1, NULL, 9007199254740993),
          (4, 'd', 4, 1, 3, x'', char(0, 1)), (5, 'e', 5, 1, 2, NULL, NULL);
        INSERT INTO tag VALUES (1, 'x'), (2, 'y');
        INSERT INTO item_tag VALUES (1, 1), (2, 1), (2, 2), (3, 2), (5, 1);
        INSERT INTO label VALUES ('k', 'de', 'eins', 2), ('k', 'en', 'one', 1), ('m', 'de', 'zwei', NULL);
        """
    )
    for name in ["b.db", "c.db"] {
      try place.make(
        name,
        RejectFileTests.schema
          + "INSERT INTO shelf VALUES (1, 'q'); INSERT INTO tag VALUES (7, 'z');"
      )
    }
    try place.make("b.db", RejectFileTests.obstacle)
  }

  private static let obstacle = """
    INSERT INTO item (id, name, price, shelf) VALUES (10, 'b', 0, 1), (11, 'e', 0, 1);
    INSERT INTO label VALUES ('k', 'de', 'in the way', NULL);
    """
  private static let removal =
    "DELETE FROM item WHERE price = 0; DELETE FROM label WHERE text = 'in the way'"

  /// Everything in a database, told by values and not by keys.
  private func content(_ name: String) throws -> [String] {
    try place.read(
      name,
      """
      SELECT i.name, i.price, s.name, u.name, quote(i.picture), typeof(i.note), quote(i.note),
        (SELECT group_concat(name) FROM (SELECT t.name FROM item_tag AS j JOIN tag AS t ON t.id = j.tag
          WHERE j.item = i.id ORDER BY 1))
      FROM item AS i JOIN shelf AS s ON s.id = i.shelf LEFT JOIN item AS u ON u.id = i.up ORDER BY 1
      """
    )
      + place.read(
        name,
        "SELECT l.code, l.lang, l.text, i.name FROM label AS l LEFT JOIN item AS i ON i.id = l.item ORDER BY 1, 2"
      ) + place.read(name, "SELECT name FROM shelf ORDER BY 1")
      + place.read(name, "SELECT name FROM tag ORDER BY 1")
  }

  private func append(_ configure: (inout CopyOptions) -> Void = { _ in }) throws -> CopyReport {
    try place.append {
      $0.onError = .reject
      $0.rejectsFile = file
      configure(&$0)
    }
  }

  /// The lines of the file as `python3` reads them: their codes by entity and key.
  private func told(_ file: String? = nil) throws -> String {
    let script = """
      import json, sys
      for text in open(sys.argv[1], encoding='utf-8'):
        line = json.loads(text)
        if 'reject' in line: print(line['e'], line['id'], line['reject']['code'], *line['reject'].get('links', {}).items())
        elif 'reason' in line: print('only', line['entity'], line['id'], line['code'])
      """
    return try Program.run(["python3", "-c", script, file ?? self.file]).output
  }

  @Test(arguments: [1, 1000], [CopyOptions.Commit.run, .batch])
  func `what was rejected is imported when nothing is in the way any more`(
    batchSize: Int64,
    commit: CopyOptions.Commit
  ) throws {
    try make()
    let report = try append {
      $0.batchSize = batchSize
      $0.commit = commit
    }
    #expect(report.rejectedByCode == [.unique: 3])
    #expect(report.rejectsFile == file)
    #expect(try told() == "item 2 unique\nitem 5 unique\nlabel 1 unique\n")
    try place.make("b.db", RejectFileTests.removal)
    let imported = try Import([file], into: place.path("b.db")).run()
    #expect(imported.map(\.rejectedCount) == [0])
    try place.append("a.db", to: "c.db")
    #expect(try content("b.db") == content("c.db"))
    #expect(try place.complaints("b.db") == "")
    // Once more changes nothing.
    try Import([file], into: place.path("b.db")).run()
    #expect(try content("b.db") == content("c.db"))
  }

  @Test func `a line is changed and another taken out before it is imported`() throws {
    try make()
    _ = try append()
    let script = """
      import json, sys
      lines = [json.loads(text) for text in open(sys.argv[1], encoding='utf-8')]
      lines = [l for l in lines if l.get('e') != 'label' and not (l.get('e') == 'item' and l['id'] == 5)]
      for line in lines:
        if 'v' in line: line['v']['name'] = line['key']['name'] = 'mended'
      with open(sys.argv[1], 'w', encoding='utf-8') as out:
        for line in lines: out.write(json.dumps(line) + '\\n')
      """
    #expect(try Program.run(["python3", "-c", script, file]).status == 0)
    try Import([file], into: place.path("b.db")).run()
    #expect(
      try place.read(
        "b.db",
        """
        SELECT i.name, s.name, u.name, length(i.picture) FROM item AS i JOIN shelf AS s ON s.id = i.shelf
        JOIN item AS u ON u.id = i.up WHERE i.price = 2
        """
      ) == ["'mended','t','a',200000"]
    )
    #expect(try place.read("b.db", "SELECT count(*) FROM item") == ["6"])
  }

  @Test func `it is packed where its name says so`() throws {
    try make()
    let packed = place.path("rejects.decant.gz")
    _ = try append { $0.rejectsFile = packed }
    let plain = try Program.run(["gzip", "-dc", packed]).output
    #expect(plain.hasPrefix(#"{"decant":1,"rejects":3,"#))
    try place.make("b.db", RejectFileTests.removal)
    try Import([packed], into: place.path("b.db")).run()
    try place.append("a.db", to: "c.db")
    #expect(try content("b.db") == content("c.db"))
  }

  @Test func `it is there only where something was rejected`() throws {
    try make()
    _ = try append()
    #expect(FileManager.default.fileExists(atPath: file))
    let files = try FileManager.default.contentsOfDirectory(atPath: place.folder.url.path)
    #expect(files.sorted() == ["a.db", "b.db", "c.db", "rejects.decant"])
    // What an earlier run has left would mislead.
    let report = try place.append("a.db", to: "c.db") {
      $0.onError = .reject
      $0.rejectsFile = file
    }
    #expect(report.rejectsFile == nil)
    #expect(!FileManager.default.fileExists(atPath: file))
  }

  @Test func `an archive that is no file of rejects is not written over`() throws {
    try make()
    try Export(from: place.path("a.db"), to: file).run()
    let before = try Data(contentsOf: URL(fileURLWithPath: file))
    let error = #expect(throws: DecantError.self) { try append() }
    #expect(error?.family == .usage)
    #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == before)
  }

  @Test func `links to what nothing is known by are told`() throws {
    try place.make(
      "a.db",
      """
      CREATE TABLE room (id INTEGER PRIMARY KEY, name); CREATE TABLE t (id INTEGER PRIMARY KEY, n UNIQUE, room INT REFERENCES room);
      INSERT INTO room VALUES (3, 'r'); INSERT INTO t VALUES (1, 'x', 3), (2, 'y', 3)
      """
    )
    try place.make(
      "b.db",
      """
      CREATE TABLE room (id INTEGER PRIMARY KEY, name); CREATE TABLE t (id INTEGER PRIMARY KEY, n UNIQUE, room INT REFERENCES room);
      INSERT INTO t VALUES (1, 'x', NULL)
      """
    )
    let report = try append()
    #expect(try told() == "t 1 unique ('room', 3)\n")
    #expect(report.notes.commandLine.contains { $0.hasPrefix("1 link of rejected objects") })
  }

  @Test(arguments: 1...9)
  func `what was rejected before a stop is in the file of the run that goes on`(count: Int) throws {
    try make()
    let cancellation = Cancellation()
    var options = CopyOptions()
    options.appends = true
    options.commit = .batch
    options.batchSize = 1
    options.onError = .reject
    options.rejectsFile = file
    var batches = 0
    let error = #expect(throws: DecantError.self) {
      try Copy(from: place.path("a.db"), to: place.path("b.db"), options: options).run(
        cancellation: cancellation
      ) { event in
        guard case .working(.progress(let progress), _) = event, progress.phase == .copy else {
          return
        }
        batches += 1
        if batches == count { cancellation.cancel() }
      }
    }
    #expect(error?.family == .interrupted)
    #expect(!FileManager.default.fileExists(atPath: file))
    options.leftOver = .resume
    let report = try Copy(from: place.path("a.db"), to: place.path("b.db"), options: options).run()
    #expect(report.rejectedByCode == [.unique: 3])
    #expect(try told() == "item 2 unique\nitem 5 unique\nlabel 1 unique\n")
  }
}
