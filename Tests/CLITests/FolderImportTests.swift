import Foundation
import TestSupport
import Testing

/// `decant import FOLDER`: archives, pages and mails among recipe files.
@Suite struct FolderImportTests {
  private let place: CommandFolder

  init() throws {
    place = try CommandFolder()
    try FileManager.default.createDirectory(
      at: place.url.appendingPathComponent("dl/deep"),
      withIntermediateDirectories: true
    )
    for (name, key) in [("dl/a.decant.gz", 1), ("dl/deep/b.html", 2), ("dl/c.eml", 3)] {
      let run = try place.run([
        "export", "Guests.sqlite", name, "--root", "Recipe: _id = \(key)", "-q",
      ])
      #expect(run.status == 0, "\(run.errors)")
    }
  }

  private func titles(_ store: String) throws -> String {
    try Program.sqlite3(place.folder.path(store), "SELECT ZTITLE FROM ZRECIPE ORDER BY Z_PK")
  }

  private var three: String {
    get throws {
      try Program.sqlite3(
        place.folder.path("Guests.sqlite"),
        "SELECT ZTITLE FROM ZRECIPE WHERE Z_PK < 4 ORDER BY ZTITLE"
      )
    }
  }

  @Test func `archives of all forms come out of a folder, with what else lies there named`() throws {
    try Data("hello".utf8).write(to: place.url.appendingPathComponent("dl/note.txt"))
    let run = try place.run(["import", "dl", "New.sqlite"])
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.contains("skipped: dl, note.txt"), "\(run.output)")
    #expect(try Program.sqlite3(place.folder.path("New.sqlite"), "SELECT ZTITLE FROM ZRECIPE ORDER BY ZTITLE") == three)
  }

  @Test func `they merge into a store as they do one by one`() throws {
    let before = try titles("Kitchen.sqlite")
    #expect(try place.run(["import", "dl", "Kitchen.sqlite", "--merge", "update"]).status == 0)
    let after = try titles("Kitchen.sqlite")
    #expect(after.hasPrefix(before))
    #expect(after.split(separator: "\n").count == before.split(separator: "\n").count + 3)
    // Nothing of it is new the second time.
    #expect(try place.run(["import", "dl", "Kitchen.sqlite"]).status == 0)
    #expect(try titles("Kitchen.sqlite") == after)
  }
}
