import Testing

@testable import DecantMapping

@Suite struct NameLikenessTests {
  @Test(arguments: [
    ("recipeTitle", ["recipe", "title"]), ("recipe_titles", ["recipe", "title"]),
    ("sourceURL", ["source", "url"]), ("Categories", ["category"]), ("boxes", ["box"]),
    ("status", ["status"]), ("glass", ["glass"]), ("a:b", ["a", "b"]),
    ("address.city", ["address", "city"]),
    ("Straße", ["straße"]), ("isHidden2", ["is", "hidden2"]), ("_", []),
  ])
  func `a name is words in the singular`(_ name: String, _ words: [String]) {
    #expect(NameLikeness.words(of: name) == words)
  }

  @Test(arguments: [
    ("full_name", "fullName", "nearly the same name"), ("groups", "group", "nearly the same name"),
    ("recipeTitle", "title", "the same name apart from a prefix"),
    ("isFavorite", "favorite", "the same name apart from a prefix"),
    ("createdAt", "created", "one name contains the other"),
    ("imageData", "data", "one name contains the other"),
    ("guid", "uuid", "nearly the same name"), ("catgory", "category", "nearly the same name"),
  ])
  func `names are alike for a reason`(_ name: String, _ other: String, _ reason: String) {
    #expect(NameLikeness(name, other, prefixes: ["Recipe"])?.reason == reason)
    #expect(NameLikeness(other, name, prefixes: ["Recipe"])?.reason == reason)
  }

  @Test(arguments: [
    ("title", "rating"), ("a", "b"), ("note", "unit"), ("age", "tag"), ("_", "-"), ("recipe", "r"),
  ])
  func `other names have nothing to do with each other`(_ name: String, _ other: String) {
    #expect(NameLikeness(name, other, prefixes: ["Recipe"]) == nil)
  }

  @Test func `the likelier name wins`() throws {
    let equal = try #require(NameLikeness("full_name", "fullName"))
    let part = try #require(NameLikeness("full_name", "name"))
    let slip = try #require(NameLikeness("guid", "uuid"))
    #expect(slip < part && part < equal)
  }
}
