internal import DecantBase
internal import DecantContainers
internal import DecantPlan
internal import DecantRecipeFormats

/// The bytes of one document of recipes, read from its beginning, with lookahead.
final class RecipeInput {
  /// The kind of a document, determined from its first bytes.
  enum Kind: Sendable, Hashable {
    case json, html, xml, packed, picture, database, text, empty, unknown
    case foreign(ForeignDocument)
    case saved(SavedPage.Form)
  }

  /// The first 64 KiB, or all of it.
  let head: [UInt8]
  /// What the document is.
  let kind: Kind
  private let fill: (UnsafeMutableRawBufferPointer) throws -> Int
  private var place = 0
  private let hash = ContentHash()
  private var isAtEnd = false

  /// Examines the first bytes that `fill` supplies.
  init(_ fill: @escaping (UnsafeMutableRawBufferPointer) throws -> Int) throws {
    var failure: (any Error)?
    let head = [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, filled in
      while filled < buffer.count {
        do {
          let bytes = UnsafeMutableRawBufferPointer(buffer)
          let count = try fill(UnsafeMutableRawBufferPointer(rebasing: bytes[filled...]))
          guard count > 0 else { return }
          filled += count
        } catch {
          failure = error
          return
        }
      }
    }
    if let failure { throw failure }
    self.head = head
    kind = Self.kind(head)
    self.fill = fill
  }

  /// Reads the next bytes.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
    let count: Int
    if place < head.count {
      count = min(head.count - place, buffer.count)
      buffer.copyBytes(from: head[place..<(place + count)])
      place += count
    } else {
      count = try fill(buffer)
      if count == 0, !buffer.isEmpty { isAtEnd = true }
    }
    // The content of a packed document has a hash of its own.
    if kind != .packed { hash?.update(UnsafeRawBufferPointer(rebasing: buffer[..<count])) }
    return count
  }

  /// The hash of all bytes; `nil` for a packed document, and unless they were read to the end.
  func wholeHash() -> String? { isAtEnd && kind != .packed ? hash?.text : nil }

  /// Passes all bytes to `body`, a piece at a time.
  func forEachPiece(_ body: (UnsafeRawBufferPointer) throws -> Void) throws {
    try withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 16) { buffer in
      while case let count = try read(into: buffer), count > 0 {
        try body(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      }
    }
  }

  private static func kind(_ head: [UInt8]) -> Kind {
    guard !head.isEmpty else { return .empty }
    switch ForeignDocument(head: head) {
    case .picture: return .picture
    case let document?: return .foreign(document)
    case nil: break
    }
    if ContainerReader.isPacked(head) { return .packed }
    if head.starts(with: Array("SQLite format 3\0".utf8)) { return .database }
    if let form = SavedPage.Form(head: head) { return .saved(form) }
    if head.starts(with: Array("bplist0".utf8)) { return .unknown }
    // In UTF-16 every second byte of a mark is a zero.
    let isWide = head.starts(with: [0xff, 0xfe]) || head.starts(with: [0xfe, 0xff])
    // Some pages begin with thousands of white-space characters.
    let start = head.drop { isBlank($0) || isWide && $0 == 0 }.prefix(1 << 12)
    let marks = isWide ? start.filter { $0 != 0 } : Array(start)
    switch marks.first {
    case 0x7b: return isObject(marks) ? .json : .text
    case 0x5b: return isArray(marks) ? .json : .text
    case 0x3c: return isHTML(marks) ? .html : .xml
    case 0x22 where isQuotedPage(marks): return .html
    case nil: return .empty
    default: return .text
    }
  }

  /// Whether `byte` is white space, or part of a byte order mark.
  private static func isBlank(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x20, 0x09, 0x0a, 0x0d, 0xef, 0xbb, 0xbf, 0xff, 0xfe: true
    default: false
    }
  }

  /// Whether bytes that begin with a brace continue like JSON: with a quoted name, or the closing brace, after white
  /// space and comments.
  private static func isObject(_ bytes: [UInt8]) -> Bool {
    var rest = bytes.drop { isBlank($0) }.dropFirst()
    while let first = rest.first {
      if isBlank(first) || first == UInt8(ascii: ",") {
        rest = rest.dropFirst()
      } else if rest.starts(with: [0x2f, 0x2f]) {
        rest = rest.drop { $0 != 0x0a && $0 != 0x0d }
      } else if rest.starts(with: [0x2f, 0x2a]) {
        guard
          let end = zip(rest.indices.dropFirst(2), rest.indices.dropFirst(3))
            .first(where: { rest[$0] == 0x2a && rest[$1] == 0x2f })?.1
        else { return true }
        rest = rest[end...].dropFirst()
      } else {
        return first == UInt8(ascii: "\"") || first == UInt8(ascii: "}")
      }
    }
    return true
  }

  /// Whether the first bytes contain names of recipe parts: a document that cannot be read then deserves more than a
  /// brief note.
  var mentionsRecipe: Bool {
    let text = String(decoding: head.filter { $0 != 0 }, as: UTF8.self)
    return Self.words.contains { text.contains($0) }
  }

  private static let words = [
    "ngredient", "directions\"", "nstructions\"", "steps\"", "Recipe\"", "recipes\"",
    "photo_data\"",
    "cookTime\"", "cook_time\"", "cookingDuration\"",
  ]

  /// Whether a page follows a quote: a JSON string, or a quote that was put around the page as it is.
  private static func isQuotedPage(_ bytes: [UInt8]) -> Bool {
    var page = bytes.dropFirst().drop { isBlank($0) }
    while page.count > 1, page.first == 0x5c, let sign = page.dropFirst().first, "nrt".utf8.contains(sign) {
      page = page.dropFirst(2).drop { isBlank($0) }
    }
    return page.first == 0x3c && isHTML(Array(page))
  }

  /// Whether the document is a JSON string: a quote followed by escapes before the next quote.
  var isString: Bool {
    let content = head.drop { Self.isBlank($0) }
    return content.first == 0x22 && content.dropFirst().first { $0 == 0x22 || $0 == 0x5c } == 0x5c
  }

  /// Whether bytes that begin with a bracket continue like JSON.
  private static func isArray(_ bytes: [UInt8]) -> Bool {
    let signs = bytes.filter { !isBlank($0) }
    guard signs.count > 1 else { return false }
    return [0x7b, 0x5b, 0x5d, 0x22].contains(signs[1])
  }

  private static func isHTML(_ bytes: [UInt8]) -> Bool {
    let text = String(decoding: bytes, as: UTF8.self).lowercased().trimmed
    if text.contains("<!doctype html") || text.contains("<html") { return true }
    return ["<head", "<body", "<div", "<script", "<meta", "<ul", "<p>"].contains {
      text.hasPrefix($0)
    }
  }
}
