import Decant
import Foundation
import StoreTestSupport
import TestSupport
import Testing

/// Values that lie in files of their own beside the store.
@Suite struct ExternalFileTests {
  private let kitchens: Kitchens
  private let names = [
    "0A1B2C3D-1111-4222-8333-000000000001", "0A1B2C3D-1111-4222-8333-000000000002",
    "0A1B2C3D-1111-4222-8333-000000000003",
  ]

  /// Images 1, 2 and 3 refer to files; the third is lost.
  init() throws {
    kitchens = try Kitchens()
    let files = folder(of: "Kitchen")
    try FileManager.default.createDirectory(at: files, withIntermediateDirectories: true)
    for (index, name) in names.enumerated() {
      let hex = Data(name.utf8).map { String(format: "%02x", $0) }.joined()
      _ = try Program.sqlite3(kitchens.kitchen, "UPDATE ZIMAGE SET ZDATA = x'02\(hex)00' WHERE Z_PK = \(index + 1)")
      guard index < 2 else { continue }
      try Data(repeating: UInt8(index + 65), count: 300_000 + index)
        .write(to: files.appendingPathComponent(name))
    }
  }

  @Test(arguments: [false, true])
  func `files follow through a mapping that calls everything something else`(_ appends: Bool) throws {
    let text = """
      entities:
        RecipeImage: { from: StepImage, set: { caption: "'was: ' || coalesce(caption, '')" }, drop: [step] }
        StepImage: { from: RecipeImage, set: { caption: "upper(caption)" }, drop: [recipe] }
        Recipe: { drop: [subtitle, category] }
      """
    var options = CopyOptions()
    options.mapping = try Mapping(text: text, place: "map.yaml")
    options.appends = appends
    let place = appends ? kitchens.guests : kitchens.folder.path("new.sqlite")
    let before = appends ? try Program.sqlite3(place, "SELECT max(Z_PK) FROM ZIMAGE") : "0"
    let report = try Copy(from: kitchens.kitchen, to: place, options: options).run()
    #expect(report.isVerified && counts(report) == [2, 1])
    #expect(report["RecipeImage"]?.copied == 3 && report["StepImage"]?.copied == 6)
    let files = try content(of: appends ? "Guests" : "new")
    let kept = try content(of: "Kitchen")
    #expect(Set(files.values).isSuperset(of: kept.values) && kept.count == 2)
    let new = "SELECT count(*), sum(ZBYTECOUNT) FROM ZIMAGE WHERE Z_PK > \(before)"
    #expect(
      try Program.sqlite3(place, new)
        == Program.sqlite3(kitchens.kitchen, "SELECT count(*), sum(ZBYTECOUNT) FROM ZIMAGE")
    )
    let recipes = appends ? "WHERE Z_PK > 15" : ""
    #expect(
      try Program.sqlite3(place, "SELECT count(ZSUBTITLE), count(ZCATEGORY) FROM ZRECIPE \(recipes)")
        == "0|0"
    )
  }

  @Test(arguments: [
    (
      "entities:\n  Recipe: { set: { nutrition: \"(SELECT data FROM RecipeImage WHERE recipe = Recipe._id)\" } }",
      "2:31", "RecipeImage.data", "unchanged"
    ),
    (
      "entities:\n  Recipe: { set: { viewCount: \"(SELECT count(i.DATA) FROM image AS i)\" } }",
      "2:31", "Image.data", "unchanged"
    ),
    ("entities:\n  RecipeImage: { where: \"length(data) > 600\" }", "2:25", "RecipeImage.data", "another attribute"),
    (
      "entities:\n  Recipe: { where: \"_id IN (SELECT recipe FROM RecipeImage WHERE length(data) > 600)\" }",
      "2:20", "RecipeImage.data", "another attribute"
    ),
    (
      "entities:\n  Recipe: { set: { cover: \"(SELECT max(_id) FROM Image WHERE length(data) > 600)\" } }",
      "2:27", "Image.data", "unchanged"
    ),
    (
      "relationships:\n  Recipe.images: { rule: follow, where: \"length(data) > 600\" }", "2:41",
      "RecipeImage.data", "another attribute"
    ),
    (
      "share:\n  s: { roots: { RecipeImage: \"length(data) > 600\" } }", "2:30", "RecipeImage.data", "another attribute"
    ),
  ])
  func `no expression of a mapping reads what may lie in files`(
    _ text: String,
    _ place: String,
    _ name: String,
    _ remedy: String
  ) throws {
    var options = CopyOptions()
    options.mapping = try Mapping(text: text, place: "map.yaml")
    let new = kitchens.folder.path("new.sqlite")
    let error = #expect(throws: DecantError.self) {
      try Copy(from: kitchens.kitchen, to: new, options: options).run()
    }
    #expect(error?.family == .usage && error?.place == "map.yaml:\(place)")
    #expect(
      error?.message.hasSuffix("\(name) may be stored in external files, which an expression cannot read")
        == true,
      "\(String(describing: error))"
    )
    #expect(error?.remedy?.contains(remedy) == true)
    #expect(!FileManager.default.fileExists(atPath: new))
  }

  /// How many files were copied, and how many were missing.
  private func counts(_ report: CopyReport) -> [Int64] {
    [report.files.copied, report.files.missing]
  }

  private func folder(of store: String) -> URL {
    kitchens.folder.url.appendingPathComponent(".\(store)_SUPPORT/_EXTERNAL_DATA")
  }

  private func content(of store: String) throws -> [String: Data] {
    let folder = folder(of: store)
    guard FileManager.default.fileExists(atPath: folder.path) else { return [:] }
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    return try Dictionary(
      uniqueKeysWithValues: names.map {
        ($0, try Data(contentsOf: folder.appendingPathComponent($0)))
      }
    )
  }

  @Test(arguments: [false, true]) func `go along into a new store`(rowByRow: Bool) throws {
    let report = try kitchens.copy(kitchens.kitchen, to: kitchens.out) {
      if rowByRow { $0.filters = [.everything] }
    }
    #expect(report.isVerified)
    #expect(counts(report) == [2, 1])
    #expect(try content(of: "out") == content(of: "Kitchen"))
    #expect(try Verify(kitchens.kitchen, against: kitchens.out).run().isEqual)
    // One byte in a file is a difference.
    let file = folder(of: "out").appendingPathComponent(names[1])
    var bytes = try Data(contentsOf: file)
    bytes[200_000] = 0
    try bytes.write(to: file)
    let differences = try Verify(kitchens.kitchen, against: kitchens.out).run().differences
    #expect(differences.map(\.description) == ["RecipeImage p2 differs in data"])
  }

  @Test func `added to a store that has files of the same names, both stay`() throws {
    let theirs = folder(of: "Guests")
    try FileManager.default.createDirectory(at: theirs, withIntermediateDirectories: true)
    try Data("theirs".utf8).write(to: theirs.appendingPathComponent(names[0]))
    let report = try kitchens.copy(kitchens.kitchen, to: kitchens.guests) { $0.appends = true }
    #expect(report.isVerified)
    #expect(counts(report) == [2, 1])
    let files = try content(of: "Guests")
    #expect(files[names[0]] == Data("theirs".utf8))
    #expect(Set(files.values.map(\.count)) == [6, 300_000, 300_001])
    // The renamed one is found through the row that refers to it.
    let reference = try Program.sqlite3(kitchens.guests, "SELECT substr(ZDATA, 2, 36) FROM ZIMAGE WHERE Z_PK = 5")
    #expect(files[reference]?.count == 300_000)
  }

  @Test func `a link in the folder is not followed`() throws {
    let secret = kitchens.folder.url.appendingPathComponent("secret")
    try Data("not yours".utf8).write(to: secret)
    let file = folder(of: "Kitchen").appendingPathComponent(names[0])
    try FileManager.default.removeItem(at: file)
    try FileManager.default.createSymbolicLink(at: file, withDestinationURL: secret)
    let report = try kitchens.copy(kitchens.kitchen, to: kitchens.out)
    #expect(counts(report) == [1, 2])
    #expect(try content(of: "out").keys.sorted() == [names[1]])
  }

  @Test(arguments: [".Kitchen_SUPPORT", ".Kitchen_SUPPORT/_EXTERNAL_DATA"])
  func `a folder that is a link is not read through`(_ name: String) throws {
    let place = kitchens.folder.url.appendingPathComponent(name)
    let elsewhere = kitchens.folder.url.appendingPathComponent("elsewhere")
    try FileManager.default.moveItem(at: place, to: elsewhere)
    try FileManager.default.createSymbolicLink(at: place, withDestinationURL: elsewhere)
    let error = #expect(throws: DecantError.self) { try kitchens.copy(kitchens.kitchen, to: kitchens.out) }
    #expect(error?.message.contains("read through the link") == true, "\(String(describing: error))")
    #expect(!FileManager.default.fileExists(atPath: kitchens.out))
  }

  @Test(arguments: [".out_SUPPORT", ".out_SUPPORT/_EXTERNAL_DATA"])
  func `a folder that is a link is not written through`(_ name: String) throws {
    let place = kitchens.folder.url.appendingPathComponent(name)
    let elsewhere = kitchens.folder.url.appendingPathComponent("elsewhere")
    for folder in [elsewhere, place.deletingLastPathComponent()] {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }
    try FileManager.default.createSymbolicLink(at: place, withDestinationURL: elsewhere)
    let error = #expect(throws: DecantError.self) {
      try kitchens.copy(kitchens.kitchen, to: kitchens.out)
    }
    #expect(error?.family == .failed)
    #expect(error?.message.contains("write through the link") == true)
    #expect(try FileManager.default.contentsOfDirectory(atPath: elsewhere.path).isEmpty)
    #expect(!FileManager.default.fileExists(atPath: kitchens.out))
  }

  @Test(arguments: [false, true])
  func `a source behind a link finds its files`(rowByRow: Bool) throws {
    let elsewhere = kitchens.folder.path("elsewhere")
    try FileManager.default.createDirectory(atPath: elsewhere, withIntermediateDirectories: true)
    let link = elsewhere + "/Linked.sqlite"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: kitchens.kitchen)
    let report = try kitchens.copy(link, to: kitchens.out, rowByRow: rowByRow)
    #expect(counts(report) == [2, 1])
    #expect(try content(of: "out") == content(of: "Kitchen"))
    #expect(try Verify(link, against: kitchens.out).run().isEqual)
  }
}
