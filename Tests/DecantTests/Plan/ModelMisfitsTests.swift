import Testing

@testable import DecantBase
@testable import DecantStore

@Suite struct ModelMisfitsTests {
  private static let tags = Relationship(name: "tags", destination: "Tag", inverse: "recipes", isToMany: true)

  private static func model(_ relationships: [Relationship]) -> Model {
    Model(entities: [Entity(name: "Recipe", relationships: relationships)])
  }

  /// What does not fit where `tags` is as `change` leaves it in the destination.
  private func misfits(_ change: (inout Relationship) -> Void) -> [String] {
    var there = Self.tags
    change(&there)
    return ModelMisfits(from: Self.model([Self.tags]), to: Self.model([there])).all.map(\.commandLine)
  }

  @Test func `a relationship that is another one there is told apart`() {
    let name = "the relationship Recipe.tags"
    #expect(misfits { $0.destination = "Label" } == ["\(name) points to Tag here and to Label there"])
    #expect(misfits { $0.isToMany = false } == ["\(name) is to-many here but to-one there"])
    #expect(misfits { $0.isOrdered = true } == ["\(name) is ordered there but not here"])
    #expect(misfits { $0.inverse = "dishes" } == ["\(name) has the inverse recipes here and dishes there"])
    #expect(misfits { $0.inverse = nil } == ["\(name) has the inverse recipes here and none there"])
    #expect(misfits { $0.isTransient = true } == ["\(name) is stored here but transient there"])
  }

  @Test func `the same difference the other way round is told the other way round`() {
    let there = Relationship(name: "tags", destination: "Label", isOrdered: true)
    let misfits = ModelMisfits(from: Self.model([there]), to: Self.model([Self.tags])).all
    #expect(
      misfits == [
        """
        the relationship Recipe.tags points to Label here and to Tag there, \
        and is to-one here but to-many there, and is ordered here but not there, \
        and has the inverse none here and recipes there
        """
      ]
    )
  }

  @Test func `what leaves no trace in a store is no misfit`() {
    #expect(misfits { _ in }.isEmpty)
    #expect(
      misfits {
        $0.isOptional.toggle()
        $0.minCount = 1
        $0.maxCount = 3
        $0.deleteRule = .cascade
        $0.renamingIdentifier = "labels"
        $0.userInfo = ["note": "other"]
      }.isEmpty
    )
  }

  @Test func `a relationship that is not there is named, one of memory only is not missed`() {
    let misfits = ModelMisfits(from: Self.model([Self.tags]), to: Self.model([])).all
    #expect(misfits == ["the destination has no relationship Recipe.tags"])
    var own = Self.tags
    own.isTransient = true
    #expect(ModelMisfits(from: Self.model([own]), to: Self.model([])).all.isEmpty)
  }
}
