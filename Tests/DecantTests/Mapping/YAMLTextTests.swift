import Testing

@testable import DecantBase
@testable import DecantMapping
@testable import DecantPlan

@Suite struct YAMLTextTests {
  /// Names that mean something else to YAML, or end it.
  private static let names = [
    "plain", "no", "on", "Y", "null", "~", "true", "12", "1e3", "-", "- a", "? a", "a: b", "a #b",
    "#b",
    "'", "it's", "\"", "x\"y", "it's \"so\"", "\\", "a\\n", "a\nb", "a\u{2028}b", " lead", "trail ",
    "[x]", "{x}", "&a", "*a", "!a", "|", ">", "%a", "@a", "`a`", "<<", "a.b", "address.city",
    "Straße", "名前",
    "😀", "order", "\u{7F}", "a\u{FEFF}b", ",",
  ]

  @Test(arguments: names) func `a name stays what it is`(_ name: String) throws {
    let text = """
      entities:
        \(name.yamlText):
          from: \(name.yamlText)
          set:
            \(name.yamlText): \(name.yamlExpression.isEmpty ? "''" : name.yamlExpression)  # said
          drop:
            - \(name.yamlText)  # said
      """
    // What is dropped is not set to itself.
    let rule = try #require(Mapping(text: text.replacing("drop:", with: "identity:"), place: "m").entities.first)
    #expect(rule.name.text == name && rule.sources.map(\.text) == [name])
    #expect(rule.settings.map(\.property.text) == [name] && rule.settings[0].value.text == name)
    #expect(rule.identity.map(\.text) == [name])
  }

  @Test func `numbers and nothing are written as such`() {
    #expect("0".yamlExpression == "0" && "NULL".yamlExpression == "null")
    #expect("''".yamlExpression == "\"''\"" && "no".yamlExpression == "'no'")
  }
}
