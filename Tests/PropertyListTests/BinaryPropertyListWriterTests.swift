import Foundation
import DecantPropertyList
import TestSupport
import Testing

/// Python's `plistlib` is the second opinion: it shares no code with decant.
struct BinaryPropertyListWriterTests {
  static let scalars: [(PropertyList, String)] = [
    (.boolean(true), "True"),
    (.boolean(false), "False"),
    (.integer(0), "0"),
    (.integer(255), "255"),
    (.integer(256), "256"),
    (.integer(65_535), "65535"),
    (.integer(65_536), "65536"),
    (.integer(4_294_967_295), "4294967295"),
    (.integer(4_294_967_296), "4294967296"),
    (.integer(.max), "9223372036854775807"),
    (.integer(-1), "-1"),
    (.integer(.min), "-9223372036854775808"),
    (.real(0.1), "0.1"),
    (.real(-0.0), "-0.0"),
    (.real(.infinity), "inf"),
    (.date(0), "datetime.datetime(2001, 1, 1, 0, 0)"),
    (.date(86_400.5), "datetime.datetime(2001, 1, 2, 0, 0, 0, 500000)"),
    (.data([]), "b''"),
    (.data([0, 255]), #"b'\x00\xff'"#),
    (.string(""), "''"),
    (.string("bread"), "'bread'"),
    (.string("Käse"), #"'K\xe4se'"#),
    (.string("🥕"), #"'\U0001f955'"#),
    (.uid(0), "UID(0)"),
    (.uid(255), "UID(255)"),
    (.uid(256), "UID(256)"),
    (.uid(65_536), "UID(65536)"),
    (.uid(4_294_967_296), "UID(4294967296)"),
    (.array([]), "[]"),
    (.dictionary([:]), "{}"),
  ]

  @Test(arguments: scalars)
  func `a value reads back as python sees it`(list: PropertyList, expected: String) throws {
    #expect(try read(list, "print(ascii(p))") == expected)
  }

  @Test(arguments: [0, 1, 14, 15, 16, 255, 256, 65_535, 65_536])
  func `every border of a count holds for every kind`(count: Int) throws {
    let list = PropertyList.dictionary([
      "data": .data([UInt8](repeating: 7, count: count)),
      "ascii": .string(String(repeating: "a", count: count)),
      "wide": .string(String(repeating: "ß", count: count)),
      "array": .array([PropertyList](repeating: .integer(1), count: count)),
    ])
    let script = """
      print(p == {'data': b'\\x07' * \(count), 'ascii': 'a' * \(count),
        'wide': '\\u00df' * \(count), 'array': [1] * \(count)})
      """
    #expect(try read(list, script) == "True")
  }

  @Test(arguments: [1, 14, 15, 254, 255, 256, 65_534, 65_536])
  func `references widen with the number of objects`(count: Int) throws {
    var entries: [String: PropertyList] = [:]
    for number in 0..<count { entries["k\(number)"] = .integer(Int64(number)) }
    let script = "print(p == {f'k{n}': n for n in range(\(count))})"
    #expect(try read(.dictionary(entries), script) == "True")
  }

  @Test func `containers nest`() throws {
    let list = PropertyList.array([
      .array([.array([.dictionary(["a": .array([.dictionary([:])])])])]), .array([]),
    ])
    #expect(try read(list, "print(p)") == "[[[{'a': [{}]}]], []]")
  }

  @Test func `the whole of a small file is as specified`() {
    let expected: [UInt8] =
      Array("bplist00".utf8) + [0xD1, 0x01, 0x02, 0x51, 0x61, 0x10, 0x05, 8, 11, 13]
      + [0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0]
      + [0, 0, 0, 0, 0, 0, 0, 15]
    #expect(BinaryPropertyListWriter.write(.dictionary(["a": .integer(5)])) == expected)
  }

  @Test func `equal scalars are written once and unequal ones are kept apart`() throws {
    let composed = "caf\u{E9}"
    let decomposed = "cafe\u{301}"
    let text = String(repeating: "x", count: 100)
    let shared = BinaryPropertyListWriter.write(.array([.string(text), .string(text)]))
    #expect(shared.count < 200)
    let list = PropertyList.array([
      .real(0.0), .real(-0.0), .string(composed), .string(decomposed), .integer(1), .boolean(true),
      .real(1), .date(1),
    ])
    let seen = try read(list, "print(ascii(p))")
    #expect(
      seen
        == #"[0.0, -0.0, 'caf\xe9', 'cafe\u0301', 1, True, 1.0, "#
        + "datetime.datetime(2001, 1, 1, 0, 0, 1)]"
    )
  }

  @Test func `the order in which a dictionary was built does not show`() {
    let names = (0..<200).map { "key \($0)" }
    let forth = Dictionary(uniqueKeysWithValues: names.map { ($0, PropertyList.string($0)) })
    let back = Dictionary(uniqueKeysWithValues: names.reversed().map { ($0, PropertyList.string($0)) })
    #expect(
      BinaryPropertyListWriter.write(.dictionary(forth))
        == BinaryPropertyListWriter.write(.dictionary(back))
    )
  }

  /// Hands the bytes of `list` to python as `p`, and returns what `script` prints.
  private func read(_ list: PropertyList, _ script: String) throws -> String {
    let folder = try TemporaryFolder()
    let file = folder.path("list.plist")
    try Data(BinaryPropertyListWriter.write(list)).write(to: URL(fileURLWithPath: file))
    let program = """
      import datetime, plistlib, sys
      p = plistlib.load(open(sys.argv[1], 'rb'), fmt=plistlib.FMT_BINARY)
      \(script)
      """
    let run = try Program.run(["python3", "-c", program, file])
    #expect(run.errors == "")
    return run.output.trimmingCharacters(in: .newlines)
  }
}
