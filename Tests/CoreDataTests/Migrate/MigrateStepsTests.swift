import Decant
import Foundation
import StoreTestSupport
import TestSupport
import Testing

/// Migrations of several copies in a row: gone on with after the last one that is done, and written down as one.
@Suite struct MigrateStepsTests {
  private let scene: VersionScene
  private var store: String { scene.store }

  init() throws {
    let name = #"<attribute name="name" optional="YES" attributeType="String"/>"#
    let age = #"<attribute name="age" optional="YES" attributeType="Integer 16"/>"#
    let tag = #"<entity name="Tag">\#(name)</entity>"#
    scene = try VersionScene(
      [
        #"<entity name="Person">\#(name)\#(age)</entity>\#(tag)"#,
        #"<entity name="Being">\#(name)\#(age)</entity>\#(tag)"#,
        #"<entity name="Adult">\#(name)</entity><entity name="Child">\#(name)</entity>\#(tag)"#,
      ],
      rows: """
        WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 40)
        INSERT INTO ZPERSON (Z_PK, Z_ENT, Z_OPT, ZNAME, ZAGE) SELECT i, 1, 1, 'p' || i, i FROM n
        """
    )
    try write("being.yaml", "entities: { Being: { from: Person, where: \"age <> 7\" } }")
    try write(
      "ages.yaml",
      """
      entities:
        Adult: { from: Being, where: "age >= 18", drop: [age] }
        Child: { from: Being, where: "age < 18", drop: [age] }
      """
    )
  }

  private func write(_ name: String, _ text: String) throws {
    try Data(text.utf8).write(to: URL(filePath: scene.folder.path(name)))
  }

  private var migration: Migrate {
    var migration = Migrate([store], to: scene.bundle)
    (migration.isUnversioned, migration.batchSize) = (true, 5)
    migration.mappings = [
      Migrate.StepMapping(version: "Pantry 2", path: scene.folder.path("being.yaml")),
      Migrate.StepMapping(version: "Pantry 3", path: scene.folder.path("ages.yaml")),
    ]
    return migration
  }

  /// Runs, and stops when `isEnough`; returns the numbers of the steps that were begun.
  private func run(
    _ migration: Migrate,
    until isEnough: (OperationEvent<MigrationReport>) -> Bool = { _ in false }
  ) throws -> (begun: [Int], report: MigrationReport?) {
    var begun: [Int] = []
    let cancellation = Cancellation()
    do throws(DecantError) {
      let report = try migration.run(cancellation: cancellation) { event in
        if case .working(.stage(_, let number), _) = event { begun.append(number) }
        if isEnough(event) { cancellation.cancel() }
      }
      return (begun, report)
    } catch {
      guard error.family == .interrupted else { throw error }
      #expect(error.advice?.commandLine.contains("--resume") == true)
      return (begun, nil)
    }
  }

  private func isSecond(_ event: OperationEvent<MigrationReport>) -> Bool {
    if case .working(.stage(_, number: 2), _) = event { true } else { false }
  }

  private func checkResult() throws {
    #expect(
      try Program.sqlite3(
        store,
        "SELECT count(*), min(ZNAME), max(ZNAME) FROM ZADULT UNION ALL SELECT count(*), min(ZNAME), max(ZNAME) FROM ZCHILD"
      ) == "23|p18|p40\n16|p1|p9"
    )
    let names = try FileManager.default.contentsOfDirectory(atPath: scene.folder.url.path)
    #expect(names.allSatisfy { !$0.contains("decant-work") })
  }

  @Test func `a step that is done is not done again`() throws {
    var migration = migration
    let first = try run(migration, until: isSecond)
    #expect(first.begun == [1, 2] && first.report == nil)
    migration.resumes = true
    let second = try run(migration)
    #expect(second.begun == [2])
    #expect(second.report?.notes.commandLine.contains { $0.contains("1 step of 2 was done") } == true)
    try checkResult()
  }

  @Test func `the step at hand goes on after its last batch`() throws {
    var migration = migration
    var inSecond = false
    _ = try run(migration) { event in
      if isSecond(event) { inSecond = true }
      guard inSecond, case .working(.progress(let progress), _) = event else { return false }
      return progress.phase == .copy && progress.rowCount >= 10
    }
    migration.resumes = true
    var first: Int64?
    let second = try run(migration) { event in
      if case .working(.progress(let progress), _) = event, progress.phase == .copy, first == nil {
        first = progress.rowCount
      }
      return false
    }
    #expect(second.begun == [2])
    #expect((first ?? 0) > 10, "it began anew")
    try checkResult()
  }

  @Test(arguments: ["the store", "a mapping", "nobody says it"])
  func `it begins anew where something is not what it was`(change: String) throws {
    var migration = migration
    _ = try run(migration, until: isSecond)
    migration.resumes = change != "nobody says it"
    if change == "the store" {
      _ = try Program.sqlite3(store, "UPDATE ZPERSON SET Z_OPT = 2 WHERE Z_PK = 40")
    } else if change == "a mapping" {
      try write("being.yaml", "entities: { Being: { from: Person, where: \"name <> 'p7'\" } }")
    }
    #expect(try run(migration).begun == [1, 2])
    try checkResult()
  }

  @Test func `the ID tables of all steps are one`() throws {
    var migration = migration
    let table = scene.folder.path("ids.sqlite")
    migration.idTableFile = table
    // Cut off and gone on with: the table of the step that is done is still there.
    _ = try run(migration, until: isSecond)
    #expect(!FileManager.default.fileExists(atPath: table))
    migration.resumes = true
    #expect(try run(migration).begun == [2])
    // Every object by itself, as SQL unrolls the runs.
    let unrolled = """
      WITH RECURSIVE one(entity, source, destination, rest, became) AS (
        SELECT entity, source, destination, count, became FROM ids WHERE destination IS NOT NULL
        UNION ALL SELECT entity, source + 1, destination + 1, rest - 1, became FROM one WHERE rest > 1)
      """
    #expect(
      try Program.sqlite3(
        table,
        unrolled
          + "SELECT entity, became, count(*), min(source), max(source) FROM one GROUP BY 1, 2 ORDER BY 2"
      ) == "Person|Adult|23|18|40\nPerson|Child|16|1|17"
    )
    #expect(
      try Program.sqlite3(
        table,
        "ATTACH '\(store)' AS s; ATTACH '\(store).backup-1' AS o; \(unrolled)"
          + """
          SELECT count(*) FROM one JOIN o.ZPERSON AS p ON p.Z_PK = source
          LEFT JOIN s.ZADULT AS a ON became = 'Adult' AND a.Z_PK = destination
          LEFT JOIN s.ZCHILD AS c ON became = 'Child' AND c.Z_PK = destination
          WHERE coalesce(a.ZNAME, c.ZNAME) = p.ZNAME
          """
      ) == "39"
    )
    #expect(
      try Program.sqlite3(table, "SELECT count(*) FROM about WHERE key IN ('source.uuid', 'destination.uuid')")
        == "2"
    )
  }
}
