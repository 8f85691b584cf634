import Foundation
import TestSupport
import Testing

/// `export --share`: a part of a store that a mapping file names.
@Suite struct ShareCommandTests {
  private let place: CommandFolder

  init() throws {
    place = try CommandFolder()
    try Data(
      """
      share:
        best:
          roots: { Recipe: "rating >= :least AND title LIKE :like" }
          strip: [Recipe.author, Recipe.subtitle]
          max: { objects: 40, bytes: 25MB }
        one: { roots: { Recipe: "uuid = :id" } }
        same: { roots: { Recipe: "uuid = uuid_value(:id)" } }
        since: { roots: { Recipe: "createdAt >= :day AND title > ''" } }
        named: { roots: { Recipe: "title = :title" } }
        few: { roots: { Recipe: "rating >= :least" }, max: { objects: 3 } }
        small: { roots: { Recipe: "rating >= :least" }, max: { bytes: 900 } }

      """.utf8
    ).write(to: place.url.appendingPathComponent("m.yaml"))
  }

  private func export(_ share: String, _ parameters: [String], to archive: String = "s.decant") -> [String] {
    ["export", "Kitchen.sqlite", archive, "--mapping", "m.yaml", "--share", share]
      + parameters.flatMap { ["--param", $0] }
  }

  private func sqlite3(_ sql: String) throws -> [String] {
    try Program.sqlite3(place.folder.path("Kitchen.sqlite"), sql).split(separator: "\n").map(String.init)
  }

  private func query(_ sql: String) throws -> [String] {
    let run = try place.run(["query", "s.decant", sql, "--csv"])
    try #require(run.status == 0, "\(run.errors)")
    return run.output.split(whereSeparator: \.isNewline).dropFirst().map(String.init)
  }

  @Test func `roots are what the values choose, and what is stripped is empty`() throws {
    let run = try place.run(export("best", ["least=4.5", "like=%Soup%"]))
    #expect(run.status == 0, "\(run.errors)")
    let wanted = try sqlite3("SELECT ZTITLE FROM ZRECIPE WHERE ZRATING >= 4.5 AND ZTITLE LIKE '%Soup%' ORDER BY Z_PK")
    try #require(!wanted.isEmpty)
    #expect(try query("SELECT title FROM Recipe ORDER BY _id") == wanted)
    let author = try #require(try sqlite3("SELECT ZAUTHOR FROM ZRECIPE WHERE ZTITLE = 'Beetroot Soup with Dill'").first)
    let archive = String(decoding: try #require(place.content("s.decant")), as: UTF8.self)
    #expect(!archive.contains(author) && archive.contains(wanted[0]))
    #expect(try query("SELECT count(author) + count(subtitle) FROM Recipe") == ["0"])
  }

  @Test(arguments: [
    "' OR 1 --", "x') OR (1", "\u{2019}\u{301}' OR '1", "'\u{301} OR 1 --", ":title", "4.5 OR 1",
  ])
  func `a value is a value, whatever is written in it`(_ value: String) throws {
    try place.expect(
      export("named", ["title=" + value]),
      64,
      "no Recipe in “Kitchen.sqlite” meets the condition of the share"
    )
    #expect(place.content("s.decant") == nil)
  }

  @Test func `a title with quotes, and one that looks like a number, are found`() throws {
    _ = try Program.sqlite3(
      place.folder.path("Kitchen.sqlite"),
      "UPDATE ZRECIPE SET ZTITLE = 'Gran''s pie' WHERE Z_PK = 1; UPDATE ZRECIPE SET ZTITLE = '12' WHERE Z_PK = 2"
    )
    for (value, key) in [("Gran's pie", "1"), ("'12'", "2")] {
      #expect(try place.run(export("named", ["title=" + value])).status == 0)
      #expect(try query("SELECT _id FROM Recipe WHERE title IN ('Gran''s pie', '12')") == [key])
      try FileManager.default.removeItem(atPath: place.folder.path("s.decant"))
    }
  }

  @Test func `a uuid chooses one`() throws {
    let bytes = try #require(try sqlite3("SELECT lower(hex(ZUUID)) FROM ZRECIPE WHERE Z_PK = 1").first)
    var id = bytes
    for place in [20, 16, 12, 8] { id.insert("-", at: id.index(id.startIndex, offsetBy: place)) }
    for share in ["one", "same"] {
      #expect(try place.run(export(share, ["id=" + id])).status == 0)
      #expect(try query("SELECT min(_id) FROM Recipe") == ["1"])
      try FileManager.default.removeItem(atPath: place.folder.path("s.decant"))
    }
    try place.expect(
      export("one", ["id=00000000-0000-0000-0000-000000000000"], to: "no.decant"),
      64,
      "meets the condition of the share"
    )
  }

  @Test func `a day is a date beside one, and what is no day is told`() throws {
    let day = try #require(
      try sqlite3("SELECT date(max(ZCREATEDAT) + 978307200, 'unixepoch') FROM ZRECIPE WHERE ZTITLE > ''").first
    )
    let expected = try sqlite3(
      "SELECT count(*) FROM ZRECIPE WHERE ZCREATEDAT >= unixepoch('\(day)') - 978307200 AND ZTITLE > ''"
    )
    #expect(try place.run(export("since", ["day=" + day])).status == 0)
    #expect(try query("SELECT count(*) FROM Recipe WHERE createdAt >= date_value('\(day)')") == expected)
    try place.expect(
      export("since", ["day=yesterday"], to: "no.decant"),
      64,
      "createdAt holds dates, stored as numbers, but is compared with text"
    )
  }

