internal import Yams

/// The text of a mapping file, and the values that are written in it.
///
/// YAML is Yams' to read. What it would read and no mapping needs is refused: aliases, which let a few lines stand
/// for billions, anchors, tags, keys that are maps, and more than one document.
struct MappingText {
  /// How many values may lie in each other; a mapping needs six.
  private static let deepest = 32
  /// How many keys that stand twice are looked for; more are no slip of the pen.
  private static let mostRepeated = 4

  let scalars: [Unicode.Scalar]
  let lines: MappingLines
  /// The mapping whose text this is, for its errors.
  let mapping: Mapping

  /// Takes the characters of a text, without a byte order mark; nothing is read.
  init(_ scalars: [Unicode.Scalar], of mapping: Mapping) {
    self.scalars = scalars
    self.mapping = mapping
    lines = MappingLines(scalars)
  }

  /// Reads the text, on a stack that bears what it may nest: Yams calls itself, a thousand levels deep at most.
  ///
  /// - Returns: The value that it is; `nil` if it says nothing.
  /// - Throws: `DecantError` with code `.usage`, with line and column.
  func root() throws(DecantError) -> MappingNode? {
    try checkCharacters()
    return try DeepStack.run { () throws(DecantError) in try parsedRoot() }
  }

  private func parsedRoot() throws(DecantError) -> MappingNode? {
    let text = untabbed()
    _ = try parse(screened(text))
    let parsed = try parse(text)
    guard let root = parsed.root else { return nil }
    return try node(root, parsed.repeated, depth: 1)
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
      "the character U+\(String(repeating: "0", count: 4 - code.count))\(code) cannot stand in a mapping",
      at: lines.mark(at: bad),
      remedy: "remove it"
    )
  }

  /// The text with spaces for tabs before the first bracket, where JSON allows them and YAML does not.
  private func untabbed() -> [Unicode.Scalar] {
    let isSpace: (Unicode.Scalar) -> Bool = { $0 == " " || $0 == "\t" || $0 == "\n" || $0 == "\r" }
    guard let first = scalars.firstIndex(where: { !isSpace($0) }),
      scalars[first] == "{" || scalars[first] == "["
    else { return scalars }
    return scalars[..<first].map { $0 == "\t" ? " " : $0 } + scalars[first...]
  }

  /// Returns `text` with an alias of nothing wherever an anchor, an alias or a key marked with `?` begins.
  ///
  /// Where such a thing may begin, one of these three characters is what begins it; anywhere else they are letters
  /// like others, and one may stand for the other. The first alias found is where Yams stops: before anything
  /// stands for something else, which it would then multiply.
  private func screened(_ text: [Unicode.Scalar]) -> [Unicode.Scalar] {
    var screened = text
    for (index, scalar) in text.enumerated() where scalar == "&" || scalar == "?" {
      // Nothing begins within a word.
      let isWithin = index > 0 && text[index - 1].properties.isAlphabetic
      if !isWithin { screened[index] = "*" }
    }
    return screened
  }

  /// A document as Yams reads it.
  private struct Parsed {
    var root: Yams.Node?
    /// The true names of keys that had to be hidden from Yams, as they stand there more than once.
    var repeated: [Mapping.Mark: String] = [:]
  }

  /// Has Yams read `scalars`, as often as it takes: it stops at keys that stand twice, and tells of one of them only.
  private func parse(_ scalars: [Unicode.Scalar]) throws(DecantError) -> Parsed {
    var parsed = Parsed()
    var scalars = scalars
    while true {
      do {
        var text = String.UnicodeScalarView()
        text.append(contentsOf: scalars)
        let parser = try Yams.Parser(
          yaml: String(text),
          resolver: .basic,
          constructor: .default,
          encoding: .utf8
        )
        parsed.root = try parser.singleRoot()
        return parsed
      } catch YamlError.duplicatedKeysInMapping(let names, let context) {
        let mark = Mapping.Mark(context.mark)
        guard let name = names.first, let index = lines.index(of: mark), scalar(at: mark) != "!",
          scalar(at: mark) != "[", scalar(at: mark) != "{"
        else { throw notAKey(mark) }
        guard !name.isEmpty else { throw MappingReader(mapping: mapping).emptyName(mark) }
        guard parsed.repeated.count < MappingText.mostRepeated else {
          throw MappingReader(mapping: mapping).repeated(Mapping.Word(name, mark), first: nil)
        }
        let isQuoted = scalars[index] == "\"" || scalars[index] == "'"
        let hidden = 0xE000 + UInt32(parsed.repeated.count)
        scalars[index + (isQuoted ? 1 : 0)] = Unicode.Scalar(hidden) ?? "\u{FFFD}"
        parsed.repeated[mark] = name
      } catch let error as YamlError {
        throw mistake(error)
      } catch {
        throw DecantError(.failed, "“\(mapping.place)” cannot be read", cause: error)
      }
    }
  }

  private func notAKey(_ mark: Mapping.Mark) -> DecantError {
    scalar(at: mark) == "!"
      ? tagged(mark)
      : mapping.mistake(
        "a key is a name, this is \(scalar(at: mark) == "[" ? "a list" : "a map")",
        at: mark,
        remedy: "put a text that begins with a bracket into quotes"
      )
  }

  /// Returns what Yams read as the values of a mapping.
  private func node(
    _ node: Yams.Node,
    _ repeated: [Mapping.Mark: String],
    depth: Int
  ) throws(DecantError) -> MappingNode {
    let mark = node.mark.map(Mapping.Mark.init) ?? Mapping.Mark(line: 1, column: 1)
    guard depth <= MappingText.deepest else { throw tooDeep(mark) }
    guard scalar(at: mark) != "!" else { throw tagged(mark) }
    switch node {
    case .scalar(let scalar):
      let isPlain = scalar.style == .plain || scalar.style == .any
      return MappingNode(content: .text(scalar.string, isPlain: isPlain), mark: mark)
    case .sequence(let sequence):
      var list: [MappingNode] = []
      for item in sequence { list.append(try self.node(item, repeated, depth: depth + 1)) }
      return MappingNode(content: .list(list), mark: mark)
    case .mapping(let pairs):
      var members: [MappingNode.Member] = []
      var first: [String: Mapping.Mark] = [:]
      for (key, value) in pairs {
        let name = try self.node(key, repeated, depth: depth + 1)
        guard case .text(let text, let isPlain) = name.content else { throw notAKey(name.mark) }
        let word = Mapping.Word(repeated[name.mark] ?? text, name.mark)
        guard !word.text.isEmpty else {
          throw MappingReader(mapping: mapping).emptyName(name.mark)
        }
        guard !isPlain || word.text != "<<" else { throw merged(name.mark) }
        if let mark = first[word.text] {
          throw MappingReader(mapping: mapping).repeated(word, first: mark)
        }
        first[word.text] = name.mark
        let member = try self.node(value, repeated, depth: depth + 1)
        members.append(MappingNode.Member(key: word, value: member))
      }
      return MappingNode(content: .map(members), mark: mark)
    case .alias: throw aliased(mark)
    }
  }
}

extension Mapping.Mark {
  /// The place that Yams names; it counts from 1 as well, and knows no byte order mark here.
  init(_ mark: Yams.Mark) { self.init(line: mark.line, column: mark.column) }
}
