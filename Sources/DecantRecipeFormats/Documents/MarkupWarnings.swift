/// What was amiss in a document and was read all the same: each kind once, with its first line and how often.
struct MarkupWarnings {
  private struct Kind {
    let text: String
    let line: Int
    var count = 1
  }

  private var kinds: [Kind] = []
  private var places: [String: Int] = [:]
  private var others = 0

  /// Further kinds than these are only counted.
  private static let limit = 64

  /// Notes that `text`, a sentence without a full stop, holds in `line`.
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

  /// Returns what was noted since the last call, in the order of the first lines.
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
