import Testing

@testable import DecantBase
@testable import DecantMapping
@testable import DecantPlan

/// Texts that are no YAML, or YAML that no mapping needs; `‸` shows where each mistake is to be told.
@Suite struct MappingSyntaxTests {
  private func check(_ text: String, _ message: String) {
    let text = MarkedText(text)
    let error = text.error
    #expect(error?.family == .usage)
    #expect(error?.message == message)
    #expect(error?.place == text.place)
    #expect(error?.remedy != nil)
  }

  @Test(arguments: [
    "entities: ‸&all\n  Recipe: {}", "‸&all entities: {}", "entities: { Recipe: ‸&x { from: y } }",
    "entities: { A: { drop: [‸&x a, *x] } }", "‸&a {}", "entities: { A: { where: ‸& } }",
    "decant: ‸&b !a 1", "entities: ‸&a *b", "entities: { A: { drop: [‸&a ] } }",
  ])
  func `an anchor is refused`(_ text: String) {
    check(text, "“&” names a part of a file to be repeated, and a mapping repeats none")
  }

  @Test(arguments: [
    "entities: ‸*all", "‸*a : x", "entities: { A: { drop: [‸*x] } }",
    "entities: { A: { set: { x: ‸*y + 1 } } }", "entities: { A: { set: { x: ‸* } } }",
    "entities:\n  A:\n    ‸*b: x",
  ])
  func `an alias is refused`(_ text: String) {
    check(text, "“*” repeats another part of a file, and a mapping repeats none")
  }

  @Test(arguments: [
    "‸? entities\n: {}", "entities: { ‸? Recipe : {} }", "entities:\n  ‸? [a, b]\n  : {}",
    "entities:\n  A: {} # why?\n  # who?\n  ‸? B\n  : {}", "entities: { A: {}, ‸? B }",
    "entities: [‸? a : b]", "entities:\n- a\n‸? share\n: {}", "entities: { ‸? : {} }",
    "entities: { A: { where: ‸? } }", "entities: { A: { where: ‸? x } }",
    "entities:\n  A:\n    where: ‸? x", "‸?\n  ? a", "entities: { ‸? *a : {} }",
  ])
  func `a key marked as one is refused`(_ text: String) {
    check(text, "a key or a text cannot begin with “?” here")
  }

  @Test func `a “?” within a text or a comment marks nothing`() throws {
    let text = """
      # who?
      entities: # what?
        # where?
        A: # ? when
          where: "a ? b" # ?
          identity: # ?
          - a?b # ?
          # ?
          set: { a? : b?, # ?
            c: '? d' }
      """
    let rule = try Mapping(text: text, place: "map.yaml").entities.first
    #expect(rule?.condition?.text == "a ? b")
    #expect(rule?.identity.map(\.text) == ["a?b"])
    #expect(rule?.settings.map(\.property.text) == ["a?", "c"])
  }

  @Test(arguments: [
    "entities: { A: { ‸<<: { from: x } } }", "entities:\n  A:\n    ‸<<: {}",
  ])
  func `a merged map is refused`(_ text: String) {
    check(text, "“<<” puts another map in here, and a mapping repeats none")
  }

  @Test(arguments: [
    "decant: ‸!!int 1", "decant: ‸!!str 1", "‸!mapping {}", "decant: ‸!mine!int 1", "decant: ‸! 1",
    "entities: { A: { drop: [‸!x a] } }", "entities: ‸!!map { A: {} }", "‸!!str decant: 1",
    "decant: ‸!<tag:yaml.org,2002:int> 1", "decant: ‸!<x", "entities: { ‸!a x: {}, !a x: {} }",
    "decant: ‸!a &b 1", "entities: ‸!a *b", "entities: { A: { drop: [‸!a ] } }",
  ])
  func `a tag is refused`(_ text: String) {
    check(text, "“!” names a type, and the values of a mapping have none to choose")
  }

  @Test(arguments: [
    "decant: 1\n‸---\ndecant: 1", "---\n{}\n‸---\n", "{}\n‸entities: {}", "{}‸}",
    "decant: 1\n...\n‸decant: 1",
  ])
  func `a second document is refused`(_ text: String) {
    check(text, "the mapping ended before this")
  }

  @Test(arguments: ["‸%YAML 3.0\n---\ndecant: 1", "‸%x\n---\n{}"])
  func `a directive is refused`(_ text: String) {
    check(text, "a line that begins with “%” says nothing to a mapping")
  }

  @Test(arguments: [
    "entities:\n‸\tRecipe: {}", "entities:\n  Recipe:\n  ‸\tfrom: x", "‸\tdecant: 1",
    "entities:\n  Recipe:\n    where: |\n‸\tx",
  ])
  func `a tab for indentation is refused`(_ text: String) {
    check(text, "a tab stands here, and lines are indented with spaces")
  }

