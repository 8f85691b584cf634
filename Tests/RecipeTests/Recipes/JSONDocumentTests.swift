import Foundation
import StoreTestSupport
import TestSupport
import Testing

@testable import DecantRecipeFormats

/// JSON as other programs write it.
@Suite struct JSONDocumentTests {
  private let session: JSONBench

  init() throws { session = try JSONBench() }

  /// What a text is read as, which must not depend on the pieces that it comes in.
  private func shown(_ bytes: [UInt8]) throws -> String {
    let whole = try session.document(bytes).read().shown
    for piece in [1, 2, 3, 5] {
      #expect(try session.document(bytes, piece: piece).read().shown == whole)
    }
    return whole
  }

  private func shown(_ text: String) throws -> String { try shown(Array(text.utf8)) }

  @Test(arguments: [
    (#"{"a":1,"b":[true,false,null,"x"],"c":{}}"#, #"{a:1,b:[true,false,null,"x"],c:{}}"#),
    (#" [ ] "#, "[]"), ("-0.50e+2", "-0.50e+2"),
    ("12345678901234567890123", "12345678901234567890123"),
    (#""a\"b\\c\/d\n\tA\u00e9""#, "\"a\"b\\c/d\n\tAé\""),
    // Emoji in two halves; halves alone.
    (
      #"["\ud83c\udf53","\ud83c","\udf53x","\ud83c\n","\ud83c\ud83c\udf53"]"#,
      "[\"🍓\",\"\u{fffd}\",\"\u{fffd}x\",\"\u{fffd}\n\",\"\u{fffd}🍓\"]"
    ),
  ])
  func `JSON is read`(_ text: String, _ expected: String) throws {
    #expect(try shown(text) == expected)
  }

  @Test(arguments: [
    ("\u{feff}[1]", "[1]"), ("[1,2,]", "[1,2]"), ("[,1,,2]", "[1,2]"), (#"{"a":1,}"#, "{a:1}"),
    ("[\"a\nb\tc\r\n\"]", "[\"a\nb\tc\r\n\"]"), ("[1, // one\n2 /* two * / */, /**/ 3]", "[1,2,3]"),
    ("//<![CDATA[\n[1]\n//]]>", "[1]"), ("<![CDATA[ [[1]] ]]>", "[[1]]"),
    ("<![CDATA[[[1]]]]>", "[[1]]"),
    ("// <![CDATA[ {\"a\":[1]} // ]]>", "{a:[1]}"), ("/*<![CDATA[*/[1]/*]]>*/", "[1]"),
    ("<!-- [1] -->", "[1]"), ("[1];", "[1]"),
    ("[+1,.5,NaN,-Infinity,undefined]", "[+1,.5,null,null,null]"),
    (#"["\x","C:\dir","\u12","\'"]"#, #"["\x","C:\dir","\u12","'"]"#),
    (#"{"a":1,"a":2}"#, "{a:1,a:2}"), ("\u{a0}[\u{b}1\u{c}]", "[1]"),
  ])
  func `what is nearly JSON is read`(_ text: String, _ expected: String) throws {
    #expect(try shown(text) == expected)
  }

  @Test func `of a member that comes twice the last counts`() throws {
    let value = try session.read(#"{"a":1,"b":2,"a":3}"#)
    #expect(try value["a"]?.string == "3")
  }

  @Test(arguments: [
    ("", "byte 0: expected a value, found the end"), ("[1", "byte 2: expected “]”, found the end"),
    ("{\"a\":1", "byte 6: expected “}”, found the end"),
    ("[\"abc", "byte 1: a string that begins here is not closed"),
    ("[1 2]", "byte 3: expected “,” or “]”, found “2]”"),
    ("{a:1}", "byte 1: expected a name in quotes, or “}”, found “a:1}”"),
    ("{\"a\" 1}", "byte 5: expected “:” after a name, found “1}”"),
    ("{\"a\":}", "byte 5: expected a value, found “}”"),
    ("foo", "byte 0: expected a value, found “foo”"),
    ("[0x10]", "byte 1: expected a value, found “0x10”"),
    ("[1-]", "byte 1: expected a value, found “1-”"),
    ("[/* 1]", "byte 1: a comment that begins here is not closed"),
    ("[/1]", "byte 2: expected a comment after “/”, found “1]”"),
    ("[}", "byte 1: expected a value, found “}”"),
  ])
  func `what is no JSON is told with its place`(_ text: String, _ expected: String) {
    for piece in [1, 3, 100] {
      #expect(throws: RecipeFault(expected)) { try session.read(text, piece: piece) }
    }
  }

  @Test func `what stands behind the end is told`() throws {
    let document = session.document(Array("{\"a\":1} {\"b\":2}".utf8))
    #expect(try document.read().shown == "{a:1}")
    #expect(document.leftover == 8)
    let whole = session.document(Array("{\"a\":1}\n ;\n".utf8))
    _ = try whole.read()
    #expect(whole.leftover == nil)
  }

  @Test func `bytes that are no UTF-8 are Windows-1252`() throws {
    #expect(try shown([0x22, 0x63, 0xe9, 0x22]) == "\"cé\"")
    #expect(try shown([0x22, 0x93, 0x61, 0x94, 0x85, 0x22]) == "\"“a”…\"")
    // An escape beside them stays what it is, and so does UTF-8.
    #expect(try shown([0x22, 0xe9] + Array("\\u2013é½".utf8) + [0xe2, 0x82, 0x22]) == "\"é–é½â‚\"")
  }

  @Test func `UTF-16 is read`() throws {
    let text = "{\"Käse\":\"🍓\",\"b\":[1]}"
    for (isBig, hasMark) in [(true, true), (false, true), (true, false), (false, false)] {
      var bytes: [UInt8] = []
      for unit in ((hasMark ? "\u{feff}" : "") + text).utf16 {
        let (upper, lower) = (UInt8(unit >> 8), UInt8(unit & 0xff))
        bytes += isBig ? [upper, lower] : [lower, upper]
      }
      #expect(try shown(bytes) == "{Käse:\"🍓\",b:[1]}")
    }
    // Half a pair, and half a unit at the end.
    let half: [UInt8] = [0xfe, 0xff, 0, 0x22, 0xd8, 0x3c, 0, 0x22]
    #expect(try shown(half) == "\"\u{fffd}\"")
    #expect(throws: RecipeFault.self) { try session.document(Array(half.dropLast())).read() }
  }

  @Test(arguments: [1, 7, 4096, 1 << 16, 100_000])
  func `long strings lie in the spool`(_ piece: Int) throws {
    let size = TextSpool.shortByteCount
    for length in [size - 1, size, size + 1, 2 * size, 70_000, 200_001] {
      // Base64 as PHP writes it, whose slashes are escaped.
      let letters: [UInt8] = (0..<length).map { $0 % 61 == 60 ? 0x2f : 0x41 + UInt8($0 % 26) }
      let text = String(decoding: letters, as: UTF8.self)
      let json = "{\"p\":\"" + text.replacingOccurrences(of: "/", with: "\\/") + "\",\"q\":1}"
      let value = try session.read(json, piece: piece)
      guard case .text(let found)? = value["p"] else {
        Issue.record("no text")
        continue
      }
      if case .long = found { #expect(length >= size) } else { #expect(length <= size) }
      #expect(try found.string == text)
      #expect(value["q"]?.double == 1)
    }
  }

  @Test func `long strings are UTF-8 as well`() throws {
    let unit: [UInt8] = [0xc3, 0xa9, 0xe9, 0x20, 0x93] + Array("\\u00fc🍓".utf8)
    let bytes = [0x22] + Array(repeatElement(unit, count: 10_000).joined()) + [0x22]
    let expected = String(repeating: "éé “ü🍓", count: 10_000)
    for piece in [3, 1000, .max] {
      #expect(try session.document(bytes, piece: piece).read().string == expected)
    }
    // One that ends within a character.
    let cut = [0x22] + Array(repeating: UInt8(0x61), count: 40_000) + [0xe2, 0x82, 0x22]
    #expect(try session.document(cut).read().string?.hasSuffix("aâ‚") == true)
  }

  @Test func `elements of an array come one by one, and their texts go`() throws {
    let long = String(repeating: "x", count: 100_000)
    let json =
      "[" + (0..<20).map { "{\"n\":\($0),\"p\":\"\(long)\"}" }.joined(separator: ",") + ",]"
    var numbers: [Double?] = []
    let rest = try session.document(Array(json.utf8)).read(streaming: []) { key, element in
      #expect(key == nil)
      #expect(session.spool.mark == 100_000)
      let value = try element.get()
      numbers.append(value["n"]?.double)
      #expect(try value["p"]?.string == long)
    }
    #expect(numbers == (0..<20).map(Double.init))
    #expect(session.spool.mark == 0)
    #expect(try rest.shown == "[]")
  }

  @Test func `elements of named members come one by one, the rest is returned`() throws {
    let long = String(repeating: "y", count: 50_000)
    let json = """
      {"first":"\(long)","recipes":[{"a":1},2],"other":[3,4],"tags":{"no":"array"},"recipes":["more"]}
      """
    var seen: [String] = []
    let rest = try session.document(Array(json.utf8), piece: 11)
      .read(streaming: ["recipes", "tags"]) { key, element in
        seen.append(try "\(key ?? "-") \(element.get().shown)")
      }
    #expect(seen == ["recipes {a:1}", "recipes 2", "recipes \"more\""])
    #expect(rest.members.map(\.0) == ["first", "other", "tags"])
    #expect(try rest["first"]?.string == long)
    #expect(try rest["other"]?.shown == "[3,4]")
  }

  @Test func `what nobody wants is passed over`() throws {
    let json = #"{"users":[{"password":"a\"]b"},[[]]],"x":"\"","n":-1,"recipes":[1],"y":{"z":"}"}}"#
    var seen: [String] = []
    let rest = try session.document(Array(json.utf8), piece: 2)
      .read(streaming: ["recipes"], skipsOthers: true) {
        seen.append(try "\($0 ?? "") \($1.get().shown)")
      }
    #expect(seen == ["recipes 1"])
    #expect(rest.members.isEmpty)
  }

  @Test func `an element that exceeds a limit is left out, and the next come`() throws {
    let deep = String(repeating: "[", count: 70) + "\"]\"" + String(repeating: "]", count: 70)
    let json = "[1,\(deep),{\"a\":\(deep)},2,\"\(String(repeating: "z", count: 30_000))\",3]"
    let limits = JSONDocument.Limits(depth: 64, byteCount: 20_000)
    var seen: [String] = []
    _ = try session.document(Array(json.utf8), piece: 7, limits: limits).read(streaming: []) {
      _,
      element in
      switch element {
      case .success(let value): seen.append(try value.shown)
      case .failure(let fault): seen.append(fault.message)
      }
    }
    #expect(
      seen == [
        "1", "byte 66: arrays and objects are nested more than 64 levels deep",
        "byte 214: arrays and objects are nested more than 64 levels deep", "2",
        "byte 30301: a value takes more than 20000 bytes of memory", "3",
      ]
    )
    #expect(throws: RecipeFault("byte 64: arrays and objects are nested more than 64 levels deep")) {
      try session.read(deep)
    }
  }

  @Test func `a text of the spool is read as a document`() throws {
    let json = "{\"a\":\"\(String(repeating: "w", count: 40_000))\"}"
    guard
      case .text(let text) = try session.read("\"" + json.replacingOccurrences(of: "\"", with: "\\\"") + "\"")
    else {
      Issue.record("no text")
      return
    }
    let value = try JSONDocument(text, spool: session.spool).read()
    #expect(try value["a"]?.string?.count == 40_000)
    #expect(try JSONDocument(.short("[1]"), spool: session.spool).read().shown == "[1]")
  }

  @Test(arguments: [
    "\\", "\"", "[", "/*", "*/", "{\"a\":", "<![CDATA[", "\\ud83c", "1", ",", "\\\"", "é", "//",
  ])
  func `time is linear`(_ unit: String) {
    func seconds(_ text: String) -> Double {
      let spent = CPUTime.of { _ = try? session.read(text) }
      return Double(spent.components.attoseconds) / 1e18 + Double(spent.components.seconds)
    }
    // What is quadratic takes hundreds of times as long here.
    for prefix in ["", "[\"", "["] {
      let small = seconds(prefix + String(repeating: unit, count: 2_000))
      let large = seconds(prefix + String(repeating: unit, count: 40_000))
      #expect(large < max(1, small * 100))
    }
  }
}
