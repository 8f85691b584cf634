import Testing

@testable import DecantTransfer

@Suite struct MarkupReaderTests {
  struct Case: Sendable, CustomStringConvertible {
    var document: String
    var events: String
    /// A part of the warning; `nil` for a document that is sound.
    var warning: String?

    init(_ document: String, _ events: String, _ warning: String? = nil) {
      self.document = document
      self.events = events
      self.warning = warning
    }

    var description: String { document }
  }

  static let xml = [
    Case("<a b='1' c=\"2\"><d/>x<!-- <e> --></a>", "<a b=[1] c=[2]><d></d>{x}</a>"),
    Case("<?xml version=\"1.0\" standalone=\"yes\" encoding=\"UTF-8\"?><a>é</a>", "<a>{é}</a>"),
    Case("<!DOCTYPE a SYSTEM \"http://absent/a.dtd\"><a/>", "<a></a>"),
    Case("<!DOCTYPE a [<!ENTITY x \"]>y\">]><a>&x;</a>", "<a>{&x;}</a>", "its own entities"),
    Case("<a><![CDATA[1 < 2 & ]] 3]]></a>", "<a>{1 < 2 & ]] 3}</a>"),
    Case("<a>caf&eacute; &#233;&#xE9; &frac12;&amp;lt;</a>", "<a>{café éé ½&lt;}</a>"),
    Case("<a>&#150;</a>", "<a>{–}</a>"),
    Case("<a>&#0;&#xD800;</a>", "<a>{\u{fffd}\u{fffd}}</a>", "is not a character"),
    Case("<a>R & D &nothing; x</a>", "<a>{R & D &nothing; x}</a>", "&nothing; is not a known reference"),
    Case("<a>1 < 2 <3<b>x</b></a>", "<a>{1 < 2 <3}<b>{x}</b></a>", "without a tag"),
    Case("<a>x <y and <b/></a>", "<a>{x <y and }<b></b></a>", "without a tag"),
    Case("<a><b>x</a>", "<a><b>{x}</b></a>", "b was not closed"),
    Case("<a>x</b>y</a>", "<a>{xy}</a>", "end tag of b"),
    Case("<a><b>x", "<a><b>{x}</b></a>", "ends inside b"),
    Case("<a b=\"3/4\" dice\" c=\"2\"/>", "<a b=[3/4\" dice] c=[2]></a>", "has a quote in it"),
    Case("<a b=\"the \"best\" of\" c=\"2\">x</a>", "<a b=[the \"best\" of] c=[2]>{x}</a>", "quote"),
    Case("<a b=\"x>y</a>", "<a b=[x]>{y}</a>", "lacks its last quote"),
    Case("<a b=\"4/><c d=\"5\"/>", "<a b=[4]></a><c d=[5]></c>", "lacks its last quote"),
    Case("<a b=\"1 < 2\"/>", "<a b=[1 < 2]></a>", "has a < in it"),
    Case("<a b=\"x\" junk>y</a><c d=\"z\"/>", "<a b=[x] junk=[]>{y}</a><c d=[z]></c>", "unexpected characters"),
    Case("<a 18:2=\"1\" Vitamin C=\"2\"/>", "<a 18:2=[1] Vitamin C=[2]></a>", "does not allow"),
    Case("<a b=1 c='2'/>", "<a b=[1] c=[2]></a>", "has no quotes"),
    Case("<a b='1' b='2'/>", "<a b=[1]></a>", "appears twice"),
    Case("<a b='1'<c/></a>", "<a b=[1]><c></c></a>", "is not closed"),
    Case("<a>x\u{0}\u{1}y\r\nz\rw</a>", "<a>{xy\nz\nw}</a>", "control characters"),
    Case("<a b='x&#13;&#10;y'/>", "<a b=[x\r\ny]></a>"),
  ]

  @Test(arguments: xml, [1, 3, 1 << 20])
  func `XML is read as far as it makes sense`(_ document: Case, _ step: Int) throws {
    let read = try MarkupText.events(Array(document.document.utf8), step: step)
    #expect(read.text == document.events)
    if let warning = document.warning {
      #expect(read.warnings.contains { $0.contains(warning) }, "\(read.warnings)")
    } else {
      #expect(read.warnings.isEmpty)
    }
  }

