import Decant
import Foundation
import StoreTestSupport
import TestSupport
import Testing

/// Real stores, held against what an independent reader says of them and against themselves, row by
/// row, as the `sqlite3` program reads both.
@Suite(.enabled(if: Fixtures.areAvailable)) struct FixtureCopyTests {
  /// A store in a folder of the test's own.
  fileprivate struct Place {
    let folder: TemporaryFolder
    let expected: GroundTruth
    let source: String
    var out: String { folder.path("copy.sqlite") }

    init(_ name: String) throws {
      folder = try TemporaryFolder()
      expected = try GroundTruth(of: name)
      source = try Fixtures.copyStore(expected.file, into: folder.url).path
    }

    func copy(_ configure: (inout CopyOptions) -> Void = { _ in }) throws -> CopyReport {
      var options = CopyOptions()
      options.model = expected.model
      configure(&options)
      return try Copy(from: source, to: out, options: options).run()
    }

    /// The tables of objects, links, and whatever else begins with Z, but for Core Data's books.
    func tables() throws -> [String] {
      try Program.sqlite3(
        source,
        """
        SELECT name FROM sqlite_schema WHERE type = 'table' AND name GLOB 'Z*'
        AND name NOT IN ('Z_METADATA', 'Z_MODELCACHE', 'Z_PRIMARYKEY') AND sql NOT LIKE 'CREATE VIRTUAL%'
        """
      ).split(separator: "\n").map(String.init)
    }
  }

  /// Rows that a copy is meant to change, by store: tables left out of the comparison, and why.
  private static func exceptions(_ name: String, rowByRow: Bool) -> Set<String> {
    switch name {
    // Six rows of a join table have an end that is not there; and as below.
    case "photos-13.0.0":
      rowByRow ? ["Z_47MERGECANDIDATES", "ZGENERICALBUM"] : ["Z_47MERGECANDIDATES"]
    // An in-place migration filled a new column in the rows of sibling entities, who do not have it.
    case "wire-2-101-0", "wire-2-90-0": rowByRow ? ["ZMESSAGE"] : []
    // The nodes of an R-tree depend on the order in which it was filled.
    case "photos-13.5.1-compare-2":
      rowByRow ? ["Z_RT_Asset_boundedByRect_node"] : []
    default: []
    }
  }

  @Test(arguments: GroundTruth.names, [false, true])
  func `a real store is copied whole`(name: String, rowByRow: Bool) throws {
    let place = try Place(name)
    let (expected, source) = (place.expected, place.source)
    let before = try Place.bytes(of: source)
    let report = try place.copy {
      let entity = expected.counts.keys.sorted()[0]
      if rowByRow { $0.filters = [.init(entity: entity, expression: "1")] }
    }
    #expect(report.isVerified)
    for (entity, count) in expected.counts {
      #expect(report[entity]?.source == Int64(count), "\(entity)")
      #expect(report[entity]?.copied == Int64(count), "\(entity)")
    }
    #expect(report.links.dangling == Int64(expected.dangling))
    #expect(try Place.bytes(of: source) == before)
    #expect(try Program.sqlite3(place.out, "PRAGMA integrity_check") == "ok")
    var different: Set<String> = []
    for table in try place.tables() {
      let rows = "SELECT * FROM \"\(table)\" ORDER BY 1, 2"
      let same = try [place.out, source].map { try Program.sqlite3($0, rows, isQuoted: true) }
      if same[0] != same[1] { different.insert(table) }
    }
    #expect(different == Self.exceptions(name, rowByRow: rowByRow))
  }

  @Test(arguments: GroundTruth.names(from: 1))
  func `poured into a store that holds the same objects, it is there twice`(name: String) throws {
    let place = try Place(name)
    _ = try place.copy()
    try UnequalStore.makeUnequal(place.out)
    let before = try AppendedRows.highestKeys(in: place.out)
    let ids = place.folder.path("ids.sqlite")
    let report = try place.copy {
      $0.appends = true
      $0.batchSize = 7
      $0.idTableFile = ids
    }
    #expect(report.isVerified)
    #expect(try Program.sqlite3(place.out, "PRAGMA integrity_check") == "ok")
    // Every value of every object is the same but for keys, and every key is moved as far as the
    // objects it leads to.
    let rows = try AppendedRows(of: place.source, in: place.out, after: before)
    #expect(rows.links == place.expected.storedLinks)
    #expect(Self.exceptions(name, rowByRow: true).isSuperset(of: rows.strange), "\(rows.strange)")
    var verify = Verify(place.source, against: place.out)
    verify.idTableFile = ids
    verify.model = place.expected.model
    #expect(try verify.run().isEqual)
    // Without the table it is found out which object is which.
    verify.idTableFile = nil
    #expect(try verify.run().isEqual)
  }

  @Test(arguments: GroundTruth.names(from: 2))
  func `without its model a real store is copied table by table`(name: String) throws {
    let place = try Place(name)
    // No statement for a store that never had the table.
    if try !Program.sqlite3(place.source, "SELECT 1 FROM sqlite_schema WHERE name = 'Z_MODELCACHE'")
      .isEmpty
    {
      _ = try Program.sqlite3(place.source, "UPDATE Z_MODELCACHE SET Z_CONTENT = NULL")
    }
    // Resuming what is not there goes row by row.
    for leftOver in [CopyOptions.LeftOver.startOver, .resume] {
      try? FileManager.default.removeItem(atPath: place.out)
      let report = try place.copy {
        $0.model = nil
        $0.leftOver = leftOver
      }
      #expect(report.isVerified)
      #expect(!report.knowsLinks)
      for (entity, count) in place.expected.counts {
        #expect(report[entity]?.copied == Int64(count), "\(entity)")
      }
      for table in try place.tables() where !table.hasPrefix("Z_RT_") {
        let rows = "SELECT * FROM \"\(table)\" ORDER BY 1, 2"
        let same = try [place.out, place.source].map {
          try Program.sqlite3($0, rows, isQuoted: true)
        }
        #expect(same[0] == same[1], "\(table)")
      }
      #expect(try Verify(place.source, against: place.out).run().isEqual)
    }
  }
}

extension FixtureCopyTests.Place {
  /// What the main file and its log hold.
  static func bytes(of path: String) throws -> [Data] {
    try [path, path + "-wal"].filter { FileManager.default.fileExists(atPath: $0) }
      .map { try Data(contentsOf: URL(fileURLWithPath: $0)) }.filter { !$0.isEmpty }
  }
}
