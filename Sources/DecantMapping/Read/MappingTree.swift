internal import DecantBase
internal import DecantPlan
internal import DecantYAML

/// Builds the values of a mapping file from the parser's events, and rejects unsupported features at their position.
///
/// Open lists and maps are kept on a stack of its own, without recursion.
struct MappingTree {
  /// The maximum nesting depth; a mapping needs six levels.
  private static let deepest = 32

  /// A list or map that has not ended yet.
  private struct Open {
    let mark: Mapping.Mark
    let isMap: Bool
    var list: [MappingNode] = []
    var members: [MappingNode.Member] = []
    /// The position of each key of the map.
    var marks: [String: Mapping.Mark] = [:]
    /// The key of the next value.
    var key: Mapping.Word?

    var node: MappingNode {
      MappingNode(content: isMap ? .map(members) : .list(list), mark: mark)
    }
  }

  /// The root value; `nil` before it is complete.
  private(set) var root: MappingNode?
  private let text: MappingText
  private var open: [Open] = []
  /// The end of what has been read; only blanks, comments and punctuation are between it and the next event.
  private var end = 0

  /// Creates an empty tree.
  init(_ text: MappingText) { self.text = text }

  /// Processes the next event.
  ///
  /// - Parameter event: The event of the parser.
  /// - Throws: `DecantError` of the family `.usage` for a feature that mappings do not support.
  mutating func take(_ event: YAMLParser.Event) throws(DecantError) {
    let mark = text.lines.mark(at: event.range.lowerBound)
    switch event.kind {
    case .document:
      guard root == nil else { throw text.ended(mark) }
    case .end:
      if let node = open.popLast()?.node { add(node) }
    case .alias, .scalar, .list, .map:
      try begin(event, mark)
    }
    // Lists and maps may begin and end at a character that belongs to their contents or to what follows.
    if case .scalar = event.kind {
      end = event.range.upperBound
    } else {
      end = event.range.lowerBound
    }
  }

  private mutating func begin(_ event: YAMLParser.Event, _ mark: Mapping.Mark) throws(DecantError) {
    guard open.count < MappingTree.deepest else { throw text.tooDeep(mark) }
    let isKey = open.last.map { $0.isMap && $0.key == nil } ?? false
    if isKey { try checkSigns(until: event.range.lowerBound) }
    guard !event.isMarked else {
      throw text.scalar(at: mark) == "!" ? text.tagged(mark) : text.aliased(mark)
    }
    switch event.kind {
    case .scalar(let scalar, let isPlain) where isKey: try begin(scalar, isPlain, mark)
    case .scalar(let scalar, let isPlain):
      add(MappingNode(content: .text(scalar, isPlain: isPlain), mark: mark))
    case .list where isKey, .map where isKey: throw text.notAKey(mark, isList: event.isList)
    case .list, .map: open.append(Open(mark: mark, isMap: !event.isList))
    case .alias, .document, .end: throw text.aliased(mark)
    }
  }

  /// Throws if a key at `index` is marked with “?”.
  private func checkSigns(until index: Int) throws(DecantError) {
    var isComment = false
    for index in min(end, index)..<index {
      switch text.scalars[index] {
      case "#": isComment = true
      case "\n", "\r", "\u{85}", "\u{2028}", "\u{2029}": isComment = false
      case "?" where !isComment: throw text.aliased(text.lines.mark(at: index))
      default: break
      }
    }
  }

  /// Starts a member with this key in the innermost open map.
  private mutating func begin(_ name: String, _ isPlain: Bool, _ mark: Mapping.Mark) throws(DecantError) {
    let reader = MappingReader(mapping: text.mapping)
    guard !name.isEmpty else { throw reader.emptyName(mark) }
    guard !isPlain || name != "<<" else { throw text.merged(mark) }
    let last = open.count - 1
    let key = Mapping.Word(name, mark)
    if let first = open[last].marks.updateValue(mark, forKey: name) {
      throw reader.repeated(key, first: first)
    }
    open[last].key = key
  }

  /// Adds a complete value to the innermost open list or map.
  private mutating func add(_ node: MappingNode) {
    guard let last = open.indices.last else {
      root = node
      return
    }
    if let key = open[last].key {
      open[last].members.append(MappingNode.Member(key: key, value: node))
      open[last].key = nil
    } else {
      open[last].list.append(node)
    }
  }
}

extension YAMLParser.Event {
  /// Whether it is the beginning of a list.
  fileprivate var isList: Bool {
    if case .list = kind { true } else { false }
  }
}
