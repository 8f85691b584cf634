import Foundation
import TestSupport
import Testing

/// The files into which `decant query --blob-dir` writes bytes.
@Suite struct QueryBlobTests {
  private let folder: CommandFolder

  init() throws { folder = try CommandFolder() }

  /// Prints what the pictures of the sample are, from the store's own tables and files, as JSON.
  private static let pictures = """
    import hashlib, json, sqlite3
    c = sqlite3.connect("Kitchen.sqlite")
    print(json.dumps([None if b is None or b[0] == 2 else hashlib.sha256(b[1:]).hexdigest()
      for b, in c.execute("SELECT ZDATA FROM ZIMAGE ORDER BY Z_PK")]))
    """

  private func digest(_ name: String) throws -> String {
    let run = try Program.run(["sha256sum", name], in: folder.url)
    return String(run.output.prefix(64))
  }

  @Test(arguments: ["--json", "--jsonl", "--csv", "--tsv", ""])
  func `each value becomes the file that the output names`(_ form: String) throws {
    let expected = try #require(
      JSONSerialization.jsonObject(
        with: Data(Program.run(["python3", "-c", Self.pictures], in: folder.url).output.utf8)
      ) as? [Any]
    )
    let options = ["--blob-dir", "new/out"] + (form.isEmpty ? [] : [form])
    let run = try folder.run(["query", "Kitchen.sqlite", "SELECT data FROM Image ORDER BY _id"] + options)
    #expect(run.status == 0, "\(run.errors)")
    var written = 0
    for (index, picture) in expected.enumerated() {
      let name = "new/out/data-\(index + 1).png"
      guard let picture = picture as? String else {
        #expect(!run.output.contains(name))
        continue
      }
      written += 1
      #expect(run.output.contains(name))
      #expect(try digest(name) == picture)
    }
    #expect(written > 3)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.folder.path("new/out"))
    #expect(names.count == written)
    #expect(names.allSatisfy { $0.hasSuffix(".png") })
    guard form == "--jsonl" else { return }
    for line in run.output.split(separator: "\n") {
      let row = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      guard let bytes = row?["data"] as? [String: Any] else { continue }
      #expect(bytes.keys.sorted() == ["bytes", "file", "type"])
    }
  }

  @Test func `a file that is there stays, and the query fails`() throws {
    let sql = "SELECT x'00' AS a UNION ALL SELECT x'01'"
    let arguments = ["query", "Kitchen.sqlite", sql, "--blob-dir", "out", "--csv"]
    #expect(try folder.run(arguments).output == "a\nout/a-1.bin\nout/a-2.bin\n")
    try Data("mine".utf8).write(to: folder.url.appendingPathComponent("out/a-1.bin"))
    try folder.run(["query", "Kitchen.sqlite", "SELECT 1"]).expectSuccess()
    let again = try folder.run(arguments)
    #expect(again.status == 64)
    #expect(again.errors.contains("“out/a-1.bin” already exists"))
    #expect(again.errors.contains("\n  name an empty folder"))
    #expect(folder.content("out/a-1.bin") == Data("mine".utf8))
    #expect(folder.content("out/a-2.bin") == Data([1]))
    try FileManager.default.removeItem(atPath: folder.folder.path("out/a-1.bin"))
    try FileManager.default.createSymbolicLink(
      atPath: folder.folder.path("out/a-1.bin"),
      withDestinationPath: "../victim"
    )
    #expect(try folder.run(arguments).status == 64)
    #expect(folder.content("victim") == nil)
    for place in ["Kitchen.sqlite", ""] {
      let query = ["query", "Kitchen.sqlite", sql, "--blob-dir", place]
      try folder.expect(query, 64, "“\(place)” is not a folder")
    }
  }

  @Test func `names of files are safe and differ, and nothing but bytes becomes a file`() throws {
    let sql = """
      SELECT x'00' AS "../../etc/passwd", x'01' AS "-rf", x'02' AS "a/b", x'03' AS "A b", x'' AS "",
        NULL AS n, 'text' AS t, 1 AS i, x'89504e470d0a1a0a' AS p, x'ffd8ff' AS p,
        x'04' AS "\(String(repeating: "ä", count: 200))"
      """
    let run = try folder.run(["query", "Kitchen.sqlite", sql, "--blob-dir", "out", "--tsv"])
    #expect(run.status == 0, "\(run.errors)")
    let long = String(repeating: "ä", count: 40)
    let expected = [
      "______etc_passwd-1.bin", "_rf-1.bin", "a_b-1.bin", "A_b_2-1.bin", "column-1.bin",
      "p-1.png", "p_2-1.jpg", "\(long)-1.bin",
    ]
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.folder.path("out"))
    #expect(names.sorted() == expected.sorted())
    #expect(folder.content("out/column-1.bin") == Data())
    #expect(try folder.names() == ["Guests.sqlite", "Kitchen.sqlite", "out"])
  }

  @Test func `large values are written piece by piece, in place and in base64`() throws {
    // 9 MB, whose length is no multiple of three.
    let sql = "SELECT CAST(replace(hex(zeroblob(2250000)), '0', 'ab') AS BLOB) AS b, 1 AS n"
    let run = try folder.run(["query", "Kitchen.sqlite", sql, "--blob-dir", "out", "--csv"])
    #expect(run.output == "b,n\nout/b-1.bin,1\n", "\(run.errors)")
    let whole = Data(String(repeating: "ab", count: 4_500_000).utf8)
    #expect(folder.content("out/b-1.bin") == whole)
    let json = try folder.run(["query", "Kitchen.sqlite", sql + ", x'0102' AS c", "--jsonl"])
    let row = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any]
    let text = (row?["b"] as? [String: Any])?["base64"] as? String
    #expect(text.flatMap { Data(base64Encoded: $0) } == whole)
    #expect((row?["c"] as? [String: Any])?["base64"] as? String == "AQI=")
  }
}

extension Program {
  fileprivate func expectSuccess() { #expect(status == 0, "\(errors)") }
}
