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
    check(text, "a mapping cannot use anchors (“&”)")
  }

  @Test(arguments: [
    "entities: ‸*all", "‸*a : x", "entities: { A: { drop: [‸*x] } }",
    "entities: { A: { set: { x: ‸*y + 1 } } }", "entities: { A: { set: { x: ‸* } } }",
    "entities:\n  A:\n    ‸*b: x",
  ])
  func `an alias is refused`(_ text: String) {
    check(text, "a mapping cannot use aliases (“*”)")
  }

  @Test(arguments: [
    "‸? entities\n: {}", "entities: { ‸? Recipe : {} }", "entities:\n  ‸? [a, b]\n  : {}",
    "entities:\n  A: {} # why?\n  # who?\n  ‸? B\n  : {}", "entities: { A: {}, ‸? B }",
    "entities: [‸? a : b]", "entities:\n- a\n‸? share\n: {}", "entities: { ‸? : {} }",
    "entities: { A: { where: ‸? } }", "entities: { A: { where: ‸? x } }",
    "entities:\n  A:\n    where: ‸? x", "‸?\n  ? a", "entities: { ‸? *a : {} }",
  ])
  func `a key marked as one is refused`(_ text: String) {
    check(text, "a key or text cannot start with “?” here")
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
    check(text, "a mapping cannot use merge keys (“<<”)")
  }

  @Test(arguments: [
    "decant: ‸!!int 1", "decant: ‸!!str 1", "‸!mapping {}", "decant: ‸!mine!int 1", "decant: ‸! 1",
    "entities: { A: { drop: [‸!x a] } }", "entities: ‸!!map { A: {} }", "‸!!str decant: 1",
    "decant: ‸!<tag:yaml.org,2002:int> 1", "decant: ‸!<x", "entities: { ‸!a x: {}, !a x: {} }",
    "decant: ‸!a &b 1", "entities: ‸!a *b", "entities: { A: { drop: [‸!a ] } }",
  ])
  func `a tag is refused`(_ text: String) {
    check(text, "a mapping cannot use tags (“!”)")
  }

  @Test(arguments: [
    "decant: 1\n‸---\ndecant: 1", "---\n{}\n‸---\n", "{}\n‸entities: {}", "{}‸}",
    "decant: 1\n...\n‸decant: 1",
  ])
  func `a second document is refused`(_ text: String) {
    check(text, "unexpected content after the end of the mapping")
  }

  @Test(arguments: ["‸%YAML 3.0\n---\ndecant: 1", "‸%x\n---\n{}"])
  func `a directive is refused`(_ text: String) {
    check(text, "a mapping cannot use directives (“%”)")
  }

  @Test(arguments: [
    "entities:\n‸\tRecipe: {}", "entities:\n  Recipe:\n  ‸\tfrom: x", "‸\tdecant: 1",
    "entities:\n  Recipe:\n    where: |\n‸\tx",
  ])
  func `a tab for indentation is refused`(_ text: String) {
    check(text, "indentation contains a tab")
  }

  @Test(arguments: [
    ("decant: 1\n‸entities\nshare: {}", "missing “:” after this key"),
    ("entities: { A: { where: x } }\nshare: a‸: b", "unexpected “:”"),
    ("entities:\n  A:\n    where: a‸: b", "unexpected “:”"),
    ("entities: ‸- A", "a list item cannot start here"),
    ("entities:\n  A: {}\n ‸B: {}", "the map that starts at 1:1: expected a key"),
    (
      "entities:\n  A:\n    set:\n      x: \"a\" ‸+ b",
      "the map that starts at 4:7: expected a key"
    ),
    (
      "entities:\n  A:\n    - {}\n    ‸B: {}",
      "the list that starts at 3:5: expected an item with “- ”"
    ),
    ("entities: { A: { drop: [a, b‸} }", "the list that starts at 1:24: expected “,” or “]”"),
    ("entities: { A: {}\n‸", "the map that starts at 1:11: expected “,” or “}”"),
    ("entities: { A: } ‸]", "the map that starts at 1:1: expected a key"),
    ("entities: { A: { x: ‸], } }", "a value is missing here"),
    ("entities: { A: { where: ‸@x } }", "text cannot start with “@”"),
    ("entities: { A: { where: ‸`x` } }", "text cannot start with “`”"),
    ("entities: { A: { where: x‸:, } }", "unexpected “:”"),
    ("entities: { A: { where: ‸\"x } }", "the quote that starts here is not closed"),
    ("entities: { A: { where: ‸'x } }\n", "the quote that starts here is not closed"),
    (#"entities: { A: { where: "a‸\q" } }"#, "unknown escape after “\\” in double quotes"),
    (
      #"entities: { A: { where: "a‸\xzz" } }"#,
      "\\x, \\u and \\U require 2, 4 and 8 hexadecimal digits"
    ),
    (#"{ "a": "‸\ud83d\ude00" }"#, "this escape is not a character, or is half of a surrogate pair"),
    ("entities:\n  A:\n    where: | ‸x", "nothing can follow “|” or “>” on its line"),
    ("entities:\n  A:\n    where: |‸0\n x", "text after “|” or “>” cannot have an indentation of 0"),
    ("{ ‸[a]: 1 }", "a key must be a name, not a list"),
    ("{ ‸[a]: 1, [a]: 2 }", "a key must be a name, not a list"),
    ("{ ‸{a: 1}: 1 }", "a key must be a name, not a map"),
    ("decant: 1‸\0", "the character U+0000 is not allowed in a mapping"),
    ("decant: 1 #‸\u{1B}", "the character U+001B is not allowed in a mapping"),
    ("entities:\n  A:\n    where: \"a\" |‸| b", "nothing can follow “|” or “>” on its line"),
    ("entities:\n  A: {‸", "the file ends in the middle of a list or map"),
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
    ("entities: { A: {}, ‸A: {}, B: &x {} }", "duplicate key “A”, first in line 1"),
    ("entities: { A: { where: ‸@ }, A: {} }", "text cannot start with “@”"),
  ])
  func `the first of several mistakes is told`(_ text: String, _ message: String) {
    check(text, message)
  }

  @Test(arguments: [
    ("entities: { \"Größe 🍲e\u{301}\": ‸@x }", "text cannot start with “@”"),
    ("# 🍲\nentities:\n  Größe 🍲: { ‸? x : y }", "a key or text cannot start with “?” here"),
    (
      "# é\nentities: { Über: {}, '🍲': {}, \"e\u{301}\": {}, ‸'🍲': {} }",
      "duplicate key “🍲”, first in line 2"
    ),
    ("entities: { Größe: { where: \"🍲 ‸\\uZ\" } }", "\\x, \\u and \\U require 2, 4 and 8 hexadecimal digits"),
    ("entities: { 'Größe': {}\n# 🍲\n‸", "the map that starts at 1:11: expected “,” or “}”"),
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
