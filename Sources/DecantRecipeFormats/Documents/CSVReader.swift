/// A table as text, read row by row: cells separated by commas, semicolons or tabs, and quoted where necessary.
///
/// Line ends inside a quoted cell become line feeds. A quote inside a cell that does not begin with a quote is an
/// ordinary character, and so is anything after a closing quote.
final class CSVReader {
  private let lines: TextLines
  private var separator: UInt8?
  /// The number of the line on which the row last returned by `next` began.
  private(set) var line = 0
  /// A warning about the row last returned by `next`.
  private(set) var warning: String?

  /// The maximum number of bytes in a row; longer ones are refused.
  private let byteLimit: Int

  /// Reads `lines`; without `separator`, the separator is detected from the first row.
  init(_ lines: TextLines, separator: Character? = nil, byteLimit: Int = 4 << 20) {
    self.lines = lines
    self.separator = separator?.asciiValue
    self.byteLimit = byteLimit
  }

  /// Reads the next row that is not blank.
  ///
  /// - Returns: Its cells; `nil` after the last row.
  /// - Throws: `RecipeFault` for a row that is too long or ends inside quotes. Reading continues after that row.
  func next() throws -> [String]? {
    while let first = try lines.next() {
      line = lines.number
      warning = nil
      if first.isEmpty { continue }
      let separator = separator ?? Self.separator(of: first)
      self.separator = separator
      return try row(first, separator)
    }
    return nil
  }

  private func row(_ first: [UInt8], _ separator: UInt8) throws -> [String] {
    var cells: [String] = []
    var cell: [UInt8] = []
    var line = first
    var byteCount = 0
    var isQuoted = false
    // Whether the cell continues after its closing quote, as it does where that quote also opens another.
    var goesOn = false
    // Whether the line is the rest of a line that was split, and whether the part before ended with a quote in quotes.
    var isPart = false
    var endsInQuote = false
    var isAtStart = true
    var wasQuoted = false
    while true {
      byteCount += line.count + 1
      // The rest of the row is read to find its end: its lines are not rows.
      if byteCount > byteLimit { (cells, cell) = ([], []) }
      var index = 0
      if !isPart { (isAtStart, wasQuoted) = (!isQuoted, isQuoted) }
      if endsInQuote {
        endsInQuote = false
        if line.first == Self.quote {
          cell.append(Self.quote)
          index = 1
        } else {
          isQuoted = false
        }
      }
      while index < line.count {
        let byte = line[index]
        index += 1
        if isQuoted {
          if byte != Self.quote {
            cell.append(byte)
          } else if index < line.count, line[index] == Self.quote {
            cell.append(byte)
            index += 1
          } else if index == line.count, lines.isSplit {
            endsInQuote = true
          } else {
            isQuoted = false
          }
        } else if byte == separator {
          cells.append(TextEncoding.text(cell))
          cell = []
          isAtStart = true
          wasQuoted = false
          continue
        } else if byte == Self.quote, isAtStart {
          isQuoted = true
          wasQuoted = true
        } else {
          if wasQuoted { goesOn = true }
          cell.append(byte)
        }
        isAtStart = false
      }
      guard isQuoted || lines.isSplit else { break }
      isPart = lines.isSplit
      guard let next = try lines.next() else {
        if !isQuoted || endsInQuote { break }
        throw RecipeFault("the row on line \(self.line) ends inside quotes")
      }
      if !isPart { cell.append(0x0a) }
      line = next
    }
    guard byteCount <= byteLimit else {
      throw RecipeFault("the row on line \(self.line) is longer than \(byteLimit >> 20) MiB")
    }
    cells.append(TextEncoding.text(cell))
    if goesOn, lines.number > self.line {
      warning =
        "the row on line \(self.line) continues after a closing quote, to line \(lines.number): "
        + "it may be several rows"
    }
    return cells
  }

  private static let quote = UInt8(ascii: "\"")

  /// The separator of the cells in `line`: the most frequent of comma, semicolon and tab outside quotes.
  static func separator(of line: [UInt8]) -> UInt8 {
    let candidates = [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t")]
    var counts = [0, 0, 0]
    var isQuoted = false
    for byte in line {
      if byte == quote { isQuoted.toggle() }
      if !isQuoted, let index = candidates.firstIndex(of: byte) { counts[index] += 1 }
    }
    let most = counts.max() ?? 0
    return candidates[counts.firstIndex(of: most) ?? 0]
  }
}
