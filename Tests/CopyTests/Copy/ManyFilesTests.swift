import Decant
import Foundation
import StoreTestSupport
import TestSupport
import Testing

/// More external files than are looked up at a time, of objects that are new and of such that are there, and files that
/// objects of both stores have.
@Suite struct ManyFilesTests {
  private let kitchens: Kitchens
  private var other: String { kitchens.folder.path("Other.sqlite") }

  init() throws { kitchens = try Kitchens(TemporaryFolder(inMemory: true)) }

  private func folder(of store: String) -> URL {
    kitchens.folder.url.appendingPathComponent(".\(store)_SUPPORT/_EXTERNAL_DATA")
  }

  private static func name(_ number: Int) -> String {
    String(format: "0A1B2C3D-1111-4222-8333-%012d", number)
  }

  /// Gives a store `count` images with keys from `first` on, each with a file of its own that says `text` and its key.
  private func fill(_ store: String, _ first: Int, _ count: Int, _ text: String) throws {
    let files = folder(of: store)
    try FileManager.default.createDirectory(at: files, withIntermediateDirectories: true)
    let hex = (0..<count).map { number in
      Data(Self.name(first + number).utf8).map { String(format: "%02x", $0) }.joined()
    }
    let rows = hex.enumerated().map { "(\(first + $0), 3, 1, '\(first + $0)', x'02\($1)00')" }
    try Data(
      """
      DELETE FROM ZIMAGE WHERE Z_PK >= \(first);
      INSERT INTO ZIMAGE (Z_PK, Z_ENT, Z_OPT, ZMIMETYPE, ZDATA) VALUES \(rows.joined(separator: ","));
      """.utf8
    ).write(to: kitchens.folder.url.appendingPathComponent("rows.sql"))
    _ = try Program.sqlite3(kitchens.folder.path("\(store).sqlite"), ".read '\(kitchens.folder.path("rows.sql"))'")
    for number in first..<first + count {
      try Data("\(text) \(number)".utf8).write(to: files.appendingPathComponent(Self.name(number)))
    }
  }

  /// What lies in the file of each image, by what the image is called.
  private func contents(_ store: String) throws -> [String: String] {
    let rows = try Program.sqlite3(
      kitchens.folder.path("\(store).sqlite"),
      "SELECT ZMIMETYPE, substr(ZDATA, 2, 36) FROM ZIMAGE WHERE length(ZDATA) = 38"
    )
    var contents: [String: String] = [:]
    for row in rows.split(separator: "\n") {
      let parts = row.split(separator: "|").map(String.init)
      let file = folder(of: store).appendingPathComponent(parts[1])
      contents[parts[0]] = String(decoding: (try? Data(contentsOf: file)) ?? Data(), as: UTF8.self)
    }
    return contents
  }

  @Test(arguments: [999, 1_000, 1_001, 2_001])
  func `every new object has its file`(count: Int) throws {
    try fill("Kitchen", 20, count, "new")
    let report = try kitchens.copy(kitchens.kitchen, to: kitchens.guests) { $0.appends = true }
    #expect(report.isVerified && report.files.copied == Int64(count) && report.files.missing == 0)
    let found = try contents("Guests")
    #expect(found.count == count && found.allSatisfy { $0.value == "new \($0.key)" })
  }

  @Test(arguments: [999, 1_000, 1_001])
  func `every object that takes another file has it`(count: Int) throws {
    try fill("Kitchen", 20, count, "mine")
    try FileManager.default.copyItem(atPath: kitchens.kitchen, toPath: other)
    try fill("Other", 20, count, "theirs")
    var options = CopyOptions()
    options.merge = MergeRules(.update)
    options.merge?.identities = ["Recipe": ["uuid"], "Image": ["mimeType"]]
    options.merge?.duplicates = .first
    options.purpose = .merge
    // The sample's own images are all of one type.
    for store in [kitchens.kitchen, other] {
      _ = try Program.sqlite3(store, "UPDATE ZIMAGE SET ZMIMETYPE = 'own ' || Z_PK WHERE Z_PK < 20")
    }
    let report = try Copy(from: other, to: kitchens.kitchen, options: options).run()
    #expect(report.isVerified && report["RecipeImage"]?.updated == Int64(count))
    let found = try contents("Kitchen")
    #expect(found.count == count && found.allSatisfy { $0.value == "theirs \($0.key)" })
  }

  @Test func `an object that is there does not share its file with one that is added`() throws {
    try fill("Kitchen", 20, 3, "same")
    try fill("Guests", 20, 3, "same")
    #expect(try kitchens.copy(kitchens.kitchen, to: kitchens.guests) { $0.appends = true }.isVerified)
    let names = "SELECT count(DISTINCT ZDATA), count(*) FROM ZIMAGE WHERE length(ZDATA) = 38"
    #expect(try Program.sqlite3(kitchens.guests, names) == "6|6")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder(of: "Guests").path).count == 6)
    // Who deletes the one leaves the other its file.
    #expect(try contents("Guests").allSatisfy { $0.value == "same \($0.key)" })
  }
}
