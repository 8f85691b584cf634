import Decant
import Foundation
import TestSupport
import Testing

/// Whatever two stores hold: what is suggested for them can be read, and runs.
@Suite(.enabled(if: Fixtures.areAvailable)) struct SuggestionLawTests {
  private static let families = [
    [
      "moody-1/Moody.moody", "moody-2/Moody 2.moody", "moody-3/Moody 3.moody",
      "moody-4/Moody 4.moody", "moody-5/Moody 5.moody",
    ],
    [
      "wire-1-24/store1-24.wiredatabase", "wire-2-3/store2-3.wiredatabase",
      "wire-2-101-0/store2-101-0.wiredatabase",
    ],
    ["easylife-1.5.0/EasyLife 1.5.0.sqlite", "easylife-first/EasyLife.sqlite"],
    [
      "cdp-samplemodel-v1/SampleModel_V1.sqlite", "cdp-samplemodel2-v2/SampleModel2_V2.sqlite",
      "xcserver-1.2.0/XCServerCoreData_1.2.0.sqlite",
    ],
  ]

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Copies the fixture `file`, of which `path` is asked for here, into the folder.
  private func store(_ file: String) throws -> String {
    let place = folder.url.appendingPathComponent(
      URL(fileURLWithPath: file).deletingLastPathComponent().lastPathComponent
    )
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    return try Fixtures.copyStore(file, into: place).path
  }

  /// Plans the copy that the suggestion for two stores describes.
  private func expectRuns(_ source: String, _ destination: String) throws {
    let text = try MappingSuggestion(from: source, to: destination).run()
    var options = CopyOptions()
    options.mapping = try Mapping(text: text, place: "suggested.yaml")
    options.isDryRun = true
    options.appends = true
    options.writesMirroredStore = true
    #expect(throws: Never.self, "\(source) → \(destination):\n\(text)") {
      try Copy(from: source, to: destination, options: options).run()
    }
  }

  @Test(arguments: families) func `versions of one model, in any order`(_ family: [String]) throws {
    let stores = try family.map(store)
    for source in stores {
      for destination in stores where destination != source {
        try expectRuns(source, destination)
      }
    }
  }

  @Test func `models that have nothing to do with each other`() throws {
    let stores = try [
      "moody-4/Moody 4.moody", "easylife-first/EasyLife.sqlite", "apple-recipes/Recipes.sqlite",
    ]
    .map(store)
    let kitchen = folder.path("Kitchen.sqlite")
    try FileManager.default.copyItem(
      at: Fixtures.projectFolder.appendingPathComponent("samples/Kitchen.sqlite"),
      to: URL(fileURLWithPath: kitchen)
    )
    for store in stores {
      try expectRuns(store, kitchen)
      try expectRuns(kitchen, store)
    }
  }

  @Test func `of many lists that an object is in, one keeps its order`() throws {
    let source = try store("ddg-bookmarks-v4/Bookmarks_V4.sqlite")
    var options = CopyOptions()
    options.template = try store("ddg-bookmarks-v2/Bookmarks_V2.sqlite")
    let made = folder.path("made.sqlite")
    let text = try MappingSuggestion(from: source, to: made, options: options).run()
    options.mapping = try Mapping(text: text, place: "suggested.yaml")
    #expect(try Copy(from: source, to: made, options: options).run().isVerified)
    let favorites = try Program.sqlite3(
      source,
      """
      SELECT min(Z_1FAVORITEFOLDERS), Z_1FAVORITES FROM Z_1FAVORITES GROUP BY 2
      ORDER BY 1, Z_FOK_1FAVORITES
      """
    )
    try #require(favorites.split(separator: "\n").count == 5)
    #expect(
      try Program.sqlite3(
        made,
        """
        SELECT ZFAVORITEFOLDER, Z_PK FROM ZBOOKMARKENTITY WHERE ZFAVORITEFOLDER NOT NULL
        ORDER BY 1, Z_FOK_FAVORITEFOLDER
        """
      ) == favorites
    )
  }

  @Test(arguments: [("1", "2"), ("1", "5"), ("2", "4"), ("4", "3"), ("5", "1")])
  func `a new store of the other version gets the objects`(_ from: String, _ to: String) throws {
    func moody(_ version: String) throws -> String {
      try store("moody-\(version)/Moody\(version == "1" ? "" : " \(version)").moody")
    }
    let (source, template) = (try moody(from), try moody(to))
    var options = CopyOptions()
    options.template = template
    let made = folder.path("made.sqlite")
    let text = try MappingSuggestion(from: source, to: made, options: options).run()
    options.mapping = try Mapping(text: text, place: "suggested.yaml")
    let report = try Copy(from: source, to: made, options: options).run()
    #expect(report.isVerified)
    // The identifier changes its name from the first version to the others; its values stay.
    func identifiers(_ store: String) throws -> String {
      let columns = try Program.sqlite3(store, "SELECT name FROM pragma_table_info('ZMOOD')")
      let column = columns.contains("ZREMOTEIDENTIFIER") ? "ZREMOTEIDENTIFIER" : "ZREMOTEID"
      return try Program.sqlite3(store, "SELECT \(column) FROM ZMOOD ORDER BY Z_PK", isQuoted: true)
    }
    #expect(try identifiers(made) == identifiers(source))
  }
}
