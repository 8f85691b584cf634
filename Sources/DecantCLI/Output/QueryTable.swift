internal import DecantBase
internal import DecantPlan

/// A query's result as a table, written while it is read.
///
/// The first rows determine the column widths; then they and all following rows are written. On a terminal, wide
/// columns are shortened until a line fits; if there are too many columns, the values of each row are written one below
/// the other.
struct QueryTable: QueryDocument {
  private let names: [String]
  /// The number of terminal columns; `nil` if the output is not a terminal, and nothing is shortened.
  private let columnCount: Int?
  private var waiting: [[Cell]] = []
  private var waitingByteCount = 0
  private var form: Form?
  private var rowCount: Int64 = 0
  /// The noun that the last line counts.
  private let rowName: String
  /// The column that is shortened last.
  private let widest: Int?

  private struct Cell {
    var text: String
    var isNumber: Bool
  }

  /// The form of rows, with the widths of columns or of names.
  private enum Form {
    case lines(widths: [Int])
    case records(nameWidth: Int, valueWidth: Int)
  }

  /// The number of rows that determine the widths, and the limit for their texts in bytes.
  private static let sampleRowCount = 1_000
  private static let sampleByteCount = 4 << 20
  /// The minimum width of a column whose values do not all fit.
  private static let leastWidth = 8

  /// Returns a generous limit for the length of a text on a terminal of `columnCount` columns, since characters may
  /// have many bytes and no width.
  static func textByteLimit(_ columnCount: Int) -> Int { 64 * columnCount }

  /// Begins a table with these column names; the last line counts rows as `rowName`, and the column `widest` is
  /// shortened last.
  init(
    _ names: [String], columnCount: Int?, rowName: String = "row", widest: Int? = nil
  ) {
    (self.rowName, self.widest) = (rowName, widest)
    self.names = names.map(\.onOneLine)
    self.columnCount = columnCount
  }

  func begin(_ sink: Sink) -> Bool { true }

  mutating func add(_ row: [QueryValue], _ sink: Sink) throws(DecantError) -> Bool {
    rowCount += 1
    let cells = row.map { Cell(text: cellText($0), isNumber: $0.isNumber) }
    if let form { return try write(cells, form, isFirst: false, sink) }
    waiting.append(cells)
    waitingByteCount += cells.reduce(0) { $0 + $1.text.utf8.count }
    guard
      waiting.count >= QueryTable.sampleRowCount || waitingByteCount > QueryTable.sampleByteCount
    else { return true }
    return try writeSample(sink)
  }

  /// Writes the remaining rows, and their number.
  mutating func end(_ sink: Sink) throws(DecantError) {
    if form == nil { _ = try writeSample(sink) }
    _ = try sink(["\n" + rowCount.groupedCount(rowName) + "\n"])
  }

  private func cellText(_ value: QueryValue) -> String {
    let text = value.cellText
    // Only the part of a long text that may be visible on a line is examined.
    guard let columnCount, text.utf8.count > 16 * columnCount else { return text.onOneLine }
    return (String(text.prefix(2 * columnCount)) + "…").onOneLine
  }

  private mutating func writeSample(_ sink: Sink) throws(DecantError) -> Bool {
    let natural = names.enumerated().map { column, name in
      waiting.reduce(name.displayWidth) { max($0, $1[column].text.displayWidth) }
    }
    let form = form(natural)
    self.form = form
    var isRead = true
    if case .lines(let widths) = form { isRead = try writeHeading(widths, form, sink) }
    for (index, row) in waiting.enumerated() where isRead {
      isRead = try write(row, form, isFirst: index == 0, sink)
    }
    waiting = []
    return isRead
  }

  private func writeHeading(_ widths: [Int], _ form: Form, _ sink: Sink) throws(DecantError) -> Bool {
    let numbers = names.indices.map { column in
      waiting.contains { $0[column].isNumber }
        && waiting.allSatisfy { $0[column].isNumber || $0[column].text.isEmpty }
    }
    let heading = zip(names, numbers).map { Cell(text: $0, isNumber: $1) }
    let rule = widths.map { String(repeating: "-", count: $0) }.joined(separator: "  ")
    guard try write(heading, form, isFirst: true, sink) else { return false }
    return try sink([rule, "\n"])
  }

  private func write(_ row: [Cell], _ form: Form, isFirst: Bool, _ sink: Sink) throws(DecantError) -> Bool {
    switch form {
    case .lines(let widths):
      return try sink(line(row, widths))
    case .records(let nameWidth, let valueWidth):
      let lines = zip(names, row).map { name, cell in
        let name = name.shortened(to: nameWidth)
        let padding = String(repeating: " ", count: max(0, nameWidth - name.displayWidth) + 2)
        return name + (cell.text.isEmpty ? "" : padding + cell.text.shortened(to: valueWidth))
          + "\n"
      }
      return try sink((isFirst ? [] : ["\n"]) + lines)
    }
  }

  /// Returns the texts of a line, without trailing blanks.
  private func line(_ row: [Cell], _ widths: [Int]) -> [String] {
    var texts: [String] = []
    var gap = 0
    for (column, cell) in row.enumerated() {
      let text = columnCount == nil ? cell.text : cell.text.shortened(to: widths[column])
      let padding = max(0, widths[column] - text.displayWidth)
      if !text.isEmpty {
        texts.append(String(repeating: " ", count: gap + (cell.isNumber ? padding : 0)))
        texts.append(text)
        gap = cell.isNumber ? 0 : padding
      } else {
        gap += padding
      }
      gap += 2
    }
    return texts + ["\n"]
  }

  /// Returns lines if they fit the terminal, otherwise records.
  private func form(_ natural: [Int]) -> Form {
    guard let columnCount else { return .lines(widths: natural) }
    let room = columnCount - 2 * (natural.count - 1)
    var limit = natural.max() ?? 0
    var last = limit
    var widths: [Int] { natural.enumerated().map { min($1, $0 == widest ? last : limit) } }
    func isTooWide() -> Bool { widths.reduce(0, +) > room }
    // The widest columns are shortened first, and none becomes too narrow to read.
    while limit > QueryTable.leastWidth, isTooWide() { limit -= 1 }
    while last > QueryTable.leastWidth, isTooWide() { last -= 1 }
    // A single column needs no names before its values.
    guard isTooWide(), natural.count > 1 else { return .lines(widths: widths) }
    let nameWidth = min(names.map(\.displayWidth).max() ?? 0, max(1, columnCount / 2))
    return .records(nameWidth: nameWidth, valueWidth: max(1, columnCount - nameWidth - 2))
  }
}
