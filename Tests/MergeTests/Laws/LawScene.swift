import Foundation
import TestSupport

/// The databases of a case in a folder of their own, and what is done with them.
///
/// decant runs as a user runs it. The `sqlite3` program and Python's library read what comes out. What several laws
/// ask about is done once.
final class LawScene {
  let test: LawCase
  let folder: TemporaryFolder

  static let source = "theirs.db"
  static let destination = "mine.db"
  /// The destination as it was.
  static let untouched = "untouched.db"
  /// The destination after the first run.
  static let made = "made.db"

  private var told: Story?
  private var toldFacts: [[String]]?

  init(_ test: LawCase) throws {
    self.test = test
    folder = try TemporaryFolder()
    try make(Self.source, test.schema, test.source)
    if let destination = test.destination {
      try make(Self.destination, test.destinationSchema ?? test.schema, destination)
    }
    try copy(Self.destination, as: Self.untouched)
    if let base = test.base { try make("base.db", test.schema, base) }
    if let mapping = test.mapping {
      try Data(mapping.utf8).write(to: folder.url.appendingPathComponent("map.yaml"))
    }
  }

  private func make(_ name: String, _ schema: String, _ rows: String) throws {
    if let store = test.store {
      let inner = try TemporaryFolder()
      let copy = inner.path(store.lastPathComponent)
      for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: store.path + suffix) {
        try FileManager.default.copyItem(atPath: store.path + suffix, toPath: copy + suffix)
      }
      _ = try Program.sqlite3(copy, "VACUUM INTO '\(folder.path(name))'")
    }
    _ = try Program.sqlite3(folder.path(name), "\(schema);\n\(rows);")
  }

  /// A dry run of the case's command, and its first run; what the destination holds before, between and after.
  struct Story {
    let before: String
    let dryRun: Program
    let afterDryRun: String
    let run: Program
    let after: String
  }

  func story() throws -> Story {
    if let told { return told }
    let before = try dump()
    let dryRun = try run(["--dry-run", "--json"])
    let afterDryRun = try dump()
    let run = try run(["--json"])
    try copy(Self.destination, as: Self.made)
    let after = try dump(Self.made)
    let story = Story(before: before, dryRun: dryRun, afterDryRun: afterDryRun, run: run, after: after)
    told = story
    return story
  }

  /// What the queries of the case give after the first run.
  func outcomeFacts() throws -> [[String]] {
    if let toldFacts { return toldFacts }
    _ = try story()
    let facts = try facts(of: Self.made)
    toldFacts = facts
    return facts
  }

  /// Runs the case's command with further options, between other stores where these are named.
  func run(
    _ more: [String] = [],
    from source: String = LawScene.source,
    to destination: String = LawScene.destination
  ) throws -> Program {
    try decant(test.verb + [source, destination] + test.options + more)
  }

  func decant(_ arguments: [String]) throws -> Program {
    let run = try Program.run([DecantProgram.path] + arguments, in: folder.url)
    guard !run.isCrash else {
      throw Program.Failure(program: "decant \(arguments.joined(separator: " "))", errors: run.errors)
    }
    return run
  }

  /// The rows of a query as SQL literals.
  func rows(_ query: String, of name: String = LawScene.destination) throws -> [String] {
    try Program.sqlite3(folder.path(name), query, isQuoted: true)
      .split(separator: "\n").map(String.init)
  }

  /// Everything a database holds, as SQL; of one that does not exist nothing.
  func dump(_ name: String = LawScene.destination) throws -> String {
    guard FileManager.default.fileExists(atPath: folder.path(name)) else { return "" }
    return try Program.sqlite3(folder.path(name), ".dump")
  }

  /// What the queries of the case give.
  func facts(of name: String = LawScene.destination) throws -> [[String]] {
    try test.facts.map { try rows($0.query, of: name) }
  }

  /// Loose links and damage.
  func complaints(_ name: String = LawScene.destination) throws -> Set<String> {
    guard FileManager.default.fileExists(atPath: folder.path(name)) else { return [] }
    let checks = "PRAGMA integrity_check; PRAGMA foreign_key_check"
    return Set(try rows(checks, of: name)).subtracting(["'ok'"])
  }

  /// How many rows each table holds.
  func rowCounts(_ name: String = LawScene.destination) throws -> [String: Int] {
    let tables = """
      SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
      """
    let names = try Program.sqlite3(folder.path(name), tables).split(separator: "\n")
    let counts = names.map { "SELECT '\($0)', count(*) FROM \"\($0)\"" }
    let lines = try Program.sqlite3(folder.path(name), counts.joined(separator: " UNION ALL "))
    return Dictionary(
      uniqueKeysWithValues: lines.split(separator: "\n").compactMap { line in
        let parts = line.split(separator: "|")
        return Int(parts[1]).map { (String(parts[0]), $0) }
      }
    )
  }

  func copy(_ name: String, as other: String) throws {
    try? FileManager.default.removeItem(atPath: folder.path(other))
    guard FileManager.default.fileExists(atPath: folder.path(name)) else { return }
    try FileManager.default.copyItem(atPath: folder.path(name), toPath: folder.path(other))
  }

  /// Runs a script of this folder with Python, and returns what it prints.
  func python(_ script: String, _ arguments: [String]) throws -> String {
    let path = Fixtures.projectFolder.appendingPathComponent("Tests/Databases/\(script)").path
    let run = try Program.run(["python3", path] + arguments, in: folder.url)
    guard run.status == 0 else { throw Program.Failure(program: script, errors: run.errors) }
    return run.output.hasSuffix("\n") ? String(run.output.dropLast()) : run.output
  }
}