  static let html = [
    Case("<P>a<br>b<P CLASS=x>c", "<p>{a}<br></br>{b}</p><p class=[x]>{c}</p>"),
    Case("<ul><li>a<li>b<ul><li>c</ul></ul>", "<ul><li>{a}</li><li>{b}<ul><li>{c}</li></ul></li></ul>"),
    Case(
      "<table><tr><td>a<td>b<tr><td>c</table>d",
      "<table><tr><td>{a}</td><td>{b}</td></tr><tr><td>{c}</td></tr></table>{d}"
    ),
    Case("<script>if (a<b) '<p>&amp;'</script>x", "<script>{if (a<b) '<p>&amp;'}</script>{x}"),
    Case("<div class = \"a\" hidden data-x=1/2>x</div>", "<div class=[a] data-x=[1/2] hidden=[]>{x}</div>"),
    Case("<a href='?a=1&copy=2&amp;b'>&copy &eacute; R&D</a>", "<a href=[?a=1&copy=2&b]>{© é R&D}</a>"),
    Case("<div><b>x</div>y</b>", "<div><b>{x}</b></div>{y}"),
    Case("<div><table><tr><td></div>x</table></div>", "<div><table><tr><td>{x}</td></tr></table></div>"),
    Case("<textarea><b>&lt;</textarea>", "<textarea>{<b><}</textarea>"),
    Case("1 <2 </> 3", "{1 <2 </> 3}"),
  ]

  @Test(arguments: html, [1, 1 << 20])
  func `HTML is read as browsers do`(_ document: Case, _ step: Int) throws {
    let read = try MarkupText.events(Array(document.document.utf8), isHTML: true, step: step)
    #expect(read.text == document.events)
    #expect(read.warnings.isEmpty)
  }

  @Test(
    arguments: [
      ([0xef, 0xbb, 0xbf] + Array("<?xml encoding='ISO-8859-1'?><a>é</a>".utf8), "<a>{é}</a>"),
      (Array("<?xml encoding='ISO-8859-1'?><a>".utf8) + [0xe9, 0x96, 0x3c], "<a>{é–<}</a>"),
      (Array("<?xml encoding='win-1252'?><a>".utf8) + [0xe9, 0x80], "<a>{é€}</a>"),
      (Array("<a>é".utf8), "<a>{é}</a>"),
      (Array("<a>".utf8) + [0xe9, 0x20, 0x93], "<a>{é “}</a>"),
      (Array("<a>é".utf8) + [0xc3], "<a>{éÃ}</a>"),
      (Array("\u{feff}<a>é😀</a>".utf16).flatMap { [UInt8($0 & 0xff), UInt8($0 >> 8)] }, "<a>{é😀}</a>"),
      (Array("<a>é😀</a>".utf16).flatMap { [UInt8($0 >> 8), UInt8($0 & 0xff)] }, "<a>{é😀}</a>"),
    ] as [([UInt8], String)]
  )
  func `the encoding is told by its mark, its name or its bytes`(_ bytes: [UInt8], _ text: String) throws {
    #expect(try MarkupText.events(bytes).text == text)
    #expect(try MarkupText.events(bytes, step: 1).text == text)
  }

  @Test func `bytes that are not of the encoding are warned of`() throws {
    let bytes =
      Array("<?xml version='1.0' encoding='utf-8'?><a\n>é".utf8) + [0xe9] + Array("</a>".utf8)
    let read = try MarkupText.events(bytes)
    #expect(read.text == "<a>{éé}</a>")
    #expect(read.warnings == ["bytes that are not UTF-8 were read as Windows-1252 (line 2)"])
    let unknown = try MarkupText.events(Array("<?xml encoding='klingon'?><a>é</a>".utf8))
    #expect(unknown.text == "<a>{é}</a>")
    #expect(unknown.warnings == ["unknown encoding klingon (line 1)"])
  }

  @Test func `lines are counted, and warnings of a kind once`() throws {
    let read = try MarkupText.events(Array("<a>\r\n<b>\n&\n&</b></a>".utf8))
    #expect(read.warnings == ["a & without a reference was kept (line 3, and 1 more)"])
  }

  @Test func `XML that is nested too deep is refused`() {
    let deep = Array(String(repeating: "<a>", count: 500).utf8)
    #expect(throws: (any Error).self) { try MarkupText.events(deep) }
    #expect(throws: Never.self) { try MarkupText.events(deep, isHTML: true) }
  }

  @Test func `tags that never end do not hold up reading for ever`() {
    for piece in [
      "<a b='", "<a b=\"x ", "<a b ", "<a b=c ", "</", "<![CDATA[", "<!--", "&", "<a 'b",
    ] {
      let bytes = Array(String(repeating: piece, count: 20000).utf8)
      _ = try? MarkupText.events(bytes)
      _ = try? MarkupText.events(bytes, isHTML: true)
    }
  }
}
