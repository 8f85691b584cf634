import DecantPropertyList
import Testing

@Suite struct KeyedArchiveTests {
  private let root: KeyedArchive.Node

  init() throws {
    root = try #require(try KeyedArchive(bytes(base64: Samples.archive)).root)
  }

  @Test func `an object names its classes`() {
    #expect(root.className == "Recipe")
    #expect(root.classNames == ["Recipe", "NSObject"])
  }

  @Test func `values are those of their classes`() {
    #expect(root["name"]?.string == "Pancakes")
    #expect(root["text"]?.string == "mutable")
    #expect(root["count"]?.integer == 3)
    #expect(root["flag"]?.boolean == true)
    #expect(root["when"]?.date == 86_400.5)
    #expect(root["price"]?.decimal == "-123.45")
    #expect(root["price"]?.real == -123.45)
  }

  @Test func `collections hold what is something`() {
    #expect(root["tags"]?.elements?.map(\.string) == ["Pancakes", "sweet"])
    #expect(root["dict"]?.dictionary?["sweet"]?.string == "Pancakes")
    #expect(root["dict"]?.elements == nil)
    #expect(root["known"]?.dictionary?["Pancakes"]?.integer == 42)
    #expect(root["known"]?.dictionary?["sweet"]?.string == "Pancakes")
  }

  @Test func `nothing and references that lead nowhere are nil`() {
    #expect(root["note"] == nil)
    #expect(root["lost"] == nil)
    #expect(root["missing"] == nil)
  }

  @Test func `an object of an unknown class is an object`() {
    #expect(root["unknown"]?.className == "App.Cover")
    #expect(root["unknown"]?["whatever"]?.id == root.id)
  }

  @Test func `references may go in circles`() {
    #expect(root["self"]?["self"]?["self"]?.id == root.id)
    #expect(root["self"]?.id == 1)
  }

  @Test func `what is no archive is an error`() {
    #expect(throws: PropertyListError.self) { try KeyedArchive(.dictionary([:])) }
    #expect(throws: PropertyListError.self) { try KeyedArchive(bytes(base64: Samples.binary)) }
  }

  @Test(
    arguments: [
      ([0, 0], 0, false, 0, "0"), ([1, 0], 0, false, 1, "1"), ([1, 0], 2, true, 1, "-100"),
      ([1, 0], -3, false, 1, "0.001"), ([0xE8, 3], -2, false, 1, "10"),
      ([1, 0, 1, 0], -1, false, 2, "6553.7"), ([9, 0, 9, 0], 0, false, 1, "9"),
    ] as [([UInt8], Int64, Bool, Int64, String)]
  )
  func `decimals are digits without an exponent`(
    _ mantissa: [UInt8],
    _ exponent: Int64,
    _ isNegative: Bool,
    _ length: Int64,
    _ text: String
  ) throws {
    let number: PropertyList = .dictionary([
      "NS.mantissa": .data(mantissa), "NS.mantissa.bo": .integer(1), "NS.length": .integer(length),
      "NS.exponent": .integer(exponent), "NS.negative": .boolean(isNegative),
    ])
    let archive = try KeyedArchive(.dictionary(["$objects": .array([]), "$top": .dictionary(["root": number])]))
    #expect(archive.root?.decimal == text)
  }
}
