/// A value in lines of YAML as people write them.
///
/// Lines that are not valid YAML are divided into their items and fields, each of which is read by itself; what is still
/// not valid is a text as it stands. A `#` begins a comment only before a blank: “2 tins #400” is a text.
package indirect enum YAMLValue: Sendable {
  case text(String)
  case list([YAMLValue])
  case map([(name: String, value: YAMLValue)])

  /// How many lists and maps a value may be in; deeper ones are texts.
  private static let depthLimit = 16

  /// Reads the lines of one document.
  package init(_ lines: some Collection<String>) { self.init(Array(lines), depth: 0) }

  private init(_ lines: [String], depth: Int) {
    switch Self.valid(lines.joined(separator: "\n")) {
    case nil: self = Self.divided(lines, depth) ?? .text(Self.joined(lines))
    // At the outside, “servings :4” is a field.
    case .text(let text)? where depth == 0: self = Self.divided(lines, depth) ?? .text(text)
    case let valid?: self = valid
    }
  }

  /// The texts in the value: those of a list behind commas, those of a map behind their names.
  package var text: String {
    switch self {
    case .text(let text): text
    case .list(let values): values.map(\.text).joined(separator: ", ")
    case .map(let members): members.map { "\($0.name): \($0.value.text)" }.joined(separator: ", ")
    }
  }

  // MARK: Valid YAML

  private static func valid(_ text: String) -> YAMLValue? {
    try? Reader(text).document()
  }

  private struct Reader {
    private struct Unreadable: Error {}

    private let scalars: [Unicode.Scalar]
    private let parser: YAMLParser

    init(_ text: String) throws {
      scalars = Array(text.unicodeScalars)
      parser = try YAMLParser(scalars)
    }

    func document() throws -> YAMLValue {
      guard case .document? = try parser.next()?.kind else { return .text("") }
      guard let value = try value(depth: 0), try parser.next() == nil else { throw Unreadable() }
      return value
    }

    /// Returns the next value; `nil` at the end of a list or a map.
    private func value(depth: Int) throws -> YAMLValue? {
      guard depth < YAMLValue.depthLimit, let event = try parser.next() else { throw Unreadable() }
      switch event.kind {
      case .document: throw Unreadable()
      case .end: return nil
      case .alias: return .text(string(scalars[event.range]))
      case .scalar("", _) where event.isMarked: return .text(string(scalars[event.range]))
      case .scalar(let text, isPlain: false): return .text(text)
      case .scalar(let text, isPlain: true):
        let tag = tag(behind: event.range.upperBound)
        return .text(
          text.isEmpty || ["~", "null", "Null", "NULL"].contains(text) ? tag : tag.isEmpty ? text : "\(text) \(tag)")
      case .list:
        var values: [YAMLValue] = []
        while let value = try value(depth: depth + 1) { values.append(value) }
        return .list(values)
      case .map:
        var members: [(String, YAMLValue)] = []
        while let name = try value(depth: depth + 1) {
          guard let value = try value(depth: depth + 1) else { throw Unreadable() }
          members.append((name.text, value))
        }
        return .map(members)
      }
    }

    /// Returns the rest of the line, if it begins with `#` and no blank behind it.
    private func tag(behind end: Int) -> String {
      let tag = scalars[end...].drop { $0 == " " || $0 == "\t" }.prefix { $0 != "\n" && $0 != "\r" }
      guard tag.first == "#", let next = tag.dropFirst().first, !next.properties.isWhitespace else { return "" }
      return string(tag)
    }

    private func string(_ scalars: ArraySlice<Unicode.Scalar>) -> String { String(String.UnicodeScalarView(scalars)) }
  }

  // MARK: Other lines

  /// Reads items or fields one by one; `nil` if the lines begin with neither.
  private static func divided(_ lines: [String], _ depth: Int) -> YAMLValue? {
    guard depth < depthLimit, let first = lines.firstIndex(where: { !isSkipped($0) }) else { return nil }
    let indent = blanks(lines[first]).count
    let isList = isItem(lines[first])
    var pieces: [[String]] = []
    for line in lines[first...] {
      let begins =
        !isSkipped(line) && blanks(line).count <= indent && (isList ? isItem(line) : field(line, depth) != nil)
      if begins {
        pieces.append([line])
      } else if pieces.isEmpty {
        return nil
      } else {
        pieces[pieces.count - 1].append(line)
      }
    }
    guard isList else { return .map(pieces.compactMap { member($0, depth) }) }
    return .list(
      pieces.map { piece in
        let start = piece[0].index(piece[0].startIndex, offsetBy: blanks(piece[0]).count)
        let item = piece[0][..<start] + " " + piece[0][start...].dropFirst()
        return YAMLValue([String(item)] + piece.dropFirst(), depth: depth + 1)
      }
    )
  }

  /// Reads a field; a value on the line of its name is a text unless it is valid.
  private static func member(_ piece: [String], _ depth: Int) -> (String, YAMLValue)? {
    if case .map(let members)? = valid(piece.joined(separator: "\n")), members.count == 1 { return members[0] }
    guard let (name, rest) = field(piece[0], depth) else { return nil }
    if rest.isEmpty { return (name, YAMLValue(Array(piece.dropFirst()), depth: depth + 1)) }
    let text = joined([rest] + piece.dropFirst())
    guard text.first == "[", text.last == "]" else { return (name, .text(text)) }
    let items = text.dropFirst().dropLast().split(separator: ",").map { joined([String($0)]) }
    return (name, .list(items.filter { !$0.isEmpty }.map { .text($0) }))
  }

  /// The name and the value of a line; at the outside, the colon behind words needs no blank.
  private static func field(_ line: String, _ depth: Int) -> (name: String, value: String)? {
    guard !isItem(line) else { return nil }
    let colon = line.indices.first { index in
      guard line[index] == ":" else { return false }
      guard let next = line[index...].dropFirst().first else { return true }
      return next.isWhitespace
        || depth == 0 && next != "/" && line[..<index].allSatisfy { $0.isLetter || " _-".contains($0) }
    }
    guard let colon, colon > line.startIndex else { return nil }
    return (joined([String(line[..<colon])]), joined([String(line[colon...].dropFirst())]))
  }

  private static func isItem(_ line: String) -> Bool {
    let text = line.dropFirst(blanks(line).count)
    return text.first == "-" && text.dropFirst().first?.isWhitespace != false
  }

  /// Whether a line is empty or a comment.
  private static func isSkipped(_ line: String) -> Bool {
    let text = line.dropFirst(blanks(line).count)
    return text.isEmpty || text.first == "#" && text.dropFirst().first?.isWhitespace != false
  }

  private static func blanks(_ line: String) -> Substring { line.prefix(while: \.isWhitespace) }

  /// The lines as one text, without quotes around it.
  private static func joined(_ lines: [String]) -> String {
    let words = lines.filter { !isSkipped($0) }.map { line in
      let text = line.dropFirst(blanks(line).count)
      return String(text[...(text.lastIndex { !$0.isWhitespace } ?? text.startIndex)])
    }
    let text = words.joined(separator: " ")
    if let quote = text.first, quote == "\"" || quote == "'", case .text(let inside)? = valid(text) { return inside }
    return text
  }
}
