import Foundation
import TestSupport
import Testing

/// Other processes at work on the same stores.
///
/// `DECANT_SLOW=1` tries all of it, and often.
@Suite struct ConcurrencyTests {
  private let folder: TemporaryFolder
  private static let isSlow = ProcessInfo.processInfo.environment["DECANT_SLOW"] == "1"
  private static let balance = 200_000

  init() throws { folder = try TemporaryFolder() }

  /// A way to copy: what is said beside source and destination.
  enum Way: String, CaseIterable, CustomTestStringConvertible {
    case pages, rows, run, batch

    var options: [String] {
      switch self {
      case .pages: []
      case .rows: ["--where", "m: 1", "--batch-size", "200"]
      case .run: ["--append"]
      case .batch: ["--append", "--commit", "batch", "--batch-size", "200"]
      }
    }
    var isNew: Bool { self == .pages || self == .rows }
    var testDescription: String { rawValue }
  }

  /// Makes a database with `count` rows between the tables that must agree.
  private func make(_ name: String, _ journal: String = "delete", count: Int) throws {
    _ = try Program.sqlite3(
      folder.path(name),
      """
      PRAGMA journal_mode = \(journal);
      CREATE TABLE a (id INTEGER PRIMARY KEY, v);
      CREATE TABLE parent (id INTEGER PRIMARY KEY AUTOINCREMENT, n);
      CREATE TABLE m (id INTEGER PRIMARY KEY, t);
      CREATE TABLE child (id INTEGER PRIMARY KEY AUTOINCREMENT, parent INTEGER REFERENCES parent (id));
      CREATE TABLE z (id INTEGER PRIMARY KEY, v);
      WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100)
      INSERT INTO a SELECT i, 1000 FROM n;
      INSERT INTO z SELECT id, v FROM a;
      WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
      INSERT INTO m SELECT i, hex(zeroblob(40)) FROM n;
      """
    )
  }

  /// What must hold of a database, as a line: balance, parents without three children, children without
  /// parent, SQLite's own check.
  private func facts(_ name: String) throws -> String {
    try Program.sqlite3(
      folder.path(name),
      """
      SELECT (SELECT sum(v) FROM a) + (SELECT sum(v) FROM z),
        (SELECT count(*) FROM parent AS p WHERE (SELECT count(*) FROM child WHERE parent = p.id) <> 3),
        (SELECT count(*) FROM child WHERE parent IS NULL OR parent NOT IN (SELECT id FROM parent));
      PRAGMA integrity_check
      """
    )
  }

  private func number(_ name: String, _ sql: String) throws -> Int {
    Int(try Program.sqlite3(folder.path(name), sql)) ?? -1
  }

  private func workTables(_ name: String) throws -> Int {
    try number(name, "SELECT count(*) FROM sqlite_schema WHERE name LIKE 'decant%'")
  }

  private func start(_ source: String, _ destination: String, _ way: Way, _ more: [String] = []) throws -> KilledRun {
    try KilledRun(["copy", source, destination, "--quiet"] + way.options + more, in: folder.url)
  }

  /// The ways that are tried for each journal.
  private static let writing: [(journal: String, way: Way)] =
    ["wal", "delete"].flatMap { journal in
      Way.allCases.filter { isSlow || (journal == "wal") == ($0 == .rows || $0 == .batch) }
        .map { (journal, $0) }
    }

  @Test(arguments: writing.indices)
  func `what another process writes meanwhile is copied in one state, and it goes on writing`(index: Int) throws {
    let (journal, way) = Self.writing[index]
    try make("source.db", journal, count: 10_000)
    for seed in 1...(Self.isSlow ? 10 : 1) {
      for name in try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
      where name.hasPrefix("copy.") {
        try FileManager.default.removeItem(atPath: folder.path(name))
      }
      if !way.isNew { try make("copy.db", count: 50) }
      let note = "\(journal), \(way), seed \(seed)"
      let writer = try Neighbour("writer.py", folder.path("source.db"), "\(seed)", "0.003")
      let first = try number("source.db", "PRAGMA busy_timeout = 60000; SELECT count(*) FROM parent")
      let run = try start("source.db", "copy.db", way)
      run.finish()
      #expect(run.end == .exited(0), "\(note): \(run.errors)")
      // Done, and failed: nobody who is willing to wait is turned away.
      let counts = try writer.end().split(separator: " ").compactMap { Int($0) }
      #expect(counts.count == 2 && counts[0] > 1 && counts[1] == 0, "\(note): \(counts)")
      let sum = way.isNew ? Self.balance : 2 * Self.balance
      #expect(try facts("copy.db") == "\(sum)|0|0\nok", "\(note)")
      let copied = try number("copy.db", "SELECT count(*) FROM parent")
      let last = try number("source.db", "SELECT count(*) FROM parent")
      #expect((max(first, 0)...last).contains(copied), "\(note): \(first), \(copied), \(last)")
    }
  }

