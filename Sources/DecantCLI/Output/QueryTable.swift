internal import DecantBase
internal import DecantPlan

/// A query's result as a table, written while it is read.
///
/// The first rows settle how wide the columns are; then they and all that follow are written. On a
/// terminal wide columns are shortened until a line fits; where there are too many for that, each
/// row's values are written one below the other.
struct QueryTable: QueryDocument {
  private let names: [String]
  /// The columns of the terminal; `nil` where the table goes elsewhere and nothing is shortened.
  private let columnCount: Int?
  private var waiting: [[Cell]] = []
  private var waitingByteCount = 0
  private var form: Form?
  private var rowCount: Int64 = 0
  /// What the last line counts.
  private let rowName: String
  /// The column that gives way last.
  private let widest: Int?

  private struct Cell {
    var text: String
    var isNumber: Bool
  }

  /// How rows are written, with the widths of columns or of names.
  private enum Form {
    case lines(widths: [Int])
    case records(nameWidth: Int, valueWidth: Int)
  }

  /// How many rows settle the widths, and how many bytes of text are kept for it.
  private static let sampleRowCount = 1_000
  private static let sampleByteCount = 4 << 20
  /// A column has at least so many characters, or as many as its values need.
  private static let leastWidth = 8

  /// How much of a text can matter on a terminal of `columnCount` columns, generously: characters may
  /// be of many bytes and take no room.
  static func textByteLimit(_ columnCount: Int) -> Int { 64 * columnCount }

  /// Begins a table with columns of these names; the last line counts its rows by `rowName`, and the column `widest` gives
  /// way last.
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

  /// Writes the rest, and the number of rows.
  mutating func end(_ sink: Sink) throws(DecantError) {
    if form == nil { _ = try writeSample(sink) }
    _ = try sink(["\n" + rowCount.groupedCount(rowName) + "\n"])
  }

  private func cellText(_ value: QueryValue) -> String {
    let text = value.cellText
    // No more of a long text is looked at than a line of the terminal can show.
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

  /// The texts of a line; nothing stands behind the last that is not empty.
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

  /// Lines where they fit the terminal, else records.
  private func form(_ natural: [Int]) -> Form {
    guard let columnCount else { return .lines(widths: natural) }
    let room = columnCount - 2 * (natural.count - 1)
    var limit = natural.max() ?? 0
    var last = limit
    var widths: [Int] { natural.enumerated().map { min($1, $0 == widest ? last : limit) } }
    func isTooWide() -> Bool { widths.reduce(0, +) > room }
    // The widest columns give way first, and none becomes so narrow that nothing can be read in it.
    while limit > QueryTable.leastWidth, isTooWide() { limit -= 1 }
    while last > QueryTable.leastWidth, isTooWide() { last -= 1 }
    // One column alone has nothing to gain from a name in front of it.
    guard isTooWide(), natural.count > 1 else { return .lines(widths: widths) }
    let nameWidth = min(names.map(\.displayWidth).max() ?? 0, max(1, columnCount / 2))
    return .records(nameWidth: nameWidth, valueWidth: max(1, columnCount - nameWidth - 2))
  }
}
