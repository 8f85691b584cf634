import Foundation
import TestSupport
import Testing

extension DamageTrial {
  /// What a run that ended well says, or left, held against its source by the `sqlite3` program.
  struct Outcome {
    var dangling = 0
    /// By table: rows of the source, rows of the result, rows of the source that the result has not.
    var tables: [String: (source: Int, copy: Int, missing: Int)] = [:]
    /// Tables whose added rows differ from their source in more than the keys.
    var strange: Set<String> = []
    /// Objects and rows of no entity that `inspect` counts, and whether it finds the file damaged.
    var objects = 0
    var isDamaged = false
    var notes: [String] = []
  }

  func outcome(of verb: Verb, _ run: Program, after keys: [String: Int]) throws -> Outcome {
    let document = try JSONSerialization.jsonObject(with: Data(run.output.utf8))
    var outcome = Outcome()
    guard verb != .query else { return outcome }
    guard let report = document as? [String: Any] else {
      throw CocoaError(.propertyListReadCorrupt)
    }
    // A store that lost its model is read table by table, and has no links then.
    let links = report["links"] as? [String: Any]
    outcome.dangling = links?["dangling"] as? Int ?? 0
    outcome.notes = report["notes"] as? [String] ?? []
    switch verb {
    case .copyPages, .copyRows, .copyToResume: outcome.tables = try rows(against: place)
    case .verify:
      // An index that lies is none of its business, but may be that of the `sqlite3` program.
      // Some ends the check itself.
      let check = try? Program.sqlite3(reference, "PRAGMA integrity_check")
      guard check == "ok" else { break }
      outcome.tables = try rows(against: good)
      // How often an object was saved is compared by nobody.
      for table in outcome.tables.keys { outcome.tables[table]?.missing = 0 }
    case .append:
      outcome.strange = try AppendedRows(of: reference, in: target, after: keys).strange
    case .inspect:
      let problems = report["problems"] as? [[String: Any]] ?? []
      let strangers = problems.filter { $0["problem"] as? String == "unknownEntity" }
      outcome.objects =
        (report["objects"] as? Int ?? 0)
        + strangers.compactMap { $0["count"] as? Int }.reduce(0, +)
      outcome.isDamaged = report["integrity"] as? String != "ok"
    case .query: break
    }
    return outcome
  }

  /// Expects `outcome` to be as good as `usual`, that of the undamaged store.
  func expectRight(_ outcome: Outcome, _ usual: Outcome, _ verb: Verb, _ what: Comment) throws {
    // A log that was cut off looks like one whose writer was killed: that is told, not refused.
    let isCut = outcome.notes.contains { $0.contains("unfinished") }
    let lost = max(0, outcome.dangling - usual.dangling)
    switch verb {
    case .query: break
    case .inspect:
      #expect(
        outcome.objects >= usual.objects || outcome.isDamaged || isCut,
        "\(what): \(outcome.objects) objects of \(usual.objects)"
      )
    case .append:
      // A link that lost its object is null, and so is a column that differs.
      if lost == 0 {
        #expect(outcome.strange.isSubset(of: usual.strange), "\(what): \(outcome.strange)")
      }
      #expect(try Program.sqlite3(target, "PRAGMA integrity_check") == "ok", what)
    case .verify, .copyPages, .copyRows, .copyToResume:
      expectRows(outcome, usual, lost, isCut, verb, what)
      let result = verb == .verify ? good : place
      #expect(try Program.sqlite3(result, "PRAGMA integrity_check") == "ok", what)
    }
  }

  private func expectRows(
    _ outcome: Outcome,
    _ usual: Outcome,
    _ lost: Int,
    _ isCut: Bool,
    _ verb: Verb,
    _ what: Comment
  ) {
    // Links that dangle in the undamaged store are left out always.
    let gaps = usual.tables.mapValues { $0.source - $0.copy }
    for (table, rows) in outcome.tables {
      let missing = usual.tables[table]?.missing ?? 0
      #expect(rows.missing <= missing + lost, "\(what): \(table), \(rows)")
      #expect(rows.copy + lost >= rows.source - gaps[table, default: 0], "\(what): \(table), \(rows)")
    }
    // Without tables nothing was compared.
    guard !isCut, !outcome.tables.isEmpty || verb != .verify else { return }
    for (table, count) in counts {
      let copied = outcome.tables[table]?.copy ?? 0
      #expect(
        copied + lost >= count - gaps[table, default: 0],
        "\(what): \(table) had \(count) rows, \(copied) are left"
      )
    }
  }

  /// Compares the rows of the source with those of the store at `result`.
  private func rows(against result: String) throws -> [String: (source: Int, copy: Int, missing: Int)] {
    var found: [String: (source: Int, copy: Int, missing: Int)] = [:]
    var sql = "ATTACH '\(result)' AS c;"
    for table in try tableCounts(of: reference).keys.sorted() {
      sql += """
        SELECT '\(table)', (SELECT count(*) FROM main."\(table)" NOT INDEXED),
        (SELECT count(*) FROM c."\(table)"), (SELECT count(*) FROM
        (SELECT * FROM main."\(table)" NOT INDEXED EXCEPT SELECT * FROM c."\(table)"));
        """
    }
    for line in try Program.sqlite3(reference, sql).split(separator: "\n") {
      let parts = line.split(separator: "|")
      let numbers = parts.dropFirst().compactMap { Int($0) }
      guard numbers.count == 3 else { continue }
      found[String(parts[0])] = (numbers[0], numbers[1], numbers[2])
    }
    return found
  }

  /// How many rows each table has that a copy takes along.
  func tableCounts(of path: String) throws -> [String: Int] {
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
}
