import Decant
import Foundation
import StoreTestSupport
import TestSupport
import Testing

/// What is taken of random databases and of real stores is what Python finds out.
@Suite struct RandomClosureTests {
  static let seeds =
    !Effort.isThorough ? 1..<13 : 1..<400

  @Test(arguments: seeds)
  func `a part of a random database is what Python finds out`(_ seed: Int) throws {
    try check(seed, isBounded: false)
  }

  @Test(arguments: seeds)
  func `with conditions and depths it is what Python finds out, too`(_ seed: Int) throws {
    try check(seed, isBounded: true)
  }

  private func check(_ seed: Int, isBounded: Bool) throws {
    let place = try PlainDatabase()
    let plan = try ClosureOracle.makePlain(seed, at: place.path("a.db"), isBounded: isBounded)
    let foretold = try place.copy {
      plan.enter(into: &$0)
      $0.isDryRun = true
    }
    let report = try place.copy {
      plan.enter(into: &$0)
      $0.batchSize = 3
    }
    let closure = try #require(foretold.closure)
    let differences = try ClosureOracle.differences(of: place.path("b.db"), from: place.path("a.db"), plan, closure)
    #expect(differences.isEmpty, "\(differences) of \(plan.text)")
    #expect(report.isVerified)
    #expect(report.links == foretold.links)
    #expect(report.entities.map(\.copied) == foretold.entities.map(\.copied))
  }

  @Test func `the checker sees a row too many, a row too few and a link that stayed`() throws {
    let place = try PlainDatabase()
    let plan = try ClosureOracle.makePlain(3, at: place.path("a.db"))
    let closure = try #require(
      try place.copy {
        plan.enter(into: &$0)
        $0.isDryRun = true
      }.closure
    )
    try place.copy()
    let all = try ClosureOracle.differences(of: place.path("b.db"), from: place.path("a.db"), plan, closure)
    #expect(all.contains(" has "))
    try place.make("b.db", "DELETE FROM t0; DELETE FROM t1")
    let few = try ClosureOracle.differences(of: place.path("b.db"), from: place.path("a.db"), plan, closure)
    #expect(few.contains(" lacks "))
  }

  @Test(.enabled(if: Fixtures.areAvailable), arguments: GroundTruth.names(from: 1))
  func `a part of a real store is what Python finds out`(_ name: String) throws {
    let truth = try GroundTruth(of: name)
    guard truth.model == nil, truth.counts.values.contains(where: { $0 > 0 }) else { return }
    let model = try Self.model(of: name)
    let folder = try TemporaryFolder()
    let source = try Fixtures.copyStore(truth.file, into: folder.url).path
    for seed in Self.seeds.prefix(Self.seeds.count > 100 ? 20 : 1) {
      let plan = try ClosureOracle.plan(seed, of: source, model)
      let copy = folder.path("copy \(seed).sqlite")
      var options = CopyOptions()
      plan.enter(into: &options)
      let report = try Copy(from: source, to: copy, options: options).run()
      #expect(report.isVerified)
      let differences = try ClosureOracle.differences(of: copy, from: source, plan, model: model)
      #expect(differences.isEmpty, "\(name) \(seed): \(differences)")
    }
  }

  /// What an independent reader found out about the model of a store, as JSON.
  private static func model(of name: String) throws -> String {
    let file = try #require(Fixtures.stores?.appendingPathComponent("expected.json"))
    let all = try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any]
    let entry = try #require(all?[name] as? [String: Any])
    let model = try JSONSerialization.data(withJSONObject: try #require(entry["entities"]))
    return String(decoding: model, as: UTF8.self)
  }
}
