/// A table of text columns: words are left-aligned, numbers right-aligned.
struct TextTable {
  private var rows: [[String]]
  private let wordColumns: Set<Int>

  /// Begins with `heading`; the columns in `words` are left-aligned, by default the first.
  init(_ heading: [String], words: Set<Int> = [0]) {
    rows = [heading]
    wordColumns = words
  }

  mutating func add(_ row: [String]) { rows.append(row) }

  /// The lines, without trailing spaces.
  var lines: [String] {
    let widths = (rows.first ?? []).indices.map { column in
      rows.map { $0[column].count }.max() ?? 0
    }
    return rows.map { row in
      let cells = zip(row, widths).enumerated().map { column, cell in
        let padding = String(repeating: " ", count: cell.1 - cell.0.count)
        return wordColumns.contains(column) ? cell.0 + padding : padding + cell.0
      }
      let line = cells.joined(separator: "  ")
      return String(line.reversed().drop { $0 == " " }.reversed())
    }
  }
}