  @Test(arguments: [
    ("decant: 1\n‸entities\nshare: {}", "there is no “:” behind this key"),
    ("entities: { A: { where: x } }\nshare: a‸: b", "a “:” cannot stand here"),
    ("entities:\n  A:\n    where: a‸: b", "a “:” cannot stand here"),
    ("entities: ‸- A", "an item of a list cannot begin here"),
    ("entities:\n  A: {}\n ‸B: {}", "the map that begins at 1:1 does not go on here: a key is wanted"),
    (
      "entities:\n  A:\n    set:\n      x: \"a\" ‸+ b",
      "the map that begins at 4:7 does not go on here: a key is wanted"
    ),
    (
      "entities:\n  A:\n    - {}\n    ‸B: {}",
      "the list that begins at 3:5 does not go on here: an item with “- ” is wanted"
    ),
    ("entities: { A: { drop: [a, b‸} }", "the list that begins at 1:24 wants “,” or “]” here"),
    ("entities: { A: {}\n‸", "the map that begins at 1:11 wants “,” or “}” here"),
    ("entities: { A: } ‸]", "the map that begins at 1:1 does not go on here: a key is wanted"),
    ("entities: { A: { x: ‸], } }", "a value is missing here"),
    ("entities: { A: { where: ‸@x } }", "a text cannot begin with “@”"),
    ("entities: { A: { where: ‸`x` } }", "a text cannot begin with “`”"),
    ("entities: { A: { where: x‸:, } }", "a “:” cannot stand here"),
    ("entities: { A: { where: ‸\"x } }", "the quote that begins here has no end"),
    ("entities: { A: { where: ‸'x } }\n", "the quote that begins here has no end"),
    (#"entities: { A: { where: "a‸\q" } }"#, "a “\\” means something else between double quotes"),
    (
      #"entities: { A: { where: "a‸\xzz" } }"#,
      "\\x, \\u and \\U want 2, 4 and 8 hexadecimal digits"
    ),
    (#"{ "a": "‸\ud83d\ude00" }"#, "this number is no character, or only half of one"),
    ("entities:\n  A:\n    where: | ‸x", "nothing can follow “|” or “>” on its line"),
    ("entities:\n  A:\n    where: |‸0\n x", "a text behind “|” or “>” cannot be indented by 0"),
    ("{ ‸[a]: 1 }", "a key is a name, this is a list"),
    ("{ ‸[a]: 1, [a]: 2 }", "a key is a name, this is a list"),
    ("{ ‸{a: 1}: 1 }", "a key is a name, this is a map"),
    ("decant: 1‸\0", "the character U+0000 cannot stand in a mapping"),
    ("decant: 1 #‸\u{1B}", "the character U+001B cannot stand in a mapping"),
    ("entities:\n  A:\n    where: \"a\" |‸| b", "nothing can follow “|” or “>” on its line"),
    ("entities:\n  A: {‸", "the text ends in the middle of a list or a map"),
  ])
  func `a text that is no YAML is told in words for who wrote it`(
    _ text: String,
    _ message: String
  ) { check(text, message) }

  @Test func `lines may end as anywhere`() {
    for end in ["\n", "\r\n", "\r"] {
      let text = "decant: 1\(end)entities:\(end)  Recipe:\(end)    form: x\(end)"
      #expect(MarkedText(text + "‸").error?.place == "map.yaml:4:5")
    }
  }

  @Test func `each end of a line counts once`() {
    let error = MarkedText("decant: 1\r\n# \r# \u{2028}# \u{85}# \u{7F}‸").error
    #expect(error?.place == "map.yaml:5:3")
  }

  @Test(arguments: [
    ("entities: { A: {}, ‸A: {}, B: &x {} }", "“A” stands twice in one map, first in line 1"),
    ("entities: { A: { where: ‸@ }, A: {} }", "a text cannot begin with “@”"),
  ])
  func `the first of several mistakes is told`(_ text: String, _ message: String) {
    check(text, message)
  }

  @Test(arguments: [
    ("entities: { \"Größe 🍲e\u{301}\": ‸@x }", "a text cannot begin with “@”"),
    ("# 🍲\nentities:\n  Größe 🍲: { ‸? x : y }", "a key or a text cannot begin with “?” here"),
    (
      "# é\nentities: { Über: {}, '🍲': {}, \"e\u{301}\": {}, ‸'🍲': {} }",
      "“🍲” stands twice in one map, first in line 2"
    ),
    ("entities: { Größe: { where: \"🍲 ‸\\uZ\" } }", "\\x, \\u and \\U want 2, 4 and 8 hexadecimal digits"),
    ("entities: { 'Größe': {}\n# 🍲\n‸", "the map that begins at 1:11 wants “,” or “}” here"),
  ])
  func `a place counts characters, not bytes`(_ text: String, _ message: String) {
    check(text, message)
  }

  @Test func `JSON may be indented with tabs`() throws {
    let text =
      "\t\n\t{\t\"entities\"\t:\t{\n\t\t\"A\" :\t{\t}\t,\n\t\"B\\/\\u00e9\":{}\t}\n\t}\n\t\n"
    let rules = try Mapping(text: text, place: "map.json").entities
    #expect(rules.map(\.name.text) == ["A", "B/é"])
  }

  @Test func `a key of 1024 characters is read`() throws {
    let name = String(repeating: "é", count: 1022)
    for text in ["entities: { \"\(name)\": {} }", "entities:\n  \"\(name)\": {}"] {
      #expect(try Mapping(text: text, place: "m").entities.first?.name.text == name)
    }
  }

  @Test(arguments: [
    #"{ "entities": { "\#(String(repeating: "x", count: 1023))": {} } }"#,
    "{ \"entities\"\n: {} }",
  ])
  func `a key that YAML does not see as one is refused`(_ text: String) {
    let error = MarkedText(text + "‸").error
    #expect(error?.family == .usage)
    #expect(error?.place?.hasPrefix("map.yaml:") == true)
  }

  @Test func `columns count characters`() {
    #expect(MarkedText("entities: { \"Größe 🍲\": { form: x } }‸").error?.place == "map.yaml:1:26")
  }
}
