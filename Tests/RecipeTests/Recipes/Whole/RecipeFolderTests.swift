import Foundation
import TestSupport
import Testing

/// Folders that hold what cannot be read beside what can.
@Suite struct RecipeFolderTests {
  private let shelf: RecipeShelf

  init() throws { shelf = try RecipeShelf() }

  @Test(.enabled(if: DecantProgram.bound != nil))
  func `what may not be read is reported, and the rest is imported`() throws {
    let table = "Title,Course,Main Ingredient,Ingredients,Directions,Servings\n"
    for name in ["a/one.csv", "b/two.csv", "c/d/three.csv", "closed.csv"] {
      try shelf.write(table + "\(name),,,x,y,4\n", "in/\(name)")
    }
    let manager = FileManager.default
    func allow(_ mode: Int, _ name: String) throws {
      try manager.setAttributes([.posixPermissions: mode], ofItemAtPath: shelf.path(name))
    }
    try manager.createDirectory(atPath: shelf.path("out"), withIntermediateDirectories: true)
    for name in ["", "in", "out"] { try allow(0o777, name) }
    for name in ["in/b", "in/closed.csv"] { try allow(0, name) }
    defer { try? allow(0o755, "in/b") }
    let run = try Program.run(
      (DecantProgram.bound ?? []) + [
        DecantProgram.path, "import", shelf.path("in"), shelf.path("out/store.sqlite"), "--json",
      ],
      environment: ["TMPDIR": shelf.path("out")]
    )
    #expect(run.status == 3, "\(run.errors)")
    let titles = "SELECT group_concat(title) FROM (SELECT title FROM Recipe ORDER BY 1)"
    #expect(try shelf.value(titles, of: "out/store.sqlite") == "a/one.csv,c/d/three.csv")
    let report = try #require(JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
    let unread = try #require(report["unread"] as? [[String: Any]])
    #expect(Set(unread.compactMap { $0["entry"] as? String }) == ["b", "closed.csv"])
    for place in unread {
      #expect((place["reason"] as? String)?.contains("Permission denied") == true, "\(place)")
    }
  }

  /// On the file system of the destination, the database that was built in a temporary folder becomes the store itself.
  @Test func `a new store is the same, wherever the temporary folder is`() throws {
    try shelf.makeLibraries()
    let folders = [try TemporaryFolder(), try TemporaryFolder(inMemory: true)]
    let stores = ["a.sqlite", "b.sqlite", "c.sqlite"].map(folders[0].path)
    for (store, folder) in zip(stores, [folders[0], folders[1], folders[0]]) {
      // The program inherits the mask of the shell.
      let run = try Program.run(
        [
          "sh", "-c", "umask 027; exec \"$@\"", "sh", DecantProgram.path, "import", shelf.path("a.paprikarecipes"),
          store,
        ],
        environment: ["TMPDIR": folder.url.path])
      #expect(run.status == 0, "\(run.errors)")
      let mode = try FileManager.default.attributesOfItem(atPath: store)[.posixPermissions] as? Int
      #expect(mode == 0o640)
    }
    let bytes = try stores.map { try Data(contentsOf: URL(fileURLWithPath: $0)) }
    #expect(bytes[0] == bytes[2] && bytes[0] == bytes[1])
    #expect(try FileManager.default.contentsOfDirectory(atPath: folders[1].url.path) == [])
    #expect(try FileManager.default.contentsOfDirectory(atPath: folders[0].url.path).count == 3)
  }
}
