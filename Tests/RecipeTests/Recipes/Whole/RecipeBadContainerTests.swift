import Decant
import Foundation
import TestSupport
import Testing

/// Containers as strangers pack them: what can be read comes, and of the rest it is said why not.
@Suite struct RecipeBadContainerTests {
  private let shelf: RecipeShelf

  init() throws { shelf = try RecipeShelf() }

  @Test func `a gzip that is cut off in a zip rejects one recipe`() throws {
    try shelf.make(
      "a.paprikarecipes",
      """
      library([("A", packed(recipe("A"))), ("B", packed(recipe("B"))[:-20]), ("C", packed(recipe("C"))),
          ("D", packed(recipe("D"))[:4]), ("E", b"\\x1f\\x8b\\x08\\x00garbage and more garbage"),
          ("F", gzip.compress(b'{"name": "F", "ingredients": "x", "directions"')), ("G", packed(recipe("G")))])
      """
    )
    let report = try shelf.import("a.paprikarecipes")
    try shelf.check(report, titles: ["A", "C", "G"], rejects: ["B": "", "D": "", "E": "", "F": ""])
    for unread in report.unread {
      #expect(!unread.reason.isEmpty && unread.file.hasSuffix("a.paprikarecipes"))
    }
  }

  @Test func `the rejects are listed in a file`() throws {
    try shelf.make(
      "a.paprikarecipes",
      #"library([("A", packed(recipe("A"))), ("B", packed(recipe("B"))[:-20])])"#
    )
    try shelf.import("a.paprikarecipes") { $0.options.rejectsFile = shelf.path("r.jsonl") }
    let data = try Data(contentsOf: URL(fileURLWithPath: shelf.path("r.jsonl")))
    let line = try #require(JSONSerialization.jsonObject(with: data) as? [String: String])
    #expect(line["entry"] == "B" && line["reason"]?.isEmpty == false, "\(line)")
  }

  @Test func `an encrypted member rejects itself`() throws {
    try shelf.make(
      "a.paprikarecipes",
      """
      library([("A", packed(recipe("A"))), ("B", packed(recipe("B"))), ("C", packed(recipe("C")))])
      data = bytearray(open(place, "rb").read())
      with zipfile.ZipFile(place) as file: info = file.getinfo("B")
      data[info.header_offset + 6] |= 1
      start = data.index(b"PK\\x01\\x02")
      start = data.index(b"PK\\x01\\x02", start + 4)
      data[start + 8] |= 1
      open(place, "wb").write(data)
      """
    )
    let report = try shelf.import("a.paprikarecipes")
    try shelf.check(report, titles: ["A", "C"], rejects: ["B": "encrypted"])
  }

  @Test func `a zip that is encrypted as a whole says so`() throws {
    try shelf.make(
      "a.paprikarecipes",
      """
      library([("A", packed(recipe("A")))])
      data = bytearray(open(place, "rb").read())
      data[6] |= 1
      data[data.index(b"PK\\x01\\x02") + 8] |= 1
      open(place, "wb").write(data)
      """
    )
    let error = #expect(throws: DecantError.self) { try shelf.import("a.paprikarecipes") }
    #expect(error?.message.contains("encrypted") == true, "\(error?.message ?? "")")
  }

  /// What came before the end is there, and the end is told; or nothing, with the reason.
  @Test(arguments: [0.3, 0.6, 0.9, 0.999])
  func `a zip that is cut off loses nothing in silence`(_ part: Double) throws {
    try shelf.make(
      "a.paprikarecipes",
      """
      import random
      random.seed(1)
      noise = lambda n: base64.b64encode(random.randbytes(3000)).decode()
      library([(n, packed(recipe(n, notes=noise(n)))) for n in "ABCDEFGH"])
      data = open(place, "rb").read()
      open(place, "wb").write(data[:int(len(data) * \(part))])
      """
    )
    do {
      let report = try shelf.import("a.paprikarecipes")
      #expect(!report.unread.isEmpty, "\(report.notes)")
      let titles = try shelf.content().titles
      #expect(titles == Array("ABCDEFGH").prefix(titles.count).map(String.init))
      #expect(report.unread.allSatisfy { !$0.reason.isEmpty }, "\(report.unread)")
    } catch let error as DecantError {
      #expect(error.family == .corruptStore)
      #expect(error.place?.isEmpty == false)
    }
  }

