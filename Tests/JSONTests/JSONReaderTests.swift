import Foundation
import DecantJSON
import Testing

/// JSON that is read to the letter, held against Foundation's reader; and what is read leniently against that.
@Suite struct JSONReaderTests {
  /// What a text is, read strictly.
  private func strict(_ bytes: [UInt8], depth: Int = 64) throws -> JSONValue {
    try bytes.withUnsafeBytes { bytes in
      try withUnsafeBytes(of: 0) { empty in
        guard let address = empty.baseAddress else { throw JSONFault(.syntax, "no address") }
        var reader = JSONReader(bytes, address, depthLimit: depth)
        let value = try reader.value(limit: 10_000)
        try reader.finish()
        return value
      }
    }
  }

  /// What a text is, read leniently from pieces of `size` bytes.
  private func lenient(_ bytes: [UInt8], by size: Int = .max) throws -> JSONValue {
    var rest = bytes[...]
    var reader = JSONReader(depthLimit: 64) { buffer in
      let piece = rest.prefix(min(size, buffer.count))
      buffer.copyBytes(from: piece)
      rest = rest.dropFirst(piece.count)
      return piece.count
    }
    let value = try lenient(&reader)
    try reader.finish()
    return value
  }

  private func lenient(_ reader: inout JSONReader) throws -> JSONValue {
    switch try reader.kind() {
    case .object:
      var members: [(String, JSONValue)] = []
      try reader.object { name, reader in
        members.append((String(decoding: name, as: UTF8.self), try lenient(&reader)))
      }
      return .object(members)
    case .array:
      var values: [JSONValue] = []
      try reader.array { reader in values.append(try lenient(&reader)) }
      return .array(values)
    case .string:
      var text: [UInt8] = []
      try reader.string { text.append(contentsOf: $0) }
      return .string(String(decoding: text, as: UTF8.self))
    default:
      switch try reader.literal() {
      case .null: return .null
      case .bool(let bool): return .bool(bool)
      case .number(let digits):
        return Int64(digits).map { .integer($0) } ?? .number(Double(digits) ?? .nan)
      }
    }
  }

  private static let seeds = [
    #"{"a":1,"b":[true,false,null,"x"],"c":{},"d":[]}"#, #"[1,-2.5,3e2,0.25E-1,0,-0]"#,
    #"["a\"b\\c\/d\n\t\r\b\f\u0041\u00e9\ud83c\udf53é🍓",""]"#, #"{"ä":{"b":{"c":[[["x"]]]}}}"#,
    " [ 1 , 2 ] ", "\"text\"", "12", "true", "{\"a\" : \"\\u0000\"}",
  ]

  /// Each seed, and each with a byte taken out, put in, or put in the place of another.
  private static let texts: [[UInt8]] = {
    var texts = Set(seeds.map { Array($0.utf8) })
    let signs = Array("\"\\{}[],:0e-+.ut/ \t".utf8) + [0, 0x1f, 0xe9, 0xc3, 0xed]
    for seed in seeds.map({ Array($0.utf8) }) {
      for place in seed.indices {
        var shorter = seed
        shorter.remove(at: place)
        texts.insert(shorter)
        texts.insert(Array(seed[..<place]))
        for sign in signs {
          var (other, longer) = (seed, seed)
          other[place] = sign
          longer.insert(sign, at: place)
          texts.formUnion([other, longer])
        }
      }
    }
    return texts.sorted { $0.lexicographicallyPrecedes($1) }
  }()

  @Test func `to the letter what Foundation reads is read, and nothing else`() {
    var (readCount, faultCount) = (0, 0)
    for bytes in Self.texts {
      let text = String(decoding: bytes, as: UTF8.self)
      // Foundation takes UTF-16 and UTF-32 without a mark, and so bytes that are NUL.
      guard !bytes.contains(0) else { continue }
      let expected = try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)
      do {
        let value = try strict(bytes)
        #expect(expected != nil, "\(text)")
        let again = try? JSONSerialization.jsonObject(with: Data(value.text.utf8), options: .fragmentsAllowed)
        #expect((again as? NSObject) == (expected as? NSObject), "\(text)")
        readCount += 1
      } catch {
        // Foundation takes names that come twice, and a comma behind the last item, which RFC 8259 has not.
        let isRepeated = "\(error)".contains("appears twice")
        let hasComma = text.contains(/,[ \t\r\n]*[\]}]/)
        #expect(expected == nil || isRepeated || hasComma, "\(text): \(error)")
        faultCount += 1
      }
    }
    #expect(readCount > 300 && faultCount > 3_000, "\(readCount), \(faultCount)")
  }

  @Test(arguments: [1, 2, 3, 7, Int.max])
  func `what is read to the letter is the same read leniently, in whatever pieces it comes`(_ size: Int) throws {
    var count = 0
    for bytes in Self.texts {
      guard let value = try? strict(bytes) else { continue }
      count += 1
      let read = try lenient(bytes, by: size)
      #expect(read.text == value.text, "\(String(decoding: bytes, as: UTF8.self))")
    }
    #expect(count > 300)
  }

  @Test func `pieces make no difference to a fault`() {
    for bytes in Self.texts {
      let whole = Result { try lenient(bytes).text }
      for size in [1, 3] {
        let pieces = Result { try lenient(bytes, by: size).text }
        switch (whole, pieces) {
        case (.success(let one), .success(let other)): #expect(one == other)
        case (.failure, .failure(let fault)): #expect(fault is JSONFault)
        default: Issue.record("\(String(decoding: bytes, as: UTF8.self)) in pieces of \(size)")
        }
      }
    }
  }

  @Test(arguments: [
    ("[1", "expected “]”, found the end", 2), ("[1 2]", "expected “,” or “]”", 3),
    ("[1,]", "expected a value", 3), ("{\"a\":1,}", "expected a name in quotes, or “}”", 7),
    ("[01]", "expected a value", 1), ("[1.]", "a number is incomplete", 1),
    ("[9223372036854775808]", "an integer has more than 64 bits", 1),
    ("[1e999]", "a number is too large or too long", 1), ("nul", "expected a value", 0),
    ("\"a\u{1}b\"", "unescaped control character in a string", 2),
    ("\"\\ud83c\"", "unpaired surrogate in a string", 1),
    ("\"\\x\"", "unknown escape", 1),
    ("\"\\u12\"", "an escape does not have four digits", 1),
    ("\"abc", "a string that begins here is not closed", 0),
    ("1 2", "unexpected data after the value", 2),
    (String(repeating: "[", count: 70), "arrays and objects are nested more than 64 levels deep", 64),
  ])
  func `what is wrong is told with its place`(_ text: String, _ message: String, _ place: Int64) {
    do {
      _ = try strict(Array(text.utf8))
      Issue.record("it was read")
    } catch let fault as JSONFault {
      #expect(fault.message == message)
      #expect(fault.place == place)
    } catch {
      Issue.record(error)
    }
  }

  @Test func `a text that is no UTF-8 is a fault, escapes or not`() {
    for bytes: [UInt8] in [
      [0xff], [0xc0, 0xaf], [0xed, 0xa0, 0x80], [0xc3], [0x41, 0xe2, 0x82],
      [0xc3] + Array("\\n".utf8), Array("\\u00e9".utf8) + [0x80],
    ] {
      #expect(throws: JSONFault.self) { try strict([0x22] + bytes + [0x22]) }
      #expect(throws: JSONFault.self) { try strict([0x7b, 0x22] + bytes + Array("\":1}".utf8)) }
    }
  }
}
