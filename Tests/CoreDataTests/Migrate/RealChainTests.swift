import Decant
import Foundation
import StoreTestSupport
import TestSupport
import Testing

/// Real stores go to a later version of their model, and are held against that version's own store.
///
/// What came over is compared by the `sqlite3` program: rows of the same keys, in all columns that both have.
@Suite(.enabled(if: Fixtures.areAvailable)) struct RealChainTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  struct Chain: Sendable, CustomTestStringConvertible {
    var store: String
    /// A store of the wanted version, or a model.
    var target: String
    var through: String?
    /// The versions that are gone through, by their names.
    var versions: [String]
    /// Tables whose name or columns differ: what SQL reads there, in the old store and in the new one.
    var renamed: [Pair] = []
    /// Columns that are named alike and hold something else.
    var others: [String] = []

    var testDescription: String { "\(store) → \(target)" }
  }

  struct Pair: Sendable {
    var old: String
    var new: String

    init(_ old: String, _ new: String) { (self.old, self.new) = (old, new) }
  }

  private static let moody = "moody/Moody.xcdatamodeld"
  private static let ddg = "ddg/BookmarksModel.xcdatamodeld"
  private static let wire = "wire/zmessaging.xcdatamodeld"

  static let chains = [
    Chain(store: "moody-1", target: "moody-2", through: moody, versions: ["Moody", "Moody 2"]),
    Chain(
      store: "moody-1",
      target: "moody-4",
      through: moody,
      versions: ["Moody", "Moody 2", "Moody 3", "Moody 4"],
      // From 3 on regions have no common table any more.
      renamed: [
        Pair(
          "SELECT r.Z_PK, ZNUMERICISO3166CODE FROM ZGEOGRAPHICREGION r JOIN Z_PRIMARYKEY p USING (Z_ENT) WHERE Z_NAME = 'Country' ORDER BY 1",
          "SELECT Z_PK, ZNUMERICISO3166CODE FROM ZCOUNTRY ORDER BY 1"
        ),
        Pair(
          "SELECT r.Z_PK, ZNUMERICISO3166CODE FROM ZGEOGRAPHICREGION r JOIN Z_PRIMARYKEY p USING (Z_ENT) WHERE Z_NAME = 'Continent' ORDER BY 1",
          "SELECT Z_PK, ZNUMERICISO3166CODE FROM ZCONTINENT ORDER BY 1"
        ),
      ]
    ),
    Chain(
      store: "wibosco-1",
      target: "wibosco-2",
      through: "wibosco/CoreDataMigration_Example.xcdatamodeld",
      versions: ["CoreDataMigration_Example", "CoreDataMigration_Example 2"]
    ),
    Chain(
      store: "ddg-bookmarks-v1",
      target: "ddg-bookmarks-v2",
      through: ddg,
      versions: ["BookmarksModel", "BookmarksModel 2"]
    ),
    Chain(
      store: "ddg-bookmarks-v1",
      target: "ddg-bookmarks-v4",
      through: ddg,
      versions: ["BookmarksModel", "BookmarksModel 2", "BookmarksModel 3", "BookmarksModel 4"]
    ),
    Chain(
      store: "cdp-samplemodel-v1",
      target: "coredataplus/SampleModel.momd#SampleModel2",
      versions: ["SampleModel", "SampleModel2"],
      renamed: [
        Pair("SELECT count(*) FROM ZCAR", "SELECT count(*) FROM ZCAR")
      ]
    ),
    Chain(
      store: "cdp-samplemodel3-v1",
      target: "coredataplus/SampleModel3.momd#SampleModel3_v2",
      versions: ["SampleModel3", "SampleModel3_v2"]
    ),
    Chain(store: "wire-1-28", target: "wire-2-3", through: wire, versions: ["zmessaging1.28", "zmessaging2.3"]),
    Chain(
      store: "wire-2-3",
      target: "wire-2-101-0",
      through: wire,
      versions: [
        "zmessaging2.3", "zmessaging2.21.1", "zmessaging2.31.0", "zmessaging2.52.0",
        "zmessaging2.75.0", "zmessaging2.90.0", "zmessaging2.101.0",
      ],
      // Two entities had one each, of which the second's column has it; from 2.75 on their parent has it.
      renamed: [
        Pair("SELECT Z_PK, ZDELIVERED1 FROM ZMESSAGE ORDER BY 1", "SELECT Z_PK, ZDELIVERED FROM ZMESSAGE ORDER BY 1")
      ],
      others: ["ZDELIVERED"]
    ),
    Chain(store: "wire-1-24", target: "wire-2-101-0", versions: []),
    Chain(
      store: "xcserver-1.2.0-empty",
      target: "xcserver/XCServerCoreData.momd",
      versions: [
        "XCServerCoreData1.2.0", "XCServerCoreData2.0.0", "XCServerCoreData2.0.1",
        "XCServerCoreData2.0.2",
      ]
    ),
  ]

  private func model(_ name: String) throws -> String {
    try #require(Fixtures.stores).path + "/models/" + name
  }

  /// The same in a folder of its own, where no mapping models lie beside it.
  private func modelAlone(_ name: String) throws -> String {
    let copy = folder.url.appendingPathComponent(URL(fileURLWithPath: name).lastPathComponent)
    try FileManager.default.copyItem(atPath: try model(name), toPath: copy.path)
    return copy.path
  }

  private func store(_ name: String) throws -> String {
    let place = "from-\(name)"
    try FileManager.default.createDirectory(atPath: folder.path(place), withIntermediateDirectories: true)
    return try Fixtures.copyStore(try GroundTruth(of: name).file, into: folder.url.appendingPathComponent(place)).path
  }

  @Test(arguments: chains)
  func `every row comes over with what the wanted version still has`(chain: Chain) throws {
    let (old, out) = (try store(chain.store), folder.path("out.sqlite"))
    let target =
      chain.target.contains("/") ? try model(chain.target) : try store(chain.target)
    var migration = Migrate([old], to: target)
    migration.output = out
    migration.through = try chain.through.map { [try modelAlone($0)] } ?? []
    let before = FileManager.default.contents(atPath: old)
    let report = try migration.run()
    #expect(FileManager.default.contents(atPath: old) == before)
    #expect(report.isVerified && report.stages.count == 1)
    #expect(report.stages.allSatisfy { $0.origin == .inferred })
    if !chain.versions.isEmpty {
      #expect(report.stages[0].versions.dropLast() == chain.versions.dropLast())
    }

    // The schema is the wanted version's own.
    if !chain.target.contains("/") {
      let schema = "SELECT name, sql FROM sqlite_schema WHERE name GLOB 'Z*' ORDER BY name"
      let own = try Program.sqlite3(target, schema)
      let made = try Program.sqlite3(out, schema)
      #expect(
        own.split(separator: "\n").filter { !$0.contains("ANSCK") }
          == made.split(separator: "\n").filter { !$0.contains("ANSCK") }
      )
    }
    #expect(try Program.sqlite3(out, "PRAGMA integrity_check") == "ok")
    try compare(old, out, but: chain.others)
    for pair in chain.renamed {
      #expect(try Program.sqlite3(old, pair.old) == Program.sqlite3(out, pair.new), "\(pair.new)")
    }
    // Decant reads it as what it is.
    let check = Check(out, against: target)
    #expect(try check.run().migration == .none)
  }

  /// Compares all tables that both stores have, by the columns that both have.
  private func compare(_ old: String, _ new: String, but others: [String]) throws {
    func list(_ sql: String) throws -> [String] {
      try Program.sqlite3(new, "ATTACH '\(old)' AS old; \(sql)").split(separator: "\n").map(String.init)
    }
    let tables = try list(
      """
      SELECT n.name FROM main.sqlite_schema n JOIN old.sqlite_schema o USING (name)
      WHERE n.type = 'table' AND n.name GLOB 'Z[A-Z]*' ORDER BY 1
      """
    )
    var compared = 0
    for table in tables {
      let columns = try list(
        """
        SELECT n.name FROM pragma_table_info('\(table)', 'main') n JOIN pragma_table_info('\(table)', 'old') o USING (name)
        WHERE n.name NOT IN ('Z_ENT', 'Z_OPT') AND n.name NOT GLOB 'Z*_Z_*' AND n.name NOT GLOB 'Z[0-9]*' AND n.name NOT GLOB 'Z_FOK_*'
        """
      ).filter { !others.contains($0) }.map { "\"\($0)\"" }.joined(separator: ", ")
      let missing = try list(
        """
        SELECT count(*) FROM (SELECT \(columns) FROM main.\(table) EXCEPT SELECT \(columns) FROM old.\(table));
        SELECT count(*) FROM (SELECT \(columns) FROM old.\(table) EXCEPT SELECT \(columns) FROM main.\(table));
        SELECT count(*) FROM main.\(table); SELECT count(*) FROM old.\(table)
        """
      )
      #expect(missing[0] == "0" && missing[1] == "0", "\(table): \(columns)")
      #expect(missing[2] == missing[3], "\(table)")
      compared += Int(missing[2]) ?? 0
    }
    #expect(tables.count > 0)
  }

  @Test func `mapping models that lie beside the model are taken for their steps`() throws {
    let (old, out) = (try store("moody-1"), folder.path("out.sqlite"))
    var migration = Migrate([old], to: try store("moody-5"))
    migration.through = [try model(Self.moody)]
    migration.output = out
    let report = try migration.run()
    #expect(report.isVerified)
    #expect(
      report.stages.map { $0.versions.joined(separator: " → ") }.prefix(3) == [
        "Moody → Moody 2", "Moody 2 → Moody 3", "Moody 3 → Moody 4",
      ]
    )
    #expect(report.stages[0].origin == .inferred)
    #expect(
      report.stages.dropFirst().allSatisfy { stage in
        if case .mappingModel(let path) = stage.origin {
          path.hasSuffix(".xcmappingmodel")
        } else {
          false
        }
      }
    )
    // Countries and moods, with the links between them, as the first version has them.
    #expect(
      try Program.sqlite3(out, "SELECT Z_PK, ZNUMERICISO3166CODE FROM ZCOUNTRY ORDER BY 1")
        == Program.sqlite3(
          old,
          """
          SELECT Z_PK, ZNUMERICISO3166CODE FROM ZGEOGRAPHICREGION JOIN Z_PRIMARYKEY USING (Z_ENT)
          WHERE Z_NAME = 'Country' ORDER BY 1
          """
        )
    )
    let moods = "SELECT Z_PK, ZDATE, hex(ZCOLORS), ZCOUNTRY FROM ZMOOD ORDER BY 1"
    #expect(try Program.sqlite3(out, moods) == Program.sqlite3(old, moods))
    #expect(try Check(out, against: try store("moody-5")).run().migration == .none)
  }

  @Test func `a class of the app's is named, and a mapping file takes its part`() throws {
    let old = try store("wibosco-2")
    let wanted = try model("wibosco/CoreDataMigration_Example.xcdatamodeld#CoreDataMigration_Example 3")
    var migration = Migrate([old], to: wanted)
    (migration.isUnversioned, migration.output) = (true, folder.path("out.sqlite"))
    let error = #expect(throws: DecantError.self) { try migration.run() }
    #expect(error?.family == .modelMismatch)
    #expect(error?.message.contains("Post2ToPost3MigrationPolicy") == true)
    let file = folder.path("sections.yaml")
    try Data(
      """
      entities:
        Post: { from: Post, drop: [content] }
        Section: { from: Post, set: { body: content, title: "substr(content, 1, 10)", index: 0, post: $self } }
      """.utf8
    ).write(to: URL(fileURLWithPath: file))
    migration.mappings = [Migrate.StepMapping(path: file)]
    let report = try migration.run()
    #expect(report.stages.map(\.origin) == [.mappingFile(file)])
    #expect(
      try Program.sqlite3(
        folder.path("out.sqlite"),
        "SELECT p.ZPOSTID, s.ZBODY FROM ZSECTION s JOIN ZPOST p ON p.Z_PK = s.ZPOST ORDER BY 1"
      ) == Program.sqlite3(old, "SELECT ZPOSTID, ZCONTENT FROM ZPOST ORDER BY 1")
    )
  }

  /// What cannot be migrated by the models alone, and why.
  @Test(arguments: [
    (
      "xcserver-1.2.0", "xcserver/XCServerCoreData.momd", "",
      "Integration.endedTime: is date instead of string: 24 objects"
    ),
    ("cyface-v1", "cyface-v3", "cyface/CyfaceModel.xcdatamodeld", "Acceleration: removed: 3000 objects"),
  ]) func `what somebody has to decide is told by name and number`(
    store: String,
    target: String,
    model: String,
    reason: String
  ) throws {
    let old = try self.store(store)
    let new = model.isEmpty ? try self.model(target) : try self.store(target)
    var migration = Migrate([old], to: new)
    migration.through = model.isEmpty ? [] : [try self.model(model)]
    migration.output = folder.path("out.sqlite")
    let error = #expect(throws: DecantError.self) { try migration.run() }
    #expect(error?.family == .modelMismatch)
    #expect(error?.place?.contains(reason) == true, "\(error?.place ?? "")")
    #expect(!FileManager.default.fileExists(atPath: folder.path("out.sqlite")))
  }

  @Test func `a store newer than the model is refused`() throws {
    let (old, new) = (try store("moody-4"), try store("moody-2"))
    var migration = Migrate([old], to: new)
    migration.through = [try model(Self.moody)]
    let before = FileManager.default.contents(atPath: old)
    let error = #expect(throws: DecantError.self) { try migration.run() }
    #expect(error?.family == .modelMismatch && error?.message.contains("newer") == true)
    #expect(FileManager.default.contents(atPath: old) == before)
  }
}
