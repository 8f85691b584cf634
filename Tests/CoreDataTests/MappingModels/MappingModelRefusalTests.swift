import Decant
import Foundation
import StoreTestSupport
import TestSupport
import Testing

@testable import DecantCoreData

/// What decant cannot carry out is named, all of it, and nothing is guessed.
@Suite struct MappingModelRefusalTests {
  private static let old = """
    <entity name="Base"><attribute name="x" optional="YES" attributeType="Integer 16"/>
      <attribute name="t" optional="YES" attributeType="String"/>
      <attribute name="d" optional="YES" attributeType="Date"/>
      <attribute name="gone" optional="YES" attributeType="String" transient="YES"/>
      <attribute name="big" optional="YES" attributeType="Binary" allowsExternalBinaryDataStorage="YES"/>
      <relationship name="one" optional="YES" maxCount="1" destinationEntity="Other" inverseName="many"/></entity>
    <entity name="Below" parentEntity="Base"/>
    <entity name="Other"><attribute name="n" optional="YES" attributeType="String"/>
      <attribute name="blob" optional="YES" attributeType="Binary" allowsExternalBinaryDataStorage="YES"/>
      <relationship name="many" optional="YES" toMany="YES" destinationEntity="Base" inverseName="one"/></entity>
    """
  private static let new = """
    <entity name="Base"><attribute name="x" optional="YES" attributeType="Integer 16"/>
      <attribute name="t" optional="YES" attributeType="String"/>
      <attribute name="d" optional="YES" attributeType="Date"/>
      <attribute name="big" optional="YES" attributeType="Binary"/>
      <relationship name="one" optional="YES" maxCount="1" destinationEntity="Other" inverseName="many"/></entity>
    <entity name="Below" parentEntity="Base"/>
    <entity name="Other"><attribute name="n" optional="YES" attributeType="String"/>
      <relationship name="many" optional="YES" toMany="YES" destinationEntity="Base" inverseName="one"/></entity>
    """

  private func refusal(_ mapping: String, new: String = Self.new, others: String = "") throws -> DecantError {
    let step = try MadeStep(
      Self.old,
      new,
      rows: "",
      "[{'name': 'M', 'source': 'Base', 'destination': 'Base', \(mapping)}\(others)]"
    )
    let error = try #require(#expect(throws: DecantError.self) { try step.conversion() })
    #expect(error.family == .modelMismatch && error.place?.hasSuffix("Step.cdm") == true)
    #expect(error.advice?.commandLine.contains("--mapping") == true)
    return error
  }

  private static let calculated = "call(const(1), 'add:to:', path('x'), const(1))"
  private static let messageStart = "“Step.cdm” has mappings that decant does not support: "

