import Testing

@testable import DecantBase
@testable import DecantVersions

@Suite struct RenamingTests {
  private func attribute(_ name: String, _ identifier: String? = nil) -> Attribute {
    Attribute(name: name, type: .string, renamingIdentifier: identifier)
  }

  private func pairs(_ source: [Attribute], _ destination: [Attribute]) -> [String: String] {
    let pairs = Renaming.pairs(source, destination)
    return Dictionary(uniqueKeysWithValues: pairs.map { (destination[$0].name, source[$1].name) })
  }

  /// Apple: “The renaming identifier creates a canonical name”, which holds from version 1 to 3 and from 2 to 3.
  @Test func `a name that changed twice is the same through three versions`() {
    let (first, second, third) = (attribute("a"), attribute("b", "a"), attribute("c", "a"))
    #expect(pairs([first], [second]) == ["b": "a"])
    #expect(pairs([second], [third]) == ["c": "b"])
    #expect(pairs([first], [third]) == ["c": "a"])
  }

  @Test func `an identifier that names the version before is understood as well`() {
    #expect(pairs([attribute("b", "a")], [attribute("c", "b")]) == ["c": "b"])
  }

  @Test func `an identifier that a later version drops leaves the name`() {
    #expect(pairs([attribute("b", "a")], [attribute("b")]) == ["b": "b"])
  }

  @Test func `two attributes can change places`() {
    let swapped = pairs(
      [attribute("left"), attribute("right")],
      [attribute("left", "right"), attribute("right", "left")]
    )
    #expect(swapped == ["left": "right", "right": "left"])
  }

  @Test func `a name that stays keeps its attribute from another that claims it`() {
    #expect(pairs([attribute("a")], [attribute("a"), attribute("b", "a")]) == ["a": "a"])
  }

  @Test func `different names without identifiers are different things`() {
    #expect(pairs([attribute("title")], [attribute("name")]) == [:])
  }
}
