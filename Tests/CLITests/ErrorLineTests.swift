import Foundation
import TestSupport
import Testing

/// Where progress is told as JSON, an error is the last line of it.
@Suite struct ErrorLineTests {
  private let place: CommandFolder

  init() throws { place = try CommandFolder() }

  @Test(arguments: [
    (["copy", "Kitchen.sqlite", "out.sqlite", "--where", "Recipee: 1"], "unknownName", 64),
    (["merge", "Guests.sqlite", "none.sqlite"], "storeNotFound", 10),
    (["verify", "none.sqlite", "Kitchen.sqlite"], "storeNotFound", 10),
    (["copy", "Kitchen.sqlite", "out.sqlite", "--mapping", "none.yaml"], "invalidMapping", 64),
    (["rollback", "Kitchen.sqlite"], "noBackup", 1),
    (["merge", "Guests.sqlite", "Kitchen.sqlite", "--merge", "three-way"], "missingOption", 64),
  ])
  func `an error is the last line`(arguments: [String], code: String, status: Int32) throws {
    let run = try place.run(arguments + ["--progress", "json"])
    #expect(run.status == status, "\(run.errors)")
    let last = try #require(run.errors.split(separator: "\n").last)
    let line = try JSONSerialization.jsonObject(with: Data(last.utf8)) as? [String: Any]
    #expect(line?["event"] as? String == "error")
    let error = try #require(line?["error"] as? [String: Any])
    #expect(error["code"] as? String == code)
    #expect((error["remedies"] as? [[String: Any]])?.allSatisfy { $0["remedy"] is String } == true)
    #expect(error["contexts"] is [String])
    // The text that a person reads says the same.
    let what = try #require(error["what"] as? String)
    #expect(run.errors.contains("decant: \(what)\n"))
    let plain = try place.run(arguments)
    #expect(!plain.errors.contains("{\"error\""))
  }
}
