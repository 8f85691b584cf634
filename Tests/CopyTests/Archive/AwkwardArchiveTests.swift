import Decant
import Foundation
import StoreTestSupport
import TestSupport
import Testing

/// A plain database with every value, key and name that has ever been trouble.
@Suite struct AwkwardArchiveTests {
  private let places: ArchivePlaces

  init() throws { places = try ArchivePlaces() }

  @Test(arguments: ["UTF-8", "UTF-16le", "UTF-16be"])
  func `every value comes back bit for bit`(_ encoding: String) throws {
    let source = places.path("a.sqlite")
    try ArchiveScript.makeAwkward(source, encoding: encoding)
    #expect(try places.export("a.sqlite", to: "a.decant").isVerified)
    #expect(try ArchiveScript.faults(in: [places.path("a.decant")], from: source) == [])
    #expect(try places.import("a.decant", into: "b.sqlite").map(\.isVerified) == [true])
    #expect(try PlainCheck.differences(of: places.path("b.sqlite"), from: source) == [])
    #expect(try Verify(source, against: places.path("a.decant")).run().isEqual)
  }

  /// Names of archives, and a program that says whether a file of the kind is sound.
  @Test(arguments: [
    ("a.decant.gz", ["gzip", "-t"]), ("a.decant.xz", ["xz", "-t"]),
    ("a.decant.zip", ["unzip", "-tqq"]), ("a.decant.zst", ["zstd", "-tq"]),
    ("a.decant.lz4", ["lz4", "-tq"]),
  ])
  func `others unpack what was packed`(_ name: String, _ tester: [String]) throws {
    let source = places.path("a.sqlite")
    try ArchiveScript.makeAwkward(source, encoding: "UTF-8")
    #expect(try places.export("a.sqlite", to: name).isVerified)
    guard try Program.run(["which", tester[0]]).status == 0 else {
      print("archives: \(name) is not looked at: there is no program \(tester[0])")
      return
    }
    let run = try Program.run(tester + [places.path(name)])
    #expect(run.status == 0, "\(run.errors)")
    #expect(try ArchiveScript.faults(in: [places.path(name)], from: source) == [])
    try places.import(name, into: "b.sqlite")
    #expect(try PlainCheck.differences(of: places.path("b.sqlite"), from: source) == [])
  }

  /// What other programs packed is taken as well, by what it holds and not by its name.
  @Test(arguments: [
    ["gzip", "-c"], ["xz", "-c"], ["zstd", "-qc"], ["lz4", "-qc"], ["zip", "-q", "-"],
  ])
  func `what others packed is read`(_ packer: [String]) throws {
    guard try Program.run(["which", packer[0]]).status == 0 else {
      print("archives: what \(packer[0]) packs is not read: there is no such program")
      return
    }
    try places.takeSample("Kitchen.sqlite")
    try places.export("Kitchen.sqlite", to: "a.decant")
    let run = try Program.run(["sh", "-c", "\"$@\" a.decant > packed", "sh"] + packer, in: places.folder.url)
    #expect(run.status == 0, "\(run.errors)")
    try places.import("packed", into: "b.sqlite")
    #expect(try places.rows(of: "b.sqlite") == places.rows(of: "Kitchen.sqlite"))
  }

  @Test func `an index of words over another table finds them again`() throws {
    _ = try Program.sqlite3(
      places.path("a.sqlite"),
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, v);
      CREATE VIRTUAL TABLE w USING fts5(v, content = t, content_rowid = id);
      INSERT INTO t VALUES (1, 'leek'), (2, 'soup'); INSERT INTO w (w) VALUES ('rebuild');
      """
    )
    try places.export("a.sqlite", to: "a.decant")
    try places.import("a.decant", into: "b.sqlite")
    let found = "SELECT rowid FROM w WHERE w MATCH 'soup'"
    #expect(try Program.sqlite3(places.path("b.sqlite"), found) == "2")
  }

  /// Rows of tables of links whose owner is no key at all, and links that are large values.
  @Test(arguments: ["NULL, 1", "2.5, 1", "x'01', 1", "1, zeroblob(100000)"])
  func `rows of links that lead from anywhere come back`(_ row: String) throws {
    _ = try Program.sqlite3(
      places.path("a.sqlite"),
      """
      CREATE TABLE a (id INTEGER PRIMARY KEY);
      CREATE TABLE ab (a INTEGER REFERENCES a, b INTEGER REFERENCES a, PRIMARY KEY (a, b));
      INSERT INTO a VALUES (1); INSERT INTO ab VALUES (1, 1), (\(row));
      """
    )
    try places.export("a.sqlite", to: "a.decant")
    try places.import("a.decant", into: "b.sqlite")
    #expect(try PlainCheck.differences(of: places.path("b.sqlite"), from: places.path("a.sqlite")) == [])
  }
}
