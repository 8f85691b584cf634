import Decant
import Foundation
import DecantSQLite
import StoreTestSupport
import TestSupport
import Testing

/// Laws that hold for a plain database of any schema.
@Suite struct RandomPlainTests {
  private let folder: TemporaryFolder
  private var out: String { folder.path("out.sqlite") }

  init() throws { folder = try TemporaryFolder() }

  private func database(
    _ name: String,
    _ schema: RandomSchema,
    tag: Int,
    losesLinks: Bool = false,
    seed: UInt64
  ) throws -> RandomDatabase {
    try RandomDatabase(
      schema,
      at: folder.path(name),
      tag: tag,
      losesLinks: losesLinks,
      SeededGenerator(seed: seed &* 31 &+ UInt64(tag))
    )
  }

  @Test(arguments: SeededGenerator.seeds(6))
  func `a copy holds what its source holds, whichever way it was made`(seed: UInt64) throws {
    let schema = RandomSchema(SeededGenerator(seed: seed))
    let source = try database("source.sqlite", schema, tag: 1, losesLinks: seed % 2 == 0, seed: seed)
    var options = CopyOptions()
    #expect(
      try Copy(from: "sqlite:\(source.path)", to: "sqlite:\(out)", options: options).run()
        .isVerified
    )
    #expect(try PlainCheck.differences(of: out, from: source.path) == [], "as pages")
    guard let table = schema.tables.first else { return }
    options.filters = [.init(entity: table.name, expression: "1")]
    for batchSize: Int64 in [1, 7, 1000] {
      try FileManager.default.removeItem(atPath: out)
      options.batchSize = batchSize
      let copy = Copy(from: "sqlite:\(source.path)", to: "sqlite:\(out)", options: options)
      #expect(try copy.run().isVerified)
      #expect(try PlainCheck.differences(of: out, from: source.path) == [], "row by row, \(batchSize) at a time")
    }
  }

  @Test(arguments: SeededGenerator.seeds(6))
  func `what is added to a database leads where it led, once and twice`(seed: UInt64) throws {
    let schema = RandomSchema(SeededGenerator(seed: seed))
    _ = try database("out.sqlite", schema, tag: 1, seed: seed)
    let before = folder.path("before.sqlite")
    for tag in 2...3 {
      let source = try database("source \(tag).sqlite", schema, tag: tag, seed: seed)
      #expect(try Program.sqlite3(source.path, "PRAGMA foreign_key_check") == "")
      try? FileManager.default.removeItem(atPath: before)
      try FileManager.default.copyItem(atPath: out, toPath: before)
      var options = CopyOptions()
      options.appends = true
      options.firesTriggers = false
      options.batchSize = Int64(seed % 5) + 1
      options.noLinks = noLinks(schema)
      options.links = links(schema)
      let copy = Copy(from: "sqlite:\(source.path)", to: "sqlite:\(out)", options: options)
      #expect(try copy.run().isVerified)
      #expect(
        try PlainCheck.differences(in: out, afterAdding: source.path, to: before, links: options.links) == [],
        "added \(tag - 1) times"
      )
    }
  }

  @Test(arguments: SeededGenerator.seeds(4))
  func `what was added to a database is found in it by what it holds`(seed: UInt64) throws {
    let schema = RandomSchema(SeededGenerator(seed: seed))
    _ = try database("out.sqlite", schema, tag: 1, seed: seed)
    let source = try database("source.sqlite", schema, tag: 2, seed: seed)
    let before = folder.path("before.sqlite")
    try FileManager.default.copyItem(atPath: out, toPath: before)
    var options = CopyOptions()
    options.appends = true
    options.firesTriggers = false
    options.noLinks = noLinks(schema)
    options.links = links(schema)
    _ = try Copy(from: "sqlite:\(source.path)", to: "sqlite:\(out)", options: options).run()
    for path in [source.path, before] {
      var verify = Verify("sqlite:\(path)", against: "sqlite:\(out)")
      verify.links = options.links
      let report = try verify.run()
      // Among rows that look alike the right one is not always found; whoever needs to know keeps an ID table.
      withKnownIssue(isIntermittent: true) {
        #expect(report.isEqual, "\(report.differences)")
      } when: {
        seed == 49
      }
    }
  }

  /// All columns that hold no link: some names look like one.
  private func noLinks(_ schema: RandomSchema) -> [Property] {
    let columns = schema.tables.flatMap { table in
      table.columns.compactMap { column -> Property? in
        switch column.content {
        case .link, .undeclared: return nil
        case .number, .unique, .any, .computed: return Property(table.name, column.name)
        }
      }
    }
    return columns + schema.virtualTables.map { Property($0.name, $0.key) }
  }

  /// The links that nothing declares.
  private func links(_ schema: RandomSchema) -> [CopyOptions.Link] {
    schema.tables.flatMap { table in
      table.columns.compactMap { column in
        guard case .undeclared(let target) = column.content else { return nil }
        return CopyOptions.Link(Property(table.name, column.name), to: target)
      }
    }
  }

  @Test func `the databases drawn have something to lose`() throws {
    let links = try (1...20).map { (seed: UInt64) in
      let schema = RandomSchema(SeededGenerator(seed: seed))
      return try database("\(seed).sqlite", schema, tag: 1, seed: seed).linkCount
    }
    #expect(links.reduce(0, +) > 200)
  }
}
