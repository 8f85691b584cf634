import Decant
import Foundation
import StoreTestSupport
import TestSupport
import Testing

/// A folder with models in the forms they come in, made from nothing but names.
private struct Models {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    for (name, identifier) in [
      ("App", "1"), ("App 2", "2"), ("App 10", "ten"), ("App 9", "nine"), ("App 3", "2"),
    ] {
      try write(
        "App.xcdatamodeld/\(name).xcdatamodel/contents",
        "<model userDefinedModelVersionIdentifier='\(identifier)'><entity name='\(entity(name))'/></model>"
      )
    }
    try write("App.xcdatamodeld/.xccurrentversion", plist("_XCCurrentVersionName", "App 9.xcdatamodel"))
    for name in ["App", "App 2"] {
      try write("App.momd/\(name).mom", SampleModel.archive)
    }
    try write(
      "App.momd/VersionInfo.plist",
      """
      <plist><dict><key>NSManagedObjectModel_CurrentVersionName</key><string>App</string>
      <key>NSManagedObjectModel_VersionHashes</key><dict><key>App</key><dict><key>Cake</key>
      <data>AQID</data></dict></dict>
      <key>NSManagedObjectModel_VersionChecksums</key><dict><key>App</key><string>sum</string></dict>
      </dict></plist>
      """
    )
  }

  func write(_ path: String, _ text: String) throws { try write(path, [UInt8](text.utf8)) }

  func write(_ path: String, _ bytes: [UInt8]) throws {
    let file = folder.url.appendingPathComponent(path)
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: file)
  }

  func read(_ location: String) throws -> Model {
    try ModelLocation(folder.path(location)).read()
  }

  func error(_ location: String) -> DecantError? {
    #expect(throws: DecantError.self) { try read(location) }
  }

  /// The entity of the version of this name.
  func entity(_ name: String) -> String { name.replacingOccurrences(of: " ", with: "") }

  func plist(_ key: String, _ value: String) -> String {
    "<plist><dict><key>\(key)</key><string>\(value)</string></dict></plist>"
  }
}

@Suite struct ModelLocationTests {
  private let models: Models

  init() throws { models = try Models() }

  @Test(arguments: [
    ("App.xcdatamodeld", "App9"), ("App.xcdatamodeld/", "App9"), ("App.xcdatamodeld#App", "App"),
    ("App.xcdatamodeld#App 10", "App10"), ("App.xcdatamodeld#App 10.xcdatamodel", "App10"),
    ("App.xcdatamodeld#ten", "App10"), ("App.xcdatamodeld/App 3.xcdatamodel", "App3"),
    ("App.xcdatamodeld/App 3.xcdatamodel/contents", "App3"),
    ("App.momd", "Ingredient"), ("App.momd#App 2", "Ingredient"),
    ("App.momd#App 2.mom", "Ingredient"),
    ("App.momd/App.mom", "Ingredient"),
  ])
  func `a path and a version lead to a model`(_ location: String, _ entity: String) throws {
    #expect(try models.read(location).entities.first?.name == entity)
  }

  @Test func `versions are in the order people count, the current one last`() throws {
    let versions = try ModelLocation(models.folder.path("App.xcdatamodeld")).versions()
    #expect(versions.map(\.name) == ["App", "App 2", "App 3", "App 10", "App 9"])
    #expect(versions.map(\.isCurrent) == [false, false, false, false, true])
    let compiled = try ModelLocation(models.folder.path("App.momd")).versions()
    #expect(compiled.map(\.name) == ["App 2", "App"])
  }

  @Test func `a compiled version has the hashes of its folder`() throws {
    for location in ["App.momd", "App.momd/App.mom"] {
      let version = try #require(try ModelLocation(models.folder.path(location)).versions().last)
      #expect(version.versionHashes == ["Cake": [1, 2, 3]])
      #expect(version.checksum == "sum")
      #expect(try version.read()["Cake"]?.versionHash == [1, 2, 3])
    }
    #expect(try models.read("App.momd#App 2")["Cake"]?.versionHash == nil)
  }

  @Test func `a version that does not exist is a mistake that names those that do`() {
    let error = models.error("App.xcdatamodeld#App 4")
    #expect(error?.family == .usage)
    #expect(error?.message == "the model has no version “App 4”")
    #expect(error?.place == models.folder.path("App.xcdatamodeld"))
    for name in ["“App”", "“App 2”", "“App 3”", "“App 9”", "“App 10”", "App.xcdatamodeld#App 9"] {
      #expect(error?.remedy?.contains(name) == true)
    }
    #expect(models.error("App.momd/App.mom#App 2")?.family == .usage)
  }

  @Test func `an identifier of several versions is a mistake`() {
    let error = models.error("App.xcdatamodeld#2")
    #expect(error?.family == .usage)
    #expect(error?.remedy?.contains("“App 2”, “App 3”") == true)
  }

  @Test func `without a current version one must be named`() throws {
    let current = models.folder.path("App.xcdatamodeld/.xccurrentversion")
    try FileManager.default.removeItem(atPath: current)
    #expect(models.error("App.xcdatamodeld")?.family == .usage)
    #expect(try models.read("App.xcdatamodeld#App 2").entities.first?.name == "App2")
  }

  @Test func `nothing at the path is not found`() {
    for location in ["None.momd", "None.mom#1", "App.momd/None.mom", "None/None.xcdatamodel"] {
      #expect(models.error(location)?.family == .storeNotFound)
    }
  }

  @Test func `what is no model is damage`() throws {
    try models.write("Text.mom", "text")
    try models.write("Empty.mom", "")
    try models.write("Other.xml", "<other/>")
    try models.write("List.mom", "bplist00 and no more")
    try models.write("Folder/file", "")
    try models.write("Cut.momd/VersionInfo.plist", "<plist><dict><key>")
    try models.write("Bare.momd/VersionInfo.plist", "<plist><dict/></plist>")
    let gone = models.plist("NSManagedObjectModel_CurrentVersionName", "Gone")
    try models.write("Gone.momd/VersionInfo.plist", gone)
    let names = ["Text.mom", "Empty.mom", "Other.xml", "List.mom", "Folder"]
    for name in names + ["Cut.momd", "Bare.momd", "Gone.momd"] {
      let error = models.error(name)
      #expect(error?.family == .corruptStore, "\(name)")
      #expect(error?.place?.hasPrefix(models.folder.path(name)) == true, "\(name)")
      #expect(error?.remedy != nil, "\(name)")
    }
  }

  @Test func `a sound file in a damaged folder can be named`() throws {
    try models.write("App.momd/VersionInfo.plist", "damage")
    #expect(models.error("App.momd")?.family == .corruptStore)
    #expect(try models.read("App.momd/App.mom").entities.count == 3)
  }

  @Test func `the format of Xcode 3 is named`() throws {
    try models.write("Old.xcdatamodel/elements", "bplist00")
    try models.write("Old.xcdatamodel/layout", "bplist00")
    let error = models.error("Old.xcdatamodel")
    #expect(error?.family == .modelMismatch)
    #expect(error?.message.contains("Xcode 3") == true)
  }

  @Test func `a number sign in a path that exists is no version`() throws {
    try models.write("App #1.mom", SampleModel.archive)
    #expect(try models.read("App #1.mom").entities.count == 3)
    #expect(try models.read("App #1.mom#v1").entities.count == 3)
  }
}
