import Decant
import Foundation
import StoreTestSupport
import TestSupport
import Testing

/// A law that holds for a plain database of any schema: what goes through an archive comes back.
@Suite struct RandomArchiveTests {
  private let places: ArchivePlaces

  init() throws { places = try ArchivePlaces() }

  @Test(arguments: SeededGenerator.seeds(6))
  func `a database comes back out of its archive as it was`(seed: UInt64) throws {
    let source = try RandomDatabase(
      RandomSchema(SeededGenerator(seed: seed)),
      at: places.path("a.sqlite"),
      tag: 1,
      losesLinks: seed % 2 == 0,
      SeededGenerator(seed: seed &* 31 &+ 1)
    )
    let name = ["a.decant", "a.decant.gz", "a.decant.zst"][Int(seed % 3)]
    #expect(try places.export("a.sqlite", to: name).isVerified)
    #expect(try ArchiveScript.faults(in: [places.path(name)], from: source.path) == [], "DECANT_SEED=\(seed)")
    #expect(try places.import(name, into: "b.sqlite").map(\.isVerified) == [true])
    #expect(
      try PlainCheck.differences(of: places.path("b.sqlite"), from: source.path)
        // See the known issue of indexes over other tables.
        .filter { !$0.hasPrefix("virtual table words") } == [],
      "DECANT_SEED=\(seed)"
    )
    #expect(try Verify(source.path, against: places.path(name)).run().isEqual, "DECANT_SEED=\(seed)")
    // A second archive of what came back says the same of every object.
    #expect(try places.export("b.sqlite", to: "b.decant").isVerified)
    #expect(try ArchiveScript.faults(in: [places.path("b.decant")], from: source.path) == [], "DECANT_SEED=\(seed)")
  }
}

/// The same for Core Data stores of models drawn at random.
@Suite struct RandomStoreArchiveTests {
  @Test(arguments: SeededGenerator.seeds(6))
  func `a store comes back out of its archive as it was`(seed: UInt64) throws {
    let store = try RandomStore(seed: seed)
    let archive = store.folder.path("a.decant")
    let back = store.folder.path("back.sqlite")
    var options = CopyOptions()
    options.model = store.model
    #expect(try Export(from: store.path, to: archive, options: options).run().isVerified)
    #expect(try ArchiveScript.faults(in: [archive], from: store.path) == [], "DECANT_SEED=\(seed)")
    #expect(try Import([archive], into: back).run().map(\.isVerified) == [true])
    for table in try StoredRows.tablesOfObjects(in: store.path) {
      #expect(try StoredRows.of(back, table) == StoredRows.of(store.path, table), "\(table), DECANT_SEED=\(seed)")
    }
  }
}
