import Testing

@testable import DecantBase
@testable import DecantMapping
@testable import DecantPlan

/// Mistakes in what a mapping says; `‸` shows where each is to be told.
@Suite struct MappingMistakeTests {
  typealias Case = (text: String, message: String, remedy: String?)

  private func check(_ mistake: Case) {
    let text = MarkedText(mistake.text)
    let error = text.error
    #expect(error?.family == .usage)
    #expect(error?.message == mistake.message)
    #expect(error?.place == text.place)
    #expect(error?.remedy == mistake.remedy)
  }

  @Test func `a mistake is told with the file, the line and the column`() {
    let text = "decant: 1\nentities:\n  Recipe:\n    form: OldRecipe\n"
    #expect(
      MarkedText(text + "‸").error.map(String.init(describing:)) == """
        “form” is no key of an entity
          map.yaml:4:5
          did you mean from?
        """
    )
  }

  @Test(
    arguments: [
      ("‸entites: {}", "“entites” is no key of a mapping", "did you mean entities?"),
      (
        "decant: 1\n‸colour: red", "“colour” is no key of a mapping",
        "its keys are decant, contract, defaults, namespace, entities, relationships, share"
      ),
      ("contract: { ‸entity: freeze }", "“entity” is no key of “contract”", "its keys are entities, attributes"),
      ("defaults: { ‸reject: {} }", "“reject” is no key of “defaults”", "did you mean rejects?"),
      ("defaults: { rejects: { ‸maximum: 1 } }", "“maximum” is no key of “rejects”", "its keys are max, rate"),
      ("entities: { Recipe: { merge: { ‸polity: skip } } }", "“polity” is no key of “merge”", "did you mean policy?"),
      (
        "entities: { Recipe: { generate: { id: { ‸uuid4: [a] } } } }",
        "“uuid4” is no key of a generator", "did you mean uuid5?"
      ),
      ("relationships: { A.b: { ‸dept: 1 } }", "“dept” is no key of a relationship", "did you mean depth?"),
      ("share: { s: { ‸root: {} } }", "“root” is no key of a share", "did you mean roots?"),
      (
        "share: { s: { roots: { A: 1 }, max: { ‸megabytes: 1 } } }",
        "“megabytes” is no key of “max”",
        "its keys are objects, bytes"
      ),
      (
        #"{‸"\e]x": 1}"#, "“\u{FFFD}]x” is no key of a mapping",
        "its keys are decant, contract, defaults, namespace, entities, relationships, share"
      ),
    ] as [Case]
  )
  func `a key that means nothing is refused`(_ mistake: Case) { check(mistake) }

  @Test(
    arguments: [
      ("contract: { entities: ‸freze }", "“freze” is no contract", "did you mean freeze?"),
      (
        "defaults: { merge: ‸overwrite }", "“overwrite” is no merge policy",
        "there are error, skip, update, fill, newest, keep-both, replace, three-way"
      ),
      ("defaults: { missing: ‸nul }", "“nul” is no rule for missing targets", "did you mean null?"),
      ("defaults: { missing: ‸~ }", "“~” is no rule for missing targets", "there are null, stub, reject, error"),
      (
        "defaults: { duplicates: ‸both }", "“both” is no rule for duplicates",
        "there are error, first, last, keep-both"
      ),
      ("relationships:\n  A.b: ‸folow", "“folow” is no rule", "did you mean follow?"),
      (
        "relationships:\n  A.b: { missing: ‸ignore }", "“ignore” is no rule for missing targets",
        "there are null, stub, reject, error"
      ),
      ("entities: { A: { generate: { id: ‸uuid } } }", "“uuid” is no generator", "did you mean uuid5?"),
      ("entities: { A: { anonymize: { id: ‸blur } } }", "“blur” is no way to anonymize", "there are hash, redact"),
      ("entities: { A: { merge: { policy: ‸newst } } }", "“newst” is no merge policy", "did you mean newest?"),
    ] as [Case]
  )
  func `a word that means nothing is refused`(_ mistake: Case) { check(mistake) }

  @Test(
    arguments: [
      ("‸[a]", "a mapping is a map, this is a list", "begin with a key, such as “entities:”"),
      ("‸entities", "a mapping is a map, this is a text", "begin with a key, such as “entities:”"),
      ("entities: ‸[Recipe]", "“entities”: a map is wanted, this is a list", nil),
      ("entities:\n  Recipe: ‸OldRecipe", "“Recipe”: a map is wanted, this is a text", nil),
      ("entities:\n  Recipe:\n  - ‸x", "“Recipe”: a map is wanted, this is a text", nil),
      ("contract: ‸freeze", "“contract”: a map is wanted, this is a text", nil),
      ("contract: { entities: ‸{} }", "“entities”: a word is wanted, this is a map", nil),
      ("defaults: { merge: ‸[skip] }", "“merge”: a word is wanted, this is a list", nil),
      ("defaults: { rejects: ‸5 }", "“rejects”: a map is wanted, this is a number", nil),
      ("defaults: { rejects: { max: ‸few } }", "“max”: a number is wanted, this is a text", nil),
      ("defaults: { rejects: { rate: ‸true } }", "“rate”: a rate is wanted, this is true or false", nil),
      (
        "entities: { A: { identity: ‸uuid } }", "“identity”: a list is wanted, this is a text",
        "put it into brackets: [ … ]"
      ),
      ("entities: { A: { drop: ‸{ x: y } } }", "“drop”: a list is wanted, this is a map", nil),
      ("entities: { A: { from: ‸{ x: y } } }", "“from”: a name or a list is wanted, this is a map", nil),
      ("entities: { A: { from: [‸[x]] } }", "“from”: a name is wanted, this is a list", nil),
      ("entities: { A: { set: ‸[x] } }", "“set”: a map is wanted, this is a list", nil),
      ("entities: { A: { set: { x: ‸[y] } } }", "“x”: an expression is wanted, this is a list", nil),
      ("entities: { A: { set: { x: ‸{ y: z } } } }", "“x”: an expression is wanted, this is a map", nil),
      ("entities: { A: { where: ‸[y] } }", "“where”: an expression is wanted, this is a list", nil),
      ("entities: { A: { generate: { x: ‸[y] } } }", "“x”: a word is wanted, this is a list", nil),
      (
        "entities: { A: { generate: { x: { uuid5: ‸y } } } }",
        "“uuid5”: a list is wanted, this is a text", "put it into brackets: [ … ]"
      ),
      ("entities: { A: { anonymize: ‸[x] } }", "“anonymize”: a map is wanted, this is a list", nil),
      (
        "entities: { A: { merge: { policy: newest, keep: ‸x } } }",
        "“keep”: a list is wanted, this is a text", "put it into brackets: [ … ]"
      ),
      ("entities: { A: { merge: { policy: newest, by: ‸[x] } } }", "“by”: a name is wanted, this is a list", nil),
      ("relationships: ‸[A.b]", "“relationships”: a map is wanted, this is a list", nil),
      ("relationships: { A.b: ‸[follow] }", "“A.b”: a word is wanted, this is a list", nil),
      ("relationships: { A.b: { depth: ‸'1' } }", "“depth”: a number is wanted, this is a text", nil),
      ("share: ‸email", "“share”: a map is wanted, this is a text", nil),
      ("share: { s: { roots: ‸[A] } }", "“roots”: a map is wanted, this is a list", nil),
      ("share: { s: { max: { objects: ‸many } } }", "“objects”: a number is wanted, this is a text", nil),
      ("share: { s: { max: { bytes: ‸[1] } } }", "“bytes”: a size is wanted, this is a list", nil),
      ("decant: ‸\"1\"", "“decant”: a number is wanted, this is a text", nil),
      ("namespace: ‸[a]", "“namespace”: a UUID is wanted, this is a list", nil),
    ] as [Case]
  )
  func `a value of the wrong kind is refused`(_ mistake: Case) { check(mistake) }

  @Test(
    arguments: [
      ("entities: { A: { ‸where: } }", "“where” says nothing", "write an expression behind it, or leave it away"),
      ("entities:\n  A:\n    ‸identity:\n", "“identity” says nothing", "write a list behind it, or leave it away"),
      ("entities:\n  A:\n    ‸from: null", "“from” says nothing", "write a name or a list behind it, or leave it away"),
      ("entities: { A: { set: { ‸x: } } }", "“x” is set to nothing", "write null to leave it empty, or an expression"),
      ("entities: { A: { set: { x: ‸'' } } }", "“x”: an expression is wanted, this is an empty text", nil),
      ("entities: { A: { identity: ‸[] } }", "“identity”: the list is empty", "name what is meant, or leave it away"),
      ("entities: { A: { from: ‸[] } }", "“from”: the list is empty", "name what is meant, or leave it away"),
      ("entities: { A: ‸[] }", "“A”: the list is empty", "write a rule for it, or leave it away"),
      (
        "entities: { A: { generate: { x: ‸{} } } }", "“x”: the map is empty",
        "write { uuid5: [attribute, …] }, uuid5 or uuid4"
      ),
      ("entities: { A: { merge: ‸{ keep: [x] } } }", "“merge” has no policy", "write { policy: newest, … }"),
      (
        "entities: { A: { identity: [‸null] } }", "“identity”: a name is wanted, this is nothing",
        "put a name that is called so into quotes"
      ),
      ("entities: { A: { identity: [‸''] } }", "a name is wanted, this is an empty one", nil),
      ("entities: { ‸'': {} }", "a name is wanted, this is an empty one", nil),
      ("entities: { A: { set: { ‸\"\": x } } }", "a name is wanted, this is an empty one", nil),
      ("entities: { ‸'': {}, '': {} }", "a name is wanted, this is an empty one", nil),
      ("share: { ‸s: { strip: [A.b] } }", "the share “s” begins nowhere", "write roots: { Entity: condition }"),
      (
        "relationships: { ‸ingredients: follow }",
        "“ingredients” names no relationship of an entity", "write it as Entity.relationship"
      ),
      (
        "relationships: { ‸inverse of x: follow }", "“x” names no relationship of an entity",
        "write it as Entity.relationship"
      ),
      (
        "relationships: { ‸Recipe.: follow }", "“Recipe.” names no relationship of an entity",
        "write it as Entity.relationship"
      ),
      (
        "share: { s: { roots: { A: 1 }, strip: [‸rating] } }",
        "“rating” names no attribute of an entity", "write it as Entity.attribute"
      ),
    ] as [Case]
  )
  func `what is left empty is told`(_ mistake: Case) { check(mistake) }

  @Test(
    arguments: [
      ("decant: ‸2\ncolour: red", "this is a mapping of version 2", "this decant reads version 1"),
      ("colour: red\ndecant: ‸1.5", "this is a mapping of version 1.5", "this decant reads version 1"),
      ("namespace: ‸kitchen", "“namespace” is no UUID", "write it as 6ba7b810-9dad-11d1-80b4-00c04fd430c8"),
      ("defaults: { rejects: { max: ‸-1 } }", "“max” cannot be negative", nil),
      ("defaults: { rejects: { max: ‸1.5 } }", "“max”: a whole number is wanted", "write it with digits only"),
      ("defaults: { rejects: { max: ‸101% } }", "“max”: a rate from 0 to 1 is wanted", "write 0.01, or \"1%\""),
      ("defaults: { rejects: { rate: ‸2 } }", "“rate”: a rate from 0 to 1 is wanted", "write 0.01, or \"1%\""),
      ("defaults: { rejects: { rate: ‸-0.1 } }", "“rate”: a rate from 0 to 1 is wanted", "write 0.01, or \"1%\""),
      ("defaults: { rejects: { rate: ‸nan% } }", "“rate”: a rate from 0 to 1 is wanted", "write 0.01, or \"1%\""),
      ("relationships: { A.b: { depth: ‸-2 } }", "“depth” cannot be negative", nil),
      ("relationships: { A.b: { depth: ‸0 } }", "“depth” counts from 1", "write rule: stop to take none of them along"),
      ("share: { s: { max: { objects: ‸-1 } } }", "“objects” cannot be negative", nil),
      ("share: { s: { max: { objects: ‸9223372036854775808 } } }", "“objects” is too large a number", nil),
      ("share: { s: { max: { bytes: ‸-1 } } }", "“bytes” cannot be negative", nil),
      (
        "share: { s: { max: { bytes: ‸25 megs } } }", "“bytes” is no size that can be read",
        "write the size as 20MB or 64MiB, not “25 megs”"
      ),
      (
        "share: { s: { max: { bytes: ‸9999999999 TB } } }", "“bytes” is no size that can be read",
        "“9999999999 TB” is too large a size"
      ),
    ] as [Case]
  )
  func `a number or an identifier that cannot be meant is refused`(_ mistake: Case) {
    check(mistake)
  }

  @Test(arguments: [
    ("entities:\n  Recipe: {}\n  Tag: {}\n  ‸Recipe: {}", "“Recipe” stands twice in one map, first in line 2"),
    ("decant: 1\n‸decant: 1", "“decant” stands twice in one map, first in line 1"),
    (
      "entities:\n  A:\n    set:\n      title: x\n      \"a\": z\n      ‸'title': y",
      "“title” stands twice in one map, first in line 4"
    ),
    ("relationships:\n  A.b: stop\n  ‸A.b: follow", "“A.b” stands twice in one map, first in line 2"),
    ("share:\n  s: { roots: { A: 1 } }\n  ‸s: { roots: { B: 1 } }", "“s” stands twice in one map, first in line 2"),
    ("entities: { A: { set: { x: 1, y: 1, ‸x: 2, y: 2, x: 3 } } }", "“x” stands twice in one map, first in line 1"),
    (
      "entities: { A: { set: { a&b: 1, a*b: 2, a?b: 3, \"*c\": 4, '&c': 5, ‸a*b: 6 } } }",
      "“a*b” stands twice in one map, first in line 1"
    ),
  ])
  func `a key that stands twice is told where it stands again`(_ text: String, _ message: String) {
    check((text, message, "leave one of them; several rules of one entity are a list"))
  }

  @Test func `keys that differ only in characters that are looked at first are two`() throws {
    let text = "entities: { A: { set: { a&b: 1, a*b: 2, a?b: 3, \"*c\": 4, '&c': 5 } } }"
    let names = try Mapping(text: text, place: "map.yaml").entities.first?.settings
    #expect(names?.map(\.property.text) == ["a&b", "a*b", "a?b", "*c", "&c"])
  }

  @Test(
    arguments: [
      ("entities: { A: { identity: [a, b, ‸a] } }", "“a” stands twice in “identity”", "leave one of them"),
      ("entities: { A: { from: [a, ‸a] } }", "“a” stands twice in “from”", "leave one of them"),
      ("entities: { A: { drop: [a, ‸\"a\"] } }", "“a” stands twice in “drop”", "leave one of them"),
      (
        "entities: { A: { set: { id: x }, generate: { ‸id: uuid4 } } }",
        "“id” is both set and generated", "leave one of them"
      ),
      (
        "entities: { A: { generate: { id: uuid4 }, set: { ‸id: x } } }",
        "“id” is both set and generated", "leave one of them"
      ),
      (
        "entities: { A: { set: { title: name }, drop: [‸name] } }",
        "“name” is dropped, and “title” is set to it",
        "leave one of them: what is read is not dropped"
      ),
      (
        "entities: { A: { merge: { policy: skip, ‸by: changed } } }",
        "“by” says what is newer, and the policy is skip",
        "leave it away, or write policy: newest"
      ),
      (
        "entities: { A: { merge: { ‸by: changed, policy: update } } }",
        "“by” says what is newer, and the policy is update",
        "leave it away, or write policy: newest"
      ),
      ("defaults: { rejects: { max: 1%, rate: ‸0.01 } }", "“rejects” has two rates", "leave one of them"),
      (
        "relationships: { A.b: { rule: stop, ‸depth: 2 } }",
        "“depth” bounds what is taken along, and the rule is stop",
        "leave it away, or write rule: follow"
      ),
      (
        "relationships: { A.b: { ‸where: x, rule: stop } }",
        "“where” bounds what is taken along, and the rule is stop",
        "leave it away, or write rule: follow"
      ),
      (
        "relationships: { A.b: { rule: reference, ‸where: x } }",
        "“where” bounds what is taken along, and the rule is reference",
        "leave it away, or write rule: follow"
      ),
    ] as [Case]
  )
  func `what contradicts itself is refused`(_ mistake: Case) { check(mistake) }
}
