import Foundation
import TestSupport
import Testing

/// What an archive takes of the memory does not grow with what is in it.
@Suite struct ArchiveMemoryTests {
  /// Runs a program and prints the most memory that was resident of it, as the system counted it.
  private static let measure = """
    import resource, subprocess, sys
    subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=True)
    print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024)
    """

  private func peak(_ arguments: [String], in folder: TemporaryFolder) throws -> Int {
    let run = try Program.run(
      ["python3", "-c", Self.measure, DecantProgram.path] + arguments,
      in: folder.url
    )
    return try #require(
      Int(run.output.trimmingCharacters(in: .newlines)),
      "\(arguments): \(run.errors)"
    )
  }

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
      try peak(["export", "notes.db", "notes.decant.gz", "--quiet"], in: folder),
      try peak(["import", "notes.decant.gz", "again.db", "--quiet"], in: folder),
      try peak(["export", "notes.db", "notes.html", "--quiet"], in: folder),
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
}
