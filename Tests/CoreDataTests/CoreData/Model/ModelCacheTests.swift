import Decant
import StoreTestSupport
import TestSupport
import Testing

@Suite(.enabled(if: Fixtures.areAvailable)) struct ModelCacheTests {
  @Test(arguments: ExpectedStore.namesWithModel)
  func `the model inside a store is what another reader found`(_ name: String) throws {
    let expected = try #require(ExpectedStore.all[name]).entities
    let model = try ExpectedStore.readModel(name)
    #expect(Set(model.entities.map(\.name)) == Set(expected.keys))
    for (position, entity) in model.entities.enumerated() {
      let other = try #require(expected[entity.name])
      #expect(other.z_ent == position + 1, "\(entity.name)")
      #expect(entity.superentity == other.super, "\(entity.name)")
      #expect(entity.isAbstract == (other.abstract ?? false), "\(entity.name)")
      #expect(entity.versionHash?.count == 32, "\(entity.name)")
      let attributes = Dictionary(uniqueKeysWithValues: entity.attributes.map { ($0.name, $0.summary) })
      #expect(attributes == other.attributes, "\(entity.name)")
      #expect(entity.uniquenessConstraints.asSet == (other.unique ?? []).asSet, "\(entity.name)")
      #expect(Set(entity.relationships.map(\.name)) == Set(other.relationships.keys))
      for relationship in entity.relationships {
        let other = try #require(other.relationships[relationship.name])
        let place = "\(entity.name).\(relationship.name)"
        #expect(relationship.destination == other.to, "\(place)")
        #expect(relationship.inverse == other.inverse, "\(place)")
        #expect(relationship.isToMany == other.many, "\(place)")
        #expect(relationship.isOrdered == other.ordered, "\(place)")
        #expect(relationship.deleteRule.rawValue == other.rule, "\(place)")
      }
    }
  }

  @Test func `bytes that are no cache are damage`() throws {
    for bytes in [[], [0], [0xFF, 0xFF], [UInt8]("SQLite format 3".utf8)] as [[UInt8]] {
      let error = #expect(throws: DecantError.self) {
        try ModelCache.read(bytes, place: "App.sqlite")
      }
      #expect(error?.family == .corruptStore)
      #expect(error?.place == "App.sqlite")
    }
  }
}

extension [[String]] {
  fileprivate var asSet: Set<Set<String>> { Set(map { Set($0) }) }
}
