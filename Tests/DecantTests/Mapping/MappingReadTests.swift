import Testing

@testable import DecantBase
@testable import DecantMapping
@testable import DecantPlan

@Suite struct MappingReadTests {
  private func entity(_ text: String) throws -> Mapping.EntityRule {
    let mapping = try Mapping(text: "entities: { Recipe: { \(text) } }", place: "map.yaml")
    return try #require(mapping.entities.first)
  }

  private func texts(_ words: [Mapping.Word]) -> [String] { words.map(\.text) }

  @Test(arguments: [
    "", "\n", "# nothing yet\n", "---\n", "{}", " \t\r\n{\n}\n", "null", "decant: 1",
  ])
  func `an empty file is a mapping that says nothing`(_ text: String) throws {
    #expect(try Mapping(text: text, place: "map.yaml") == Mapping(place: "map.yaml"))
  }

  @Test func `a section without anything in it says nothing`() throws {
    let text = "contract:\ndefaults:\nentities:\n  # Recipe:\nrelationships: {}\nshare:\n"
    #expect(try Mapping(text: text, place: "map.yaml") == Mapping(place: "map.yaml"))
  }

  @Test func `what holds for the whole file is read`() throws {
    let mapping = try Mapping(text: MappingExample.yaml, place: "map.yaml")
    #expect(mapping.place == "map.yaml")
    #expect(mapping.contract.entities == .freeze)
    #expect(mapping.contract.attributes == .discard)
    #expect(mapping.defaults.merge?.policy == .newest)
    #expect(mapping.defaults.merge?.by?.text == "modifiedAt")
    #expect(mapping.defaults.missing == .stub)
    #expect(mapping.defaults.duplicates == .keepBoth)
    #expect(mapping.defaults.rejectLimit == 20)
    #expect(mapping.defaults.rejectRate == 0.25)
    // The bytes as Python's uuid.UUID(…).bytes has them.
    #expect(
      mapping.namespace == [
        0x6b, 0xa7, 0xb8, 0x10, 0x9d, 0xad, 0x11, 0xd1, 0x80, 0xb4, 0x00, 0xc0, 0x4f, 0xd4, 0x30,
        0xc8,
      ]
    )
  }

  @Test func `how objects of an entity are made is read`() throws {
    let mapping = try Mapping(text: MappingExample.yaml, place: "map.yaml")
    #expect(mapping.entities.map(\.name.text) == ["Recipe", "Ingredient", "Ingredient", "Step", "Tag"])
    let recipe = mapping.entities[0]
    #expect(texts(recipe.sources) == ["OldRecipe"])
    #expect(recipe.condition?.text == "deleted = 0")
    #expect(texts(recipe.identity) == ["uuid", "position"])
    #expect(recipe.generated.map(\.attribute.text) == ["uuid", "other", "third"])
    guard case .content(let content) = recipe.generated[0].generator else {
      Issue.record("the first one is made from content")
      return
    }
    #expect(texts(content) == ["title", "createdAt"])
    #expect(recipe.generated[1].generator == .object)
    #expect(recipe.generated[2].generator == .random)
    #expect(recipe.merge?.policy == .newest)
    #expect(recipe.merge?.by?.text == "modifiedAt")
    #expect(texts(recipe.merge?.keep ?? []) == ["rating", "notes"])
    #expect(texts(recipe.dropped) == ["lastViewed"])
    #expect(recipe.anonymized.map(\.attribute.text) == ["author", "email"])
    #expect(recipe.anonymized.map(\.anonymization) == [.hash, .redact])
  }

  @Test func `what is set is SQL, in the file's order`() throws {
    let recipe = try Mapping(text: MappingExample.yaml, place: "map.yaml").entities[0]
    #expect(
      recipe.settings.map { [$0.property.text, $0.value.text] } == [
        ["title", "name"], ["servings", "coalesce(serves, 4)"],
        ["slug", "lower(replace(name, ' ', '-'))"], ["isGood", "1"], ["isBad", "0"],
        ["weight", "2.5"], ["nothing", "NULL"], ["parent", "$self"],
      ]
    )
    #expect(recipe.settings.filter(\.isOwnObject).map(\.property.text) == ["parent"])
  }

  @Test func `several rules of one entity add up in their order`() throws {
    let rules = try Mapping(text: MappingExample.yaml, place: "map.yaml").entities
    #expect(texts(rules[1].sources) == ["Ingredient"])
    #expect(rules[1].merge?.policy == .skip)
    #expect(texts(rules[2].sources) == ["OldRecipe", "OlderRecipe"])
    #expect(rules[2].condition?.text == "mainIngredient IS NOT NULL")
    #expect(rules[2].settings.map(\.value.text) == ["mainIngredient", "0", "$self"])
    #expect(rules[1].name.mark == rules[2].name.mark)
    #expect(rules[3] == Mapping.EntityRule(rules[3].name))
    #expect(rules[4] == Mapping.EntityRule(rules[4].name))
  }

  @Test func `what links do is read`() throws {
    let rules = try Mapping(text: MappingExample.yaml, place: "map.yaml").relationships
    #expect(
      rules.map(\.name.text) == [
        "Recipe.ingredients", "Recipe.category", "inverse of Recipe.menus", "Recipe.similar",
      ]
    )
    #expect(rules.map(\.rule) == [.follow, .reference, .stop, .follow])
    #expect(rules.map(\.missing) == [nil, .stub, nil, nil])
    #expect(rules.map(\.depth) == [nil, nil, nil, 1])
    #expect(rules.map(\.condition?.text) == [nil, nil, nil, "rating >= 4"])
  }

  @Test func `shares are read`() throws {
    let share = try #require(try Mapping(text: MappingExample.yaml, place: "map.yaml").shares.first)
    #expect(share.name.text == "email")
    #expect(share.roots.map(\.entity.text) == ["Recipe"])
    #expect(share.roots.map(\.condition.text) == ["uuid = :id"])
    #expect(texts(share.stripped) == ["Recipe.rating"])
    #expect(share.maxObjects == 10_000)
    #expect(share.maxBytes == 25_000_000)
  }

  @Test(arguments: [("64MiB", 67_108_864), ("1000", 1000), ("'2 kB'", 2000), ("0", 0)])
  func `bytes are counted as options count them`(_ text: String, _ count: Int64) throws {
    let text = "share: { s: { roots: { Recipe: 1 }, max: { bytes: \(text) } } }"
    #expect(try Mapping(text: text, place: "map.yaml").shares.first?.maxBytes == count)
  }

  @Test func `words know their places`() throws {
    let text = "entities:\n  Größe:\n    from: [ä, \"b\"]\n    set: { x: 'y + 1' }\n"
    let rule = try #require(try Mapping(text: text, place: "map.yaml").entities.first)
    #expect(rule.name == Mapping.Word("Größe", .init(line: 2, column: 3)))
    #expect(
      rule.sources == [
        Mapping.Word("ä", .init(line: 3, column: 12)),
        Mapping.Word("b", .init(line: 3, column: 15)),
      ]
    )
    #expect(rule.settings.first?.property.mark == .init(line: 4, column: 12))
    #expect(rule.settings.first?.value == Mapping.Word("y + 1", .init(line: 4, column: 15)))
  }

  @Test func `equal YAML and JSON are equal mappings`() throws {
    let yaml = try Mapping(text: MappingExample.yaml, place: "map")
    let json = try Mapping(text: MappingExample.json, place: "map")
    #expect(json.withoutMarks == yaml.withoutMarks)
    #expect(json.withoutMarks.contains("mainIngredient"))
  }

  @Test func `the words of older YAML for true and false are names`() throws {
    let rule = try entity("from: no, identity: [on, yes, true, 1], set: { off: y, null: n }")
    #expect(texts(rule.sources) == ["no"])
    #expect(texts(rule.identity) == ["on", "yes", "true", "1"])
    #expect(rule.settings.map(\.property.text) == ["off", "null"])
    #expect(rule.settings.map(\.value.text) == ["y", "n"])
  }

  @Test(arguments: [
    ("NULL", "NULL"), ("~", "NULL"), ("Null", "NULL"), ("'null'", "null"), ("TRUE", "1"),
    ("False", "0"), ("\"true\"", "true"), ("'1'", "1"), ("-3", "-3"), ("1e3", "1e3"),
    ("\"'Soup'\"", "'Soup'"), ("'''Soup'''", "'Soup'"), ("a & b * c ?", "a & b * c ?"),
    ("\"*a\"", "*a"), ("yes", "yes"), ("0x1F", "0x1F"), ("a != b", "a != b"),
  ])
  func `a value is the expression within its quotes`(_ yaml: String, _ sql: String) throws {
    #expect(try entity("set: { x: \(yaml) }").settings.first?.value.text == sql)
  }

  @Test func `an expression may go over lines`() throws {
    let text =
      "entities:\n  Recipe:\n    set:\n      a: |\n        x +\n        y\n      b: x +\n        y\n"
    let rule = try Mapping(text: text, place: "map.yaml").entities.first
    #expect(rule?.settings.map(\.value.text) == ["x +\ny\n", "x + y"])
  }

  @Test(arguments: [("\"1%\"", 0.01), ("100%", 1), ("12.5%", 0.125), ("0%", 0)])
  func `a bound of rejects may be in percent`(_ text: String, _ rate: Double) throws {
    let bound = try Mapping(text: "defaults: { rejects: { max: \(text) } }", place: "m").defaults
    #expect(bound.rejectRate == rate)
    #expect(bound.rejectLimit == nil)
    let other = try Mapping(text: "defaults: { rejects: { rate: \(text) } }", place: "m").defaults
    #expect(other.rejectRate == rate)
  }

  @Test(arguments: [("1", 1.0), ("0", 0), (".5", 0.5), ("0.001", 0.001)])
  func `a rate is a share of all`(_ text: String, _ rate: Double) throws {
    let bound = try Mapping(text: "defaults: { rejects: { rate: \(text) } }", place: "m").defaults
    #expect(bound.rejectRate == rate)
  }

  @Test(arguments: MergePolicy.allCases)
  func `every merge policy has its word`(_ policy: MergePolicy) throws {
    #expect(try entity("merge: \(policy.rawValue)").merge?.policy == policy)
    #expect(try entity("merge: { policy: \(policy.rawValue) }").merge?.policy == policy)
  }

  @Test func `null is a word where a rule for missing targets is said`() throws {
    let text = "defaults: { missing: null }\nrelationships: { A.b: { missing: \"null\" } }"
    let mapping = try Mapping(text: text, place: "map.yaml")
    #expect(mapping.defaults.missing == .null)
    #expect(mapping.relationships.first?.missing == .null)
  }

  @Test func `dropping what is set from something else is no contradiction`() throws {
    let rule = try entity("drop: [title], set: { title: name }")
    #expect(texts(rule.dropped) == ["title"])
    #expect(rule.settings.map(\.property.text) == ["title"])
  }
}
