import Decant
import Foundation
import StoreTestSupport
import TestSupport
import Testing

/// A store and the version of the model it was made from.
///
/// The stores `cartkit-cartstorage-v1`, `apple-recipes`, `easylife-first` and `wire-1-24` are older
/// than any version of their models.
private let pairs: [(store: String, model: String)] = [
  ("cdp-samplemodel-v1", "coredataplus/SampleModel.xcdatamodeld#SampleModel"),
  ("cdp-samplemodel-v1", "coredataplus/SampleModel.momd#SampleModel"),
  ("cdp-samplemodel3-v1", "coredataplus/SampleModel3.xcdatamodeld#SampleModel3"),
  ("cdp-samplemodel3-v1", "coredataplus/SampleModel3.momd#SampleModel3"),
  ("cyface-v1", "cyface/CyfaceModel.xcdatamodeld#CyfaceModel"),
  ("cyface-v3", "cyface/CyfaceModel.xcdatamodeld#3"),
  ("cyface-v6", "cyface/CyfaceModel.xcdatamodeld#6"),
  ("cyface-v10", "cyface/CyfaceModel.xcdatamodeld#10"),
  ("cyface-v11", "cyface/CyfaceModel.xcdatamodeld#11"),
  ("ddg-bookmarks-v1", "ddg/BookmarksModel.xcdatamodeld#BookmarksModel"),
  ("ddg-bookmarks-v2", "ddg/BookmarksModel.xcdatamodeld#BookmarksModel 2"),
  ("ddg-bookmarks-v4", "ddg/BookmarksModel.xcdatamodeld#BookmarksModel 4"),
  ("easylife-1.5.0", "easylife/EasyLife.xcdatamodeld#EasyLife 1.5.0"),
  ("moody-1", "moody/Moody.xcdatamodeld#Moody"),
  ("moody-2", "moody/Moody.xcdatamodeld#Moody 2"),
  ("moody-3", "moody/Moody.xcdatamodeld#Moody 3"),
  ("moody-4", "moody/Moody.xcdatamodeld#Moody 4"),
  ("moody-5", "moody/Moody.xcdatamodeld#Moody 5"),
  ("practical-version1", "practical/Chapter9.xcdatamodeld#Chapter9"),
  ("wibosco-1", "wibosco/CoreDataMigration_Example.xcdatamodeld#CoreDataMigration_Example"),
  ("wibosco-2", "wibosco/CoreDataMigration_Example.xcdatamodeld#CoreDataMigration_Example 2"),
  ("wire-1-28", "wire/zmessaging.xcdatamodeld#1.28"),
  ("wire-2-3", "wire/zmessaging.xcdatamodeld#2.3"),
  ("wire-2-21-1", "wire/zmessaging.xcdatamodeld#2.21.1"),
  ("wire-2-31-0", "wire/zmessaging.xcdatamodeld#2.31.0"),
  ("wire-2-52-0", "wire/zmessaging.xcdatamodeld#2.52.0"),
  ("wire-2-75-0", "wire/zmessaging.xcdatamodeld#2.75.0"),
  ("wire-2-90-0", "wire/zmessaging.xcdatamodeld#2.90.0"),
  ("wire-2-101-0", "wire/zmessaging.xcdatamodeld#2.101.0"),
  ("xcserver-1.2.0", "xcserver/XCServerCoreData.xcdatamodeld#XCServerCoreData1.2.0"),
  ("xcserver-1.2.0", "xcserver/XCServerCoreData.momd#XCServerCoreData1.2.0"),
  ("xcserver-1.2.0-empty", "xcserver/XCServerCoreData.momd#XCServerCoreData1.2.0"),
]

@Suite(.enabled(if: Fixtures.areAvailable)) struct ModelAgreementTests {
  @Test(arguments: pairs)
  func `a store carries the model it was made from`(_ pair: (store: String, model: String)) throws {
    let inside = try ExpectedStore.readModel(pair.store)
    let outside = try ModelLocation(Self.path(pair.model)).read()
    #expect(difference(inside.lines, outside.lines) == [])
    guard pair.model.contains(".momd") else { return }
    #expect(outside.entities.map(\.versionHash) == inside.entities.map(\.versionHash))
  }

  @Test(arguments: [
    "cartkit/CartStorage", "coredataplus/SampleModel", "coredataplus/SampleModel3",
    "xcserver/XCServerCoreData",
  ])
  func `a compiled model is what its source describes`(_ name: String) throws {
    let compiled = try ModelLocation(Self.path(name + ".momd")).versions()
    let sources = try ModelLocation(Self.path(name + ".xcdatamodeld")).versions()
    for version in compiled {
      let source = try #require(sources.first { $0.name == version.name }, "\(version.name)")
      #expect(difference(try version.read().lines, try source.read().lines) == [], "\(version.name)")
    }
  }

  static func path(_ model: String) throws -> String {
    try #require(Fixtures.stores).appendingPathComponent("models").path + "/" + model
  }

  private func difference(_ first: [String], _ second: [String]) -> [String] {
    second.difference(from: first).map {
      switch $0 {
      case .insert(_, let line, _): "+ \(line)"
      case .remove(_, let line, _): "- \(line)"
      }
    }
  }
}
