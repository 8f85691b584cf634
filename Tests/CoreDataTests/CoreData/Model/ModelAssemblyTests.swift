import Decant
import Testing

/// Why these entities are no model, or `nil` if they are one.
private func complaint(_ entities: [Entity]) -> String? {
  do {
    _ = try ModelAssembly.model(of: entities, versionIdentifiers: [], place: "App.mom")
    return nil
  } catch {
    #expect(error.family == .corruptStore)
    #expect(error.place == "App.mom")
    #expect(error.remedy != nil)
    return error.message
  }
}

@Suite struct ModelAssemblyTests {
  @Test func `inherited properties are left to their entity`() throws {
    let title = Attribute(name: "title", type: .string)
    let author = Relationship(name: "author", destination: "Book")
    let model = try ModelAssembly.model(
      of: [
        Entity(
          name: "Novel",
          superentity: "Book",
          attributes: [title, Attribute(name: "genre", type: .string)],
          relationships: [author],
          uniquenessConstraints: [["title"], ["genre"]]
        ),
        Entity(name: "Book", attributes: [title], relationships: [author], uniquenessConstraints: [["title"]]),
      ],
      versionIdentifiers: ["1"],
      place: ""
    )
    #expect(model.entities.map(\.name) == ["Book", "Novel"])
    #expect(model["Novel"]?.attributes.map(\.name) == ["genre"])
    #expect(model["Novel"]?.relationships == [])
    #expect(model["Novel"]?.uniquenessConstraints == [["genre"]])
    #expect(model.attributes(of: "Novel").map(\.name) == ["title", "genre"])
  }

  @Test func `inheritance that goes in circles is damage`() {
    #expect(complaint([Entity(name: "A", superentity: "A")])?.contains("itself") == true)
    let circle = [Entity(name: "A", superentity: "B"), Entity(name: "B", superentity: "A")]
    #expect(complaint(circle)?.contains("itself") == true)
    let below = circle + [Entity(name: "C", superentity: "A")]
    #expect(complaint(below)?.contains("itself") == true)
    let chain = (0..<200).map { Entity(name: "E\($0)", superentity: $0 > 0 ? "E\($0 - 1)" : nil) }
    #expect(complaint(chain)?.contains("too many") == true)
  }

  @Test func `what does not exist is damage`() {
    #expect(complaint([Entity(name: "A", superentity: "B")])?.contains("“B”") == true)
    let destination = Relationship(name: "r", destination: "B")
    #expect(complaint([Entity(name: "A", relationships: [destination])])?.contains("“B”") == true)
    let inverse = Relationship(name: "r", destination: "A", inverse: "s")
    #expect(complaint([Entity(name: "A", relationships: [inverse])])?.contains("“s”") == true)
  }

  @Test func `an inverse may be inherited`() {
    let up = Relationship(name: "up", destination: "Base", inverse: "down")
    let down = Relationship(name: "down", destination: "Leaf", inverse: "up")
    let entities = [
      Entity(name: "Base", relationships: [down]),
      Entity(name: "Leaf", superentity: "Base", relationships: [up]),
    ]
    #expect(complaint(entities) == nil)
  }

  @Test func `names that repeat or are empty are damage`() {
    #expect(complaint([Entity(name: "A"), Entity(name: "A")])?.contains("“A”") == true)
    #expect(complaint([Entity(name: "")])?.contains("no name") == true)
    let twice = [Attribute(name: "x", type: .string), Attribute(name: "x", type: .date)]
    #expect(complaint([Entity(name: "A", attributes: twice)])?.contains("“x”") == true)
    let nameless = [Attribute(name: "", type: .string)]
    #expect(complaint([Entity(name: "A", attributes: nameless)])?.contains("no name") == true)
  }
}
