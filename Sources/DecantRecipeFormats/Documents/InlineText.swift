/// Handles inline elements in a line that is assembled from pieces.
///
/// A fraction such as `1<sup>1</sup>/<sub>2</sub>` stays separate from the number before it, and a number in its own
/// `span` from the word in the next one, which a page separates only by style.
package struct InlineText {
  /// Marks raised or lowered text until the line is complete: the invisible sign that Unicode has for “1⁤½”.
  static let mark: Unicode.Scalar = "\u{2064}"

  private enum Joint { case none, behindSpan, betweenSpans }
  private var joint = Joint.none

  package init() {}

  /// Handles an element that begins after `line`.
  package mutating func begin(_ name: String, _ line: inout String) {
    if Self.isMarked(name) { line.unicodeScalars.append(Self.mark) }
    if joint == .behindSpan { joint = name == "span" ? .betweenSpans : .none }
  }

  /// Handles an element that ends after `line`.
  package mutating func end(_ name: String, _ line: String) {
    if name == "span", line.unicodeScalars.last?.properties.numericType != nil { joint = .behindSpan }
  }

  /// Appends text to `line`.
  package mutating func add(_ text: String, _ line: inout String) {
    guard let first = text.unicodeScalars.first else { return }
    if joint == .betweenSpans, first.properties.isAlphabetic { line += " " }
    joint = .none
  }

  /// Whether the content of an element is raised or lowered.
  static func isMarked(_ name: String) -> Bool { name == "sup" || name == "sub" }

  /// Returns the line without marks, with a space between a number and the fraction after it.
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

  /// Returns the fraction whose numerator begins at `start`, and where it ends; a slash or a mark separates its parts.
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
