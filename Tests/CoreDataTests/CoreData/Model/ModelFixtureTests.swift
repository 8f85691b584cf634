import Decant
import Foundation
import TestSupport
import Testing

@Suite(.enabled(if: Fixtures.areAvailable)) struct ModelFixtureTests {
  /// Every model of the fixtures, as paths below their folder.
  private static let models: [String] = {
    guard let folder = Fixtures.stores?.appendingPathComponent("models") else { return [] }
    let paths = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String }
    let suffixes = [".momd", ".mom", ".xcdatamodeld", ".xcdatamodel"]
    return (paths ?? []).filter { path in suffixes.contains(where: path.hasSuffix) }.sorted()
  }()

  @Test(arguments: models) func `every version of every model can be read`(_ path: String) throws {
    let versions = try ModelLocation(ModelAgreementTests.path(path)).versions()
    #expect(!versions.isEmpty)
    #expect(versions.dropLast().allSatisfy { !$0.isCurrent })
    for version in versions {
      let model = try version.read()
      #expect(!model.entities.isEmpty)
      #expect(model.entities.allSatisfy { ($0.versionHash == nil) == version.isSource })
      #expect(Set(version.versionHashes.keys).isSubset(of: model.entities.map(\.name)))
    }
  }

  @Test(arguments: models.filter { $0.hasSuffix(".xcdatamodeld") || $0.hasSuffix(".momd") })
  func `every folder of versions has a current one`(_ path: String) throws {
    #expect(throws: Never.self) { try ModelLocation(ModelAgreementTests.path(path)).read() }
  }

  @Test func `versions are counted as people do`() throws {
    let location = ModelLocation(try ModelAgreementTests.path("wire/zmessaging.xcdatamodeld"))
    #expect(
      try location.versions().map { $0.name.replacingOccurrences(of: "zmessaging", with: "") } == [
        "", "1.27", "1.28", "2.3", "2.21.1", "2.31.0", "2.52.0", "2.75.0", "2.90.0", "2.101.0",
      ]
    )
  }

  @Test func `a composite attribute has its leaves`() throws {
    let path = try ModelAgreementTests.path("composite/GeneratedFlowModel.xcdatamodeld")
    let attributes = try ModelLocation(path).read().entities.flatMap(\.attributes)
    let location = try #require(attributes.first { $0.name == "location" })
    #expect(
      location.type
        == .composite([
          Attribute(name: "lat", type: .double, defaultValue: .double(0)),
          Attribute(name: "lng", type: .double, isOptional: true),
        ])
    )
  }

  @Test(arguments: models.filter { $0.hasSuffix(".mom") })
  func `a damaged model is an error or a model`(_ path: String) throws {
    let whole = [UInt8](try Data(contentsOf: URL(fileURLWithPath: ModelAgreementTests.path(path))))
    let folder = try TemporaryFolder()
    // Not every byte, for time's sake; the first one differs from file to file.
    for position in stride(from: path.utf8.count, to: whole.count, by: 1_009) {
      var damaged = whole
      damaged[position] ^= 0xFF
      try Data(damaged).write(to: folder.url.appendingPathComponent("App.mom"))
      do {
        _ = try ModelLocation(folder.path("App.mom")).read()
      } catch {
        #expect(error.family == .corruptStore)
      }
    }
  }
}
