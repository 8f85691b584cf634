internal import Decant

/// A query's result as a table, written while it is read.
///
/// The first rows settle how wide the columns are; then they and all that follow are written. On a
/// terminal wide columns are shortened until a line fits.
struct QueryTable {
  private let stream: ResultStream
  private let names: [String]
  /// The columns of the terminal; `nil` where the table goes elsewhere and nothing is shortened.
  private let columnCount: Int?
  private var waiting: [[Cell]] = []
  private var waitingByteCount = 0
  private var widths: [Int]?
  private var rowCount: Int64 = 0

  private struct Cell {
    var text: String
    var isNumber: Bool
  }

  /// How many rows settle the widths, and how many bytes of text are kept for it.
  private static let sampleRowCount = 1_000
  private static let sampleByteCount = 4 << 20

  init(_ columns: [QueryColumn], columnCount: Int?, to stream: ResultStream) {
    names = columns.map(\.name.onOneLine)
    self.columnCount = columnCount
    self.stream = stream
  }

  /// Takes a row; false if nobody reads any more.
  mutating func add(_ row: [QueryValue]) throws -> Bool {
    rowCount += 1
    let cells = row.map { Cell(text: cellText($0), isNumber: $0.isNumber) }
    if let widths { return try write(cells, widths) }
    waiting.append(cells)
    waitingByteCount += cells.reduce(0) { $0 + $1.text.utf8.count }
    guard
      waiting.count >= QueryTable.sampleRowCount || waitingByteCount > QueryTable.sampleByteCount
    else { return true }
    return try writeSample()
  }

  /// Writes what is left, and how many rows there were.
  mutating func end() throws {
    if widths == nil { _ = try writeSample() }
    _ = try stream.write("\n" + rowCount.groupedCount("row") + "\n")
  }

  private func cellText(_ value: QueryValue) -> String {
    let text = value.cellText
    // No more of a long text is looked at than a line of the terminal can show.
    guard let columnCount, text.utf8.count > 16 * columnCount else { return text.onOneLine }
    return (String(text.prefix(2 * columnCount)) + "…").onOneLine
  }

  private mutating func writeSample() throws -> Bool {
    let natural = names.enumerated().map { column, name in
      waiting.reduce(name.displayWidth) { max($0, $1[column].text.displayWidth) }
    }
    let widths = fitting(natural)
    self.widths = widths
    let numbers = names.indices.map { column in
      waiting.contains { $0[column].isNumber }
        && waiting.allSatisfy { $0[column].isNumber || $0[column].text.isEmpty }
    }
    let heading = zip(names, numbers).map { Cell(text: $0, isNumber: $1) }
    var isRead = try write(heading, widths)
    let rule = widths.map { String(repeating: "-", count: $0) }.joined(separator: "  ")
    isRead = try isRead && stream.write(rule + "\n")
    for row in waiting where isRead { isRead = try write(row, widths) }
    waiting = []
    return isRead
  }

  private func write(_ row: [Cell], _ widths: [Int]) throws -> Bool {
    var line = ""
    for (column, cell) in row.enumerated() {
      let text = columnCount == nil ? cell.text : cell.text.shortened(to: widths[column])
      let padding = String(repeating: " ", count: max(0, widths[column] - text.displayWidth))
      line += cell.isNumber ? padding + text : text + padding
      if column < row.count - 1 { line += "  " }
    }
    while line.last == " " { line.removeLast() }
    return try stream.write(line + "\n")
  }

  /// The widths under which a line fits the terminal: the widest columns give way first, and none
  /// becomes so narrow that nothing can be read in it.
  private func fitting(_ natural: [Int]) -> [Int] {
    guard let columnCount else { return natural }
    let room = columnCount - 2 * (natural.count - 1)
    var limit = natural.max() ?? 0
    while limit > 8, natural.reduce(0, { $0 + min($1, limit) }) > room { limit -= 1 }
    return natural.map { min($0, limit) }
  }
}
