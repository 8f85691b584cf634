import Decant
import Foundation
import TestSupport
import Testing

/// Pictures wherever a store keeps them.
@Suite struct PagePictureTests {
  private let files: SharedFiles

  init() throws { files = try SharedFiles.kitchen() }

  /// Puts what a Python expression makes of `content` into a column of the first recipe or picture.
  private func put(_ expression: String, into column: String, of table: String, key: Int = 1) throws -> String {
    try files.python(
      """
      import hashlib, json, plistlib, sqlite3, sys, random
      random.seed(7)
      png = b"\\x89PNG\\r\\n\\x1a\\n" + random.randbytes(700_000)
      def archive(picture):
          objects = ["$null", {"UIImageData": plistlib.UID(2), "UIScale": 2.0, "$class": plistlib.UID(3)},
                     picture, {"$classname": "UIImage", "$classes": ["UIImage", "NSObject"]}]
          return plistlib.dumps({"$version": 100000, "$archiver": "NSKeyedArchiver",
              "$top": {"root": plistlib.UID(1)}, "$objects": objects}, fmt=plistlib.FMT_BINARY)
      picture, value = \(expression)
      db = sqlite3.connect(sys.argv[1])
      db.execute("UPDATE \(table) SET \(column) = ? WHERE Z_PK = \(key)", (value,))
      db.commit()
      print(json.dumps(hashlib.sha256(picture).hexdigest()))
      """,
      [files.store]
    )
  }

  private func recipePage() throws -> PageContent {
    try files.writePage(SharedScope(objects: [SharedObject("Recipe", 1)]))
    let page = try files.readPage()
    page.checkHarmless()
    return page
  }

  @Test func `a picture larger than any buffer comes whole`() throws {
    let digest = try put("png, b'\\x01' + png", into: "ZDATA", of: "ZIMAGE")
    #expect(try recipePage().pictures == ["image/png \(digest)"])
  }

  @Test func `an archived picture is taken out of its archive`() throws {
    let digest = try put("png, archive(png)", into: "ZNUTRITION", of: "ZRECIPE")
    #expect(try recipePage().pictures.contains("image/png \(digest)"))
  }

  @Test func `an archived picture in an attribute that may lie outside, too`() throws {
    let digest = try put("png, b'\\x01' + archive(png)", into: "ZDATA", of: "ZIMAGE")
    #expect(try recipePage().pictures == ["image/png \(digest)"])
  }

  @Test func `an archive without a picture is none`() throws {
    _ = try put("(b'', archive(b'no picture at all' * 1000))", into: "ZNUTRITION", of: "ZRECIPE")
    let page = try recipePage()
    #expect(page.pictures.count == 1 && page.downloads.isEmpty)
    #expect(page.words.contains("Nutrition: 17 KB of data"))
  }

  @Test(arguments: [
    ("jpeg", "b'\\xff\\xd8\\xff\\xe0' + png"), ("gif", "b'GIF89a' + png"),
    ("webp", "b'RIFF\\0\\0\\0\\0WEBP' + png"),
  ]) func `is told by its bytes`(_ type: String, _ bytes: String) throws {
    let digest = try put("(lambda p: (p, b'\\x01' + p))(\(bytes))", into: "ZDATA", of: "ZIMAGE")
    #expect(try recipePage().pictures == ["image/\(type) \(digest)"])
  }

  @Test(arguments: ["heic", "tiff"]) func `what browsers do not show is offered`(_ type: String)
    throws
  {
    let bytes = ["heic": "b'\\0\\0\\0\\x18ftypheic' + png", "tiff": "b'II*\\0' + png"][type] ?? ""
    let digest = try put("(lambda p: (p, b'\\x01' + p))(\(bytes))", into: "ZDATA", of: "ZIMAGE")
    let page = try recipePage()
    #expect(page.pictures.isEmpty)
    #expect(page.downloads == ["image/\(type) \(digest)"])
    #expect(try String(contentsOfFile: files.page, encoding: .utf8).contains("<a download=\""))
  }

  @Test func `an SVG is no picture`() throws {
    _ = try put(
      "(b'', b'\\x01<svg xmlns=\"http://www.w3.org/2000/svg\" onload=\"alert(1)\"/>')",
      into: "ZDATA",
      of: "ZIMAGE"
    )
    let page = try recipePage()
    #expect(page.pictures.isEmpty && page.downloads.isEmpty)
  }

  @Test(arguments: [true, false]) func `a picture in a file of its own is read there`(_ isThere: Bool)
    throws
  {
    let name = "0A1B2C3D-1111-4222-8333-000000000001"
    _ = try put("(b'', b'\\x02\(name)\\0')", into: "ZDATA", of: "ZIMAGE")
    let place = files.folder.url.appendingPathComponent(".store_SUPPORT/_EXTERNAL_DATA")
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    let path = place.appendingPathComponent(name).path
    if isThere {
      let digest: String = try files.python(
        """
        import hashlib, json, os, sys
        png = b"\\x89PNG\\r\\n\\x1a\\n" + os.urandom(3_000_000)
        open(sys.argv[1], "wb").write(png)
        print(json.dumps(hashlib.sha256(png).hexdigest()))
        """,
        [path]
      )
      #expect(try recipePage().pictures == ["image/png \(digest)"])
    } else {
      let report = try files.writePage(SharedScope(objects: [SharedObject("Recipe", 1)]))
      #expect(report.lostFileCount == 1 && report.pictureCount == 0)
      #expect(try files.readPage().words.contains("Data: its file is lost"))
    }
  }

  @Test func `rows without a key show their pictures, too`() throws {
    let plain = try SharedFiles()
    _ = try Program.sqlite3(
      plain.store,
      """
      CREATE TABLE scan (name TEXT, data BLOB, PRIMARY KEY (name)) WITHOUT ROWID;
      INSERT INTO scan VALUES ('one', x'89504e470d0a1a0a01'), ('two', x'ffd8ffe002');
      """
    )
    try plain.writePage()
    let page = try plain.readPage()
    page.checkHarmless()
    let digests = try plain.column("SELECT data FROM scan ORDER BY name")
    #expect(page.pictures == ["image/png \(digests[0])", "image/jpeg \(digests[1])"])
  }
}
