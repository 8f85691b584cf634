import Decant
import Foundation
import StoreTestSupport
import TestSupport
import Testing

/// Which version of a model a store is read with, where nobody says.
@Suite(.enabled(if: Fixtures.areAvailable)) struct ModelChoiceTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func file(_ name: String, model: String) throws -> CoreDataSource {
    let file = try #require(ExpectedStore.all[name]).file
    let store = try Fixtures.copyStore(file, into: folder.url).path
    return try CoreDataSource(CoreDataFile(StoreLocation(place: store), model: ModelAgreementTests.path(model)))
  }

  @Test(arguments: [
    // By hashes: neither is the current version.
    ("xcserver-1.2.0", "xcserver/XCServerCoreData.momd", "XCServerCoreData1.2.0"),
    // By tables and columns.
    ("issue4-model1", "issue4/Model.xcdatamodeld", "Model1"),
    ("moody-1", "moody/Moody.xcdatamodeld", "Moody"),
    ("moody-4", "moody/Moody.xcdatamodeld", "Moody 4"),
    ("cyface-v3", "cyface/CyfaceModel.xcdatamodeld", "3"),
    ("cyface-v10", "cyface/CyfaceModel.xcdatamodeld", "10"),
    ("ddg-bookmarks-v4", "ddg/BookmarksModel.xcdatamodeld", "BookmarksModel 4"),
    ("wire-2-75-0", "wire/zmessaging.xcdatamodeld", "zmessaging2.75.0"),
  ])
  func `the version the store was made from is found and named`(
    _ choice: (store: String, model: String, version: String)
  ) throws {
    let source = try file(choice.store, model: choice.model)
    #expect(source.notes.commandLine.contains { $0.contains("read with version “\(choice.version)”") })
    let named = try ModelLocation(ModelAgreementTests.path(choice.model) + "#" + choice.version).read()
    #expect(source.model == named)
  }

  @Test func `the current version is not spoken of`() throws {
    let source = try file("cdp-samplemodel-v1", model: "coredataplus/SampleModel.momd")
    #expect(!source.notes.commandLine.contains { $0.contains("version") })
  }

  @Test func `a version that is named is taken`() throws {
    let error = #expect(throws: DecantError.self) {
      try file("issue4-model1", model: "issue4/Model.xcdatamodeld#Model3")
    }
    #expect(error?.family == .modelMismatch || error?.family == .corruptStore)
  }

  @Test func `a model that explains nothing is refused`() throws {
    let error = #expect(throws: DecantError.self) {
      try file("issue4-model1", model: "moody/Moody.xcdatamodeld")
    }
    #expect(error?.family == .modelMismatch)
  }

  @Test(arguments: ["xcserver-1.2.0-empty", "xcserver-1.2.0"])
  func `another store is a model`(_ name: String) throws {
    let file = try #require(ExpectedStore.all[name]).file
    let other = try TemporaryFolder()
    let model = try Fixtures.copyStore(file, into: other.url).path
    let store = try Fixtures.copyStore(try #require(ExpectedStore.all["xcserver-1.2.0"]).file, into: folder.url).path
    // Without its own the store would be read from its tables.
    _ = try Program.sqlite3(store, "DELETE FROM Z_MODELCACHE")
    let read = try CoreDataFile(StoreLocation(place: store), model: model)
    #expect(read.model == (try ExpectedStore.readModel(name)))
    #expect(try ModelLocation(model).versions().count == 1)
  }

  @Test func `a store without a model is no model`() throws {
    let file = try #require(ExpectedStore.all["tavant"]).file
    let store = try Fixtures.copyStore(file, into: folder.url).path
    let error = #expect(throws: DecantError.self) { try ModelLocation(store).read() }
    #expect(error?.family == .modelMismatch)
  }
}
