import Testing
import DecantXML

@Suite struct XMLReaderTests {
  @Test func `elements, attributes and text come in document order`() throws {
    let reader = try XMLReader(
      bytes("<?xml version='1.0'?><!-- a note --><a x='1&lt;2' y='é'>one<b/><![CDATA[<&>]]></a>")
    )
    var events: [XMLReader.Event] = []
    while let event = try reader.next() { events.append(event) }
    #expect(
      events == [
        .start(.init(name: "a", attributes: ["x": "1<2", "y": "é"], line: 1)),
        .text("one"),
        .start(.init(name: "b", line: 1)), .end("b"),
        .text("<&>"),
        .end("a"),
      ]
    )
  }

  @Test func `a tree holds what is in an element`() throws {
    let tree = try XMLTree.read(bytes("<m>\n<e name='A'>t&#233;xt</e>\n<e name='B'/></m>"))
    #expect(tree.name == "m")
    #expect(tree.children(named: "e").map { $0.attributes["name"] } == ["A", "B"])
    #expect(tree.children.map(\.text) == ["téxt", ""])
    #expect(tree.children.map(\.line) == [2, 3])
  }

  @Test func `an error names line and column`() {
    let error = #expect(throws: XMLError.self) { try XMLTree.read(bytes("<a>\n  <b>\n</a>")) }
    #expect(error?.line == 3)
    #expect((error?.column ?? 0) > 0)
    #expect(error?.message.contains("b") == true)
  }

  @Test(arguments: [
    "<!DOCTYPE a [<!ENTITY x 'lol'>]><a>&x;</a>",
    "<!DOCTYPE a [<!ENTITY x SYSTEM 'file:///etc/passwd'>]><a>&x;</a>",
    "<!DOCTYPE a [<!ENTITY % x SYSTEM 'file:///etc/passwd'> %x;]><a/>",
    "<!DOCTYPE a [<!ENTITY x 'ha'>]><a b='&x;&x;'/>",
  ])
  func `a document that declares entities is refused`(_ document: String) {
    #expect(throws: XMLError.self) { try XMLTree.read(bytes(document)) }
  }

  @Test func `a bomb of entities is an error, and soon`() {
    var bomb = "<!DOCTYPE a [<!ENTITY e0 'ha'>"
    for level in 1...30 {
      bomb += "<!ENTITY e\(level) '\(String(repeating: "&e\(level - 1);", count: 10))'>"
    }
    #expect(throws: XMLError.self) { try XMLTree.read(bytes(bomb + "]><a b='&e30;'>&e30;</a>")) }
  }

  @Test func `a document type that is elsewhere is not fetched`() throws {
    let document = "<!DOCTYPE a PUBLIC '-//X//EN' 'http://127.0.0.1:9/x.dtd'><a>1</a>"
    #expect(try XMLTree.read(bytes(document)).text == "1")
  }

  @Test func `depth and size have limits`() throws {
    let nested = String(repeating: "<a>", count: 30) + String(repeating: "</a>", count: 30)
    #expect(throws: XMLError.self) { try XMLTree.read(bytes(nested), limits: .init(depth: 29)) }
    #expect(try XMLTree.read(bytes(nested), limits: .init(depth: 30)).name == "a")
    #expect(throws: XMLError.self) { try XMLTree.read(bytes(nested), limits: .init(byteCount: 9)) }
    let endless = String(repeating: "<a>", count: 100_000)
    #expect(throws: XMLError.self) { try XMLTree.read(bytes(endless)) }
  }

  @Test(arguments: ["", " ", "<", "<a", "<a>", "text", "<a/><b/>", "<a b=1/>", "<a>&nope;</a>"])
  func `what is no document is an error`(_ document: String) {
    #expect(throws: XMLError.self) { try XMLTree.read(bytes(document)) }
  }

  @Test func `an encoding given overrules the document's own`() throws {
    let latin: [UInt8] = bytes("<?xml version='1.0' encoding='UTF-8'?><a>") + [0xE9] + bytes("</a>")
    let reader = try XMLReader(latin, encoding: "ISO-8859-1")
    _ = try reader.next()
    #expect(try reader.next() == .text("é"))
  }
}

private func bytes(_ text: String) -> [UInt8] { [UInt8](text.utf8) }
