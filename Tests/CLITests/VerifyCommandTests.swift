import Foundation
import TestSupport
import Testing

@Suite struct VerifyCommandTests {
  private let place: CommandFolder

  init() throws {
    place = try CommandFolder()
    let run = try place.run([
      "copy", "Kitchen.sqlite", "out.sqlite", "--keep-ids", "ids.sqlite", "-q",
    ])
    #expect(run.status == 0, "\(run.errors)")
  }

  @Test func `stores that are equal are exit code 0`() throws {
    let run = try place.run(["verify", "Kitchen.sqlite", "out.sqlite"])
    #expect(run.status == 0)
    #expect(run.errors.isEmpty)
    try GoldenText.expect(run.output, "verify-equal.txt")
    let matched = try place.run(["verify", "Kitchen.sqlite", "out.sqlite", "--ids", "ids.sqlite"])
    #expect(matched.status == 0)
  }

  @Test func `stores that differ are exit code 4, and what differs is named`() throws {
    _ = try Program.sqlite3(
      place.folder.path("out.sqlite"),
      """
      UPDATE ZRECIPE SET ZTITLE = 'Toast' WHERE Z_PK = 2; DELETE FROM ZTAG WHERE Z_PK = 6;
      UPDATE ZINGREDIENT SET ZRECIPE = 3 WHERE Z_PK = 1; DELETE FROM Z_6TAGS WHERE rowid = 1
      """
    )
    let run = try place.run(["verify", "Kitchen.sqlite", "out.sqlite"])
    #expect(run.status == 4)
    #expect(run.errors.isEmpty)
    try GoldenText.expect(run.output, "verify-differ.txt")
    let quiet = try place.run(["verify", "Kitchen.sqlite", "out.sqlite", "-q"])
    #expect(quiet.status == 4)
    #expect(quiet.output.isEmpty && quiet.errors.isEmpty)
  }

  @Test(arguments: [false, true])
  func `the result is one JSON document of known members`(isEqual: Bool) throws {
    if !isEqual {
      _ = try Program.sqlite3(place.folder.path("out.sqlite"), "UPDATE ZRECIPE SET ZTITLE = 'Toast' WHERE Z_PK = 2")
    }
    let run = try place.run([
      "verify", "Kitchen.sqlite", "out.sqlite", "--ids", "ids.sqlite", "--json",
    ])
    #expect(run.status == (isEqual ? 0 : 4))
    let document = try JSONSerialization.jsonObject(with: Data(run.output.utf8))
    let result = try #require(document as? [String: Any])
    #expect(result["decant"] as? String == "1.0")
    #expect(result["verb"] as? String == "verify")
    #expect((result["source"] as? [String: Any])?["place"] as? String == "Kitchen.sqlite")
    #expect((result["destination"] as? [String: Any])?["uuid"] is String)
    #expect(result["matchedBy"] as? String == "ids")
    let entities = try #require(result["entities"] as? [String: [String: Any]])
    #expect(entities["Recipe"]?["source"] as? Int == 12)
    #expect(entities["Recipe"]?["expected"] as? Int == 12)
    #expect(entities["Recipe"]?["matchedBy"] as? String == "ids")
    #expect(result["rejected"] as? Int == 0)
    #expect(result["equal"] as? Bool == isEqual)
    #expect(result["truncated"] as? Bool == false)
    #expect(result["notes"] is [String])
    let differences = try #require(result["differences"] as? [[String: Any]])
    #expect(differences.count == (isEqual ? 0 : 1))
    guard let difference = differences.first else { return }
    #expect(difference["entity"] as? String == "Recipe")
    #expect(difference["ids"] as? [Int] == [2])
    #expect(difference["kind"] as? String == "changed")
    #expect(difference["properties"] as? [String] == ["title"])
  }

  @Test func `an ID table of another copy is exit code 64`() throws {
    let other = try place.run(["copy", "Kitchen.sqlite", "other.sqlite", "-q"])
    #expect(other.status == 0)
    try place.expect(
      ["verify", "Kitchen.sqlite", "other.sqlite", "--ids", "ids.sqlite"],
      64,
      "is the ID table of a different copy"
    )
    try place.expect(
      ["verify", "Guests.sqlite", "out.sqlite", "--ids", "ids.sqlite"],
      64,
      "is the ID table of a different copy"
    )
  }

  @Test func `every failure has its exit code`() throws {
    let verify = ["verify", "Kitchen.sqlite"]
    try place.expect(verify + ["nowhere.sqlite"], 10, "there is no store at")
    try place.expect(verify + ["out.sqlite", "--ids", "no.sqlite"], 10, "there is no ID table")
    try place.expect(verify + ["out.sqlite", "--ids", "Kitchen.sqlite"], 13, "as an ID table")
    try place.expect(verify + ["out.sqlite", "--upwards"], 64, "Unknown option '--upwards'")
    try place.expect(verify + ["mysql:x.db"], 64, "unknown kind of store “mysql”")
    try Data("Two cups of flour\n".utf8).write(to: place.url.appendingPathComponent("text.txt"))
    try place.expect(verify + ["text.txt"], 13, "file is not a database")
    _ = try Program.sqlite3(place.folder.path("out.sqlite"), "DELETE FROM Z_MODELCACHE")
    try place.expect(verify + ["out.sqlite"], 12, "does not contain its model")
  }

  @Test func `a store that another process holds is exit code 11`() throws {
    let holder = try LockHolder(place.folder.path("out.sqlite"), statement: "BEGIN EXCLUSIVE; SELECT 1")
    try place.expect(["verify", "Kitchen.sqlite", "out.sqlite"], 11, "locked")
    holder.release()
  }

  @Test func `comparing changes nothing`() throws {
    let names = try place.names()
    let before = names.map(place.content)
    _ = try place.run(["verify", "Kitchen.sqlite", "out.sqlite", "--ids", "ids.sqlite"])
    #expect(try place.names() == names)
    #expect(names.map(place.content) == before)
  }
}
