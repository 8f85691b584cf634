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
        “form” is not a key of an entity
          map.yaml:4:5
          did you mean from?
        """
    )
  }

  @Test(
    arguments: [
      ("‸entites: {}", "“entites” is not a key of a mapping", "did you mean entities?"),
      (
        "decant: 1\n‸colour: red", "“colour” is not a key of a mapping",
        "its keys are decant, contract, defaults, namespace, entities, relationships, share"
      ),
      ("contract: { ‸entity: freeze }", "“entity” is not a key of “contract”", "its keys are entities, attributes"),
      ("defaults: { ‸reject: {} }", "“reject” is not a key of “defaults”", "did you mean rejects?"),
      ("defaults: { rejects: { ‸maximum: 1 } }", "“maximum” is not a key of “rejects”", "its keys are max, rate"),
      (
        "entities: { Recipe: { merge: { ‸polity: skip } } }", "“polity” is not a key of “merge”", "did you mean policy?"
      ),
      (
        "entities: { Recipe: { generate: { id: { ‸uuid4: [a] } } } }",
        "“uuid4” is not a key of a generator", "did you mean uuid5?"
      ),
      ("relationships: { A.b: { ‸dept: 1 } }", "“dept” is not a key of a relationship", "did you mean depth?"),
      ("share: { s: { ‸root: {} } }", "“root” is not a key of a share", "did you mean roots?"),
      (
        "share: { s: { roots: { A: 1 }, max: { ‸megabytes: 1 } } }",
        "“megabytes” is not a key of “max”",
        "its keys are objects, bytes"
      ),
      (
        #"{‸"\e]x": 1}"#, "“\u{FFFD}]x” is not a key of a mapping",
        "its keys are decant, contract, defaults, namespace, entities, relationships, share"
      ),
    ] as [Case]
  )
  func `a key that means nothing is refused`(_ mistake: Case) { check(mistake) }

  @Test(
    arguments: [
      ("contract: { entities: ‸freze }", "“freze” is not a contract", "did you mean freeze?"),
      (
        "defaults: { merge: ‸overwrite }", "“overwrite” is not a merge policy",
        "use one of error, skip, update, fill, newest, keep-both, replace, three-way"
      ),
      ("defaults: { missing: ‸nul }", "“nul” is not a rule for missing targets", "did you mean null?"),
      ("defaults: { missing: ‸~ }", "“~” is not a rule for missing targets", "use one of null, stub, reject, error"),
      (
        "defaults: { duplicates: ‸both }", "“both” is not a rule for duplicates",
        "use one of error, first, last, keep-both"
      ),
      ("relationships:\n  A.b: ‸folow", "“folow” is not a rule", "did you mean follow?"),
      (
        "relationships:\n  A.b: { missing: ‸ignore }", "“ignore” is not a rule for missing targets",
        "use one of null, stub, reject, error"
      ),
      ("entities: { A: { generate: { id: ‸uuid } } }", "“uuid” is not a generator", "did you mean uuid5?"),
      ("entities: { A: { anonymize: { id: ‸blur } } }", "“blur” is not a way to anonymize", "use one of hash, redact"),
      ("entities: { A: { merge: { policy: ‸newst } } }", "“newst” is not a merge policy", "did you mean newest?"),
    ] as [Case]
  )
  func `a word that means nothing is refused`(_ mistake: Case) { check(mistake) }

  @Test(
    arguments: [
      ("‸[a]", "a mapping must be a map, not a list", "start with a key, such as “entities:”"),
      ("‸entities", "a mapping must be a map, not a text", "start with a key, such as “entities:”"),
      ("entities: ‸[Recipe]", "“entities”: expected a map, found a list", nil),
      ("entities:\n  Recipe: ‸OldRecipe", "“Recipe”: expected a map, found a text", nil),
      ("entities:\n  Recipe:\n  - ‸x", "“Recipe”: expected a map, found a text", nil),
      ("contract: ‸freeze", "“contract”: expected a map, found a text", nil),
      ("contract: { entities: ‸{} }", "“entities”: expected a word, found a map", nil),
      ("defaults: { merge: ‸[skip] }", "“merge”: expected a word, found a list", nil),
      ("defaults: { rejects: ‸5 }", "“rejects”: expected a map, found a number", nil),
      ("defaults: { rejects: { max: ‸few } }", "“max”: expected a number, found a text", nil),
      ("defaults: { rejects: { rate: ‸true } }", "“rate”: expected a rate, found true or false", nil),
      (
        "entities: { A: { identity: ‸uuid } }", "“identity”: expected a list, found a text",
        "put it in brackets: [ … ]"
      ),
      ("entities: { A: { drop: ‸{ x: y } } }", "“drop”: expected a list, found a map", nil),
      ("entities: { A: { from: ‸{ x: y } } }", "“from”: expected a name or a list, found a map", nil),
      ("entities: { A: { from: [‸[x]] } }", "“from”: expected a name, found a list", nil),
      ("entities: { A: { set: ‸[x] } }", "“set”: expected a map, found a list", nil),
      ("entities: { A: { set: { x: ‸[y] } } }", "“x”: expected an expression, found a list", nil),
      ("entities: { A: { set: { x: ‸{ y: z } } } }", "“x”: expected an expression, found a map", nil),
      ("entities: { A: { where: ‸[y] } }", "“where”: expected an expression, found a list", nil),
      ("entities: { A: { generate: { x: ‸[y] } } }", "“x”: expected a word, found a list", nil),
      (
        "entities: { A: { generate: { x: { uuid5: ‸y } } } }",
        "“uuid5”: expected a list, found a text", "put it in brackets: [ … ]"
      ),
      ("entities: { A: { anonymize: ‸[x] } }", "“anonymize”: expected a map, found a list", nil),
      (
        "entities: { A: { merge: { policy: newest, keep: ‸x } } }",
        "“keep”: expected a list, found a text", "put it in brackets: [ … ]"
      ),
      ("entities: { A: { merge: { policy: newest, by: ‸[x] } } }", "“by”: expected a name, found a list", nil),
      ("relationships: ‸[A.b]", "“relationships”: expected a map, found a list", nil),
      ("relationships: { A.b: ‸[follow] }", "“A.b”: expected a word, found a list", nil),
      ("relationships: { A.b: { depth: ‸'1' } }", "“depth”: expected a number, found a text", nil),
      ("share: ‸email", "“share”: expected a map, found a text", nil),
      ("share: { s: { roots: ‸[A] } }", "“roots”: expected a map, found a list", nil),
      ("share: { s: { max: { objects: ‸many } } }", "“objects”: expected a number, found a text", nil),
      ("share: { s: { max: { bytes: ‸[1] } } }", "“bytes”: expected a size, found a list", nil),
      ("decant: ‸\"1\"", "“decant”: expected a number, found a text", nil),
      ("namespace: ‸[a]", "“namespace”: expected a UUID, found a list", nil),
    ] as [Case]
  )
  func `a value of the wrong kind is refused`(_ mistake: Case) { check(mistake) }

  @Test(
    arguments: [
      ("entities: { A: { ‸where: } }", "“where” has no value", "write an expression after it, or remove it"),
      ("entities:\n  A:\n    ‸identity:\n", "“identity” has no value", "write a list after it, or remove it"),
      ("entities:\n  A:\n    ‸from: null", "“from” has no value", "write a name or a list after it, or remove it"),
      ("entities: { A: { set: { ‸x: } } }", "“x” has no value", "write null to leave it empty, or write an expression"),
      ("entities: { A: { set: { x: ‸'' } } }", "“x”: expected an expression, found an empty string", nil),
      ("entities: { A: { identity: ‸[] } }", "“identity”: the list is empty", "add items to it, or remove it"),
      ("entities: { A: { from: ‸[] } }", "“from”: the list is empty", "add items to it, or remove it"),
      ("entities: { A: ‸[] }", "“A”: the list is empty", "write a rule for it, or remove it"),
      (
        "entities: { A: { generate: { x: ‸{} } } }", "“x”: the map is empty",
        "write { uuid5: [attribute, …] }, uuid5 or uuid4"
      ),
      ("entities: { A: { merge: ‸{ keep: [x] } } }", "“merge” has no policy", "write { policy: newest, … }"),
      (
        "entities: { A: { identity: [‸null] } }", "“identity”: expected a name, found nothing",
        "to use this as a name, put it in quotes"
      ),
      ("entities: { A: { identity: [‸''] } }", "expected a name, found an empty string", nil),
      ("entities: { ‸'': {} }", "expected a name, found an empty string", nil),
      ("entities: { A: { set: { ‸\"\": x } } }", "expected a name, found an empty string", nil),
      ("entities: { ‸'': {}, '': {} }", "expected a name, found an empty string", nil),
      ("share: { ‸s: { strip: [A.b] } }", "the share “s” has no roots", "write roots: { Entity: condition }"),
      (
        "relationships: { ‸ingredients: follow }",
        "“ingredients” does not name a relationship of an entity", "write it as Entity.relationship"
      ),
      (
        "relationships: { ‸inverse of x: follow }", "“x” does not name a relationship of an entity",
        "write it as Entity.relationship"
      ),
      (
        "relationships: { ‸Recipe.: follow }", "“Recipe.” does not name a relationship of an entity",
        "write it as Entity.relationship"
      ),
      (
        "share: { s: { roots: { A: 1 }, strip: [‸rating] } }",
        "“rating” does not name an attribute of an entity", "write it as Entity.attribute"
      ),
    ] as [Case]
  )
  func `what is left empty is told`(_ mistake: Case) { check(mistake) }

  @Test(
    arguments: [
      ("decant: ‸2\ncolour: red", "unsupported mapping version 2", "this decant reads version 1"),
      ("colour: red\ndecant: ‸1.5", "unsupported mapping version 1.5", "this decant reads version 1"),
      ("namespace: ‸kitchen", "“namespace” is not a UUID", "write it as 6ba7b810-9dad-11d1-80b4-00c04fd430c8"),
      ("defaults: { rejects: { max: ‸-1 } }", "“max” cannot be negative", nil),
      ("defaults: { rejects: { max: ‸1.5 } }", "“max”: expected a whole number", "use digits only"),
      ("defaults: { rejects: { max: ‸101% } }", "“max”: expected a rate from 0 to 1", "write 0.01, or \"1%\""),
      ("defaults: { rejects: { rate: ‸2 } }", "“rate”: expected a rate from 0 to 1", "write 0.01, or \"1%\""),
      ("defaults: { rejects: { rate: ‸-0.1 } }", "“rate”: expected a rate from 0 to 1", "write 0.01, or \"1%\""),
      ("defaults: { rejects: { rate: ‸nan% } }", "“rate”: expected a rate from 0 to 1", "write 0.01, or \"1%\""),
      ("relationships: { A.b: { depth: ‸-2 } }", "“depth” cannot be negative", nil),
      ("relationships: { A.b: { depth: ‸0 } }", "“depth” must be at least 1", "write rule: stop to copy none of them"),
      ("share: { s: { max: { objects: ‸-1 } } }", "“objects” cannot be negative", nil),
      ("share: { s: { max: { objects: ‸9223372036854775808 } } }", "the number of “objects” is too large", nil),
      ("share: { s: { max: { bytes: ‸-1 } } }", "“bytes” cannot be negative", nil),
      (
        "share: { s: { max: { bytes: ‸25 megs } } }", "“bytes” is not a valid size",
        "“25 megs” is not a size: write it as 20MB or 64MiB"
      ),
      (
        "share: { s: { max: { bytes: ‸9999999999 TB } } }", "“bytes” is not a valid size",
        "the size “9999999999 TB” is too large"
      ),
    ] as [Case]
  )
  func `a number or an identifier that cannot be meant is refused`(_ mistake: Case) {
    check(mistake)
  }

  @Test(arguments: [
    ("entities:\n  Recipe: {}\n  Tag: {}\n  ‸Recipe: {}", "duplicate key “Recipe”, first in line 2"),
    ("decant: 1\n‸decant: 1", "duplicate key “decant”, first in line 1"),
    (
      "entities:\n  A:\n    set:\n      title: x\n      \"a\": z\n      ‸'title': y",
      "duplicate key “title”, first in line 4"
    ),
    ("relationships:\n  A.b: stop\n  ‸A.b: follow", "duplicate key “A.b”, first in line 2"),
    ("share:\n  s: { roots: { A: 1 } }\n  ‸s: { roots: { B: 1 } }", "duplicate key “s”, first in line 2"),
    ("entities: { A: { set: { x: 1, y: 1, ‸x: 2, y: 2, x: 3 } } }", "duplicate key “x”, first in line 1"),
    (
      "entities: { A: { set: { a&b: 1, a*b: 2, a?b: 3, \"*c\": 4, '&c': 5, ‸a*b: 6 } } }",
      "duplicate key “a*b”, first in line 1"
    ),
  ])
  func `a key that stands twice is told where it stands again`(_ text: String, _ message: String) {
    check((text, message, "remove one of them; to give an entity several rules, use a list"))
  }

  @Test func `keys that differ only in characters that are looked at first are two`() throws {
    let text = "entities: { A: { set: { a&b: 1, a*b: 2, a?b: 3, \"*c\": 4, '&c': 5 } } }"
    let names = try Mapping(text: text, place: "map.yaml").entities.first?.settings
    #expect(names?.map(\.property.text) == ["a&b", "a*b", "a?b", "*c", "&c"])
  }

  @Test(
    arguments: [
      ("entities: { A: { identity: [a, b, ‸a] } }", "“a” appears twice in “identity”", "remove one of them"),
      ("entities: { A: { from: [a, ‸a] } }", "“a” appears twice in “from”", "remove one of them"),
      ("entities: { A: { drop: [a, ‸\"a\"] } }", "“a” appears twice in “drop”", "remove one of them"),
      (
        "entities: { A: { set: { id: x }, generate: { ‸id: uuid4 } } }",
        "“id” is both set and generated", "remove one of them"
      ),
      (
        "entities: { A: { generate: { id: uuid4 }, set: { ‸id: x } } }",
        "“id” is both set and generated", "remove one of them"
      ),
      (
        "entities: { A: { set: { title: name }, drop: [‸name] } }",
        "“name” is dropped, but “title” is set from it",
        "remove one of them: a property that is read cannot be dropped"
      ),
      (
        "entities: { A: { merge: { policy: skip, ‸by: changed } } }",
        "“by” only applies to the policy newest, but the policy is skip",
        "remove it, or write policy: newest"
      ),
      (
        "entities: { A: { merge: { ‸by: changed, policy: update } } }",
        "“by” only applies to the policy newest, but the policy is update",
        "remove it, or write policy: newest"
      ),
      ("defaults: { rejects: { max: 1%, rate: ‸0.01 } }", "“rejects” has two limits", "remove one of them"),
      (
        "relationships: { A.b: { rule: stop, ‸depth: 2 } }",
        "“depth” only applies to the rule follow, but the rule is stop",
        "remove it, or write rule: follow"
      ),
      (
        "relationships: { A.b: { ‸where: x, rule: stop } }",
        "“where” only applies to the rule follow, but the rule is stop",
        "remove it, or write rule: follow"
      ),
      (
        "relationships: { A.b: { rule: reference, ‸where: x } }",
        "“where” only applies to the rule follow, but the rule is reference",
        "remove it, or write rule: follow"
      ),
    ] as [Case]
  )
  func `what contradicts itself is refused`(_ mistake: Case) { check(mistake) }
}
