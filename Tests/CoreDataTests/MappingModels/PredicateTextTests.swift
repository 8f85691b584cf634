import Decant
import Testing

@testable import DecantCoreData

/// Predicates and expressions as texts.
@Suite struct PredicateTextTests {
  @Test(arguments: [
    "$source.title", "$source.countries.@distinctUnionOfSets.moods", "title", "a.b.c", "$source",
    "FUNCTION($manager, \"destinationInstancesForEntityMappingNamed:sourceInstances:\", \"AToB\", $source.b)",
    "FETCH(FUNCTION($manager, \"fetchRequestForSourceEntityNamed:predicateString:\", \"A\", \"TRUEPREDICATE\"), "
      + "$manager.sourceContext, NO)",
    "{1, 2.5, \"x\"}", "nil", "SELF", "-3", "CAST(12.5, \"NSDate\")",
  ])
  func `an expression is written as it was read`(_ text: String) throws {
    #expect(try PredicateText.expression(text).description == text)
  }

  @Test func `values of all kinds`() throws {
    func value(_ text: String) throws -> MappingExpression { try PredicateText.expression(text) }
    #expect(try value("\"say \\\"hi\\\"\\n\"") == .constant(.text("say \"hi\"\n")))
    #expect(try value("YES") == .constant(.integer(1)) && value("false") == .constant(.integer(0)))
    #expect(try value("NULL") == .constant(.null) && value("1e3") == .constant(.double(1000)))
    #expect(try value("9223372036854775807") == .constant(.integer(.max)))
    #expect(try value("CAST(\"1.50\", \"NSDecimalNumber\")") == .constant(.decimal("1.50")))
    #expect(try value("#size") == .keyPath(of: .itself, ["size"]))
    #expect(try value("SELF.a.#in") == .keyPath(of: .itself, ["a", "in"]))
    #expect(
      try value("FUNCTION($source, \"valueForKey:\", \"x\")")
        == .keyPath(of: .variable("source"), ["x"])
    )
  }

  private func path(_ name: String) -> MappingExpression { .keyPath(of: .itself, [name]) }

  @Test func `AND binds closer than OR, and NOT closer than both`() throws {
    let a = MappingPredicate.comparison(path("a"), .equal, .constant(.integer(1)))
    let b = MappingPredicate.comparison(path("b"), .notEqual, .constant(.null))
    let c = MappingPredicate.comparison(path("c"), .greaterOrEqual, .constant(.double(2.5)))
    #expect(
      try PredicateText.predicate("a == 1 OR b != nil AND NOT c >= 2.5")
        == .or([a, .and([b, .not(c)])])
    )
    #expect(
      try PredicateText.predicate("(a = 1 || b <> NULL) && !(c => 2.5)")
        == .and([.or([a, b]), .not(c)])
    )
    #expect(try PredicateText.predicate("truepredicate") == .constant(true))
    #expect(
      try PredicateText.predicate("t BEGINSWITH 'x' and n between {1, 2} and n in {3}")
        == .and([
          .comparison(path("t"), .beginsWith, .constant(.text("x"))),
          .comparison(path("n"), .between, .list([.constant(.integer(1)), .constant(.integer(2))])),
          .comparison(path("n"), .isIn, .list([.constant(.integer(3))])),
        ])
    )
  }

  @Test(arguments: [
    ("", 1, "a value is missing"), ("a", 2, "a comparison is missing"),
    ("a == ", 6, "a value is missing"), ("a == 1 2", 8, "expected the end"),
    ("(a == 1", 8, "a “)” is missing"), ("a == 'x", 6, "the string is not closed"),
    ("a == '\\q'", 7, "unknown escape"), ("a ==[c] 'x'", 5, "accent-insensitive"),
    ("ANY tags.name == 'x'", 1, "ANY is not supported"),
    ("a + 1 == 2", 3, "“+” is not supported"),
    ("a LIKE 'x*'", 3, "a comparison is missing"), ("now() > a", 1, "now(…) is not supported"),
    ("a == 1e999", 6, "too large"), ("a == 99999999999999999999999e999", 6, "too large"),
    ("$ == 1", 1, "no name follows"), ("a. == 1", 4, "no name follows"),
    ("SUBQUERY(x, $y, $y.z == 1).@count > 0", 22, "a “)” is missing"),
    ("a[0] == 1", 2, "“[” is not supported"), ("{1, 2 == a", 7, "a “}” is missing"),
  ])
  func `what is not supported is told with its column`(_ text: String, _ column: Int, _ message: String) {
    let mistake = #expect(throws: PredicateText.Mistake.self) { try PredicateText.predicate(text) }
    #expect(mistake?.message.contains(message) == true, "\(mistake?.message ?? "")")
    #expect(mistake?.column == column)
  }

  @Test func `nothing is nested without bound`() {
    let deep = 100_000
    for text in [
      String(repeating: "(", count: deep), String(repeating: "NOT ", count: deep),
      String(repeating: "{", count: deep), "a == " + String(repeating: "f(", count: deep),
    ] {
      let mistake = #expect(throws: PredicateText.Mistake.self) {
        try PredicateText.predicate(text)
      }
      #expect(mistake?.message.contains("nested too deeply") == true)
    }
  }
}
