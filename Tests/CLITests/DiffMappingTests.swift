import Foundation
import TestSupport
import Testing

/// `diff --mapping` compares what a mapping makes of A with B.
@Suite struct DiffMappingTests {
  private let folder: CommandFolder

  init() throws {
    folder = try CommandFolder()
    try FileManager.default.createDirectory(atPath: folder.folder.path("tmp"), withIntermediateDirectories: true)
  }

  private func diff(_ arguments: String...) throws -> Program {
    let run = try Program.run(
      [DecantProgram.path, "diff"] + arguments,
      in: folder.url,
      environment: ["TMPDIR": folder.folder.path("tmp")]
    )
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.folder.path("tmp")) == [])
    return run
  }

  private func write(_ name: String, _ text: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: folder.folder.path(name)))
  }

  @Test func `tables of other names are compared by their keys`() throws {
    _ = try Program.sqlite3(
      folder.folder.path("a.db"),
      """
      CREATE TABLE person (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT, born TEXT);
      INSERT INTO person VALUES (1, 'ann', '1990'), (2, 'ben', '1980'), (5, 'cid', '1970'), (9, 'dora', '2001')
      """
    )
    _ = try Program.sqlite3(
      folder.folder.path("b.db"),
      """
      CREATE TABLE human (id INTEGER PRIMARY KEY AUTOINCREMENT, label TEXT, birth TEXT);
      INSERT INTO human VALUES (1, 'ann', '1990'), (2, 'ben', '1981'), (5, 'cid', '1970'), (7, 'eve', '1999')
      """
    )
    try write(
      "map.yaml",
      "decant: 1\nentities:\n  human:\n    from: person\n    set:\n      label: name\n      birth: born\n"
    )
    let before = ["a.db", "b.db"].map { folder.content($0) }
    let run = try diff("a.db", "b.db", "--mapping", "map.yaml", "--same-lineage", "--verbose")
    #expect(run.status == 4, "\(run.errors)")
    for words in [
      "human key 2 differs in birth", "1980", "1981", "human key 9 only in A",
      "human key 7 only in B",
    ] {
      #expect(run.output.contains(words), "\(run.output)")
    }
    #expect(["a.db", "b.db"].map { folder.content($0) } == before)
    // As B is what the mapping makes of A, nothing is left.
    _ = try Program.sqlite3(
      folder.folder.path("b.db"),
      "ATTACH '\(folder.folder.path("a.db"))' AS a; DELETE FROM human; INSERT INTO human SELECT * FROM a.person"
    )
    #expect(try diff("a.db", "b.db", "--mapping", "map.yaml").status == 0)
  }

  @Test func `objects of Core Data stores are what the mapping makes of them`() throws {
    try FileManager.default.copyItem(
      atPath: folder.folder.path("Kitchen.sqlite"),
      toPath: folder.folder.path("Louder.sqlite")
    )
    _ = try Program.sqlite3(
      folder.folder.path("Louder.sqlite"),
      "UPDATE ZRECIPE SET ZTITLE = ZTITLE || '!' WHERE Z_PK <> 3"
    )
    try write("map.yaml", "decant: 1\nentities:\n  Recipe:\n    set:\n      title: \"title || '!'\"\n")
    let run = try diff("Kitchen.sqlite", "Louder.sqlite", "--mapping", "map.yaml")
    #expect(run.status == 4, "\(run.errors)")
    #expect(run.output.contains("Recipe p3 differs in title"), "\(run.output)")
    #expect(!run.output.contains("Recipe p2 "))
    _ = try Program.sqlite3(
      folder.folder.path("Louder.sqlite"),
      "UPDATE ZRECIPE SET ZTITLE = ZTITLE || '!' WHERE Z_PK = 3"
    )
    #expect(try diff("Kitchen.sqlite", "Louder.sqlite", "--mapping", "map.yaml").status == 0)
  }

  @Test(arguments: [["--sql"], ["--ids", "x"], ["--base", "Guests.sqlite"]])
  func `what does not go with it is refused`(option: [String]) throws {
    try folder.expect(["diff", "Kitchen.sqlite", "Guests.sqlite", "--mapping", "map.yaml"] + option, 64, "--mapping")
  }
}
