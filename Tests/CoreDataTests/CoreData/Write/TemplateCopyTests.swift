import Decant
import Foundation
import DecantPropertyList
import StoreTestSupport
import TestSupport
import Testing

/// Copies into stores that are made after something else than their source.
@Suite(.enabled(if: Fixtures.areAvailable)) struct TemplateCopyTests {
  private let folder: TemporaryFolder
  private var out: String { folder.path("copy.sqlite") }

  init() throws { folder = try TemporaryFolder() }

  /// Copies the real store `name` into a new one made after `template`, and has it proven.
  private func copy(
    _ name: String,
    after template: (String) throws -> String,
    isUnversioned: Bool = false
  ) throws -> (source: String, report: CopyReport) {
    let expected = try GroundTruth(of: name)
    let source = try Fixtures.copyStore(expected.file, into: folder.url).path
    var options = CopyOptions()
    options.model = expected.model
    options.template = try template(source)
    options.isUnversioned = isUnversioned
    let report = try Copy(from: source, to: out, options: options).run()
    #expect(report.isVerified)
    for (entity, count) in expected.counts {
      #expect(report[entity]?.copied == Int64(count), "\(entity)")
    }
    #expect(try Program.sqlite3(out, "PRAGMA integrity_check") == "ok")
    return (source, report)
  }

  /// Expects every row of objects and links to be the same, as the `sqlite3` program reads them.
  private func expectSameRows(_ source: String, except exceptions: Set<String> = []) throws {
    let tables = try Program.sqlite3(
      out,
      """
      SELECT name FROM sqlite_schema WHERE type = 'table' AND name GLOB 'Z*'
      AND name NOT IN ('Z_METADATA', 'Z_MODELCACHE') AND name NOT GLOB 'Z_RT_*'
      """
    ).split(separator: "\n").map(String.init)
    #expect(!tables.isEmpty)
    for table in tables where !exceptions.contains(table) {
      let columns = try Program.sqlite3(
        out,
        "SELECT group_concat('\"' || name || '\"') FROM pragma_table_info('\(table)')"
      )
      let rows =
        table == "Z_PRIMARYKEY"
        ? "SELECT * FROM Z_PRIMARYKEY WHERE Z_ENT < 16000 ORDER BY 1"
        : "SELECT \(columns) FROM \"\(table)\" ORDER BY 1, 2"
      #expect(
        try Program.sqlite3(out, rows, isQuoted: true)
          == Program.sqlite3(source, rows, isQuoted: true),
        "\(table)"
      )
    }
  }

  private func statements(_ path: String, _ type: String) throws -> [String: String] {
    try RealSchema.statements(path)[type] ?? [:]
  }

  @Test(arguments: [
    "apple-recipes", "cdp-samplemodel-v1", "cdp-samplemodel2-v2", "cyface-v11", "ddg-bookmarks-v4",
    "easylife-1.5.0", "issue4-model1", "moody-4", "photos-13.5.1-compare-2",
    "plaso-knowledgec-10.13", "wire-1-24", "wire-2-101-0",
  ])
  func `a store made after its own source is that store`(_ name: String) throws {
    let source = try copy(name) { $0 }.source
    // An in-place migration filled a new column in the rows of sibling entities, who lack it.
    try expectSameRows(source, except: name == "wire-2-101-0" ? ["ZMESSAGE"] : [])
    for type in ["table", "index", "trigger"] {
      #expect(try statements(out, type) == statements(source, type))
    }
    let history = "_NSStoreAncillaryModelVersionHashesMetadataKey"
    #expect(try RealSchema.metadata(out) == RealSchema.metadata(source).filter { $0.key != history })
    for pragma in ["page_size", "auto_vacuum"] {
      let values = try [out, source].map { try Program.sqlite3($0, "PRAGMA \(pragma)") }
      #expect(values[0] == values[1])
    }
  }

  @Test(arguments: [true, false])
  func `an R-tree is filled, whether or not the source has it`(sourceHasTree: Bool) throws {
    let template = folder.path("template.sqlite")
    _ = try copy("photos-13.5.1-compare-2") { source in
      // With what is in its log: sqlite3 copies all of it.
      _ = try Program.sqlite3(source, "VACUUM INTO '\(template)'")
      if !sourceHasTree {
        let triggers = ["INSERT", "UPDATE", "DELETE"].map {
          "DROP TRIGGER Z_RT_Asset_boundedByRect_\($0);"
        }
        _ = try Program.sqlite3(source, triggers.joined() + "DROP TABLE Z_RT_Asset_boundedByRect")
      }
      return template
    }
    // The template still has the real store's own entries.
    let entries = "SELECT * FROM Z_RT_Asset_boundedByRect ORDER BY 1"
    let expected = try Program.sqlite3(template, entries)
    #expect(!expected.isEmpty)
    #expect(try Program.sqlite3(out, entries) == expected)
  }

  @Test func `another version of the model is spoken of`() throws {
    let report = try copy("xcserver-1.2.0") { source in
      let template = folder.path("template.sqlite")
      try FileManager.default.copyItem(atPath: source, toPath: template)
      var metadata = try RealSchema.metadata(template)
      metadata["NSStoreModelVersionHashes"] = .dictionary(["Bot": .data([1])])
      let hex = BinaryPropertyListWriter.write(.dictionary(metadata)).map {
        String(format: "%02x", $0)
      }
      _ = try Program.sqlite3(template, "UPDATE Z_METADATA SET Z_PLIST = x'\(hex.joined())'")
      return template
    }.report
    #expect(report.notes.commandLine.contains { $0.contains("a different model version than the source") })
  }

  @Test(arguments: [
    ("xcserver-1.2.0", "xcserver-1.2.0-empty"),
    ("photos-10.15.1-pgcurationcache", "photos-cloud-10.15.1-pgcurationcache"),
  ])
  func `an empty store of the same version is filled`(_ pair: (name: String, template: String)) throws {
    let other = try TemporaryFolder()
    let file = try GroundTruth(of: pair.template).file
    let template = try Fixtures.copyStore(file, into: other.url).path
    let source = try copy(pair.name) { _ in "coredata:" + template }.source
    try expectSameRows(source)
    for type in ["table", "index"] {
      #expect(try statements(out, type) == statements(template, type))
    }
    #expect(
      try Program.sqlite3(out, "SELECT Z_UUID FROM Z_METADATA")
        != Program.sqlite3(template, "SELECT Z_UUID FROM Z_METADATA")
    )
  }

  @Test(arguments: [
    ("cdp-samplemodel-v1", "coredataplus/SampleModel.momd"),
    ("cdp-samplemodel3-v1", "coredataplus/SampleModel3.momd#SampleModel3"),
    ("xcserver-1.2.0", "xcserver/XCServerCoreData.momd"),
    ("xcserver-1.2.0-empty", "xcserver/XCServerCoreData.momd"),
  ])
  func `a built app's model makes the store that Core Data made`(_ pair: (name: String, model: String)) throws {
    let source = try copy(pair.name) { _ in try ModelAgreementTests.path(pair.model) }.source
    try expectSameRows(source)
    #expect(try statements(out, "table") == statements(source, "table"))
    // The framework of these stores named indexes after columns yet.
    if !pair.name.hasPrefix("xcserver") {
      #expect(try statements(out, "index") == statements(source, "index"))
    }
    let settings = ["page_size", "auto_vacuum", "user_version", "application_id"].map {
      try? Program.sqlite3(out, "PRAGMA \($0)")
    }
    #expect(settings == ["4096", "2", "0", "0"])
    // What the source had cached is of the very version.
    let cache = "SELECT hex(Z_CONTENT) FROM Z_MODELCACHE"
    #expect(try Program.sqlite3(out, cache) == Program.sqlite3(source, cache))
    let (made, real) = (try RealSchema.metadata(out), try RealSchema.metadata(source))
    let hashes = "NSStoreModelVersionHashes"
    #expect(made[hashes] == real[hashes])
    // This one is of the same framework: everything must be the same.
    if pair.name == "cdp-samplemodel3-v1" { #expect(made == real) }
  }

  @Test func `an app's own keys are the source's, not the template's`() throws {
    let other = try TemporaryFolder()
    let file = try GroundTruth(of: "photos-cloud-10.15.1-pgcurationcache").file
    let template = try Fixtures.copyStore(file, into: other.url).path
    func add(_ key: String, to path: String) throws {
      var metadata = try RealSchema.metadata(path)
      metadata[key] = .string(key)
      let hex = BinaryPropertyListWriter.write(.dictionary(metadata)).map {
        String(format: "%02x", $0)
      }
      _ = try Program.sqlite3(path, "UPDATE Z_METADATA SET Z_PLIST = x'\(hex.joined())'")
    }
    try add("template.key", to: template)
    _ = try copy("photos-10.15.1-pgcurationcache") { source in
      try add("source.key", to: source)
      return template
    }
    let keys = Set(try RealSchema.metadata(out).keys)
    #expect(keys.contains("source.key"))
    #expect(!keys.contains("template.key"))
  }

  @Test func `entities get the template's numbers, and links follow`() throws {
    let source = try copy("cdp-samplemodel2-v2") { source in
      let template = folder.path("template.sqlite")
      try FileManager.default.copyItem(atPath: source, toPath: template)
      // Every number is another one, and so is the column that holds that of a book.
      _ = try Program.sqlite3(
        template,
        """
        UPDATE Z_PRIMARYKEY SET Z_ENT = Z_ENT + 20, Z_SUPER = CASE Z_SUPER WHEN 0 THEN 0 ELSE Z_SUPER + 20 END
          WHERE Z_ENT < 16000;
        ALTER TABLE ZPAGE RENAME COLUMN Z1_BOOK TO Z21_BOOK;
        """
      )
      return template
    }.source
    for (table, discriminator) in [("ZBOOK", nil), ("ZWRITER", nil), ("ZPAGE", "BOOK")] {
      func rows(_ path: String, _ shift: Int, _ column: String) throws -> String {
        try Program.sqlite3(path, "SELECT Z_PK, Z_ENT + \(shift), \(column) FROM \(table) ORDER BY 1")
      }
      let before = discriminator.map { "Z1_\($0) + 20" } ?? "1"
      let after = discriminator.map { "Z21_\($0)" } ?? "1"
      #expect(try rows(out, 0, after) == rows(source, 20, before))
    }
    #expect(
      try Program.sqlite3(out, "SELECT Z_ENT, Z_NAME, Z_SUPER, Z_MAX FROM Z_PRIMARYKEY")
        == Program.sqlite3(
          source,
          """
          SELECT Z_ENT + 20, Z_NAME, CASE Z_SUPER WHEN 0 THEN 0 ELSE Z_SUPER + 20 END, Z_MAX
          FROM Z_PRIMARYKEY WHERE Z_ENT < 16000
          """
        )
    )
  }

  @Test func `without version hashes a store has none, and says what it needs`() throws {
    let model = try ModelAgreementTests.path("wibosco/CoreDataMigration_Example.xcdatamodeld")
    let (source, report) = try copy("wibosco-1", after: { _ in model }, isUnversioned: true)
    try expectSameRows(source)
    #expect(try statements(out, "table") == statements(source, "table"))
    let keys = try RealSchema.metadata(out).keys
    #expect(!keys.contains { $0.hasPrefix("NSStoreModelVersionHashes") })
    #expect(report.notes.commandLine.contains { $0.contains("NSIgnorePersistentStoreVersioningOption") })
    #expect(report.notes.commandLine.contains { $0.contains("version “CoreDataMigration_Example” of its model") })
    #expect(try Program.sqlite3(out, "SELECT count(*) FROM Z_MODELCACHE") == "0")
    // It is read with the model it was made after.
    var verify = Verify(source, against: out)
    verify.model = model
    #expect(try verify.run().isEqual)
  }

  @Test(arguments: ["checksum", "missing", "short", "other"])
  func `version hashes that are not the model's are damage`(_ kind: String) throws {
    let name = "SampleModel3"
    let model = folder.url.appendingPathComponent("\(name).momd")
    try FileManager.default.copyItem(
      at: URL(fileURLWithPath: ModelAgreementTests.path("coredataplus/\(name).momd")),
      to: model
    )
    let file = model.appendingPathComponent("VersionInfo.plist")
    guard case .dictionary(var info) = try PropertyList.read([UInt8](Data(contentsOf: file))) else {
      throw CocoaError(.propertyListReadCorrupt)
    }
    let hashes: [String: PropertyList] =
      switch kind {
      case "missing": ["Nobody": .data([UInt8](repeating: 1, count: 32))]
      case "short": ["User": .data([1, 2, 3])]
      default: ["User": .data([UInt8](repeating: 1, count: 32))]
      }
    if kind == "checksum" {
      info["NSManagedObjectModel_VersionChecksums"] = .dictionary([name: .string("AAAA")])
    } else {
      info["NSManagedObjectModel_VersionHashes"] = .dictionary([name: .dictionary(hashes)])
    }
    try? FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file.path)
    try Data(BinaryPropertyListWriter.write(.dictionary(info))).write(to: file)
    let error = #expect(throws: DecantError.self) {
      try copy("cdp-samplemodel3-v1") { _ in model.path + "#" + name }
    }
    #expect(error?.family == .corruptStore)
    #expect(error?.place?.hasSuffix("VersionInfo.plist") == true)
  }

  @Test func `a killed copy goes on only after the same template`() throws {
    let expected = try GroundTruth(of: "xcserver-1.2.0")
    let source = try Fixtures.copyStore(expected.file, into: folder.url).path
    var options = CopyOptions()
    options.batchSize = 50
    options.template = source
    let cancellation = Cancellation()
    let stopped = #expect(throws: DecantError.self) {
      try Copy(from: source, to: out, options: options).run(cancellation: cancellation) { event in
        if case .working(.progress(let progress), _) = event, progress.phase == .copy, progress.rowCount > 0 {
          cancellation.cancel()
        }
      }
    }
    #expect(stopped?.family == .interrupted)
    options.leftOver = .resume
    options.template = try ModelAgreementTests.path("xcserver/XCServerCoreData.momd")
    let refused = #expect(throws: DecantError.self) {
      try Copy(from: source, to: out, options: options).run()
    }
    #expect(refused?.family == .failed)
    options.template = source
    #expect(try Copy(from: source, to: out, options: options).run().isVerified)
    try expectSameRows(source)
  }

  @Test(arguments: ExpectedStore.all.keys.sorted())
  func `digest and checksum are those of real stores`(_ name: String) throws {
    let file = try #require(ExpectedStore.all[name]).file
    let metadata = try RealSchema.metadata(Fixtures.copyStore(file, into: folder.url).path)
    guard case .dictionary(let list)? = metadata["NSStoreModelVersionHashes"] else { return }
    let hashes = list.compactMapValues { if case .data(let hash) = $0 { hash } else { nil } }
    if let digest = metadata["NSStoreModelVersionHashesDigest"] {
      #expect(digest == .string(ModelDigest.digest(of: hashes)))
    }
    if let checksum = metadata["NSStoreModelVersionChecksumKey"] {
      #expect(checksum == .string(ModelDigest.checksum(of: hashes)))
    }
  }
}