  @Test func `a member that is damaged rejects itself`() throws {
    try shelf.make(
      "a.melarecipes",
      """
      mela = lambda n: json.dumps({"id": n, "title": n, "ingredients": "x", "instructions": "y" * 500})
      library([(n, mela(n)) for n in "ABC"], zipfile.ZIP_STORED)
      data = bytearray(open(place, "rb").read())
      at = data.index(b'"id": "B"') + 200
      data[at] ^= 1
      open(place, "wb").write(data)
      """
    )
    try shelf.check(try shelf.import("a.melarecipes"), titles: ["A", "C"], rejects: ["B": ""])
  }

  @Test func `containers in containers are opened, to a depth`() throws {
    let script = """
      import io
      data = packed(recipe("A"))
      for depth in range(DEPTH):
          buffer = io.BytesIO()
          library([("inner.zip", data)], to=buffer)
          data = buffer.getvalue()
      library([("deep.zip", data), ("B", packed(recipe("B")))])
      """
    try shelf.make("a.zip", "DEPTH = 2\n" + script)
    try shelf.check(try shelf.import("a.zip"), titles: ["A", "B"], rejects: [:])
    try shelf.make("b.zip", "DEPTH = 8\n" + script)
    let report = try shelf.import("b.zip", into: "deep.sqlite")
    #expect(report.unread.count == 1)
    #expect(report.unread.first?.reason.contains("deep") == true, "\(report.unread)")
    #expect(report["Recipe"]?.copied == 1)
  }

  @Test func `a name in a folder that is not UTF-8 is listed`() throws {
    try shelf.make(
      "in",
      #"""
      import os
      os.makedirs(place.encode() + b"/d\xe9")
      for name in [b"K\xfcche", b"ok", b"d\xe9/x"]:
        with open(place.encode() + b"/" + name + b".melarecipe", "w") as file:
          json.dump({"id": repr(name), "title": repr(name), "ingredients": "1 egg", "instructions": "Mix."}, file)
      """#)
    let report = try shelf.import("in")
    #expect(report["Recipe"]?.copied == 1)
    #expect(report.unread.count == 2 && report.unread.allSatisfy { $0.reason.contains("UTF-8") }, "\(report.unread)")
  }

  /// A small file that unpacks to a big one.
  @Test func `a bomb is refused, and the others come`() throws {
    try shelf.make(
      "a.paprikarecipes",
      """
      library([("A", packed(recipe("A"))), ("B", gzip.compress(b" " * 30_000_000)), ("C", packed(recipe("C")))])
      """
    )
    let report = try shelf.import("a.paprikarecipes") {
      $0.limits.totalByteCount = 10_000_000
    }
    try shelf.check(report, titles: ["A", "C"], rejects: ["B": ""])
  }

  @Test func `noise of Finder is no recipe, and no fault`() throws {
    try shelf.make(
      "a.paprikarecipes",
      """
      double = bytes([0, 5, 22, 7, 0, 2, 0, 0]) + bytes(100)
      library([("My Recipes/", b""), ("My Recipes/A.paprikarecipe", packed(recipe("A"))),
          ("__MACOSX/My Recipes/._A.paprikarecipe", double), ("My Recipes/._A.paprikarecipe", double),
          ("My Recipes/.DS_Store", b"x"), ("B.paprikarecipe/", b""),
          ("B.paprikarecipe/C.paprikarecipe", packed(recipe("C")))])
      """
    )
    let report = try shelf.import("a.paprikarecipes")
    try shelf.check(report, titles: ["A", "C"], rejects: [:])
    #expect(!report.notes.commandLine.contains { $0.contains("skipped") }, "\(report.notes)")
  }

  @Test func `a folder with the same noise is read as well`() throws {
    try shelf.make("in/x", "open(place, 'w').write('x')", inFolder: true)
    try shelf.make("in/B.paprikarecipe/C.paprikarecipe", "open(place, 'wb').write(packed(recipe('C')))", inFolder: true)
    try shelf.make("in/A.paprikarecipe", "open(place, 'wb').write(packed(recipe('A')))")
    try shelf.make("in/._A.paprikarecipe", "open(place, 'wb').write(bytes([0, 5, 22, 7]) + bytes(90))")
    let report = try shelf.import("in")
    try shelf.check(report, titles: ["A", "C"], rejects: [:], notes: ["skipped: in, x"])
  }

  @Test func `an AppleDouble file by itself says that it holds nothing`() throws {
    try shelf.write([0, 5, 22, 7, 0, 2, 0, 0] + [UInt8](repeating: 0, count: 99), "._x.paprikarecipe")
    let error = #expect(throws: DecantError.self) { try shelf.import("._x.paprikarecipe") }
    #expect(error?.message.contains("._x.paprikarecipe") == true)
  }
}