  /// What somebody else does with the destination.
  private static let holding: [(journal: String, sql: String)] = {
    let uses = [
      "BEGIN; SELECT count(*) FROM a", "BEGIN IMMEDIATE", "BEGIN IMMEDIATE; UPDATE a SET v = 0",
      "BEGIN EXCLUSIVE",
    ]
    let all =
      ["delete", "wal"].flatMap { journal in uses.map { (journal: journal, sql: $0) } }
      // With a log, whoever merely has it open reads it.
      + [("wal", "SELECT count(*) FROM a")]
    return isSlow ? all : [all[0], all[6]]
  }()

  @Test(arguments: holding.indices, [Way.run, .batch])
  func `a destination in use is refused and stays as it is`(index: Int, way: Way) throws {
    // The other way to commit takes the same lock.
    guard Self.isSlow || way == [.run, .batch][index % 2] else { return }
    let (journal, sql) = Self.holding[index]
    try make("source.db", count: 20)
    try make("copy.db", journal, count: 20)
    let before = try Program.sqlite3(folder.path("copy.db"), ".dump")
    let holder = try Neighbour("holder.py", folder.path("copy.db"), sql)
    let run = try start("source.db", "copy.db", way)
    run.finish()
    try holder.end()
    #expect(run.end == .exited(11))
    #expect(run.errors.contains("another process"), "\(run.errors)")
    #expect(try Program.sqlite3(folder.path("copy.db"), ".dump") == before)
    #expect(try Program.sqlite3(folder.path("copy.db"), "PRAGMA journal_mode") == journal)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
    #expect(names.allSatisfy { !$0.contains("backup") && !$0.contains("partial") })
  }

  @Test(arguments: Way.allCases)
  func `of two decants at one new place one wins, in a store that is there each adds its own`(way: Way) throws {
    try make("one.db", count: 1000)
    try make("two.db", count: 1500)
    var random = SeededGenerator(seed: 1)
    for round in 1...(Self.isSlow ? 30 : 2) {
      for name in try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
      where name.hasPrefix("copy.") {
        try FileManager.default.removeItem(atPath: folder.path(name))
      }
      if !way.isNew { try make("copy.db", round % 2 == 0 ? "wal" : "delete", count: 50) }
      let first = try start("one.db", "copy.db", way)
      usleep(UInt32.random(in: 0...250_000, using: &random))
      let second = try start("two.db", "copy.db", way)
      let runs = [first, second]
      runs.forEach { $0.finish() }
      let note = "\(way), round \(round): \(runs.map(\.end)) \(runs.map(\.errors))"
      let won = runs.map { $0.end == .exited(0) }
      let rows = zip(won, [1000, 1500]).reduce(0) { $0 + ($1.0 ? $1.1 : 0) }
      if way.isNew {
        #expect(won.filter { $0 }.count == 1, "\(note)")
        #expect(try number("copy.db", "SELECT count(*) FROM m") == rows, "\(note)")
      } else {
        #expect(won.contains(true), "\(note)")
        #expect(try number("copy.db", "SELECT count(*) FROM m") == rows + 50, "\(note)")
      }
      for run in runs where run.end != .exited(0) {
        let codes: [Int32] = way.isNew ? [1, 11, 64] : [11]
        #expect(codes.contains { run.end == .exited($0) }, "\(note)")
        #expect(!run.errors.isEmpty, "\(note)")
      }
      #expect(try facts("copy.db").hasSuffix("|0|0\nok"), "\(note)")
      #expect(try workTables("copy.db") == 0, "\(note)")
    }
  }

  @Test(arguments: ["delete", "wal"])
  func `copies of one store to many places at once are all of them right`(journal: String) throws {
    try make("source.db", journal, count: 3000)
    let expected = try Program.sqlite3(folder.path("source.db"), ".dump")
    for round in 1...(Self.isSlow ? 10 : 1) {
      let runs = try (1...3).map { number in
        try start("source.db", "copy\(round)-\(number).db", number == 2 ? .rows : .pages)
      }
      runs.forEach { $0.finish() }
      for (index, run) in runs.enumerated() {
        #expect(run.end == .exited(0), "\(run.errors)")
        let copy = folder.path("copy\(round)-\(index + 1).db")
        #expect(try Program.sqlite3(copy, ".dump") == expected)
      }
    }
  }
}
