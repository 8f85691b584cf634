import Foundation
import TestSupport
import Testing

@testable import DecantRecipeFormats

@Suite struct MarkupDocumentTests {
  private static func withSpool(_ body: (TextSpool) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(try TextSpool(in: folder.path))
  }

  @Test func `records are read one at a time, with what is in them`() throws {
    try Self.withSpool { spool in
      let bytes = Array("<l><r i='1'>a<b>b</b></r><o><r i='2'>c</r></o><x>d</x></l>".utf8)
      let document = try MarkupDocument(spool: spool, isHTML: false, MarkupText.fill(bytes))
      #expect(try document.root()?.name == "l")
      var seen: [String] = []
      var paths: [[String]] = []
      try document.forEachRecord { element, path in
        if element.name == "r" { paths.append(path) }
        return element.name == "r"
      } _: { element in
        seen.append("\(element.attribute("I") ?? "") \(try element.allText)")
      }
      #expect(seen == ["1 ab", "2 c"])
      #expect(paths == [["l"], ["l", "o"]])
      #expect(document.takeWarnings().isEmpty)
    }
  }

  @Test(arguments: [false, true])
  func `a text of 30 MB in one line lies in the spool`(_ isHTML: Bool) throws {
    try Self.withSpool { spool in
      let block = [UInt8](repeating: 0x41, count: 1 << 16)
      var left = 480
      var pieces = [Array("</p><b>x</b></body>".utf8), Array("<body><p>".utf8)]
      let document = try MarkupDocument(spool: spool, isHTML: isHTML) { buffer in
        let piece: [UInt8]
        if pieces.count == 2 || left == 0 {
          piece = pieces.popLast() ?? []
        } else {
          left -= 1
          piece = block
        }
        buffer.copyBytes(from: piece)
        return piece.count
      }
      var byteCount: Int64 = 0
      try document.forEachRecord {
        $0.name == "body" && $1.isEmpty
      } _: { element in
        guard let text = try element.child("p")?.content, case .long(let long) = text else {
          return
        }
        byteCount = long.byteCount
        #expect(try element.child("b")?.ownText == "x")
      }
      #expect(byteCount == 480 << 16)
    }
  }
}
