import Decant
import Foundation
import StoreTestSupport
import TestSupport
import Testing

/// The types of models as source text: those of the samples are compiled, as the examples of the manual use them.
@Suite struct SwiftTypesTests {
  private var samples: URL { Fixtures.projectFolder.appendingPathComponent("samples") }

  @Test func `the types that the examples use are what is made of the sample`() throws {
    let run = try DecantProgram.run("generate", "swift", "Kitchen.sqlite", "--public", in: samples)
    let file = Fixtures.projectFolder.appendingPathComponent("Tests/Apps/Examples/Kitchen.swift")
    #expect(run.status == 0)
    #expect(try run.output == String(contentsOf: file, encoding: .utf8))
  }

  @Test func `names that Swift cannot have are changed, and no two are alike`() throws {
    let place = try PlainDatabase()
    try place.make(
      "a.db",
      """
      CREATE TABLE "1st place" (id INTEGER PRIMARY KEY, "class" TEXT NOT NULL, "is it?" BOOL, entity TEXT, a_b INT, "a b" INT);
      CREATE TABLE Store (id INTEGER PRIMARY KEY, objectID INT, self TEXT, path TEXT, row INT, Type TEXT, objectPath INT);
      CREATE TABLE String (id INTEGER PRIMARY KEY, name TEXT, "Any" INT);
      CREATE TABLE store_ (id INTEGER PRIMARY KEY, place INT REFERENCES "1st place" (id));
      """
    )
    let text = SwiftTypes(try Store(StoreKinds.location(place.path("a.db"))).model).text(from: "a.db")
    let file = place.path("Types.swift")
    try text.write(toFile: file, atomically: true, encoding: .utf8)
    // The compiler is the judge of what can be parsed.
    let run = try Program.run(["swiftc", "-frontend", "-parse", file])
    #expect(run.status == 0, "\(run.errors)")
    let names = text.matches(of: /(?m)^struct (\S+):/).map { String($0.output.1) }
    #expect(names.count == 4 && Set(names).count == 4 && !names.contains("Store") && !names.contains("String"))
    #expect(text.contains("let `class`: String\n"))
  }

  @Test func `a file is never overwritten, and an unknown model is told`() throws {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let file = folder.path("K.swift")
    let make = { try DecantProgram.run("generate", "swift", "Kitchen.sqlite", "--out", file, in: samples).status }
    #expect(try make() == 0)
    #expect(try make() == 64)
    #expect(try DecantProgram.run("generate", "swift", "nosuch.momd", in: samples).status == 10)
    #expect(try DecantProgram.run("generate", "kotlin", "Kitchen.sqlite", in: samples).status == 64)
    let run = try DecantProgram.run("generate", "swift", "Recipes.xcdatamodeld", in: samples)
    #expect(run.status == 0 && run.output.contains("struct Recipe: EntityObject {"))
  }
}
