import Decant
import Foundation
import TestSupport
import Testing

/// Real stores as plain databases, and back: held against themselves as the `sqlite3` program reads both.
@Suite(.enabled(if: Fixtures.areAvailable)) struct FixtureObjectsTests {
  /// Columns that come back as something else, by store: why is said beside them.
  private static func exceptions(_ name: String) -> Set<String> {
    // A file that is lost leaves no reference; the rest was filled in rows of sibling entities by an
    // in-place migration, who do not have it, or is a link row with an end that is not there.
    switch name {
    case "photos-13.0.0": ["Z_47MERGECANDIDATES", "ZGENERICALBUM"]
    case "wire-1-24": ["ZMESSAGE", "ZUSER"]
    case "wire-1-28", "wire-2-21-1", "wire-2-31-0", "wire-2-52-0": ["ZUSER"]
    case "wire-2-101-0", "wire-2-90-0": ["ZMESSAGE"]
    default: []
    }
  }

  @Test(arguments: GroundTruth.names(from: 0))
  func `a real store goes into a plain database and comes back`(name: String) throws {
    let folder = try TemporaryFolder()
    let expected = try GroundTruth(of: name)
    let source = try Fixtures.copyStore(expected.file, into: folder.url).path
    let (plain, back) = (folder.path("plain.db"), folder.path("Back.sqlite"))
    var options = CopyOptions()
    options.model = expected.model
    let report = try Copy(from: source, to: "sqlite:\(plain)", options: options).run()
    #expect(report.isVerified)
    for (entity, count) in expected.counts {
      #expect(report[entity]?.copied == Int64(count), "\(entity)")
    }
    #expect(report.links.dangling == Int64(expected.dangling))
    #expect(try Program.sqlite3(plain, "PRAGMA integrity_check") == "ok")
    #expect(try Program.sqlite3(plain, "PRAGMA foreign_key_check") == "")
    var verify = Verify(source, against: plain)
    verify.model = expected.model
    #expect(try verify.run().isEqual)
    options.template = source
    let returned = try Copy(from: plain, to: "coredata:\(back)", options: options).run()
    #expect(returned.isVerified)
    #expect(returned.links.copied == report.links.copied)
    verify = Verify(plain, against: back)
    verify.model = expected.model
    #expect(try verify.run().isEqual)
    var different: Set<String> = []
    for table in try StoredRows.tablesOfObjects(in: source) {
      // How often an object was saved is not told in a plain database.
      let rows = try [source, back].map { try StoredRows.of($0, table, without: ["Z_OPT"]) }
      if rows[0] != rows[1] { different.insert(table) }
    }
    #expect(different == Self.exceptions(name))
  }

  /// What `expected.json` says are lost files is what is counted as lost.
  @Test func `lost files are counted`() throws {
    for (name, count): (String, Int64) in [("wire-1-24", 8), ("wire-1-28", 1), ("moody-1", 0)] {
      let folder = try TemporaryFolder()
      let expected = try GroundTruth(of: name)
      let source = try Fixtures.copyStore(expected.file, into: folder.url).path
      var options = CopyOptions()
      options.model = expected.model
      let report = try Copy(from: source, to: "sqlite:\(folder.path("plain.db"))", options: options).run()
      #expect(report.files.missing == count, "\(name)")
      #expect(report.files.copied == 0, "\(name)")
    }
  }

  @Test(arguments: GroundTruth.names(from: 1))
  func `poured in twice, a plain database comes back with everything twice`(name: String) throws {
    let folder = try TemporaryFolder()
    let expected = try GroundTruth(of: name)
    let source = try Fixtures.copyStore(expected.file, into: folder.url).path
    let plain = folder.path("plain.db")
    var options = CopyOptions()
    options.model = expected.model
    let first = try Copy(from: source, to: "sqlite:\(plain)", options: options).run()
    try Self.makeUnequal(plain)
    options.appends = true
    options.batchSize = 7
    options.idTableFile = folder.path("ids.sqlite")
    let report = try Copy(from: source, to: plain, options: options).run()
    #expect(report.isVerified)
    #expect(report.links.copied == first.links.copied)
    #expect(try Program.sqlite3(plain, "PRAGMA foreign_key_check") == "")
    for line in try Program.sqlite3(
      plain,
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT GLOB 'sqlite_*'"
    ).split(separator: "\n") {
      // Every table has each of its rows twice.
      let count = try Program.sqlite3(plain, "SELECT count(*) % 2 FROM \"\(line)\"")
      #expect(count == "0", "\(line)")
    }
    var verify = Verify(source, against: plain)
    verify.model = expected.model
    verify.idTableFile = options.idTableFile
    #expect(try verify.run().isEqual)
  }

  /// Changes what no two objects may share, so that there is room for both.
  private static func makeUnequal(_ path: String) throws {
    let columns = """
      SELECT DISTINCT m.name, c.name FROM sqlite_schema AS m, pragma_index_list(m.name) AS l,
      pragma_index_info(l.name) AS c WHERE m.type = 'table' AND l."unique" AND l.origin = 'c'
      AND c.name NOT IN (SELECT "from" FROM pragma_foreign_key_list(m.name))
      """
    for line in try Program.sqlite3(path, columns).split(separator: "\n") {
      let parts = line.split(separator: "|").map { "\"\($0)\"" }
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
