import Decant
import Foundation
import TestSupport
import Testing

/// Random tables and references, held against what a dictionary says.
@Suite struct RandomRepointTests {
  private static let (old, new) = ("11111111-2222-4333-8444-555555555555", "AAAAAAAA-BBBB-4CCC-8DDD-EEEEEEEEEEEE")

  /// A table of runs that do not overlap, and the key that every object of it got; `nil` for one left out.
  private static func table(_ random: inout SeededGenerator) -> (rows: [String], keys: [String: [Int: Int?]]) {
    var rows: [String] = []
    var keys: [String: [Int: Int?]] = [:]
    for entity in ["Recipe", "Tag", "Ärger"] {
      var (source, target) = (Int.random(in: 1...20, using: &random), 1_000)
      for _ in 0..<Int.random(in: 0...12, using: &random) {
        let count = Int.random(in: 1...4, using: &random)
        let isRejected = Int.random(in: 0...4, using: &random) == 0
        rows.append(
          "('\(entity)', \(source), \(isRejected ? "NULL" : "\(target)"), \(count), "
            + "'\(isRejected ? "rejected" : "copied")')"
        )
        for offset in 0..<count {
          keys[entity, default: [:]].updateValue(isRejected ? nil : target + offset, forKey: source + offset)
        }
        source += count + Int.random(in: 0...3, using: &random)
        target += Int.random(in: count...9, using: &random)
      }
    }
    // In no order: nothing says that a table is sorted.
    return (rows.shuffled(using: &random), keys)
  }

  @Test(arguments: SeededGenerator.seeds(12))
  func `every reference becomes what the table says`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let folder = try TemporaryFolder()
    let (notes, ids) = (folder.path("notes.db"), folder.path("ids.db"))
    let (rows, keys) = Self.table(&random)
    let insertion =
      rows.isEmpty ? "" : "INSERT INTO ids VALUES \(rows.joined(separator: ", "))"
    _ = try Program.sqlite3(
      ids,
      """
      CREATE TABLE ids (entity TEXT, source, destination, count INTEGER, outcome TEXT);
      CREATE TABLE about (key TEXT PRIMARY KEY, value TEXT);
      INSERT INTO about VALUES ('source.uuid', '\(Self.old)'), ('destination.uuid', '\(Self.new)');
      \(insertion)
      """
    )
    var references: [String] = []
    var expected: [String] = []
    var counts: [String: Int64] = [:]
    for _ in 0..<200 {
      let store = [Self.old, Self.old, Self.old, Self.new, "other"].randomElement(using: &random)
      let entity = ["Recipe", "Tag", "Ärger", "Nobody"].randomElement(using: &random) ?? ""
      let key = Int.random(in: 1...60, using: &random)
      func uri(_ store: String?, _ key: Int) -> String {
        "x-coredata://\(store ?? "")/\(entity == "Ärger" ? "%C3%84rger" : entity)/p\(key)"
      }
      references.append(uri(store, key))
      var (result, what) = (uri(store, key), "settled")
      if store == Self.old {
        switch keys[entity]?[key] {
        case .some(.some(let new)): (result, what) = (uri(Self.new, new), "changed")
        case .some(.none): what = "rejected"
        case .none: what = keys[entity] == nil ? "unknownEntity" : "notInTable"
        }
      } else if store == "other" {
        what = "otherStore"
      }
      expected.append(result)
      counts[what, default: 0] += 1
    }
    let encoding = ["UTF-8", "UTF-16be"].randomElement(using: &random) ?? ""
    _ = try Program.sqlite3(
      notes,
      """
      PRAGMA encoding = '\(encoding)'; CREATE TABLE note (id INTEGER PRIMARY KEY, uri TEXT);
      INSERT INTO note (uri) VALUES \(references.map { "('\($0)')" }.joined(separator: ", "))
      """
    )
    var repoint = Repoint(notes, at: [ReferencePlace(Property("note", "uri"))])
    repoint.idTableFile = ids
    repoint.batchSize = [1, 2, 7, 1_000].randomElement(using: &random) ?? 1
    let place = try repoint.run().places[0]
    var found = Dictionary(uniqueKeysWithValues: place.kept.map { ($0.reason.rawValue, $0.count) })
    found["changed"] = place.changedCount > 0 ? place.changedCount : nil
    found["settled"] = place.settledCount > 0 ? place.settledCount : nil
    #expect(found == counts)
    #expect(
      try Program.sqlite3(notes, "SELECT uri FROM note ORDER BY id")
        .split(separator: "\n").map(String.init) == expected
    )
    #expect(try repoint.run().changedCount == 0)
  }
}
