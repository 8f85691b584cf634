import Decant
import Foundation
import StoreTestSupport
import TestSupport
import Testing

/// Stores whose texts are encoded differently, poured into one another.
@Suite struct EncodingTests {
  private let folder = try? TemporaryFolder()
  private static let others = [
    ("UTF-16le", "UTF-8"), ("UTF-16be", "UTF-8"), ("UTF-8", "UTF-16le"), ("UTF-8", "UTF-16be"),
    ("UTF-16le", "UTF-16be"),
  ]

  private static let schema = """
    CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT COLLATE NOCASE, portrait BLOB);
    CREATE TABLE book (author INTEGER REFERENCES author, title TEXT UNIQUE, price REAL,
      length INT AS (length(title)), note);
    CREATE TABLE word (word TEXT PRIMARY KEY, meaning) WITHOUT ROWID;
    CREATE TABLE place (country TEXT, number INT, name TEXT, PRIMARY KEY (country, number));
    CREATE TABLE visit (id INTEGER PRIMARY KEY, country TEXT, number INT, word TEXT REFERENCES word,
      FOREIGN KEY (country, number) REFERENCES place (country, number));
    CREATE TABLE wrote (author INTEGER REFERENCES author, visit INTEGER REFERENCES visit,
      PRIMARY KEY (author, visit)) WITHOUT ROWID;
    CREATE VIRTUAL TABLE search USING fts5 (body);
    """

  /// Rows whose texts all begin with `prefix`, so that two databases can be poured together.
  private static func rows(_ prefix: String) -> String {
    let texts = ["", "a' || char(0) || 'b", "😀 é", "日本", "\u{10ffff}", "\u{fffd}"]
      .map { "'\(prefix)\($0)'" }
    return texts.enumerated().map { index, text in
      """
      INSERT INTO author VALUES (\(index + 1), \(text), x'00ff0\(index)');
      INSERT INTO book (author, title, price, note) VALUES (\(6 - index), \(text), \(index) / 2.0, \(text));
      INSERT INTO word VALUES (\(text), \(index)); INSERT INTO place VALUES (\(text), \(index), \(text));
      INSERT INTO visit VALUES (\(index + 1), \(text), \(index), \(text));
      INSERT INTO wrote VALUES (\(index + 1), \(6 - index)); INSERT INTO search VALUES (\(text));
      """
    }.joined(separator: "\n")
  }

  private func make(_ name: String, _ encoding: String, _ sql: String) throws -> String {
    let path = try #require(folder).path(name)
    _ = try Program.sqlite3(path, "PRAGMA encoding = '\(encoding)';\n\(sql)")
    #expect(try Program.sqlite3(path, "PRAGMA encoding") == encoding)
    return path
  }

  /// Everything in the database, links as what is at their ends, in an order that keys do not decide.
  private func content(of path: String, where condition: String = "1") throws -> [String] {
    let queries = [
      "SELECT name, portrait FROM author AS t WHERE \(condition)",
      """
      SELECT title AS name, price, length, note, (SELECT name FROM author WHERE id = author)
      FROM book AS t WHERE \(condition)
      """, "SELECT word AS name, meaning FROM word AS t WHERE \(condition)",
      "SELECT country, number, name FROM place AS t WHERE \(condition)",
      """
      SELECT v.country AS name, v.word, p.name FROM visit AS v JOIN place AS p USING (country, number)
      JOIN word USING (word) WHERE \(condition.replacing("name", with: "v.country"))
      """,
      """
      SELECT a.name, v.country FROM wrote AS w JOIN author AS a ON a.id = w.author
      JOIN visit AS v ON v.id = w.visit WHERE \(condition.replacing("name", with: "a.name"))
      """, "SELECT body AS name FROM search AS t WHERE \(condition)",
    ]
    return try queries.map { query in
      try Program.sqlite3(path, query, isQuoted: true).split(separator: "\n").sorted()
        .joined(separator: "\n")
    }
  }

  private func append(
    _ source: String,
    to destination: String,
    _ configure: (inout CopyOptions) -> Void = { _ in }
  ) throws -> CopyReport {
    var options = CopyOptions()
    options.appends = true
    configure(&options)
    return try Copy(from: source, to: destination, options: options).run()
  }

