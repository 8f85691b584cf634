import Foundation
import DecantJSON
import Testing

@Suite struct JSONValueTests {
  private static let values: [(JSONValue, String)] = [
    (.null, "null"), (.bool(true), "true"), (.integer(.min), "-9223372036854775808"),
    (.number(0.1), "0.1"), (.number(1e300), "1e+300"), (.number(.infinity), "null"),
    (.number(.nan), "null"), (.string(""), "\"\""), (.array([]), "[]"), (.object([]), "{}"),
    (.string("say \"hi\"\\\n\r\t\u{1}\u{1F}"), #""say \"hi\"\\\n\r\t\u0001\u001f""#),
    (.string("Käse 🌶️"), "\"Käse 🌶️\""),
    (.array([.integer(1), .array([.null])]), "[1,[null]]"),
    (.object([("b", .integer(1)), ("a", .integer(2))]), #"{"b":1,"a":2}"#),
  ]

  @Test(arguments: values)
  func `a value is written on one line, members in their order`(_ value: JSONValue, _ text: String) {
    #expect(value.text == text)
  }

  @Test func `a value over several lines steps in by two`() {
    let value = JSONValue.object([
      ("empty", .array([])), ("list", .array([.integer(1), .object([("x", .null)])])),
    ])
    #expect(
      value.indentedText == """
        {
          "empty": [],
          "list": [
            1,
            {
              "x": null
            }
          ]
        }
        """
    )
  }

  @Test func `every character comes back from another reader`() throws {
    let text = String(String.UnicodeScalarView((0...0x2FF).compactMap(Unicode.Scalar.init)))
    let value = JSONValue.object([(text, .string(text))])
    for written in [value.text, value.indentedText] {
      let read = try JSONSerialization.jsonObject(with: Data(written.utf8)) as? [String: String]
      #expect(read == [text: text])
    }
  }

  @Test(arguments: [
    0.1, 1.0 / 3, .leastNonzeroMagnitude, .greatestFiniteMagnitude, -0.0, 722_000_000.123456,
  ])
  func `a number comes back exactly`(_ number: Double) throws {
    let read = try JSONSerialization.jsonObject(with: Data("[\(JSONValue.number(number).text)]".utf8))
    #expect((read as? [Double]) == [number])
  }
}
