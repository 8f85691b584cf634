import Foundation
import TestSupport
import Testing

/// What an archive takes of the memory does not grow with what is in it.
@Suite struct ArchiveMemoryTests {
  /// The peaks of an export, of an import, and of a page of a database with so many notes and pictures.
  private func peaks(notes: Int, pictures: Int) throws -> [Int] {
    let folder = try TemporaryFolder()
    _ = try Program.sqlite3(
      folder.path("notes.db"),
      """
      CREATE TABLE note (id INTEGER PRIMARY KEY, title TEXT, body TEXT);
      CREATE TABLE picture (id INTEGER PRIMARY KEY, note INTEGER REFERENCES note, data BLOB);
      WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(notes))
      INSERT INTO note SELECT i, 'note ' || i, hex(randomblob(150)) FROM n;
      WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(pictures))
      INSERT INTO picture SELECT i, i, randomblob(2000000) FROM n;
      """
    )
    return [
      try PeakMemory.of(["export", "notes.db", "notes.decant.gz"] + Self.limits, in: folder.url),
      try PeakMemory.of(["import", "notes.decant.gz", "again.db"] + Self.limits, in: folder.url),
      try PeakMemory.of(["export", "notes.db", "notes.html"] + Self.limits, in: folder.url),
    ]
  }

  @Test(.disabled(if: Sanitizer.isActive, "a sanitizer needs memory of its own"))
  func `neither objects nor pictures are held in memory`() throws {
    let small = try peaks(notes: 500, pictures: 2)
    let large = try peaks(notes: 20_000, pictures: 16)
    // Thirty megabytes more go through; what SQLite keeps of a larger file is a few of them.
    for (few, many) in zip(small, large) {
      #expect(many - few < 10_000_000, "\(few) bytes, and \(many)")
    }
  }

  /// Ten thousand recipes take little more; with two thousand a slope would show as well.
  ///
  /// A build that is not optimized takes 13 MiB more than another.
  @Test(.disabled(if: Sanitizer.isActive, "a sanitizer needs memory of its own"))
  func `a library of recipes is not held in memory`() throws {
    let folder = try TemporaryFolder()
    _ = try Program.run(["python3", "-c", Self.library, folder.path("library.paprikarecipes")])
    let arguments = ["library.paprikarecipes", "kitchen.db"] + Self.limits
    #expect(try PeakMemory.of(["import"] + arguments, in: folder.url) < 60 << 20)
    let back = ["export", "kitchen.db", "again.melarecipes"] + Self.limits
    #expect(try PeakMemory.of(back, in: folder.url) < 60 << 20)
  }

  /// What SQLite keeps of a database grows with it up to its limit, which is small here.
  private static let limits = ["--quiet", "--memory", "8MiB"]

  /// Two thousand recipes with pictures of 40 kB: eighty megabytes.
  private static let library = """
    import base64, gzip, json, os, sys, zipfile
    with zipfile.ZipFile(sys.argv[1], "w", zipfile.ZIP_STORED) as library:
        for n in range(2000):
            picture = b"\\xff\\xd8\\xff\\xe0" + os.urandom(40_000)
            recipe = {"uid": f"U{n}", "name": f"Recipe {n}", "ingredients": f"{n} eggs\\n1 cup flour",
                      "directions": "Mix.\\n\\nBake.", "photo_data": base64.b64encode(picture).decode()}
            library.writestr(f"{n}.paprikarecipe", gzip.compress(json.dumps(recipe).encode(), 1))
    """
}
