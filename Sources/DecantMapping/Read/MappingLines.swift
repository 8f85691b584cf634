internal import DecantPlan

/// The lines of a text as YAML counts them, for converting positions.
struct MappingLines {
  /// The index of each line's first character.
  private var starts = [0]
  private let count: Int

  /// Finds the lines of `scalars`.
  init(_ scalars: [Unicode.Scalar]) {
    count = scalars.count
    for (index, scalar) in scalars.enumerated() {
      switch scalar {
      case "\r":
        if index + 1 == scalars.count || scalars[index + 1] != "\n" { starts.append(index + 1) }
      case "\n", "\u{85}", "\u{2028}", "\u{2029}": starts.append(index + 1)
      default: break
      }
    }
  }

  /// Returns the line and column of the character at `index`, or of the end.
  func mark(at index: Int) -> Mapping.Mark {
    // The last line that begins at or before the index.
    var (low, high) = (0, starts.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if starts[middle] <= index { low = middle } else { high = middle }
    }
    return Mapping.Mark(line: low + 1, column: index - starts[low] + 1)
  }

  /// Returns the index of the character at `mark`; `nil` beyond the end.
  func index(of mark: Mapping.Mark) -> Int? {
    guard starts.indices.contains(mark.line - 1), mark.column > 0 else { return nil }
    let index = starts[mark.line - 1] + mark.column - 1
    return index < count ? index : nil
  }
}
