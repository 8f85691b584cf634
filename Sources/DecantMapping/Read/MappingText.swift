internal import DecantBase
internal import DecantPlan
internal import DecantYAML

/// The text of a mapping file, and its values.
///
/// libyaml reads the YAML. Features that no mapping needs are rejected: aliases, by which a few lines can expand to
/// billions of values, anchors, tags, keys that are lists or maps or marked with `?`, and multiple documents.
///
/// JSON is read as far as it is YAML, with tabs converted to spaces. Two escapes that form one character
/// (`\ud83d\ude00`) are rejected, as are keys of more than 1024 characters.
struct MappingText {
  let scalars: [Unicode.Scalar]
  let lines: MappingLines
  /// The mapping of this text, used in errors.
  let mapping: Mapping

  /// Creates the text from its characters, without a byte order mark; nothing is read.
  init(_ scalars: [Unicode.Scalar], of mapping: Mapping) {
    self.scalars = scalars
    self.mapping = mapping
    lines = MappingLines(scalars)
  }

  /// Reads the text.
  ///
  /// - Returns: The root value; `nil` for an empty text.
  /// - Throws: `DecantError` of the family `.usage`, with line and column.
  func root() throws(DecantError) -> MappingNode? {
    try checkCharacters()
    let parser: YAMLParser
    do throws(YAMLParser.Failure) { parser = try YAMLParser(untabbed()) } catch {
      throw mistake(error)
    }
    var tree = MappingTree(self)
    while let event = try next(parser) { try tree.take(event) }
    return tree.root
  }

  private func next(_ parser: YAMLParser) throws(DecantError) -> YAMLParser.Event? {
    do throws(YAMLParser.Failure) { return try parser.next() } catch { throw mistake(error) }
  }

  /// Returns the character at `mark`.
  func scalar(at mark: Mapping.Mark) -> Unicode.Scalar? {
    lines.index(of: mark).map { scalars[$0] }
  }

  private func checkCharacters() throws(DecantError) {
    let bad = scalars.firstIndex { scalar in
      switch scalar.value {
      case 0x09, 0x0A, 0x0D, 0x85: false
      case 0..<0x20, 0x7F..<0xA0, 0xFFFE, 0xFFFF: true
      default: false
      }
    }
    guard let bad else { return }
    let code = String(scalars[bad].value, radix: 16, uppercase: true)
    throw mapping.mistake(
      "the character U+\(String(repeating: "0", count: 4 - code.count))\(code) is not allowed in a \(mapping.word)",
      at: lines.mark(at: bad),
      remedy: "remove it"
    )
  }

  /// Returns the text with tabs around the outer brackets replaced by spaces, as JSON allows these tabs but YAML does
  /// not.
  private func untabbed() -> [Unicode.Scalar] {
    let isSpace: (Unicode.Scalar) -> Bool = { $0 == " " || $0 == "\t" || $0 == "\n" || $0 == "\r" }
    guard let first = scalars.firstIndex(where: { !isSpace($0) }),
      scalars[first] == "{" || scalars[first] == "[",
      let last = scalars.lastIndex(where: { !isSpace($0) })
    else { return scalars }
    let space: (Unicode.Scalar) -> Unicode.Scalar = { $0 == "\t" ? " " : $0 }
    return scalars[..<first].map(space) + scalars[first...last] + scalars[(last + 1)...].map(space)
  }
}
