/// Problems in a document that was read nevertheless: each kind once, with its first line and its count.
struct MarkupWarnings {
  private struct Kind {
    let text: String
    let line: Int
    var count = 1
  }

  private var kinds: [Kind] = []
  private var places: [String: Int] = [:]
  private var others = 0

  /// Kinds beyond this number are only counted.
  private static let limit = 64

  /// Adds the problem `text`, a sentence without a full stop, in `line`.
  mutating func add(_ text: String, line: Int) {
    if let place = places[text] {
      kinds[place].count += 1
    } else if kinds.count < Self.limit {
      places[text] = kinds.count
      kinds.append(Kind(text: text, line: line))
    } else {
      others += 1
    }
  }

  /// Returns the problems since the last call, in the order of their first lines.
  mutating func take() -> [String] {
    var texts = kinds.map { kind in
      kind.count == 1
        ? "\(kind.text) (line \(kind.line))"
        : "\(kind.text) (line \(kind.line), and \(kind.count - 1) more)"
    }
    if others > 0 { texts.append("\(others) more problems of other kinds") }
    self = MarkupWarnings()
    return texts
  }
}