  @Test func `a share that is too large is not published`() throws {
    let count = try sqlite3("SELECT count(*) FROM ZRECIPE WHERE ZRATING >= 4")
    try #require(Int(count[0]) ?? 0 > 3)
    for (share, what) in [("few", "its limit is 3 objects"), ("small", "its limit is 900 bytes")] {
      let run = try place.run(export(share, ["least=4"]))
      #expect(run.status != 0 && run.errors.contains(what), "\(run.errors)")
      #expect(run.errors.contains("would have ") && run.errors.contains("m.yaml:"))
      #expect(try place.names() == ["Guests.sqlite", "Kitchen.sqlite", "m.yaml"])
    }
  }

  @Test func `what is missing, unknown or too much is said`() throws {
    let all: [([String], String)] = [
      (export("few", []), "requires a value for :least\n  m.yaml:10:27"),
      (export("few", ["least=1", "most=2"]), "has no parameter most"),
      (export("few", ["least=1", "least=2"]), "is given twice"),
      (export("fev", []), "did you mean few?"),
      (export("few", ["=1"]), "name=value"),
      (export("few", ["least=1"]) + ["--root", "Recipe: 1"], "--root and --each"),
      (["export", "Kitchen.sqlite", "s.decant", "--share", "few"], "add --mapping FILE"),
      (["export", "Kitchen.sqlite", "s.decant", "--param", "a=1"], "add --share"),
      (export("small", ["least=4"], to: "-"), "cannot be measured in advance"),
    ]
    for (arguments, message) in all { try place.expect(arguments, 64, message) }
  }

  @Test(arguments: [
    ("{ roots: { Recip: '1' } }", "1:24", "did you mean Recipe?"),
    ("{ roots: { Recipe: 'ratng > :x' } }", "1:32", "did you mean rating?"),
    ("{ roots: { Recipe: '1' }, strip: [Recipe.ratng] }", "1:47", "did you mean Recipe.rating?"),
    ("{ roots: { Recipe: 'rating > 1' }, strip: [Recipe.rating] }", "1:32", "do not strip it"),
  ])
  func `mistakes of a share are named with their place, whoever is asked for`(
    _ share: String,
    _ mark: String,
    _ remedy: String
  ) throws {
    try Data("share: { a: \(share) }".utf8).write(to: place.url.appendingPathComponent("m.yaml"))
    let arguments = ["copy", "Kitchen.sqlite", "c.sqlite", "--mapping", "m.yaml"]
    try place.expect(arguments, 64, "m.yaml:\(mark)\n")
    try place.expect(arguments, 64, remedy)
  }
}
