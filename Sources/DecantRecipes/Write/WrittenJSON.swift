internal import DecantRecipeFormats
internal import DecantBase
internal import DecantJSON

/// Reads JSON that decant has written itself.
final class WrittenJSON {
  private let folder: ScratchFolder
  private let spool: TextSpool

  init() throws(DecantError) {
    folder = try ScratchFolder()
    spool = try TextSpool(in: folder.path)
  }

  /// Reads a text that consists of one value.
  func value(_ text: String) throws -> JSONValue {
    defer { spool.clear() }
    return try JSONDocument(.short(text), spool: spool).read().json
  }
}

/// Writes a JSON object member by member, so that pictures need not be in memory as text.
struct JSONObjectWriter {
  private let write: (UnsafeRawBufferPointer) throws -> Void
  private var isFirst = true

  /// Begins an object; `write` receives its bytes in UTF-8.
  init(_ write: @escaping (UnsafeRawBufferPointer) throws -> Void) throws {
    self.write = write
    try put("{")
  }

  /// Writes a member.
  mutating func member(_ name: String, _ value: JSONValue) throws {
    try begin(name)
    try put(value.text)
  }

  /// Writes a member whose value is a text, in pieces.
  mutating func member(_ name: String, _ body: ((String) throws -> Void) throws -> Void) throws {
    try begin(name)
    try body { try put($0) }
  }

  func end() throws { try put("}") }

  private mutating func begin(_ name: String) throws {
    if !isFirst { try put(",") }
    isFirst = false
    try put(JSONValue.string(name).text + ":")
  }

  private func put(_ text: String) throws {
    var text = text
    try text.withUTF8 { try write(UnsafeRawBufferPointer($0)) }
  }
}
