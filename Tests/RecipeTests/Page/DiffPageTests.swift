import Decant
import Foundation
import StoreTestSupport
import TestSupport
import Testing

/// Pages of differences, held against the files of both stores and what `diff --json` counts, by Python's readers of HTML
/// and SQLite.
@Suite struct DiffPageTests {
  private let files: SharedFiles
  private var folder: TemporaryFolder { files.folder }

  init() throws { files = try SharedFiles.kitchen() }

  /// Two stores, and the SQLite files behind them.
  struct Pair: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// Makes `a.sqlite` and `b.sqlite` in the folder of the kitchen, and returns the stores to compare.
    let make: @Sendable (TemporaryFolder) throws -> (a: String, b: String)
  }

  private static func sql(_ folder: TemporaryFolder, _ name: String, _ sql: String) throws {
    _ = try Program.sqlite3(folder.path(name), sql)
  }

  /// What an app and a person may have done to the kitchen in the meantime.
  private static let edits = """
    UPDATE ZRECIPE SET ZTITLE = 'Ginger Soup', ZCATEGORY = NULL, ZSUBTITLE = '' WHERE Z_PK = 2;
    UPDATE ZRECIPE SET ZSUBTITLE = ZSUBTITLE || ' – now' || char(13, 10) || 'with lemon', ZISFAVORITE = 1 - ZISFAVORITE
      WHERE Z_PK IN (3, 4);
    UPDATE ZIMAGE SET ZDATA = (SELECT ZDATA FROM ZIMAGE WHERE Z_PK = 2) WHERE Z_PK = 1;
    UPDATE ZSTEP SET ZTEXT = replace(ZTEXT, 'the', 'a') WHERE Z_PK < 9;
    UPDATE ZINGREDIENT SET ZAMOUNT = ZAMOUNT * 2, ZNOTE = 'finely chopped' WHERE Z_PK % 9 = 0;
    DELETE FROM ZINGREDIENT WHERE Z_PK IN (4, 5); DELETE FROM ZIMAGE WHERE Z_PK = 3;
    DELETE FROM Z_6TAGS WHERE Z_6RECIPES = 1; INSERT INTO Z_6TAGS SELECT 3, Z_PK FROM ZTAG;
    INSERT INTO ZTAG SELECT 99, Z_ENT, 1, ZCOLOR, 'hostile </script>' || char(8238, 7), randomblob(16) FROM ZTAG LIMIT 1;
    UPDATE Z_PRIMARYKEY SET Z_MAX = 99 WHERE Z_NAME = 'Tag'
    """

  private static func kitchens(_ folder: TemporaryFolder) throws {
    for name in ["a.sqlite", "b.sqlite"] {
      try FileManager.default.copyItem(atPath: folder.path("store.sqlite"), toPath: folder.path(name))
    }
    try sql(folder, "b.sqlite", "DELETE FROM Z_6TAGS WHERE Z_6RECIPES = 3; " + edits)
  }

  static let pairs: [Pair] = [
    Pair(testDescription: "a Core Data store") { folder in
      try kitchens(folder)
      return (folder.path("a.sqlite"), folder.path("b.sqlite"))
    },
    Pair(testDescription: "an archive") { folder in
      try kitchens(folder)
      try Export(from: folder.path("a.sqlite"), to: folder.path("a.decant")).run()
      return (folder.path("a.decant"), folder.path("b.sqlite"))
    },
    Pair(testDescription: "a plain database") { folder in
      let schema = """
        CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT, photo BLOB);
        CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT, author INTEGER REFERENCES author (id), year, blurb TEXT);
        CREATE TABLE tag (name TEXT PRIMARY KEY, color TEXT) WITHOUT ROWID;
        CREATE TABLE "a""b<c>&d" (id INTEGER PRIMARY KEY, "<i>&'x" TEXT);
        CREATE TABLE log (line TEXT, size INTEGER);
        WITH n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300)
        INSERT INTO book SELECT i, 'Book ' || i, i % 7, 1900 + i, printf('%.*c', 2 * i, 'a b ') || i FROM n;
        INSERT INTO author VALUES (1, 'Ada', x'89504e470d0a1a0a00'), (2, 'Bob', NULL), (3, 'Cy', x'00ff'), (4, '', NULL),
          (5, 'Eve', NULL), (6, 'Flo', NULL), (0, 'Nil', NULL);
        INSERT INTO tag VALUES ('red', '#f00'), ('blue', '#00f'); INSERT INTO "a""b<c>&d" VALUES (1, '<b>'), (2, '&amp;');
        INSERT INTO log VALUES ('x', 1), ('x', 1), ('y', 2)
        """
      for name in ["a.sqlite", "b.sqlite"] { try sql(folder, name, schema) }
      try sql(
        folder,
        "b.sqlite",
        """
        UPDATE book SET blurb = replace(blurb, '7', 'seven'), year = year + 1 WHERE id % 3 = 0;
        UPDATE book SET year = CAST(year AS TEXT) WHERE id % 10 = 1; UPDATE book SET author = 2 WHERE id = 5;
        DELETE FROM book WHERE id > 280; INSERT INTO book (id, title) VALUES (1000, 'New');
        UPDATE author SET photo = x'ffd8ff00' WHERE id = 1; UPDATE author SET photo = x'00fe', name = NULL WHERE id = 3;
        UPDATE tag SET color = '#e00' WHERE name = 'red'; INSERT INTO tag VALUES ('"new"', '');
        UPDATE "a""b<c>&d" SET "<i>&'x" = '<b>!'; DELETE FROM log WHERE line = 'x'; INSERT INTO log VALUES ('</td>', NULL)
        """
      )
      return (folder.path("a.sqlite"), folder.path("b.sqlite"))
    },
  ]

  private func diff(_ arguments: [String]) throws -> Program {
    try Program.run([DecantProgram.path, "diff"] + arguments, in: folder.url)
  }

  /// The page at `page.html`, held against the stores.
  private func check(_ pair: (a: String, b: String), _ options: [String] = []) throws -> String {
    let run = try diff([pair.a, pair.b, "--json", "--verbose", "--limit", "100000", "--html", "page.html"] + options)
    #expect(run.status == 4, "\(run.errors)")
    try Data(run.output.utf8).write(to: folder.url.appendingPathComponent("report.json"))
    let script = Fixtures.projectFolder.appendingPathComponent("Tests/Pages/differences.py").path
    let held = try Program.run(
      ["python3", script, "page.html", "report.json", "a.sqlite", "b.sqlite"],
      in: folder.url
    )
    #expect(held.status == 0, "\(held.output)\(held.errors)")
    if HTML5.isAvailable { #expect(try HTML5.errors(in: files.page) == "") }
    return held.output
  }

  @Test(arguments: pairs) func `what differs is there once, with the values of both`(_ pair: Pair) throws {
    let held = try check(try pair.make(folder))
    // The cases hold all of these.
    for what in ["objects", "texts", "numbers", "pictures", "nulls"] { #expect(!held.contains(" 0 \(what)")) }
    #expect(!held.hasPrefix("0 "))
  }

  @Test(arguments: HostileTextTests.texts) func `texts stay texts`(_ text: String) throws {
    for (name, value) in [("a.sqlite", "'x'"), ("b.sqlite", text)] {
      try Self.sql(
        folder,
        name,
        """
        CREATE TABLE t (id INTEGER PRIMARY KEY, title TEXT, more TEXT); CREATE TABLE u (line TEXT, n INTEGER);
        INSERT INTO t VALUES (1, \(value), 'same'), (2, 'same', 'same words ' || \(value) || ' and more words');
        INSERT INTO u VALUES (\(value), 1)
        """
      )
    }
    try Self.sql(folder, "b.sqlite", "INSERT INTO t VALUES (3, \(text), \(text))")
    _ = try check((folder.path("a.sqlite"), folder.path("b.sqlite")))
    let page = try String(contentsOfFile: files.page, encoding: .utf8)
    // Nothing turns the direction of what stands behind it.
    #expect(
      !page.unicodeScalars.contains { (0x202a...0x202e).contains($0.value) || (0x2066...0x2069).contains($0.value) })
  }

  @Test func `places and names of files stay texts`() throws {
    let name = "<script>&\"'.sqlite"
    try Self.kitchens(folder)
    try FileManager.default.moveItem(atPath: folder.path("a.sqlite"), toPath: folder.path(name))
    #expect(try diff([name, "b.sqlite", "--html", "page.html", "--quiet"]).status == 4)
    let page = try files.readPage()
    page.checkHarmless()
    #expect(page.text.contains(name) && page.scripts.isEmpty)
  }

  @Test func `equal stores give a page that says so`() throws {
    let run = try diff(["store.sqlite", "store.sqlite", "--html", "page.html"])
    #expect(run.status == 0 && run.output.hasSuffix("the page is page.html\n"))
    let page = try files.readPage()
    #expect(page.titles.first == "No differences" && page.text.contains("Both stores hold the same 147 objects."))
    if HTML5.isAvailable { #expect(try HTML5.errors(in: files.page) == "") }
  }

  @Test(arguments: [0, 1, 5]) func `beyond the limit the page says how many more there are`(_ limit: Int) throws {
    let stores = try Self.pairs[2].make(folder)
    let run = try diff([stores.a, stores.b, "--html", "page.html", "--limit", "\(limit)"])
    #expect(run.status == 4)
    let page = try String(contentsOfFile: files.page, encoding: .utf8)
    // 300 rows; by sqlite3: every third, every tenth and one more are changed, up to row 280.
    let changed = Set((1...280).filter { $0 % 3 == 0 || $0 % 10 == 1 || $0 == 5 }).count
    let left = limit == 0 ? "\(changed) changed, 20 only in A, 1 only in B" : "\(changed - limit) changed, 20 only in A"
    #expect(page.contains("Not shown: \(left)"), "\(page.suffix(3000))")
    #expect(page.components(separatedBy: "<article class=\"changed\"").count - 1 <= 5 * max(limit, 0) + 4)
  }

  @Test func `long texts are shown around what differs`() throws {
    let schema = "CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT UNIQUE, body TEXT);"
    let long = "printf('%.*c', 30000, 'w')"
    try Self.sql(
      folder, "a.sqlite", schema + "INSERT INTO t VALUES (1, 'long', 'begin ' || \(long) || ' red ' || \(long))")
    try Self.sql(
      folder, "b.sqlite", schema + "INSERT INTO t VALUES (1, 'long', 'begin ' || \(long) || ' blue ' || \(long))")
    #expect(try diff(["a.sqlite", "b.sqlite", "--html", "page.html", "--quiet"]).status == 4)
    let page = try String(contentsOfFile: files.page, encoding: .utf8)
    #expect(page.contains("<del>red</del>") && page.contains("<ins>blue</ins>") && page.contains("equal characters"))
    #expect(page.utf8.count < 20_000)
  }

  @Test func `nothing is overwritten, and other ways to print are refused`() throws {
    try Data("kept".utf8).write(to: URL(fileURLWithPath: files.page))
    let run = try diff(["nowhere.sqlite", "store.sqlite", "--html", "page.html"])
    #expect(run.status == 64 && run.errors.contains("already exists"))
    #expect(try String(contentsOfFile: files.page, encoding: .utf8) == "kept")
    for other in [["--sql"], ["--base", "store.sqlite"]] {
      #expect(try diff(["store.sqlite", "store.sqlite", "--html", "new.html"] + other).status == 64)
    }
    #expect(try diff(["nowhere.sqlite", "store.sqlite", "--html", "new.html"]).status == 10)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted() == ["page.html", "store.sqlite"])
  }

  @Test func `an app takes the page piece by piece`() throws {
    try Self.kitchens(folder)
    let diff = Diff(folder.path("a.sqlite"), folder.path("b.sqlite"))
    let report = try diff.page(at: files.page).run()
    let pieces = Pieces()
    #expect(try diff.page { bytes throws(DecantError) in pieces.add(bytes) }.run() == report)
    #expect(try pieces.data == Data(contentsOf: URL(fileURLWithPath: files.page)))
    #expect(try diff.run() == report)
  }

  private final class Pieces: @unchecked Sendable {
    private(set) var data = Data()
    func add(_ bytes: UnsafeRawBufferPointer) { data.append(contentsOf: bytes) }
  }
}
