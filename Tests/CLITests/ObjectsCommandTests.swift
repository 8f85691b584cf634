import TestSupport
import Testing

/// A Core Data store as a plain database, and back: as the page of the command line tells it.
@Suite struct ObjectsCommandTests {
  private let place: CommandFolder

  init() throws { place = try CommandFolder() }

  private func run(_ arguments: String...) throws -> Program {
    let run = try place.run(arguments)
    #expect(run.status == 0, "\(arguments): \(run.errors)")
    return run
  }

  @Test func `there, added to, back, and added to what is there`() throws {
    _ = try run("copy", "Kitchen.sqlite", "sqlite:recipes.db")
    _ = try run("copy", "Guests.sqlite", "recipes.db", "--append", "--keep-ids", "ids.sqlite")
    #expect(
      try run("verify", "Guests.sqlite", "recipes.db", "--ids", "ids.sqlite").output
        == "equal: all 61 objects of Guests.sqlite are in recipes.db\n"
    )
    _ = try run("copy", "recipes.db", "coredata:Back.sqlite", "--template", "Kitchen.sqlite")
    // The first recipe of the kitchen, as the store itself has it.
    let there = """
      SELECT r.ZTITLE, CAST(r.ZCREATEDAT + 978307200 AS INTEGER), c.ZNAME, r.ZPRICE
      FROM ZRECIPE AS r JOIN ZCATEGORY AS c ON c.Z_PK = r.ZCATEGORY WHERE r.Z_PK = 1
      """
    let here = """
      SELECT r.title, strftime('%s', r.createdAt), c.name, r.price
      FROM Recipe AS r JOIN Category AS c ON c.id = r.category_id WHERE r.id = 1
      """
    #expect(
      try Program.sqlite3(place.folder.path("recipes.db"), here)
        == Program.sqlite3(place.folder.path("Kitchen.sqlite"), there)
    )
    #expect(
      try run("verify", "recipes.db", "Back.sqlite").output
        == "equal: all 208 objects of recipes.db are in Back.sqlite\n"
    )
    let dry = try run("copy", "recipes.db", "Guests.sqlite", "--append", "--dry-run")
    #expect(dry.output.contains("234 copied"))
    let real = try run("copy", "recipes.db", "Guests.sqlite", "--append", "--where", "Recipe: _id = 1")
    #expect(real.output.contains("verified"))
  }

  @Test func `what cannot be done has its exit code, and leaves nothing behind`() throws {
    _ = try run("copy", "Kitchen.sqlite", "sqlite:recipes.db")
    let files = try place.names()
    let back = ["copy", "recipes.db", "coredata:Back.sqlite"]
    try place.expect(back, 64, "--template MODEL")
    try place.expect(
      ["copy", "Guests.sqlite", "sqlite:new.db", "--template", "Kitchen.sqlite"],
      64,
      "“new.db” is a plain database"
    )
    try place.expect(["copy", "Guests.sqlite", "recipes.db"], 64, "--append to add all")
    try place.expect(
      back + ["--template", "Kitchen.sqlite", "--no-link", "Recipe.title"],
      64,
      "are for plain databases"
    )
    _ = try Program.sqlite3(place.folder.path("recipes.db"), "DROP TABLE Step")
    try place.expect(back + ["--template", "Kitchen.sqlite"], 12, "has no table Step")
    try place.expect(["verify", "Kitchen.sqlite", "recipes.db"], 12, "has no table Step")
    #expect(try place.names() == files)
  }
}
