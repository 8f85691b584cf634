import Decant
import Foundation
import StoreTestSupport
import TestSupport
import Testing

/// Values that are too large for a line.
@Suite struct LargeValueArchiveTests {
  private let places: ArchivePlaces

  init() throws { places = try ArchivePlaces() }

  /// The lines of an archive that hold pieces of large values, each as its digest and place.
  private func pieces(_ name: String) throws -> [String: [Int]] {
    let text = try #require(places.bytes(name).map { String(decoding: $0, as: UTF8.self) })
    var found: [String: [Int]] = [:]
    for line in text.split(separator: "\n") where line.hasPrefix(#"{"blob":"#) {
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      found[object?["blob"] as? String ?? "", default: []].append(object?["at"] as? Int ?? -1)
    }
    return found
  }

  /// The SHA-256 that the `sha256sum` program finds of what `sql` gives.
  private func digest(_ store: String, _ sql: String) throws -> String {
    let file = places.path("value")
    _ = try Program.sqlite3(places.path(store), "SELECT writefile('\(file)', (\(sql)))")
    return String(try Program.run(["sha256sum", file]).output.prefix(64))
  }

  @Test func `the same picture is written once, in pieces that fit`() throws {
    let source = try places.takeSample("Kitchen.sqlite")
    _ = try Program.sqlite3(
      source,
      """
      UPDATE ZIMAGE SET ZDATA = CAST(x'01' || zeroblob(1200000) AS BLOB) WHERE Z_PK IN (1, 2, 4);
      UPDATE ZIMAGE SET ZDATA = CAST(x'01' || randomblob(5600000) AS BLOB) WHERE Z_PK = 3;
      UPDATE ZIMAGE SET ZDATA = (SELECT ZDATA FROM ZIMAGE WHERE Z_PK = 3) WHERE Z_PK = 5;
      """
    )
    try places.export("Kitchen.sqlite", to: "a.decant")
    #expect(try ArchiveScript.faults(in: [places.path("a.decant")], from: source) == [])
    let pieces = try pieces("a.decant")
    // Two pictures, and the template.
    #expect(pieces.count == 3)
    let zeroes = try digest("Kitchen.sqlite", "SELECT zeroblob(1200000)")
    #expect(pieces[zeroes]?.count == 2)
    let random = try digest("Kitchen.sqlite", "SELECT substr(ZDATA, 2) FROM ZIMAGE WHERE Z_PK = 5")
    #expect(pieces[random]?.count == 8)
    try places.import("a.decant", into: "b.sqlite")
    #expect(try places.rows(of: "b.sqlite") == places.rows(of: "Kitchen.sqlite"))
  }

  /// Around every size at which something is done otherwise.
  @Test func `no byte is lost at any border`() throws {
    let borders: [Int] = [64 << 10, 720 << 10, 1 << 20]
    let sizes: [Int] = borders.flatMap { [$0 - 1, $0, $0 + 1] }
    let values: [String] = sizes.enumerated().map { (index: Int, size: Int) -> String in
      """
      INSERT INTO v VALUES (\(index), CAST(randomblob(\(size)) AS BLOB), NULL);
      INSERT INTO v VALUES (\(index + 100), NULL, printf('%.*c', \(size), 'é'));
      """
    }
    let source = places.path("a.sqlite")
    let script = "CREATE TABLE v (id INTEGER PRIMARY KEY, b BLOB, t TEXT);" + values.joined()
    _ = try Program.sqlite3(source, script)
    try places.export("a.sqlite", to: "a.decant")
    #expect(try ArchiveScript.faults(in: [places.path("a.decant")], from: source) == [])
    try places.import("a.decant", into: "b.sqlite")
    #expect(try PlainCheck.differences(of: places.path("b.sqlite"), from: source) == [])
  }

  @Test func `lists that do not fit a line go on in others`() throws {
    let source = places.path("a.sqlite")
    _ = try Program.sqlite3(
      source,
      """
      CREATE TABLE one (id INTEGER PRIMARY KEY); CREATE TABLE other (id INTEGER PRIMARY KEY);
      CREATE TABLE one_other (one INTEGER REFERENCES one, other INTEGER REFERENCES other,
        PRIMARY KEY (one, other));
      INSERT INTO one VALUES (1), (2), (3);
      WITH n(i) AS (SELECT 9000000000000 UNION ALL SELECT i + 1 FROM n WHERE i < 9000000200000)
      INSERT INTO other SELECT i FROM n;
      INSERT INTO one_other SELECT 2, id FROM other; INSERT INTO one_other VALUES (3, 9000000000000);
      """
    )
    try places.export("a.sqlite", to: "a.decant")
    #expect(try ArchiveScript.faults(in: [places.path("a.decant")], from: source) == [])
    let text = String(decoding: places.bytes("a.decant") ?? Data(), as: UTF8.self)
    #expect(text.split(separator: "\n").count { $0.contains(#""more":"#) } >= 2)
    try places.import("a.decant", into: "b.sqlite")
    #expect(try PlainCheck.differences(of: places.path("b.sqlite"), from: source) == [])
  }
}
