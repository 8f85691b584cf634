import Foundation
import TestSupport
import Testing

@Suite struct TemplateCommandTests {
  private let place: CommandFolder

  init() throws { place = try CommandFolder() }

  private static let hashes =
    "version hashes are in the compiled model: pass the App.momd of a built app (inside the .app or "
    + "the unzipped .ipa), or on a Mac: xcrun momc App.xcdatamodeld App.momd"

  /// Writes an `.xcdatamodeld` of one version.
  private func write(_ name: String, _ entities: String) throws {
    let folder = place.url.appendingPathComponent("\(name).xcdatamodeld/\(name).xcdatamodel")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let xml = "<model userDefinedModelVersionIdentifier=''>\(entities)</model>"
    try Data(xml.utf8).write(to: folder.appendingPathComponent("contents"))
  }

  @Test func `a store is made after another one`() throws {
    try FileManager.default.copyItem(
      atPath: place.folder.path("Guests.sqlite"),
      toPath: place.folder.path("Other.sqlite")
    )
    let run = try place.run(["copy", "Kitchen.sqlite", "out.sqlite", "--template", "Other.sqlite"])
    #expect(run.status == 0, "\(run.errors)")
    #expect(try place.run(["verify", "Kitchen.sqlite", "out.sqlite"]).status == 0)
    let schema = "SELECT type, name, sql FROM sqlite_schema ORDER BY 1, 2"
    #expect(
      try Program.sqlite3(place.folder.path("out.sqlite"), schema)
        == Program.sqlite3(place.folder.path("Other.sqlite"), schema)
    )
  }

  @Test(arguments: ["App.xcdatamodeld", "App.xcdatamodeld/App.xcdatamodel"])
  func `a model's source has no version hashes`(_ model: String) throws {
    try write("App", "<entity name='Recipe'/>")
    try place.expect(["copy", "Kitchen.sqlite", "out.sqlite", "--template", model], 12, Self.hashes)
    #expect(try !place.names().contains("out.sqlite"))
  }

  @Test(.enabled(if: Fixtures.areAvailable)) func `a lone compiled model has none either`() throws {
    let models = try #require(Fixtures.stores).appendingPathComponent("models/coredataplus")
    try FileManager.default.copyItem(
      at: models.appendingPathComponent("SampleModel.momd/SampleModel.mom"),
      to: place.url.appendingPathComponent("App.mom")
    )
    try place.expect(["copy", "Kitchen.sqlite", "out.sqlite", "--template", "App.mom"], 12, Self.hashes)
    // Beside their list they are known, and this model is another one.
    try place.expect(
      [
        "copy", "Kitchen.sqlite", "out.sqlite", "--template",
        models.appendingPathComponent("SampleModel.momd/SampleModel.mom").path,
      ],
      12,
      "the models are incompatible"
    )
  }

  @Test func `links whose tables nobody can tell are named`() throws {
    try write(
      "App",
      """
      <entity name='Recipe'>
        <relationship name='next' toMany='YES' destinationEntity='Recipe' inverseName='previous'/>
        <relationship name='previous' toMany='YES' destinationEntity='Recipe' inverseName='next'/>
        <relationship name='tags' toMany='YES' ordered='YES' destinationEntity='Tag' inverseName='recipes'/>
      </entity>
      <entity name='Tag'>
        <relationship name='recipes' toMany='YES' destinationEntity='Recipe' inverseName='tags'/>
      </entity>
      """
    )
    for arguments in [[], ["--unversioned"]] {
      try place.expect(
        ["copy", "Kitchen.sqlite", "out.sqlite", "--template", "App.xcdatamodeld"] + arguments,
        12,
        "does not define which tables hold the links Recipe.next, Recipe.tags"
      )
    }
  }

  @Test func `a derivation that only Core Data can make is named`() throws {
    try write(
      "App",
      """
      <entity name='Recipe'><attribute name='plain' attributeType='String' derived='YES'
        derivationExpression='canonical:(title)'/></entity>
      """
    )
    try place.expect(
      ["copy", "Kitchen.sqlite", "out.sqlite", "--template", "App.xcdatamodeld", "--unversioned"],
      12,
      "Recipe.plain"
    )
  }

  @Test func `a model that does not fit is refused`() throws {
    try write("App", "<entity name='Recipe'/>")
    try place.expect(
      ["copy", "Kitchen.sqlite", "out.sqlite", "--template", "App.xcdatamodeld", "--unversioned"],
      12,
      "the models are incompatible"
    )
    #expect(try !place.names().contains("out.sqlite"))
  }

  @Test(arguments: [
    (["Kitchen.sqlite", "Guests.sqlite", "--template", "Kitchen.sqlite"], 64, "already exists"),
    (["Kitchen.sqlite", "out.sqlite", "--unversioned"], 64, "pass the model with --template"),
    (
      ["Kitchen.sqlite", "out.sqlite", "--template", "Guests.sqlite", "--keep-metadata"], 64,
      "--keep-metadata cannot be used with --template"
    ),
    (
      ["Kitchen.sqlite", "out.sqlite", "--template", "Guests.sqlite", "--unversioned"], 64,
      "--unversioned is not needed"
    ),
    (["Kitchen.sqlite", "out.sqlite", "--template", "None.momd"], 10, "there is no model"),
    (["Kitchen.sqlite", "out.sqlite", "--template", "coredata:None"], 10, "there is no store"),
    (["Kitchen.sqlite", "out.sqlite", "--template", "Plain.sqlite"], 13, "Z_PRIMARYKEY is missing"),
  ])
  func `what makes no sense is refused`(_ arguments: [String], _ status: Int32, _ message: String) throws {
    _ = try Program.sqlite3(place.folder.path("Plain.sqlite"), "CREATE TABLE a (b)")
    try place.expect(["copy"] + arguments, status, message)
    #expect(try !place.names().contains("out.sqlite"))
  }
}
