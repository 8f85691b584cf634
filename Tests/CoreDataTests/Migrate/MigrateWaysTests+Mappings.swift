import Decant
import Foundation
import StoreTestSupport
import TestSupport
import Testing

/// Mapping models and mapping files that are for a step, for none, or for more than one.
extension MigrateWaysTests {
  private func mappingModel(_ scene: VersionScene, _ file: String, _ value: String) throws {
    try MadeMappingModel.write(
      scene.folder.path(file),
      """
      [{'name': 'BoxToBox', 'source': 'Box', 'destination': 'Box',
        'attributes': {'name': path('name'), 'size': const('\(value)')}}]
      """
    )
  }

  @Test func `two mapping models of one step that say otherwise are refused`() throws {
    let scene = try chain()
    try mappingModel(scene, "One.cdm", "small")
    try mappingModel(scene, "Two.cdm", "large")
    let error = try refusal(scene, migration(scene, to: "Pantry 2"))
    #expect(
      error.message
        == "two mapping models apply to the step from “Pantry” to “Pantry 2”: “One.cdm” and “Two.cdm” each map "
        + "Box"
    )
    let one = scene.folder.path("One.cdm")
    #expect(error.place == "\(one), \(scene.folder.path("Two.cdm"))")
    #expect(error.advice?.commandLine == "choose one: --mapping 'Pantry 2=\(one)'")
    let two = Migrate.StepMapping(version: "Pantry 2", path: scene.folder.path("Two.cdm"))
    try migration(scene, to: "Pantry 2") { $0.mappings = [two] }.run()
    #expect(try values(scene, "SELECT ZNAME, ZSIZE FROM ZBOX") == "blue|large")
  }

  @Test func `two mapping models that say the same are one`() throws {
    let scene = try chain()
    try mappingModel(scene, "One.cdm", "small")
    try mappingModel(scene, "Two.cdm", "small")
    let report = try migration(scene, to: "Pantry 2").run()
    #expect(report.stages.map(\.origin) == [.mappingModel(scene.folder.path("One.cdm"))])
    #expect(try values(scene, "SELECT ZNAME, ZSIZE FROM ZBOX") == "blue|small")
  }

  @Test func `mapping models that fill what a mapping file leaves open are named`() throws {
    let scene = try chain()
    try mappingModel(scene, "One.cdm", "small")
    let file = scene.folder.path("names.yaml")
    try Data("entities:\n  Box: { set: { name: upper(name) } }\n".utf8).write(to: URL(fileURLWithPath: file))
    let mapping = Migrate.StepMapping(version: "Pantry 2", path: file)
    let report = try migration(scene, to: "Pantry 2") {
      $0.mappings = [mapping]
      $0.model = scene.bundle + "#Pantry"
    }.run()
    #expect(report.stages.map(\.origin) == [.mappingFile(file)])
    #expect(report.stages.map(\.besides) == [[scene.folder.path("One.cdm")]])
  }

  @Test func `a mapping model finds its step by itself`() throws {
    let scene = try chain()
    try FileManager.default.createDirectory(atPath: scene.folder.path("maps"), withIntermediateDirectories: false)
    try mappingModel(scene, "maps/One.cdm", "small")
    let one = scene.folder.path("maps/One.cdm")
    let report = try migration(scene) {
      $0.mappings = [Migrate.StepMapping(path: one)]
      $0.model = scene.bundle + "#Pantry"
      $0.isDryRun = true
    }.run()
    #expect(report.stages.map(\.origin) == [.mappingModel(one), .inferred])
    try migration(scene, to: "Pantry 2") { $0.mappings = [Migrate.StepMapping(path: one)] }.run()
    #expect(try values(scene, "SELECT ZNAME, ZSIZE FROM ZBOX") == "blue|small")
  }

  @Test func `a mapping model that fits no step is refused with what to write`() throws {
    let scene = try chain()
    let place = scene.folder.path("Other.cdm")
    try MadeMappingModel.write(place, "[{'name': 'LampToLamp', 'source': 'Lamp', 'destination': 'Lamp'}]")
    let error = try refusal(scene, migration(scene) { $0.mappings = [Migrate.StepMapping(path: place)] })
    #expect(error.message == "“\(place)” matches none of the steps; the steps are to “Pantry 2”, “Pantry 3”")
    #expect(
      error.place
        == "“Other.cdm” is not a mapping model from “Pantry” to “Pantry 2”\n  "
        + "“Other.cdm” is not a mapping model from “Pantry 2” to “Pantry 3”"
    )
    #expect(
      error.remedy
        == "use a mapping model between two consecutive versions, or remove it"
    )
    try Data("no mapping model".utf8).write(to: URL(filePath: place))
    let damaged = #expect(throws: DecantError.self) {
      try migration(scene) { $0.mappings = [Migrate.StepMapping(path: place)] }.run()
    }
    #expect(damaged?.family == .corruptStore)
  }

  @Test func `a mapping model that fits two steps has to be told its step`() throws {
    let scene = try VersionScene(
      [
        box(attribute("name"), attribute("one")), box(attribute("name"), attribute("two")),
        box(attribute("name"), attribute("three")),
      ],
      rows: "INSERT INTO ZBOX (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 1, 1, 'blue')"
    )
    // Beside the model it would be taken for both.
    try FileManager.default.createDirectory(atPath: scene.folder.path("maps"), withIntermediateDirectories: false)
    let place = scene.folder.path("maps/Both.cdm")
    try MadeMappingModel.write(
      place,
      "[{'name': 'BoxToBox', 'source': 'Box', 'destination': 'Box', 'attributes': {'name': path('name')}}]"
    )
    let error = #expect(throws: DecantError.self) {
      try migration(scene) { $0.mappings = [Migrate.StepMapping(path: place)] }.run()
    }
    #expect(error?.family == .usage)
    #expect(error?.message == "“\(place)” matches more than one step")
    #expect(
      error?.advice?.commandLine
        == "name its step, like --mapping 'Pantry 3=\(place)', or remove it"
    )
  }

  // MARK: Versions of another app

  @Test func `code of the app in a mapping model is told by a check, too`() throws {
    let scene = try chain()
    try MadeMappingModel.write(
      scene.folder.path("One.cdm"),
      """
      [{'name': 'BoxToBox', 'source': 'Box', 'destination': 'Box', 'policy': 'BoxPolicy',
        'attributes': {'name': path('name'), 'size': const('small')}}]
      """
    )
    let error = try refusal(scene, migration(scene, to: "Pantry 2"))
    let check = try scene.check(against: "Pantry 2")
    #expect(check.migration == .mapping)
    #expect(check.obstacle?.message == error.message && error.message.contains("BoxPolicy"))
  }

  @Test(arguments: [
    ("Pantry 2", "from: Boxx, set: { color: name }", "has no entity Boxx"),
    ("Pantry 3", "from: Boxx, set: { color: name }", "“Pantry 2” has no entity Boxx"),
    ("Pantry 3", "set: { color: nosuch }", "no such column: nosuch"),
    ("Pantry 3", "set: { color: 'upper(' }", "color"),
  ])
  func `a mistake in a mapping file is told before anything is copied`(
    _ version: String,
    _ rule: String,
    _ words: String
  ) throws {
    let scene = try VersionScene(
      [
        box(attribute("name")), box(attribute("name"), attribute("size")),
        box(attribute("name"), attribute("size"), attribute("color")),
      ],
      rows: "INSERT INTO ZBOX (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 1, 1, 'blue')"
    )
    let rule = version == "Pantry 2" ? rule.replacing("color", with: "size") : rule
    let file = scene.folder.path("map.yaml")
    try Data("entities:\n  Box: { \(rule) }\n".utf8).write(to: URL(filePath: file))
    let before = FileManager.default.contents(atPath: scene.store)
    let names = try FileManager.default.contentsOfDirectory(atPath: scene.folder.url.path)
    for isDryRun in [true, false] {
      let migration = migration(scene) {
        $0.mappings = [Migrate.StepMapping(version: version, path: file)]
        $0.isDryRun = isDryRun
      }
      let error = #expect(throws: DecantError.self) { try migration.run() }
      #expect(error?.family == .usage && error?.place?.hasPrefix(file + ":2:") == true)
      #expect(error?.description.contains(words) == true)
      #expect(error?.description.contains("decant-work") == false)
    }
    #expect(FileManager.default.contents(atPath: scene.store) == before)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: scene.folder.url.path).sorted()
        == names.sorted()
    )
  }
}
