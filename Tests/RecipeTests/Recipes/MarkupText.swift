import Testing

@testable import DecantRecipeFormats

/// Documents for the tests of markup, and what came of them.
enum MarkupText {
  /// A closure that hands out `bytes`, at most `step` of them at a time.
  static func fill(_ bytes: [UInt8], step: Int = .max) -> (UnsafeMutableRawBufferPointer) -> Int {
    var place = 0
    return { buffer in
      let count = min(step, buffer.count, bytes.count - place)
      buffer.copyBytes(from: bytes[place..<(place + count)])
      place += count
      return count
    }
  }

  /// All events of a document in a line, texts in braces, and the warnings.
  static func events(_ bytes: [UInt8], isHTML: Bool = false, step: Int = .max) throws -> (
    text: String, warnings: [String]
  ) {
    let reader = try MarkupReader(isHTML: isHTML, fill(bytes, step: step))
    var line = ""
    var text: [UInt8] = []
    func flush() {
      if !text.isEmpty { line += "{\(String(decoding: text, as: UTF8.self))}" }
      text = []
    }
    while let event = try reader.next() {
      switch event {
      case .text: text += reader.text
      case .start(let element):
        flush()
        let attributes = element.attributes.sorted { $0.key < $1.key }
        line += "<\(element.name)\(attributes.map { " \($0.key)=[\($0.value)]" }.joined())>"
      case .end(let name):
        flush()
        line += "</\(name)>"
      }
    }
    flush()
    return (line, reader.takeWarnings())
  }
}
