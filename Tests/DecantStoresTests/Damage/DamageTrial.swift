import Foundation
import TestSupport
import Testing

/// A store that is damaged in many ways, and what the program makes of it each time.
///
/// It must end with exit code 13 and leave nothing, or with 0 and a right copy: every row as the
/// `sqlite3` program reads it from the damaged file, and none fewer than the undamaged file has.
final class DamageTrial {
  /// What is asked of the program.
  enum Verb: CaseIterable {
    case inspect, copyPages, copyRows, copyToResume, append, verify
  }

  private let folder: TemporaryFolder
  private let entity: String
  private let whole: (main: [UInt8], log: [UInt8])
  /// The rows of every table of the undamaged store.
  private var counts: [String: Int] = [:]
  /// What the program makes of the undamaged store, by verb; without it nothing is copied at all.
  private var normal: [Verb: Outcome] = [:]

  private var store: String { folder.path("store.sqlite") }
  private var reference: String { folder.path("reference.sqlite") }
  private var good: String { folder.path("good.sqlite") }
  private var unequal: String { folder.path("unequal.sqlite") }
  private var place: String { folder.path("copy.sqlite") }

  /// What a copy that ended well differs in from its source.
  private struct Outcome {
    var dangling = 0
    /// By table: rows of the source, rows of the copy, rows of the source that the copy has not.
    var tables: [String: (source: Int, copy: Int, missing: Int)] = [:]
    var notes: [String] = []
  }

  /// Reads the undamaged store at `path`, which has objects of `entity`.
  init(_ path: String, entity: String) throws {
    folder = try TemporaryFolder()
    self.entity = entity
    let bytes = { (path: String) throws -> [UInt8] in
      let url = URL(fileURLWithPath: path)
      return FileManager.default.fileExists(atPath: path) ? [UInt8](try Data(contentsOf: url)) : []
    }
    whole = (try bytes(path), try bytes(path + "-wal"))
    try FileManager.default.createDirectory(
      atPath: folder.path("temporary"),
      withIntermediateDirectories: false
    )
    try put(whole, at: reference)
    counts = try tableCounts(of: reference)
    for verb in [Verb.copyPages, .copyRows, .copyToResume] {
      try put(whole, at: store)
      let run = try run(verb)
      guard run.status == 0 else { break }
      normal[verb] = try outcome(run)
      if verb == .copyPages {
        try FileManager.default.copyItem(atPath: place, toPath: good)
        try FileManager.default.copyItem(atPath: place, toPath: unequal)
        try FixtureCopyTests.makeUnequal(unequal)
      }
      try remove(place)
    }
  }

  /// Draws damages of the store.
  func damages(seed: UInt64, cuts: Int, flips: Int) -> [Damage] {
    Damage.draw(seed: seed, main: whole.main, log: whole.log, cuts: cuts, flips: flips)
  }

  /// Damages the store and runs the program on it, once for each of `verbs`.
  func expectErrorOrRightCopy(_ damage: Damage, _ verbs: [Verb]) throws {
    let files = damage.applied(main: whole.main, log: whole.log)
    for verb in verbs where FileManager.default.fileExists(atPath: good) || verb == .inspect {
      let what: Comment = "\(damage), \(verb)"
      try put(files, at: store)
      try put(files, at: reference)
      let run = try run(verb)
      #expect(!run.isCrash, "\(what): signal \(run.status)")
      let isModelLost = run.status == 12 && run.errors.contains("model")
      let differs = run.status == 4 && verb == .verify
      #expect([0, 13].contains(run.status) || isModelLost || differs, "\(what): \(run.errors)")
      if run.status == 13 {
        #expect(run.errors.split(separator: "\n").count >= 2, "\(what): \(run.errors)")
      }
      try expectUntouched(files, what)
      try expectNothingLeft(isCopied: run.status == 0, what)
      if run.status == 0, let usual = normal[verb] { try expectRight(run, usual, what) }
      try remove(place)
    }
  }

  private func expectUntouched(_ files: (main: [UInt8], log: [UInt8]), _ what: Comment) throws {
    #expect(FileManager.default.contents(atPath: store) == Data(files.main), what)
    let log = FileManager.default.contents(atPath: store + "-wal") ?? Data()
    #expect(log == Data(files.log), what)
  }

  private func expectNothingLeft(isCopied: Bool, _ what: Comment) throws {
    let left = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
    #expect(!left.contains { $0.contains("decant-partial") || $0.hasSuffix("-journal") }, what)
    #expect(isCopied || !left.contains("copy.sqlite"), what)
    let temporary = folder.path("temporary")
    #expect(try FileManager.default.contentsOfDirectory(atPath: temporary) == [], what)
  }

