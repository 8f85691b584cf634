/// The expressions that return the value of a column, as `max(total)` and CASE do: their results have no collation.
extension TextComparisons {
  /// Returns the expression around an operand whose value is that of the operand, and what it is; `nil` for parentheses,
  /// which do not change the comparison.
  func enclosing(_ operand: ClosedRange<Int>) -> (place: ClosedRange<Int>, function: String?)? {
    let start = isSign(operand.lowerBound - 1, ".") ? operand.lowerBound - 2 : operand.lowerBound
    let (before, after) = (start - 1, operand.upperBound + 1)
    if ["then", "else"].contains(word(before)), ["when", "else", "end"].contains(word(after)) {
      return matching(from: before, back: "case", "end").map { ($0, "CASE") }
    }
    if word(before) == "select", isSign(before - 1, "("), word(after) == "from", !isTable(before - 1) {
      return group(openedAt: before - 1).map { ($0, "SELECT") }
    }
    guard isSign(before, "(") || isSign(before, ","), isSign(after, ")") || isSign(after, ",") else { return nil }
    let isFirst = isSign(before, "(")
    var (open, depth) = (before, isFirst ? -1 : 0)
    while open > 0, depth >= 0 {
      open -= 1
      depth += isSign(open, ")") ? 1 : isSign(open, "(") ? -1 : 0
    }
    let name = word(open - 1)
    if TextComparisons.returners.contains(name), !isFirst || !name.hasSuffix("if") || name == "nullif" {
      return call(openedAt: open).map { (open - 1...$0, name) }
    }
    let isOperand = begins(open) || [open - 1, open - 2].contains { comparison(at: $0) == open }
    return isFirst && isSign(after, ")") && isOperand ? (open...after, nil) : nil
  }

  /// Whether the subquery that begins with the parenthesis at `open` is a table, and no value.
  private func isTable(_ open: Int) -> Bool {
    if ["from", "join", "as", "in", "exists", "materialized"].contains(word(open - 1)) { return true }
    // Behind other tables.
    guard isSign(open - 1, ",") else { return false }
    var depth = 0
    for position in tokens[..<(open - 1)].indices.reversed() {
      depth += isSign(position, ")") ? 1 : isSign(position, "(") ? -1 : 0
      if depth < 0 { return false }
      if depth == 0, ["select", "from"].contains(word(position)) { return word(position) == "from" }
    }
    return false
  }

  /// Returns the parentheses that the one at `open` begins.
  private func group(openedAt open: Int) -> ClosedRange<Int>? {
    var depth = 0
    for close in open..<max(open, tokens.count) {
      depth += isSign(close, "(") ? 1 : isSign(close, ")") ? -1 : 0
      if depth == 0 { return open...close }
    }
    return nil
  }

  /// Returns the end of the call whose arguments begin at `open`, with its filter and its window.
  private func call(openedAt open: Int) -> Int? {
    guard var end = group(openedAt: open)?.upperBound else { return nil }
    if word(end + 1) == "filter", let filter = group(openedAt: end + 2) { end = filter.upperBound }
    guard word(end + 1) == "over" else { return end }
    return isSign(end + 2, "(") ? group(openedAt: end + 2)?.upperBound : end + 2
  }

  /// Returns the words `first` and `last` around `index`, with what is between them.
  private func matching(from index: Int, back first: String, _ last: String) -> ClosedRange<Int>? {
    func place(_ positions: some Sequence<Int>, _ own: String, _ other: String) -> Int? {
      var depth = 0
      for position in positions {
        if word(position) == own {
          if depth == 0 { return position }
          depth -= 1
        } else if word(position) == other {
          depth += 1
        }
      }
      return nil
    }
    guard let start = place(tokens[..<index].indices.reversed(), first, last),
      let end = place(tokens[index...].indices, last, first)
    else { return nil }
    return start...end
  }

  /// Returns the places that use the alias of an expression by its name.
  func uses(ofAliasBehind operand: ClosedRange<Int>) -> [Int] {
    let place = word(operand.upperBound + 1) == "as" ? operand.upperBound + 2 : operand.upperBound + 1
    guard let name = token(place)?.name?.lowercased(), !TextComparisons.closers.contains(name),
      !TextComparisons.users.contains(name)
    else { return [] }
    return tokens.indices.filter { $0 != place && tokens[$0].name?.lowercased() == name }
  }
}
