import Decant
import Foundation
import StoreTestSupport
import TestSupport
import Testing

/// What holds for a copy of a store of every kind, there into a PostgreSQL database and back.
///
/// Of the suite of all kinds this is what concerns new stores; a server is not added to.
@Suite(.enabled(if: PostgresServer.isInstalled)) struct ConformanceTests {
  static let kinds: [any ConformingKind] = [CoreDataConformance(), PlainConformance()]

  private let place: PostgresFolder

  init() throws { place = try PostgresFolder() }

  /// Copies `things` there and back by every way there is.
  private func expectThereAndBack(_ kind: any ConformingKind, _ things: [Thing]) throws {
    let things = things.map(\.forServer)
    let source = place.folder.path("source.sqlite")
    try kind.makeStore(at: source)
    try kind.write(things, to: source)
    let expected = try kind.things(in: source, above: 0, labelsAbove: 0)
    var options = CopyOptions()
    kind.configure(&options, place.folder.url.path)
    // Core Data's own dates are finer than those of a server.
    let always = options.model.map { ["--model", $0, "--exact-dates"] } ?? []
    let ways = [[]] + [1, 7].map { ["--where", "Label: 1", "--batch-size", "\($0)"] } + [["--names", "model"]]
    for (number, way) in ways.enumerated() {
      let location = place.server.location(place.database, schema: "way\(number)")
      try succeed(["copy", "source.sqlite", location] + always + way)
      let table = way.contains("model") ? "\"Thing\"" : "thing"
      #expect(try place.psql("SELECT count(*) FROM way\(number).\(table)") == "\(things.count)")
      try succeed(["verify", "source.sqlite", location] + always.prefix(2))
      let back = place.folder.path("back\(number).sqlite")
      try succeed(["copy", location, back] + always.prefix(2))
      #expect(try kind.things(in: back, above: 0, labelsAbove: 0) == expected, "\(way)")
      #expect(try kind.problem(of: back) == nil)
    }
  }

  private func succeed(_ arguments: [String]) throws {
    let run = try place.run(arguments)
    #expect(run.status == 0, "\(arguments): \(run.errors)")
  }

  @Test(arguments: kinds) func `an empty store`(_ kind: any ConformingKind) throws {
    try expectThereAndBack(kind, [])
  }

  @Test(arguments: kinds) func `the extremes of every type`(_ kind: any ConformingKind) throws {
    try expectThereAndBack(kind, Thing.withExtremes)
  }

  @Test(arguments: kinds) func `links forward, backward and in circles`(_ kind: any ConformingKind) throws {
    try expectThereAndBack(
      kind,
      [
        Thing(key: 2, next: 2), Thing(key: 3, next: 4), Thing(key: 4, next: 5),
        Thing(key: 5, next: 3, whole: 5, position: 2048), Thing(key: 9, next: 2, whole: 3, position: 1),
        Thing(key: 4_000_000_000, next: 9),
      ])
  }

  @Test(arguments: kinds) func `the order of a list`(_ kind: any ConformingKind) throws {
    let positions = [4096, 2048, 3072, -5, 2049, 2048]
    try expectThereAndBack(
      kind,
      positions.enumerated().map { Thing(key: $0 + 2, whole: 1, position: $1, labels: [1, 3]) } + [Thing(key: 1)])
  }

  @Test(arguments: kinds, SeededGenerator.seeds(2))
  func `anything at random`(_ kind: any ConformingKind, seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    try expectThereAndBack(kind, Thing.random(Int.random(in: 2...60, using: &generator), &generator))
  }
}

extension Thing {
  /// The thing without texts that a server does not hold: with a NUL character, or not in UTF-8.
  fileprivate var forServer: Thing {
    var thing = self
    thing.values = values.filter { !$0.value.contains("char(0)") && !$0.value.contains("ff80") }
    return thing
  }
}
