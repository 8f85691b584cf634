import Decant
import Foundation
import StoreTestSupport
import TestSupport
import Testing

/// Real chains of versions: the answer, and the version that is named.
///
/// The answers were reasoned out by hand from the XML of the models, with counts from `expected.json`; the reason
/// stands beside each.
@Suite(.enabled(if: Fixtures.areAvailable)) struct CheckFixtureTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  struct Case: Sendable {
    var store: String
    var model: String
    var version: String?
    var migration: CheckReport.Migration
    /// The subjects that somebody has to decide about.
    var decisions: [String] = []

    init(
      _ store: String,
      _ model: String,
      _ version: String?,
      _ migration: CheckReport.Migration,
      _ decisions: [String] = []
    ) {
      self.store = store
      self.model = model
      self.version = version
      self.migration = migration
      self.decisions = decisions
    }
  }

  private static let moody = "moody/Moody.xcdatamodeld"
  private static let cyface = "cyface/CyfaceModel.xcdatamodeld"
  private static let ddg = "ddg/BookmarksModel.xcdatamodeld"
  private static let wire = "wire/zmessaging.xcdatamodeld"
  private static let wibosco = "wibosco/CoreDataMigration_Example.xcdatamodeld"
  private static let xcserver = "xcserver/XCServerCoreData.momd"
  private static let coreDataPlus = "coredataplus/SampleModel.momd"

  static let cases = [
    // Version 5 has no Continent, and every store before it has two; 6 has one again, but another.
    Case("moody-1", moody, "Moody", .mapping, ["Continent"]),
    Case("moody-2", moody, "Moody 2", .mapping, ["Continent"]),
    Case("moody-3", moody, "Moody 3", .mapping, ["Continent"]),
    Case("moody-4", moody, "Moody 4", .mapping, ["Continent"]),
    // 6 adds an entity and an optional relationship, and drops an attribute; a class of the app's does it.
    Case("moody-5", moody, "Moody 5", .mapping),
    // Up to 4 only things Apple infers: a new optional relationship, and a parent that goes away.
    Case("moody-1", moody + "#Moody 4", "Moody", .inferred),
    Case("moody-3", moody + "#Moody 3", "Moody 3", .none),
    Case("moody-5", moody + "#Moody 3", "Moody 5", .impossible),
    // 3 has no Acceleration (3000 objects), 4 has GeoLocation.track, which is required (300), 11 has a required date
    // without default value in both entities.
    Case(
      "cyface-v1",
      cyface,
      "CyfaceModel",
      .mapping,
      ["Acceleration", "GeoLocation.track", "GeoLocation.time", "Measurement.time"]
    ),
    Case("cyface-v3", cyface, "3", .mapping, ["GeoLocation.track", "GeoLocation.time", "Measurement.time"]),
    Case("cyface-v6", cyface, "6", .mapping, ["GeoLocation.time", "Measurement.time"]),
    Case("cyface-v10", cyface, "10", .mapping, ["GeoLocation.time", "Measurement.time"]),
    // From 11 on attributes go and entities come.
    Case("cyface-v11", cyface, "11", .inferred),
    // Optional attributes, indexes, and in 4 a renamed relationship from one to many.
    Case("ddg-bookmarks-v1", ddg, "BookmarksModel", .inferred),
    Case("ddg-bookmarks-v2", ddg, "BookmarksModel 2", .inferred),
    Case("ddg-bookmarks-v4", ddg, "BookmarksModel 4", .inferred),
    Case("ddg-bookmarks-v4", ddg + "#BookmarksModel 4", "BookmarksModel 4", .none),
    // The app's own tests migrate all of these without a mapping model.
    Case("wire-1-24", wire, nil, .inferred),
    Case("wire-1-28", wire, "zmessaging1.28", .inferred),
    Case("wire-2-3", wire, "zmessaging2.3", .inferred),
    Case("wire-2-52-0", wire, "zmessaging2.52.0", .inferred),
    Case("wire-2-101-0", wire, "zmessaging2.101.0", .none),
    // Entities and optional attributes come, two attributes go: the mapping model there has a class of the app's keep
    // their values.
    Case("wibosco-1", wibosco, "CoreDataMigration_Example", .mapping),
    Case("wibosco-2", wibosco, "CoreDataMigration_Example 2", .mapping),
    // Older than the first version there; relationships without bounds come.
    Case("easylife-first", "easylife/EasyLife.xcdatamodeld", nil, .inferred),
    Case("easylife-1.5.0", "easylife/EasyLife.xcdatamodeld", "EasyLife 1.5.0", .none),
    // In 2.0.0 three texts of Integration become dates.
    Case(
      "xcserver-1.2.0",
      xcserver,
      "XCServerCoreData1.2.0",
      .mapping,
      ["Integration.endedTime", "Integration.queuedDate", "Integration.startedTime"]
    ),
    // The same without objects.
    Case("xcserver-1.2.0-empty", xcserver, "XCServerCoreData1.2.0", .inferred),
    Case("cdp-samplemodel-v1", coreDataPlus, "SampleModel", .none),
    // An entity is renamed by its identifier, attributes go, an entity and its relationships come, by a class of the app's.
    Case("cdp-samplemodel-v1", coreDataPlus + "#SampleModel3", "SampleModel", .mapping),
    // Neither holds its model: told by the tables, or by none.
    Case("tavant", "tavant/Model.xcdatamodeld", "Model", .none),
    Case("tavant", moody, nil, .impossible),
    // Another app's model: no entity in common.
    Case("moody-3", xcserver, nil, .impossible),
    // Entities come, attributes and relationships go, by a class of the app's.
    Case("issue4-model1", "issue4/Model.xcdatamodeld", "Model1", .mapping),
    // In 4 an album must have an artist, and there are two albums.
    Case("practical-version1", "practical/Chapter9.xcdatamodeld", "Chapter9", .mapping, ["Album.artist"]),
  ]

  private func report(_ store: String, _ model: String) throws -> CheckReport {
    let truth = try GroundTruth(of: store)
    let copy = try Fixtures.copyStore(truth.file, into: folder.url).path
    return try Check(copy, against: ModelAgreementTests.path(model)).run()
  }

  @Test(arguments: cases)
  func `the answer is what the models say`(_ expected: Case) throws {
    let report = try report(expected.store, expected.model)
    #expect(report.migration == expected.migration)
    #expect(report.version?.name == expected.version)
    let decisions = report.changes.filter { $0.demand == .mapping }
    #expect(Set(decisions.map(\.subject)) == Set(expected.decisions))
    // What is removed or must be filled concerns all objects of the entity.
    let counts = try GroundTruth(of: expected.store).counts
    for decision in decisions {
      let entity = decision.subject.split(separator: ".").first.map(String.init) ?? ""
      #expect(decision.count == counts[entity].map(Int64.init), "\(decision.subject)")
    }
  }

  @Test func `a version is told by its hashes where there are any`() throws {
    let compiled = try report("xcserver-1.2.0", Self.xcserver)
    #expect(compiled.version?.evidence == .hashes && compiled.hasSameHashes == false)
    let source = try report("xcserver-1.2.0", "xcserver/XCServerCoreData.xcdatamodeld")
    #expect(source.version?.evidence == .structure && source.hasSameHashes == nil)
    #expect(source.notes.commandLine.contains { $0.contains("has no version hashes") })
    #expect(source.migration == compiled.migration)
  }

  @Test func `mapping models are named at their step`() throws {
    let steps = try report("cyface-v3", Self.cyface).steps
    let named = steps.filter { !$0.mappingModels.isEmpty }
    #expect(named.map(\.from) == ["3", "10"] && named.map(\.to) == ["4", "11"])
    let moody = try report("moody-1", Self.moody).steps
    #expect(moody.map(\.mappingModels.count) == [0, 1, 1, 1, 1])
    // Core Data would go straight there, where there are continents again.
    #expect(try report("moody-1", Self.moody).straightDemand == .inferred)
  }

  /// Core Data's own hashes are the judge of what asks for a migration and what does not.
  @Test func `models differ in something that counts exactly where their hashes differ`() throws {
    var models: [(name: String, model: Model)] = []
    for name in ExpectedStore.namesWithModel {
      models.append((name, try ExpectedStore.readModel(name)))
    }
    for bundle in [
      "coredataplus/SampleModel", "coredataplus/SampleModel3", "xcserver/XCServerCoreData",
    ] {
      for version in try ModelLocation(ModelAgreementTests.path(bundle + ".momd")).versions() {
        models.append((version.name, try version.read()))
      }
    }
    var counts = (same: 0, different: 0)
    for (position, one) in models.enumerated() {
      for other in models[(position + 1)...] {
        // Of the same app, that is: with entities in common.
        let names = Set(one.model.entities.map(\.name))
        let common = other.model.entities.filter { names.contains($0.name) }
        guard common.count * 2 > names.count, let hashes = one.model.versionHashes,
          let others = other.model.versionHashes
        else { continue }
        let isSame = one.model.isSame(as: other.model)
        #expect(isSame == (hashes == others), "\(one.name), \(other.name)")
        if isSame { counts.same += 1 } else { counts.different += 1 }
      }
    }
    #expect(counts.same > 5 && counts.different > 50)
  }
}
