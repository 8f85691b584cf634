import StoreTestSupport
import TestSupport
import Testing

/// The cases of the table with a destination on a PostgreSQL server: they come out as between files.
@Suite(.enabled(if: PostgresServer.isInstalled)) struct ServerLawTests {
  @Test(arguments: LawCases.onServer)
  func `a case comes out as between files`(test: LawCase) throws {
    let scene = try LawScene(test)
    let server = try PostgresServer.shared.get()
    let location = server.location(try server.makeDatabase())
    // A column of a server has values of one type, and a foreign key leads somewhere.
    guard try scene.decant(["copy", LawScene.destination, location]).status == 0 else { return }
    let dry = try scene.run(["--dry-run", "--json"], to: location)
    let run = try scene.run(["--json"], to: location)
    let between = try scene.story().run
    // What the server itself refuses is refused as a whole, and said: rows without a key, values of another type.
    if run.status == 1, run.errors.contains(/have no key on the server|is not (text|an integer|bytes)/) { return }
    guard run.status == between.status, [0, 3].contains(run.status) else {
      #expect(run.status == between.status, "\(test.name): \(run.errors)")
      return
    }
    let back = try scene.decant(["copy", location, "server.db"])
    #expect(back.status == 0, "\(test.name): \(back.errors)")
    #expect(try scene.facts(of: "server.db") == scene.outcomeFacts(), "\(test.name)")
    let (here, there) = (try LawReport(run), try LawReport(between))
    #expect(here.entities == there.entities && here.links == there.links, "\(test.name)")
    // What is refused while rows are written is not foretold.
    if test.laws.contains(.prediction) { #expect(try LawReport(dry).entities == here.entities, "\(test.name)") }
    guard test.laws.contains(.repetition), !test.known.contains(.repetition) else { return }
    let again = try LawReport(scene.run(["--json"], to: location))
    #expect(again.entities.values.allSatisfy { $0.copied == 0 && $0.updated == 0 }, "\(test.name): \(again)")
  }
}

extension LawCases {
  /// Those that add to a destination or merge with it.
  static var onServer: [LawCase] {
    let fit = chosen.filter { test in
      guard test.destination != nil, test.mapping == nil, [0, 3].contains(test.status) else { return false }
      // A sequence gives no free key that lies behind it; a server has no revisions of objects.
      guard !test.name.contains("where all of them are free") else { return false }
      guard !test.facts.contains(where: { $0.query.contains("Z_OPT") }) else { return false }
      return test.verb == ["merge"] || test.verb == ["copy"] && test.options.contains("--append")
    }
    return Effort.part(of: fit, each: 3)
  }
}