/// A report in JSON, as far as laws ask for it.
struct LawReport: Decodable {
  let entities: [String: Entity]
  let links: Links?
  let linksRemoved, partsRemoved, objectsRemoved: Int?

  /// What a merge removes.
  var removed: [Int?] { [linksRemoved, partsRemoved, objectsRemoved] }

  struct Links: Decodable, Equatable {
    let copied: Int
    let cut: Int
    let dangling: Int
  }

  struct Entity: Decodable, Equatable {
    let source: Int?
    let copied: Int?
    let updated: Int?
    let skipped: Int?
    let rejected: Int?
    let stubs: Int?
    let merge: MergeCounts?
    let same: Int?
    let changed: Int?
    let onlyA: Int?
    let onlyB: Int?
  }

  /// The counts of a merge, by their names in JSON; what is no count is left out.
  struct MergeCounts: Decodable, Equatable {
    private let counts: [String: Int]

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Name.self)
      var counts: [String: Int] = [:]
      for name in container.allKeys where name.stringValue != "pairedBy" {
        counts[name.stringValue] = try container.decode(Int.self, forKey: name)
      }
      self.counts = counts
    }

    subscript(name: String) -> Int? { counts[name] }

    private struct Name: CodingKey {
      let stringValue: String
      var intValue: Int? { nil }

      init(stringValue: String) { self.stringValue = stringValue }

      init?(intValue: Int) { nil }
    }
  }

  init(_ run: Program) throws {
    self = try JSONDecoder().decode(LawReport.self, from: Data(run.output.utf8))
  }

  /// What a report counts of an entity, or of `links`.
  func count(_ what: String, of entity: String) -> Int? {
    if entity == "links" {
      return ["copied": links?.copied, "cut": links?.cut, "dangling": links?.dangling][what] ?? nil
    }
    let found = entities[entity]
    return switch what {
    case "source": found?.source
    case "copied": found?.copied
    case "updated": found?.updated
    case "skipped": found?.skipped
    case "rejected": found?.rejected
    case "stubs": found?.stubs
    default: found?.merge?[what]
    }
  }
}
