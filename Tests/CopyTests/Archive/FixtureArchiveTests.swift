import Decant
import Foundation
import TestSupport
import Testing

/// Real stores, through an archive and back.
@Suite(.enabled(if: Fixtures.areAvailable)) struct FixtureArchiveTests {
  private let places: ArchivePlaces

  init() throws { places = try ArchivePlaces() }

  /// The tables whose rows a store made of the archive is meant to have otherwise, and why.
  private static func exceptions(_ name: String) -> Set<String> {
    switch name {
    // Six rows of a join table have an end that is not there; and as below.
    case "photos-13.0.0": ["Z_47MERGECANDIDATES", "ZGENERICALBUM"]
    // A migration filled a new column in the rows of sibling entities, which do not have it.
    case "wire-2-101-0", "wire-2-90-0": ["ZMESSAGE"]
    default: []
    }
  }

  @Test(arguments: GroundTruth.names(from: 0))
  func `a real store is in its archive, and comes back out of it`(name: String) throws {
    let expected = try GroundTruth(of: name)
    let source = try Fixtures.copyStore(expected.file, into: places.folder.url)
    let before = try Data(contentsOf: source)
    let report = try places.export(source.lastPathComponent, to: "out.decant") {
      $0.options.model = expected.model
    }
    #expect(report.isVerified)
    for (entity, count) in expected.counts {
      #expect(report[entity]?.copied == Int64(count), "\(entity)")
    }
    if expected.model == nil {
      let inspection = try Inspect(source.path).run()
      #expect(report.links.copied == inspection.linkCount)
      #expect(report.links.dangling == Int64(expected.dangling))
    }
    #expect(try Data(contentsOf: source) == before)
    let archive = places.path("out.decant")
    #expect(try ArchiveScript.faults(in: [archive], from: source.path) == [])

    let reports = try places.import("out.decant", into: "back.sqlite")
    #expect(reports.map(\.isVerified) == [true])
    let back = places.path("back.sqlite")
    #expect(try Program.sqlite3(back, "PRAGMA integrity_check") == "ok")
    let (was, became) = (try places.rows(of: source.lastPathComponent), try places.rows(of: "back.sqlite"))
    #expect(Set(was.keys) == Set(became.keys))
    let different = was.filter { became[$0.key] != $0.value }.map(\.key)
    #expect(Set(different) == Self.exceptions(name))
    for column in ["Z_NAME", "Z_SUPER"] {
      let codes = "SELECT Z_ENT, \(column) FROM Z_PRIMARYKEY WHERE Z_ENT < 16000 ORDER BY 1"
      #expect(try Program.sqlite3(back, codes) == Program.sqlite3(source.path, codes))
    }
  }
}

/// The sample stores, through an archive and back.
@Suite struct SampleArchiveRoundTests {
  private let places: ArchivePlaces

  init() throws { places = try ArchivePlaces() }

  @Test(arguments: ["Kitchen.sqlite", "Guests.sqlite"])
  func `a sample is in its archive, and comes back out of it`(_ name: String) throws {
    let source = try places.takeSample(name)
    #expect(try places.export(name, to: "out.decant").isVerified)
    #expect(try ArchiveScript.faults(in: [places.path("out.decant")], from: source) == [])
    #expect(try places.import("out.decant", into: "back.sqlite").map(\.isVerified) == [true])
    #expect(try places.rows(of: "back.sqlite") == places.rows(of: name))
    #expect(try Verify(source, against: places.path("out.decant")).run().isEqual)
  }

  /// One change for each kind of thing that an archive tells of a store.
  @Test(arguments: [
    "UPDATE ZRECIPE SET ZTITLE = ZTITLE || ' ' WHERE Z_PK = 3",
    "UPDATE ZRECIPE SET ZCREATEDAT = ZCREATEDAT + 0.000001 WHERE Z_PK = 3",
    "UPDATE ZRECIPE SET ZPRICE = 1.25 WHERE Z_PK = 3",
    "UPDATE ZRECIPE SET ZENERGY = NULL WHERE Z_PK = 1",
    "UPDATE ZRECIPE SET ZISFAVORITE = 1 - ZISFAVORITE WHERE Z_PK = 3",
    "UPDATE ZRECIPE SET ZUUID = zeroblob(16) WHERE Z_PK = 3",
    "UPDATE ZRECIPE SET ZNUTRITION = x'00' WHERE Z_PK = 3",
    "UPDATE ZRECIPE SET Z_OPT = Z_OPT + 1 WHERE Z_PK = 3",
    "UPDATE ZRECIPE SET ZCATEGORY = NULL WHERE Z_PK = 3",
    "UPDATE ZRECIPE SET Z2_COVER = 4 WHERE Z_PK = 1",
    "UPDATE ZSTEP SET Z_FOK_RECIPE = Z_FOK_RECIPE + 1 WHERE Z_PK = 1",
    "UPDATE ZIMAGE SET ZDATA = x'0200' WHERE Z_PK = 1",
    "UPDATE ZIMAGE SET Z_ENT = 4 WHERE Z_PK = 1",
    "DELETE FROM Z_6TAGS WHERE rowid = 1", "UPDATE Z_6TAGS SET Z_8TAGS = 99 WHERE rowid = 1",
    "DELETE FROM ZTAG WHERE Z_PK = 6", "INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT) VALUES (77, 8, 1)",
  ])
  func `the reader in Python sees what differs`(_ change: String) throws {
    let source = try places.takeSample("Kitchen.sqlite")
    try places.export("Kitchen.sqlite", to: "out.decant")
    _ = try Program.sqlite3(source, change)
    #expect(try ArchiveScript.faults(in: [places.path("out.decant")], from: source) != [])
  }
}