  @Test(arguments: [
    (
      "'attributes': {'x': \(calculated)}",
      "M sets Base.x by “FUNCTION(1, \"add:to:\", $source.x, 1)”: only attributes of $source and constants are supported"
    ),
    (
      "'attributes': {'t': call(var('entityPolicy'), 'nameFor:', var('source'))}",
      "M sets Base.t by “FUNCTION($entityPolicy, \"nameFor:\", $source)”: only attributes of $source and constants are "
        + "supported"
    ),
    ("'attributes': {'t': path('one')}", "M sets Base.t by “$source.one”: it is an object, not a value"),
    ("'attributes': {'t': path('gone')}", "M sets Base.t by “$source.gone”: a store does not hold Base.gone"),
    ("'attributes': {'t': path('none')}", "M sets Base.t by “$source.none”: Base has no property none"),
    (
      "'attributes': {'big': path('one.blob')}",
      "M sets Base.big by “$source.one.blob”: Other.blob may be in external files"
    ),
    ("'attributes': {'x': const('text')}", "M sets Base.x by “\"text\"”: an attribute of type int16 cannot have it"),
    ("'attributes': {'d': const(3)}", "M sets Base.d by “3”: an attribute of type date cannot have it"),
    (
      "'predicate': 't LIKE \"a*\"'",
      "M selects objects by the predicate “t LIKE \"a*\"”: a comparison is missing (column 3)"
    ),
    (
      "'predicate': 't < \"b\"'",
      "M selects objects by the predicate “t < \"b\"”: the order of text depends on the language"
    ),
    (
      "'predicate': 'NOT x == 1'",
      "M selects objects by the predicate “NOT x == 1”: NOT applies to an attribute that may have no value"
    ),
    (
      "'predicate': 'one.n != \"a\"'",
      "M selects objects by the predicate “one.n != \"a\"”: != through a relationship is ambiguous for a missing object"
    ),
    ("'predicate': 'one == 3'", "M selects objects by the predicate “one == 3”: an object is compared with a value"),
    ("'predicate': 'nothing == 3'", "M selects objects by the predicate “nothing == 3”: Base has no property nothing"),
    ("'predicate': 'x == t'", "M selects objects by the predicate “x == t”: t is not a constant"),
    ("'fetch': fetched('Base', 'TRUEPREDICATE', True)", "M also selects objects of Below"),
    (
      "'fetch': fetched('Other', 'TRUEPREDICATE')",
      "M selects objects by “FETCH(FUNCTION($manager, \"fetchRequestForSourceEntityNamed:predicateString:\", \"Other\", "
        + "\"TRUEPREDICATE\"), $manager.sourceContext, NO)”"
    ),
    ("'policy': 'App.Policy'", "M is performed by the app's own class App.Policy"),
    ("'type': 3", "M is of type remove, but names two entities"),
    ("'attributes': {'t': const('a\\0b')}", "M sets Base.t by “\"a\0b\"”: text contains a NUL"),
    (
      "'relationships': {'one': path('one')}",
      "M sets Base.one by “$source.one”: only the mapped objects of $source are supported"
    ),
    (
      "'relationships': {'one': through('None', path('one'))}",
      "M sets Base.one by “FUNCTION($manager, \"destinationInstancesForEntityMappingNamed:sourceInstances:\", \"None\", "
        + "$source.one)”: there is no entity mapping None"
    ),
    (
      "'relationships': {'one': related('other', path('one'))}",
      "M sets Base.one by “FUNCTION($manager, \"destinationInstancesForSourceRelationshipNamed:sourceInstances:\", "
        + "\"other\", $source.one)”: the relationship other does not point to these objects"
    ),
  ])
  func `what is not supported`(_ mapping: String, _ message: String) throws {
    #expect(try refusal(mapping).message == Self.messageStart + message)
  }

