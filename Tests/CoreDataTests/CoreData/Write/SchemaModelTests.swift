import Decant
import Foundation
import TestSupport
import Testing

/// Stores made of nothing but statements, with another program, and read again.
@Suite(.enabled(if: Fixtures.areAvailable)) struct SchemaModelTests {
  /// Every folder of versions among the models of the fixtures.
  private static let models: [String] = {
    guard let folder = Fixtures.stores?.appendingPathComponent("models") else { return [] }
    let paths = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String }
    return (paths ?? []).filter { $0.hasSuffix(".momd") || $0.hasSuffix(".xcdatamodeld") }.sorted()
  }()

  @Test(arguments: models)
  func `what is made after a model is a store of that model, down to the last column`(_ path: String) throws {
    let folder = try TemporaryFolder()
    let location = try ModelAgreementTests.path(path)
    for version in try ModelLocation(location).versions() {
      let model = try version.read()
      let made = GeneratedSchema(model)
      let store = folder.path("\(version.name).sqlite")
      var script = ["table", "index", "trigger"].flatMap { made.statements($0).values.sorted() }
      for entity in model.entities {
        let parent = entity.superentity.flatMap { made.numbers[$0] } ?? 0
        script.append(
          """
          INSERT INTO Z_PRIMARYKEY VALUES (\(made.numbers[entity.name] ?? 0), '\(entity.name)', \
          \(parent), 0)
          """
        )
      }
      script.append("INSERT INTO Z_METADATA VALUES (1, 'made', NULL)")
      let file = folder.path("made.sql")
      try Data(script.map { $0 + ";\n" }.joined().utf8).write(to: URL(fileURLWithPath: file))
      _ = try Program.sqlite3(store, ".read '\(file)'")
      // The reader looks everything up by rules of its own: it must find all, and nothing else.
      let read = try CoreDataSource(CoreDataFile(StoreLocation(place: store), model: "\(location)#\(version.name)"))
      #expect(!read.notes.commandLine.contains { $0.contains("no property of the model uses") }, "\(version.name)")
      #expect(read.layout.plainTables.isEmpty, "\(version.name)")
      #expect(read.layout.relations.count == model.roots.count)
    }
  }
}
