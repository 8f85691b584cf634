import DecantPropertyList
import Testing

@Suite struct PropertyListTests {
  /// What the samples hold, less what only the binary one can.
  private let values: [String: PropertyList] = [
    "bool": .boolean(true), "no": .boolean(false),
    "small": .integer(7), "byte": .integer(255), "word": .integer(65_535),
    "long": .integer(4_294_967_295), "big": .integer(.max),
    "minus": .integer(-1), "least": .integer(.min),
    "real": .real(0.1),
    // 2026-11-21 12:34:56 and 1970-01-01 00:00:00 UTC.
    "date": .date(816_957_296), "old": .date(-978_307_200),
    "data": .data([UInt8](0..<20)),
    "ascii": .string("Pancakes"),
    "text": .string("Crêpes à Dédé 🥞 — a text of more than fifteen"),
    "list": .array([.integer(1), .integer(2), .string("x"), .array([]), .dictionary([:])]),
  ]

  @Test func `a binary property list reads as another program wrote it`() throws {
    var expected = values
    expected["dict"] = .dictionary(["uid": .uid(300), "empty": .string("")])
    #expect(try PropertyList.read(bytes(base64: Samples.binary)) == .dictionary(expected))
  }

  @Test func `an XML property list reads as another program wrote it`() throws {
    var expected = values
    expected["dict"] = .dictionary(["empty": .string("")])
    #expect(try PropertyList.read([UInt8](Samples.xml.utf8)) == .dictionary(expected))
  }

  @Test func `XML holds references of archives as dictionaries`() throws {
    let text = "<plist><array><dict><key>CF$UID</key><integer>7</integer></dict></array></plist>"
    #expect(try PropertyList.read([UInt8](text.utf8)) == .array([.uid(7)]))
  }

  @Test(arguments: [
    ("2001-01-01T00:00:00Z", 0.0), ("2000-12-31T23:59:59Z", -1),
    ("2000-02-29T00:00:00Z", -26_524_800),
    ("2024-03-01T00:00:00Z", 730_944_000), ("1900-03-01T00:00:00Z", -3_182_198_400),
    ("4001-01-01T00:00:00Z", 63_113_904_000),
  ])
  func `dates count from 2001`(_ text: String, _ seconds: Double) throws {
    let list = try PropertyList.read([UInt8]("<plist><date>\(text)</date></plist>".utf8))
    #expect(list == .date(seconds))
  }

  @Test(arguments: [
    "<plist/>", "<plist><true/><true/></plist>", "<dict/>", "<plist><what/></plist>",
    "<plist><integer>one</integer></plist>",
    "<plist><integer>9223372036854775808</integer></plist>",
    "<plist><date>yesterday</date></plist>", "<plist><data>A</data></plist>",
    "<plist><dict><true/></dict></plist>", "<plist><dict><key>a</key></dict></plist>", "",
    "bplist00",
  ])
  func `what is no property list is an error`(_ text: String) {
    #expect(throws: PropertyListError.self) { try PropertyList.read([UInt8](text.utf8)) }
  }

  @Test func `an error names its place`() {
    let text = "<plist>\n<dict>\n<key>a</key>\n<real>x</real></dict></plist>"
    let error = #expect(throws: PropertyListError.self) {
      try PropertyList.read([UInt8](text.utf8))
    }
    #expect(error?.place == .line(4, column: 1))
    #expect(error?.description == "a value is not a valid real (line 4, column 1)")
  }
}