  @Test func `all of it at once, each with its entity mapping`() throws {
    let error = try refusal(
      "'attributes': {'x': \(Self.calculated), 't': const(1)}, 'predicate': 'x LIKE 3'",
      others: """
        , {'name': 'N', 'source': 'Other', 'destination': 'Other', 'policy': 'App.OtherPolicy', 'predicate': '?'},
        {'name': 'B', 'source': 'Below', 'policy': 'App.BelowPolicy', 'type': 3}
        """
    )
    #expect(
      error.message == Self.messageStart
        + [
          "M selects objects by the predicate “x LIKE 3”: a comparison is missing (column 3)",
          "N is performed by the app's own class App.OtherPolicy",
          "B is performed by the app's own class App.BelowPolicy",
          "M sets Base.t by “1”: an attribute of type string cannot have it",
          "M sets Base.x by “FUNCTION(1, \"add:to:\", $source.x, 1)”: only attributes of $source and constants are "
            + "supported",
        ].joined(separator: "; ")
    )
  }

  @Test func `a mapping file says what a policy would have`() throws {
    let step = try MadeStep(
      Self.old,
      Self.new,
      rows: "",
      """
      [{'name': 'M', 'source': 'Base', 'destination': 'Base', 'policy': 'App.Policy'},
       {'name': 'B', 'source': 'Below', 'policy': 'App.BelowPolicy', 'type': 3},
       {'name': 'N', 'source': 'Other', 'destination': 'Other', 'attributes': {'n': path('n')}}]
      """
    )
    func conversion(_ text: String) throws -> MappingModelConversion {
      try step.mappingModel.conversion(
        from: step.source,
        to: step.destination,
        besides: Mapping(text: text, place: "map.yaml")
      )
    }
    let half = #expect(throws: DecantError.self) {
      try conversion("entities: { Base: { drop: [x] } }")
    }
    #expect(half?.message == Self.messageStart + "B is performed by the app's own class App.BelowPolicy")
    let whole = try conversion(
      "entities: { Base: [ { drop: [x] }, { from: Below } ] }\ncontract: { attributes: freeze }"
    )
    #expect(whole.mapping.place == "map.yaml" && whole.mapping.contract.attributes == .freeze)
    #expect(whole.lostEntities == [] && whole.mapping.contract.entities == .freeze)
    #expect(whole.mapping.entities.map(\.name.text) == ["Base", "Base", "Other", "Below"])
    // What the mapping model leaves behind beside the file is left behind by name.
    #expect(whole.mapping.entities[2].dropped.map(\.text).contains("blob"))
  }

  @Test func `what must be there and is filled by nothing`() throws {
    let error = try refusal(
      "'attributes': {'x': const(None)}",
      new: """
        <entity name="Base"><attribute name="x" attributeType="Integer 16"/><attribute name="y" attributeType="String"/>
          <relationship name="one" maxCount="1" destinationEntity="Other" inverseName="many"/></entity>
        <entity name="Other"><relationship name="many" toMany="YES" destinationEntity="Base" inverseName="one"/></entity>
        """
    )
    #expect(
      error.message == Self.messageStart
        + "M sets Base.x by “nil”: a value is required; M sets Base.y to nothing, but a value is required; "
        + "M sets Base.one to nothing, but it requires a Other"
    )
  }

  /// Links that Core Data makes and decant cannot.
  @Test(arguments: [
    // Said otherwise in the other direction.
    (
      "<relationship name=\"one\" optional=\"YES\" maxCount=\"1\" destinationEntity=\"Other\" inverseName=\"many\"/>",
      "<relationship name=\"many\" optional=\"YES\" toMany=\"YES\" destinationEntity=\"Base\" inverseName=\"one\"/>",
      "'one': through('N', path('second'))", "'many': through('M', path('many'))",
      "M sets Base.one differently from how N sets Other.many, which holds the same links; "
        + "N sets Other.many differently from how M sets Base.one, which holds the same links"
    )
  ])
  func `links that cannot be made`(
    _ base: String,
    _ other: String,
    _ forward: String,
    _ backward: String,
    _ message: String
  ) throws {
    let step = try MadeStep(
      """
      <entity name="Base">
        <relationship name="one" optional="YES" maxCount="1" destinationEntity="Other" inverseName="many"/>
        <relationship name="second" optional="YES" maxCount="1" destinationEntity="Other" inverseName="seconds"/></entity>
      <entity name="Other">
        <relationship name="many" optional="YES" toMany="YES" destinationEntity="Base" inverseName="one"/>
        <relationship name="seconds" optional="YES" toMany="YES" destinationEntity="Base" inverseName="second"/></entity>
      """,
      "<entity name=\"Base\">\(base)</entity><entity name=\"Other\">\(other)</entity>",
      rows: "",
      """
      [{'name': 'M', 'source': 'Base', 'destination': 'Base', 'relationships': {\(forward)}},
       {'name': 'N', 'source': 'Other', 'destination': 'Other', 'relationships': {\(backward)}}]
      """
    )
    let error = #expect(throws: DecantError.self) { try step.conversion() }
    #expect(error?.message == Self.messageStart + message)
  }
}
