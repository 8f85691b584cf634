import Foundation
import TestSupport
import Testing

@testable import DecantRecipeFormats

@Suite struct TextEncodingTests {
  @Test func `texts of unknown encoding are read`() {
    #expect(TextEncoding.text(Array("Crème".utf8)) == "Crème")
    #expect(TextEncoding.text([0xef, 0xbb, 0xbf] + Array("Öl".utf8)) == "Öl")
    #expect(TextEncoding.text([0x43, 0x72, 0xe8, 0x6d, 0x65]) == "Crème")
    #expect(TextEncoding.text([0x93, 0x61, 0x94, 0x85]) == "“a”…")
    #expect(TextEncoding.text([0xff, 0xfe, 0xd6, 0x00, 0x6c, 0x00]) == "Öl")
    #expect(TextEncoding.text([0xfe, 0xff, 0x00, 0xd6, 0x00, 0x6c]) == "Öl")
    #expect(TextEncoding.text([0xff, 0xfe, 0x61]) == "")
    // Cut off inside a character, and an overlong one: neither is UTF-8.
    #expect(TextEncoding.text([0x61, 0xc3]) == "aÃ")
    #expect(TextEncoding(of: [0xc0, 0x80]) == .windows1252)
    #expect(TextEncoding(of: [0xed, 0xa0, 0x80]) == .windows1252)
  }

  @Test func `control bytes go, words stay apart`() {
    #expect(TextEncoding.clean("moist.\u{14}") == "moist.")
    #expect(TextEncoding.clean("one\u{0C}two\0 three\u{1A}") == "one two three")
    #expect(TextEncoding.clean("a\u{14}\u{14}b\tc\n") == "a b\tc\n")
    #expect(TextEncoding.clean("t\0w\0o") == "two")
  }

  /// The tables against those of iconv.
  @Test(arguments: [(TextEncoding.windows1252, "CP1252"), (.codePage437, "CP437")])
  func `all bytes are as iconv has them`(_ encoding: TextEncoding, _ name: String) throws {
    let unused: [UInt8] = encoding == .windows1252 ? [0x81, 0x8d, 0x8f, 0x90, 0x9d] : []
    let bytes = (UInt8(0x80)...0xff).filter { !unused.contains($0) }
    let process = try RunningProgram(["iconv", "-f", name, "-t", "UTF-8"], errors: .inherited)
    process.write(Data(bytes))
    #expect(encoding.text(bytes) == process.end().rest)
    #expect((UInt8(0x80)...0xff).allSatisfy { encoding.character($0) != nil })
  }

  @Test(
    arguments: [
      ([0x73, 0x61, 0x75, 0x74, 0x82, 0x65], TextEncoding.codePage437, "sautée"),
      ([0x73, 0x61, 0x75, 0x74, 0xe9, 0x65], .windows1252, "sautée"),
      ([0x33, 0x35, 0x30, 0xf8, 0x46], .codePage437, "350°F"),
      ([0x33, 0x35, 0x30, 0xb0, 0x46], .windows1252, "350°F"),
      ([0x33, 0xab, 0x20, 0x68], .codePage437, "3½ h"),
      ([0x33, 0xbd, 0x20, 0x68], .windows1252, "3½ h"),
      ([0x64, 0x6f, 0x6e, 0x92, 0x74], .windows1252, "don’t"),
      ([0x93, 0x68, 0x6f, 0x74, 0x94, 0x20], .windows1252, "“hot” "),
      ([0x6b, 0x94, 0x6e, 0x6e, 0x65, 0x6e], .codePage437, "können"),
      ([0x6b, 0xf6, 0x6e, 0x6e, 0x65, 0x6e], .windows1252, "können"),
      ([0x81, 0x62, 0x65, 0x72], .codePage437, "über"),
      ([0xc4, 0x70, 0x66, 0x65, 0x6c], .windows1252, "Äpfel"),
      ([0xc4, 0xc4, 0xc4, 0xc4], .codePage437, "────"),
      ([0x31, 0x2e, 0x38, 0x30, 0xe1], .codePage437, "1.80ß"),
      ([0x6b, 0xc3, 0xb6, 0x6e, 0x6e, 0x65], .utf8, "könne"),
      ([0x61], .utf8, "a"),
    ] as [([UInt8], TextEncoding, String)]
  )
  func `each recipe of Meal-Master has its own encoding`(_ bytes: [UInt8], _ encoding: TextEncoding, _ text: String) {
    #expect(TextEncoding(ofMealMaster: bytes) == encoding)
    #expect(TextEncoding(ofMealMaster: bytes).text(bytes) == text)
  }
}
