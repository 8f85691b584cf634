/// What elements in the flow of text do to a line that is put together from their pieces.
///
/// A fraction such as `1<sup>1</sup>/<sub>2</sub>` stays apart from the number before it, and a number in a `span` of its
/// own from the word in the next one, between which a page has only its style.
package struct InlineText {
  /// Stands before what is raised or lowered until the line is whole: the invisible sign that Unicode has for “1⁤½”.
  static let mark: Unicode.Scalar = "\u{2064}"

  private enum Joint { case none, behindSpan, betweenSpans }
  private var joint = Joint.none

  package init() {}

  /// An element begins behind `line`.
  package mutating func begin(_ name: String, _ line: inout String) {
    if Self.isMarked(name) { line.unicodeScalars.append(Self.mark) }
    if joint == .behindSpan { joint = name == "span" ? .betweenSpans : .none }
  }

  /// An element ends behind `line`.
  package mutating func end(_ name: String, _ line: String) {
    if name == "span", line.unicodeScalars.last?.properties.numericType != nil { joint = .behindSpan }
  }

  /// Text follows on `line`.
  package mutating func add(_ text: String, _ line: inout String) {
    guard let first = text.unicodeScalars.first else { return }
    if joint == .betweenSpans, first.properties.isAlphabetic { line += " " }
    joint = .none
  }

  /// Whether what an element holds stands higher or lower than the line.
  static func isMarked(_ name: String) -> Bool { name == "sup" || name == "sub" }

  /// The line without marks, a blank before each fraction that a number stands before.
  package static func whole(_ line: String) -> String {
    guard line.holds("\u{2064}") else { return line }
    let scalars = Array(line.unicodeScalars)
    var whole: [Unicode.Scalar] = []
    var place = 0
    while place < scalars.count {
      if scalars[place] != mark {
        whole.append(scalars[place])
        place += 1
      } else if let (fraction, end) = fraction(in: scalars, at: place + 1) {
        if whole.last?.properties.numericType != nil { whole.append(" ") }
        whole += fraction
        place = end
      } else {
        place += 1
      }
    }
    var text = ""
    text.unicodeScalars.append(contentsOf: whole)
    return text
  }

  /// The fraction whose upper number begins at `start`, and where it ends: a stroke or another mark parts its numbers.
  private static func fraction(in scalars: [Unicode.Scalar], at start: Int) -> ([Unicode.Scalar], end: Int)? {
    var place = start
    func number() -> ArraySlice<Unicode.Scalar> {
      while place < scalars.count, scalars[place] == " " { place += 1 }
      let digits = scalars[place...].prefix { "0"..."9" ~= $0 }
      place += digits.count
      return digits
    }
    let upper = number()
    while place < scalars.count, scalars[place] == " " { place += 1 }
    guard 1...3 ~= upper.count, place < scalars.count else { return nil }
    var stroke: Unicode.Scalar = "/"
    let isParted = scalars[place] == "/" || scalars[place] == "⁄"
    if isParted {
      stroke = scalars[place]
      place += 1
    }
    while place < scalars.count, scalars[place] == " " { place += 1 }
    if place < scalars.count, scalars[place] == mark { place += 1 } else if !isParted { return nil }
    let lower = number()
    guard 1...3 ~= lower.count else { return nil }
    return (upper + [stroke] + lower, place)
  }
}
