import Foundation
import TestSupport
import Testing

/// Values in files beside a Core Data store, which are bytes in a column on a server.
@Suite(.enabled(if: PostgresServer.isInstalled)) struct ExternalFileTests {
  private let place: PostgresFolder
  private var kitchen: String { place.folder.path("Kitchen.sqlite") }

  init() throws { place = try PostgresFolder() }

  private func files(of store: String) -> URL {
    place.folder.url.appendingPathComponent(".\(store)_SUPPORT/_EXTERNAL_DATA")
  }

  private static func name(_ number: Int) -> String { "0A1B2C3D-1111-4222-8333-00000000000\(number)" }

  /// Lets the image with the key `image` refer to the file `number`, which gets `content`, or is missing.
  private func refer(_ image: Int, to number: Int, _ content: Data?) throws {
    let hex = Data(Self.name(number).utf8).map { String(format: "%02x", $0) }.joined()
    _ = try Program.sqlite3(kitchen, "UPDATE ZIMAGE SET ZDATA = x'02\(hex)00' WHERE Z_PK = \(image)")
    guard let content else { return }
    try FileManager.default.createDirectory(at: files(of: "Kitchen"), withIntermediateDirectories: true)
    try content.write(to: files(of: "Kitchen").appendingPathComponent(Self.name(number)))
  }

  private func content(_ number: Int, of store: String) -> Data? {
    try? Data(contentsOf: files(of: store).appendingPathComponent(Self.name(number)))
  }

  /// The references to files, by key.
  private func references(_ store: String) throws -> String {
    try Program.sqlite3(
      place.folder.path(store), "SELECT Z_PK, hex(ZDATA) FROM ZIMAGE WHERE hex(ZDATA) LIKE '02%' ORDER BY 1")
  }

  private static let sizes = [0, 1, 300_000, 9 << 20]

  private func makeFiles() throws {
    for (index, size) in Self.sizes.enumerated() {
      try refer(index + 1, to: index + 1, Data((0..<size).map { UInt8(truncatingIfNeeded: $0 &* (index + 3)) }))
    }
    try refer(Self.sizes.count + 1, to: 9, nil)
  }

  @Test func `files come back as files, and references to missing ones as such`() throws {
    try makeFiles()
    #expect(try place.expect("copy", "Kitchen.sqlite", place.location).contains("4 copied, 1 missing"))
    let lengths = "SELECT string_agg(coalesce(octet_length(data), -1)::text, ',' ORDER BY id) FROM image WHERE id < 6"
    #expect(try place.psql(lengths) == "0,1,300000,9437184,-1")
    for command in ["verify", "diff"] { try place.expect(command, "Kitchen.sqlite", place.location) }
    try place.expect("copy", place.location, "back.sqlite")
    try place.expect("diff", "Kitchen.sqlite", "back.sqlite")
    #expect(try references("back.sqlite") == references("Kitchen.sqlite"))
    for number in 1...Self.sizes.count {
      #expect(content(number, of: "back") == content(number, of: "Kitchen"), "\(number)")
    }
    #expect(content(9, of: "back") == nil)
    #expect(
      try Program.sqlite3(
        place.folder.path("back.sqlite"), "SELECT count(*) FROM sqlite_schema WHERE name LIKE 'decant%'") == "0")
    let doctor = try place.run(["doctor", place.location])
    #expect(doctor.status == 4 && doctor.output.contains("1 of 3 external files missing"), "\(doctor.output)")
  }

  @Test func `what an app changes on the server is what comes back`() throws {
    try makeFiles()
    try place.expect("copy", "Kitchen.sqlite", place.location)
    try place.psql(
      """
      UPDATE image SET data = '\\x4142' WHERE id = 1; UPDATE image SET data = NULL WHERE id = 2;
      UPDATE image SET data = '\\x43' WHERE id = 5; UPDATE image SET data = '\\x44' WHERE id = 6;
      UPDATE recipe SET cover_id = NULL WHERE cover_id = 3; DELETE FROM image WHERE id = 3
      """)
    let diff = try place.run(["diff", "Kitchen.sqlite", place.location])
    #expect(diff.status == 4)
    for key in [1, 2, 5, 6] { #expect(diff.output.contains("Image p\(key) differs in data"), "\(diff.output)") }
    try place.expect("copy", place.location, "back.sqlite")
    try place.expect("verify", "back.sqlite", place.location)
    #expect(content(1, of: "back") == Data("AB".utf8))
    #expect(content(9, of: "back") == Data("C".utf8))
    #expect(content(3, of: "back") == nil)
    let values = "SELECT Z_PK, hex(ZDATA) FROM ZIMAGE WHERE Z_PK IN (2, 3, 6) ORDER BY 1"
    #expect(try Program.sqlite3(place.folder.path("back.sqlite"), values) == "2|\n6|0144")
  }

  /// The database has no name of a file: the bytes count.
  @Test(arguments: [(true, Int32(0)), (false, Int32(4))])
  func `a file is compared with bytes by its content`(isEqual: Bool, status: Int32) throws {
    try place.expect("copy", "Kitchen.sqlite", place.location)
    let hex = try Program.sqlite3(kitchen, "SELECT hex(substr(ZDATA, 2)) FROM ZIMAGE WHERE Z_PK = 1")
    let digits = Array(hex)
    let bytes = stride(from: 0, to: digits.count, by: 2).compactMap { UInt8(String(digits[$0..<$0 + 2]), radix: 16) }
    try #require(!bytes.isEmpty)
    try refer(1, to: 1, Data(isEqual ? bytes : bytes.reversed() + [0]))
    for command in ["verify", "diff"] {
      let run = try place.run([command, "Kitchen.sqlite", place.location])
      #expect(run.status == status, "\(command): \(run.output)\(run.errors)")
    }
  }
}