  @Test(arguments: others, [CopyOptions.Commit.run, .batch])
  func `a plain database is added to one of another encoding`(
    _ encodings: (String, String),
    commit: CopyOptions.Commit
  ) throws {
    let source = try make("a.db", encodings.0, EncodingTests.schema + EncodingTests.rows("a"))
    let destination = try make("b.db", encodings.1, EncodingTests.schema + EncodingTests.rows("b"))
    let before = try content(of: destination)
    let bytes = FileManager.default.contents(atPath: source)
    let report = try append(source, to: destination) {
      $0.commit = commit
      $0.noLinks = [Property("search", "rowid")]
      $0.batchSize = 2
    }
    #expect(report.isVerified)
    #expect(report["word"]?.copied == 6)
    #expect(try content(of: destination, where: "name GLOB 'a*'") == content(of: source))
    #expect(try content(of: destination, where: "name GLOB 'b*'") == before)
    #expect(try Program.sqlite3(destination, "PRAGMA integrity_check") == "ok")
    #expect(try Program.sqlite3(destination, "PRAGMA foreign_key_check") == "")
    #expect(try Program.sqlite3(destination, "PRAGMA encoding") == encodings.1)
    #expect(FileManager.default.contents(atPath: source) == bytes)
  }

  @Test(arguments: others)
  func `characters that SQLite itself would change are kept`(_ encodings: (String, String)) throws {
    let texts = ["\u{ffff}", "\u{fffe}a", "\u{feff}a", "x\u{feff}"]
    let schema = "CREATE TABLE t (k TEXT PRIMARY KEY, v TEXT) WITHOUT ROWID;"
    let literals = texts.map { "CAST(x'\($0.hexadecimal(in: encodings.0))' AS TEXT)" }
    let source = try make(
      "a.db",
      encodings.0,
      schema + literals.map { "INSERT INTO t VALUES (\($0), \($0));" }.joined()
    )
    let destination = try make("b.db", encodings.1, schema)
    let report = try append(source, to: destination) { $0.batchSize = 1 }
    #expect(report["t"]?.copied == 4)
    let sql = "SELECT hex(CAST(k AS BLOB)) || ' ' || hex(CAST(v AS BLOB)) FROM t"
    let found = try Program.sqlite3(destination, sql).lowercased().split(separator: "\n").sorted()
    let expected = texts.map { $0.hexadecimal(in: encodings.1) }.map { Substring("\($0) \($0)") }
    #expect(found == expected.sorted())
  }

  @Test(arguments: [("UTF-16le", "UTF-8", "x'410000d8'"), ("UTF-8", "UTF-16be", "x'41ff'")])
  func `a text that cannot be kept is refused, and named by its object`(
    from: String,
    to: String,
    literal: String
  ) throws {
    let schema =
      "CREATE TABLE note (id INTEGER PRIMARY KEY, body TEXT, parent INT REFERENCES note);"
    let source = try make(
      "a.db",
      from,
      schema + "INSERT INTO note VALUES (1, 'x', 2), (2, CAST(\(literal) AS TEXT), 3), (3, 'y', 1)"
    )
    let destination = try make("b.db", to, schema + "INSERT INTO note VALUES (1, 'own', NULL)")
    let error = #expect(throws: DecantError.self) { try append(source, to: destination) }
    #expect(error?.message.hasPrefix("cannot write note key 2: note.body in row 2 holds text") == true)
    #expect(error?.advice?.commandLine.contains("--on-error reject") == true)
    #expect(try Program.sqlite3(destination, "SELECT count(*) FROM note") == "1")
    let report = try append(source, to: destination) { $0.onError = .reject }
    #expect(report["note"]?.rejected == 1)
    #expect(report["note"]?.copied == 2)
    #expect(report.isVerified)
    let rows = "SELECT body, (SELECT body FROM note AS p WHERE p.id = n.parent) FROM note AS n"
    #expect(try Program.sqlite3(destination, rows) == "own|\nx|\ny|x")
  }

