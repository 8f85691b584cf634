import Decant
import Foundation
import TestSupport
import Testing

/// Pages of real stores: all of it, valid, and harmless.
@Suite(.enabled(if: Fixtures.areAvailable, "there are no fixtures: set DECANT_FIXTURES"))
struct FixturePageTests {
  @Test(arguments: GroundTruth.names(from: 1)) func `every store is a page`(_ name: String) throws {
    let expected = try GroundTruth(of: name)
    let files = try SharedFiles()
    let store = try Fixtures.copyStore(expected.file, into: files.folder.url).path
    let report = try files.writePage(of: store, model: expected.model)
    #expect(report.objectCount == Int64(expected.counts.values.reduce(0, +)))
    // The reader and the standard's own take a second for each MB.
    let size = try FileManager.default.attributesOfItem(atPath: files.page)[.size] as? Int ?? 0
    guard size < 3_000_000 else { return }
    try files.readPage().checkHarmless()
    if HTML5.isAvailable { #expect(try HTML5.errors(in: files.page) == "") }
  }

  @Test func `transformable pictures of Apple's sample are shown`() throws {
    let files = try SharedFiles()
    let expected = try GroundTruth(of: "apple-recipes")
    let store = try Fixtures.copyStore(expected.file, into: files.folder.url).path
    try FileManager.default.moveItem(atPath: store, toPath: files.store)
    try files.writePage()
    let page = try files.readPage()
    let digests = try files.column("SELECT ZIMAGE FROM ZIMAGE ORDER BY Z_PK")
    #expect(page.pictures.map { $0.split(separator: " ").last.map(String.init) } == digests)
    #expect(page.scripts.filter { $0.type == "application/ld+json" }.count == 3)
  }
}