  private func expectRight(_ run: Program, _ usual: Outcome, _ what: Comment) throws {
    let outcome = try outcome(run)
    let lost = max(0, outcome.dangling - usual.dangling)
    // Links that dangle in the undamaged store are left out always.
    let gaps = usual.tables.mapValues { $0.source - $0.copy }
    for (table, rows) in outcome.tables {
      let missing = usual.tables[table]?.missing ?? 0
      #expect(rows.missing <= missing + lost, "\(what): \(table), \(rows)")
      #expect(
        rows.copy + lost >= rows.source - gaps[table, default: 0],
        "\(what): \(table), \(rows)"
      )
    }
    // A log that was cut off looks like one whose writer was killed: that is told, not refused.
    guard !outcome.notes.contains(where: { $0.contains("not finished") }) else { return }
    for (table, count) in counts {
      let copied = outcome.tables[table]?.copy ?? 0
      #expect(
        copied + lost >= count - gaps[table, default: 0],
        "\(what): \(table) had \(count) rows, \(copied) are left"
      )
    }
    #expect(try Program.sqlite3(place, "PRAGMA integrity_check") == "ok", what)
  }

  private func run(_ verb: Verb) throws -> Program {
    var arguments: [String]
    switch verb {
    case .inspect: arguments = ["inspect", store]
    case .copyPages: arguments = ["copy", store, place, "--json"]
    case .copyRows: arguments = ["copy", store, place, "--where", "\(entity): 1", "--json"]
    case .copyToResume: arguments = ["copy", store, place, "--resume", "--json"]
    case .append:
      try FileManager.default.copyItem(atPath: unequal, toPath: place + "-target")
      arguments = ["copy", store, place + "-target", "--append"]
    case .verify: arguments = ["verify", store, good]
    }
    defer { try? remove(place + "-target") }
    arguments.insert(DecantProgram.path, at: 0)
    return try Program.run(
      arguments,
      in: folder.url,
      environment: ["TMPDIR": folder.path("temporary")]
    )
  }

  /// Compares the copy with its source, with the `sqlite3` program.
  private func outcome(_ run: Program) throws -> Outcome {
    guard
      let report = try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any]
    else { throw CocoaError(.propertyListReadCorrupt) }
    // A store that lost its model is read table by table, and has no links then.
    let links = report["links"] as? [String: Any]
    var outcome = Outcome(
      dangling: links?["dangling"] as? Int ?? 0,
      notes: report["notes"] as? [String] ?? []
    )
    let tables = try tableCounts(of: reference).keys.sorted()
    var sql = "ATTACH '\(place)' AS c;"
    for table in tables {
      sql += """
        SELECT '\(table)', (SELECT count(*) FROM main."\(table)"),
        (SELECT count(*) FROM c."\(table)"), (SELECT count(*) FROM
        (SELECT * FROM main."\(table)" EXCEPT SELECT * FROM c."\(table)"));
        """
    }
    for line in try Program.sqlite3(reference, sql).split(separator: "\n") {
      let parts = line.split(separator: "|")
      let numbers = parts.dropFirst().compactMap { Int($0) }
      guard numbers.count == 3 else { continue }
      outcome.tables[String(parts[0])] = (numbers[0], numbers[1], numbers[2])
    }
    return outcome
  }

  /// How many rows each table has that a copy takes along.
  private func tableCounts(of path: String) throws -> [String: Int] {
    let names = try Program.sqlite3(
      path,
      """
      SELECT name FROM sqlite_schema WHERE type = 'table' AND name GLOB 'Z*'
      AND name NOT GLOB 'Z_RT_*' AND name NOT IN ('Z_METADATA', 'Z_PRIMARYKEY')
      """
    ).split(separator: "\n")
    var counts: [String: Int] = [:]
    guard !names.isEmpty else { return counts }
    let sql = names.map { "SELECT '\($0)', count(*) FROM \"\($0)\";" }.joined()
    for line in try Program.sqlite3(path, sql).split(separator: "\n") {
      let parts = line.split(separator: "|")
      if parts.count == 2 { counts[String(parts[0])] = Int(parts[1]) }
    }
    return counts
  }

  private func put(_ files: (main: [UInt8], log: [UInt8]), at path: String) throws {
    try remove(path)
    try Data(files.main).write(to: URL(fileURLWithPath: path))
    guard !files.log.isEmpty else { return }
    try Data(files.log).write(to: URL(fileURLWithPath: path + "-wal"))
  }

  private func remove(_ path: String) throws {
    for suffix in ["", "-wal", "-shm", "-journal"]
    where FileManager.default.fileExists(atPath: path + suffix) {
      try FileManager.default.removeItem(atPath: path + suffix)
    }
  }
}
