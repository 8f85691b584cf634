import Testing

@testable import DecantRecipeFormats

/// Encodings that XML and HTML declare.
@Suite struct MarkupEncodingTests {
  /// A name, the bytes of some text in it, and the text.
  @Test(
    arguments: [
      ("windows-1251", [0xc6], "Ж"), ("windows-1250", [0xf5], "ő"), ("windows-1253", [0xe1], "α"),
      ("windows-1254", [0xfe], "ş"), ("cp1257", [0xe0], "ą"), ("ISO-8859-2", [0xf5], "ő"),
      ("iso-8859-5", [0xb6], "Ж"), ("iso-8859-7", [0xe1], "α"), ("iso-8859-9", [0xfe, 0x93], "ş“"),
      ("iso-8859-15", [0xbd, 0xa4], "œ€"), ("koi8-r", [0xf6], "Ж"), ("cp850", [0x82], "é"),
      ("cp437", [0xe1], "ß"), ("macintosh", [0x8e], "é"), ("gbk", [0xce, 0xb6], "味"),
      ("gb2312", [0xce, 0xb6], "味"), ("Shift_JIS", [0x96, 0xa1, 0x5c], "味\\"),
      ("euc-jp", [0xcc, 0xa3], "味"), ("big5", [0xa8, 0xfd], "味"), ("euc-kr", [0xb8, 0xc0], "맛"),
      ("x-sjis", [0x96, 0xa1], "味"), ("utf-16", [0xc3, 0xa9], "é"),
    ] as [(String, [UInt8], String)]
  )
  func `a declared encoding is read`(_ name: String, _ bytes: [UInt8], _ text: String) throws {
    let xml = Array("<?xml version='1.0' encoding='\(name)'?><a>".utf8) + bytes + Array("</a>".utf8)
    for step in [1, 7, .max] {
      let read = try MarkupText.events(xml, step: step)
      #expect(read.text == "<a>{\(text)}</a>")
      #expect(read.warnings == [])
    }
    let padding = String(repeating: " ", count: 3000)
    let page = Array("<html><head><meta charset=\"\(name)\"></head>\(padding)<p>".utf8) + bytes
    #expect(try MarkupText.events(page, isHTML: true, step: 1).text.contains("<p>{\(text)}"))
  }

  @Test func `bytes that are none of the encoding are replaced, and told once`() throws {
    let xml = Array("<?xml version='1.0' encoding='windows-1251'?><a>".utf8)
    let read = try MarkupText.events(xml + [0xc6, 0x98, 0x98] + Array("</a>".utf8))
    #expect(read.text == "<a>{Ж\u{fffd}\u{fffd}}</a>")
    #expect(read.warnings.count == 1)
    let cut = try MarkupText.events(Array("<?xml version='1.0' encoding='gbk'?><a>".utf8) + [0xce, 0xb6, 0xce])
    #expect(cut.text.hasPrefix("<a>{味\u{fffd}}"))
  }

  @Test(arguments: ["klingon", "utf-7", "IBM037"])
  func `what nobody can read is no text`(_ name: String) throws {
    let xml = Array("<?xml version='1.0' encoding='\(name)'?><a>".utf8)
    #expect(throws: RecipeFault.self) { try MarkupText.events(xml + [0xc6] + Array("</a>".utf8)) }
    // ASCII and UTF-8 are what they are.
    #expect(try MarkupText.events(xml + Array("é</a>".utf8)).text == "<a>{é}</a>")
    #expect(try MarkupText.events(xml + Array("e</a>".utf8)).text == "<a>{e}</a>")
  }
}