  @Test func `a row without a key is refused likewise`() throws {
    let schema = "CREATE TABLE word (word TEXT PRIMARY KEY, meaning TEXT) WITHOUT ROWID;"
    let source = try make(
      "a.db",
      "UTF-16le",
      schema + "INSERT INTO word VALUES ('x', 'y'), ('z', CAST(x'00dc' AS TEXT))"
    )
    let destination = try make("b.db", "UTF-8", schema)
    let error = #expect(throws: DecantError.self) { try append(source, to: destination) }
    #expect(error?.message.hasPrefix("cannot write word with the key 'z': word.meaning holds") == true)
    let report = try append(source, to: destination) { $0.onError = .reject }
    #expect(report["word"]?.rejected == 1)
    #expect(try Program.sqlite3(destination, "SELECT * FROM word") == "x|y")
  }

  @Test func `large values are streamed past the feed`() throws {
    let schema = "CREATE TABLE picture (id INTEGER PRIMARY KEY, name TEXT, data BLOB);"
    let size = 9 << 20
    let source = try make(
      "a.db",
      "UTF-16le",
      schema + "INSERT INTO picture VALUES (1, 'é', randomblob(\(size))), (2, 'ü', x'00')"
    )
    let destination = try make("b.db", "UTF-8", schema + "INSERT INTO picture VALUES (1, 'o', x'01')")
    #expect(try append(source, to: destination).isVerified)
    let sum =
      "SELECT name, length(data), hex(substr(data, \(size - 64))) FROM picture WHERE name <> 'o'"
    #expect(try Program.sqlite3(destination, sum) == Program.sqlite3(source, sum))
  }

  @Test func `stores of different encodings are compared`() throws {
    let one = try make("a.db", "UTF-16be", EncodingTests.schema + EncodingTests.rows("a"))
    let other = try make("b.db", "UTF-8", EncodingTests.schema + EncodingTests.rows("a"))
    for (source, destination) in [(one, other), (other, one)] {
      #expect(try Verify(source, against: destination).run().isEqual)
    }
    _ = try Program.sqlite3(other, "UPDATE author SET name = 'é' WHERE id = 4")
    for (source, destination) in [(one, other), (other, one)] {
      let report = try Verify(source, against: destination).run()
      #expect(!report.isEqual)
      #expect(report.differences.first?.keys == [4])
    }
  }

  @Test(arguments: others)
  func `a Core Data store is added to one of another encoding`(_ encodings: (String, String)) throws {
    let kitchens = try Kitchens()
    let expected = kitchens.folder.path("expected.sqlite")
    try FileManager.default.copyItem(atPath: kitchens.kitchen, toPath: expected)
    try kitchens.copy(kitchens.guests, to: expected) { $0.appends = true }
    let source = try kitchens.encoded(kitchens.guests, encodings.0)
    let destination = try kitchens.encoded(kitchens.kitchen, encodings.1)
    let report = try kitchens.copy(source, to: destination) { $0.appends = true }
    #expect(report.isVerified)
    #expect(try Kitchens.rows(of: destination) == Kitchens.rows(of: expected))
    #expect(try Program.sqlite3(destination, "PRAGMA encoding") == encodings.1)
    #expect(try Program.sqlite3(destination, "PRAGMA integrity_check") == "ok")
  }
}

extension Kitchens {
  /// Has the `sqlite3` program make the same store again with its texts in `encoding`.
  fileprivate func encoded(_ store: String, _ encoding: String) throws -> String {
    let name = "\(encoding)-\(URL(fileURLWithPath: store).lastPathComponent)"
    let dump = try Program.sqlite3(store, ".dump")
    try Data("PRAGMA encoding = '\(encoding)';\n\(dump)\n".utf8)
      .write(to: URL(fileURLWithPath: folder.path("dump.sql")))
    _ = try Program.run(["sqlite3", "-batch", name, ".read dump.sql"], in: folder.url)
    #expect(try Program.sqlite3(folder.path(name), "PRAGMA encoding") == encoding)
    return folder.path(name)
  }
}

extension String {
  /// The text's bytes in an encoding as hexadecimal digits.
  fileprivate func hexadecimal(in encoding: String) -> String {
    let bytes: [UInt8] =
      switch encoding {
      case "UTF-8": Array(utf8)
      case "UTF-16le": utf16.flatMap { [UInt8($0 & 0xff), UInt8($0 >> 8)] }
      default: utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xff)] }
      }
    return bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
