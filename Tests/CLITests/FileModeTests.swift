import Foundation
import TestSupport
import Testing

/// Who may read and write what decant makes: as the user's mask has it, and as files are that were there.
@Suite struct FileModeTests {
  private let place: CommandFolder

  init() throws {
    place = try CommandFolder()
    try set("Kitchen.sqlite", 0o600)
    try set("Guests.sqlite", 0o444)
  }

  private func set(_ name: String, _ mode: Int) throws {
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: place.folder.path(name))
  }

  private func mode(_ name: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: place.folder.path(name))[.posixPermissions]
      as? Int
  }

  private func run(_ mask: String, _ arguments: [String]) throws {
    let script = "umask \(mask); \"$0\" \"$@\""
    let run = try Program.run(["sh", "-c", script, DecantProgram.path] + arguments, in: place.url)
    #expect([0, 3].contains(run.status), "\(arguments): \(run.errors)")
  }

  private static let masks = [("002", 0o664), ("022", 0o644), ("027", 0o640), ("077", 0o600)]

  @Test(arguments: masks)
  func `a new file has what the mask leaves`(mask: String, expected: Int) throws {
    let big = "UPDATE ZIMAGE SET ZDATA = CAST(x'01' || randomblob(300000) AS BLOB)"
    _ = try Program.sqlite3(place.folder.path("Kitchen.sqlite"), big)
    let verbs = [
      ["copy", "Kitchen.sqlite", "copied.sqlite", "--keep-ids", "ids.sqlite"],
      ["copy", "Guests.sqlite", "guests.sqlite"],
      ["export", "Guests.sqlite", "g.decant"], ["export", "Guests.sqlite", "g.decant.zip"],
      ["export", "Guests.sqlite", "g.html"], ["export", "Guests.sqlite", "g.eml"],
      ["import", "g.decant", "imported.sqlite"],
      ["copy", "g.decant", "unpacked.sqlite"],
      ["copy", "Kitchen.sqlite", "gated.sqlite", "--template", "Kitchen.sqlite"],
      ["merge", "g.decant", "copied.sqlite", "--tombstones", "gone.sqlite"],
    ]
    for arguments in verbs { try run(mask, arguments) }
    for name in [
      "copied.sqlite", "ids.sqlite", "guests.sqlite", "g.decant", "g.decant.zip", "g.html", "g.eml",
      "imported.sqlite", "unpacked.sqlite", "gated.sqlite", "gone.sqlite",
    ] { #expect(try mode(name) == expected, "\(name)") }
    #expect(try mode("Kitchen.sqlite") == 0o600 && mode("Guests.sqlite") == 0o444)
    if mask != "002" {
      _ = try Program.run(["sh", "-c", "umask \(mask); sqlite3 theirs.sqlite 'CREATE TABLE t(a)'"], in: place.url)
      #expect(try mode("theirs.sqlite") == expected)
    }
  }

  @Test(arguments: masks)
  func `files of recipes have what the mask leaves`(mask: String, expected: Int) throws {
    try Data(#"{"@type":"Recipe","name":"Soup","recipeIngredient":["1 leek"]}"#.utf8)
      .write(to: place.url.appendingPathComponent("soup.json"))
    for arguments in [
      ["import", "soup.json", "soup.sqlite"], ["import", "soup.json", "coredata:core.sqlite"],
      ["export", "soup.sqlite", "soup.paprikarecipes"], ["export", "soup.sqlite", "soup.mmf"],
    ] { try run(mask, arguments) }
    for name in ["soup.sqlite", "core.sqlite", "soup.paprikarecipes", "soup.mmf"] {
      #expect(try mode(name) == expected, "\(name)")
    }
  }

  @Test func `what is there keeps its own`() throws {
    for (name, mode) in [("ids.sqlite", 0o660), ("r.decant", 0o604)] {
      try Data().write(to: place.url.appendingPathComponent(name))
      try set(name, mode)
    }
    _ = try Program.sqlite3(place.folder.path("Kitchen.sqlite"), "UPDATE ZTAG SET Z_ENT = 77 WHERE Z_PK = 2")
    try run(
      "022",
      [
        "copy", "Kitchen.sqlite", "new.sqlite", "--on-error", "reject", "--rejects", "r.decant",
        "--keep-ids", "ids.sqlite",
      ]
    )
    #expect(try mode("ids.sqlite") == 0o660 && mode("r.decant") == 0o604)
    try set("new.sqlite", 0o604)
    try run("022", ["merge", "Guests.sqlite", "new.sqlite", "--commit", "batch"])
    #expect(try mode("new.sqlite") == 0o604 && mode("new.sqlite.backup-1") == 0o604)
  }
}
