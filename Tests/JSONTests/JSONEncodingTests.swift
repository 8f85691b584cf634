import Foundation
import DecantJSON
import Testing

@Suite struct JSONEncodingTests {
  /// Values of all shapes that an encoder meets.
  private static let values: [any Encodable & Sendable] = [
    true, "", "say \"hi\"\\\n\r\t\u{1}/ Käse 🌶️", 0, Int8.min, Int16.max, Int32.min, Int64.min,
    Int64.max, UInt8.max, UInt16.max, UInt32.max, UInt64.max, UInt.max, -0.5, 1e300,
    Double.leastNonzeroMagnitude,
    Float(0.1), Float(16_777_217), Float.greatestFiniteMagnitude, [1, 2], [Int](), [[1], []],
    ["a": 1], [1: "one"], [String: Int](), Int?.none, Int?.some(1), [Int?.none, 2],
    ["a": Int?.none], ["a": ["b": [["c": [true, nil]]]]], Synthesized(), [Empty()], ["a": Empty()],
    Child(), Kind.two, [Kind.one.rawValue: Kind.two], 0..<3, Choice.pair(1, name: "n"), Choice.none,
    Twice(), TwoContainers(), Containers(),
    UUID(uuidString: "0F8FAD5B-D9CB-469F-A165-70867728950E"),
    Date(timeIntervalSinceReferenceDate: 1.5), CGSize(width: 1, height: 2),
    JSONValue.object([("raw", .raw("[1, \"a\", {\"b\": null}]")), ("list", .array([.number(0.5)]))]
    ),
  ]

  @Test(arguments: values.indices)
  func `what Foundation makes of a value is made of it here`(_ index: Int) throws {
    let value = Self.values[index]
    let ours = Data(try JSONValue(encoding: value).text.utf8)
    let theirs = try JSONEncoder().encode(value)
    #expect(try object(ours) == object(theirs), "\(String(decoding: ours, as: UTF8.self))")
  }

  private func object(_ data: Data) throws -> NSObject {
    let object = try JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)
    return try #require(object as? NSObject)
  }

  private static let refused: [any Encodable & Sendable] = [
    Double.nan, Double.infinity, -Double.infinity, Float.nan, Float.infinity, Empty(),
  ]

  @Test(arguments: refused.indices)
  func `what Foundation refuses is refused`(_ index: Int) {
    let value = Self.refused[index]
    #expect(throws: EncodingError.self) { try JSONEncoder().encode(value) }
    #expect(throws: EncodingError.self) { try JSONValue(encoding: value) }
  }

  @Test func `a refusal says where`() throws {
    let value = ["a": [["b": 1.0], ["b": .nan]]]
    do {
      _ = try JSONValue(encoding: value)
      Issue.record("it was encoded")
    } catch EncodingError.invalidValue(_, let context) {
      #expect(context.codingPath.map(\.stringValue) == ["a", "1", "b"])
    }
  }

  @Test func `members stand in the order in which they are encoded`() throws {
    let names = (0..<200).map { "m\($0 * 7919 % 200)" }
    let value = JSONValue.object(names.map { ($0, .null) })
    #expect(try JSONValue(encoding: value).members.map(\.0) == names)
    struct Ordered: Encodable {
      let names: [String]
      func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: MemberName.self)
        for name in names { try members.encode(name, forKey: MemberName(name)) }
      }
    }
    #expect(try JSONValue(encoding: Ordered(names: names)).members.map(\.0) == names)
    #expect(try JSONValue(encoding: Synthesized()).text == Synthesized.text)
  }

  @Test func `text that is JSON already stays as it is, and must be some for another encoder`() throws {
    let text = "[1,   1.50]"
    #expect(try JSONValue(encoding: ["a": JSONValue.raw(text)]).text == "{\"a\":\(text)}")
    for wrong in ["", "[1", "[1] 2"] {
      #expect(throws: (any Error).self) { try JSONEncoder().encode(JSONValue.raw(wrong)) }
    }
  }

  private static let integers: [UInt64] = [.max, 1 << 63, 1 << 63 - 1, 1 << 53 + 1]

  @Test(arguments: integers)
  func `integers are exact`(_ integer: UInt64) throws {
    #expect(try JSONValue(encoding: integer).text == "\(integer)")
    #expect(try JSONValue(encoding: UInt128(integer) << 64).text == "\(UInt128(integer) << 64)")
    #expect(try JSONValue(encoding: -Int128(integer)).text == "-\(integer)")
  }
}

private struct Synthesized: Encodable {
  var second = 2
  var first = "1"
  var missing: Int?
  var list = [1.5]
  var inner = Inner()
  struct Inner: Encodable { var b = true, a = Kind.one }
  static let text = #"{"second":2,"first":"1","list":[1.5],"inner":{"b":true,"a":"one"}}"#
}

private enum Kind: String, Encodable { case one, two }
private enum Choice: Encodable { case none, pair(Int, name: String) }

/// Encodes nothing at all.
private struct Empty: Encodable { func encode(to encoder: any Encoder) {} }

private class Parent: Encodable, @unchecked Sendable { let parent = 1 }

/// Encodes what it inherits into a member.
private final class Child: Parent, @unchecked Sendable {
  override func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: MemberName.self)
    try members.encode("c", forKey: MemberName("child"))
    try super.encode(to: members.superEncoder())
    try super.encode(to: members.superEncoder(forKey: MemberName("again")))
  }
}

/// Encodes a member twice: the second value counts.
private struct Twice: Encodable {
  func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: MemberName.self)
    for value in 1...2 { try members.encode(value, forKey: MemberName("a")) }
  }
}

/// Asks for the same container twice.
private struct TwoContainers: Encodable {
  func encode(to encoder: any Encoder) throws {
    var first = encoder.container(keyedBy: MemberName.self)
    try first.encode(1, forKey: MemberName("a"))
    var second = encoder.container(keyedBy: MemberName.self)
    try second.encodeNil(forKey: MemberName("b"))
    try first.encodeIfPresent(Int?.none, forKey: MemberName("c"))
  }
}

/// Has containers of every kind in each other.
private struct Containers: Encodable {
  func encode(to encoder: any Encoder) throws {
    var list = encoder.unkeyedContainer()
    try list.encodeNil()
    try list.encode(1)
    try list.encode(contentsOf: ["a", "b"])
    var members = list.nestedContainer(keyedBy: MemberName.self)
    var inner = members.nestedUnkeyedContainer(forKey: MemberName("list"))
    try inner.encode(inner.count)
    try inner.encode(inner.count)
    var nested = members.nestedContainer(keyedBy: MemberName.self, forKey: MemberName("nested"))
    try nested.encode(Kind.two, forKey: MemberName("kind"))
    var last = list.nestedUnkeyedContainer()
    try last.encode(Float(0.25))
    var single = list.superEncoder().singleValueContainer()
    try single.encode("s")
  }
}
