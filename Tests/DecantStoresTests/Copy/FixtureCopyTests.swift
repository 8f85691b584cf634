import Decant
import DecantStores
import Foundation
import TestSupport
import Testing

/// Real stores, held against what an independent reader says of them.
@Suite(.enabled(if: Fixtures.areAvailable)) struct FixtureCopyTests {
  static let names = [
    "apple-recipes", "cdp-samplemodel-v1", "moody-1", "moody-2", "moody-3", "moody-4", "moody-5",
    "easylife-first", "easylife-1.5.0", "wibosco-1", "wibosco-2", "cyface-v10",
  ]

  private func copy(
    _ source: String,
    _ place: String,
    _ configure: (inout CopyOptions) -> Void = { _ in }
  )
    throws -> CopyReport
  {
    var options = CopyOptions()
    configure(&options)
    return try Copy(from: source, to: place, options: options).run()
  }

  @Test(arguments: names, [false, true])
  func `a real store is copied whole`(name: String, rowByRow: Bool) throws {
    let folder = try TemporaryFolder()
    let expected = try GroundTruth(of: name)
    let source = try Fixtures.copyStore(expected.file, into: folder.url).path
    let place = folder.path("copy.sqlite")
    let entity = expected.counts.keys.sorted()[0]
    let report = try copy(source, place) {
      if rowByRow { $0.filters = [.init(entity: entity, expression: "1")] }
    }
    #expect(report.isVerified)
    for (entity, count) in expected.counts {
      #expect(report[entity]?.source == Int64(count), "\(entity)")
      #expect(report[entity]?.copied == Int64(count), "\(entity)")
    }
    #expect(report.links.dangling == Int64(expected.dangling))
    #expect(try expected.content(of: place) == expected.content(of: source))
    #expect(try Program.sqlite3(place, "PRAGMA integrity_check") == "ok")
    // Every table of objects and links, row by row, read with another program.
    let tables = try Program.sqlite3(
      source,
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name GLOB 'Z*' AND name NOT IN ('Z_METADATA', 'Z_MODELCACHE')"
    ).split(separator: "\n")
    for table in tables {
      let rows = "SELECT * FROM \"\(table)\" ORDER BY 1, 2"
      #expect(
        try Program.sqlite3(place, rows, isQuoted: true)
          == Program.sqlite3(source, rows, isQuoted: true),
        "\(table)"
      )
    }
  }

  @Test(arguments: names)
  func `poured into a store that holds the same objects, it is there twice`(name: String) throws {
    let folder = try TemporaryFolder()
    let expected = try GroundTruth(of: name)
    let source = try Fixtures.copyStore(expected.file, into: folder.url).path
    let place = folder.path("twice.sqlite")
    _ = try copy(source, place)
    try Self.makeUnequal(place)
    let both = try expected.content(of: source) + expected.content(of: place)
    let ids = folder.path("ids.sqlite")
    let report = try copy(source, place) {
      $0.appends = true
      $0.batchSize = 7
      $0.idTableFile = ids
    }
    #expect(report.isVerified)
    #expect(try expected.content(of: place) == both)
    #expect(try Program.sqlite3(place, "PRAGMA integrity_check") == "ok")
    var verify = Verify(source, against: place)
    verify.idTableFile = ids
    #expect(try verify.run().isEqual)
  }

  /// Changes the attributes that no two objects may share, so that there is room for both.
  static func makeUnequal(_ path: String) throws {
    let columns = """
      SELECT DISTINCT m.name, c.name FROM sqlite_schema AS m, pragma_index_list(m.name) AS l,
      pragma_index_info(l.name) AS c WHERE m.type = 'table' AND l."unique" AND m.name NOT GLOB 'Z_[0-9]*'
      """
    for line in try Program.sqlite3(path, columns).split(separator: "\n") {
      let parts = line.split(separator: "|")
      _ = try Program.sqlite3(
        path,
        """
        UPDATE \(parts[0]) SET \(parts[1]) = CASE typeof(\(parts[1])) WHEN 'integer' THEN \(parts[1]) + 100000
        ELSE \(parts[1]) || ' (old)' END WHERE \(parts[1]) IS NOT NULL
        """
      )
    }
  }
}
