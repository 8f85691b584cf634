/// A line of text whose parts stand in columns, counted from 0.
struct ColumnText {
  private let characters: [Character]

  /// Takes a line; tabs become blanks up to the next multiple of 8.
  init(_ line: String) {
    var characters: [Character] = []
    for character in line {
      if character == "\t" {
        repeat { characters.append(" ") } while characters.count % 8 != 0
      } else {
        characters.append(character == "\u{A0}" ? " " : character)
      }
    }
    while characters.last?.isWhitespace == true { characters.removeLast() }
    self.characters = characters
  }

  /// The number of columns, without blanks at the end.
  var count: Int { characters.count }

  /// What stands in `columns`, trimmed.
  func field(_ columns: Range<Int>) -> String {
    String(characters[columns.clamped(to: 0..<count)]).trimmingBlanks
  }

  /// What stands from column `start` on, as it is.
  func rest(from start: Int) -> String { start < count ? String(characters[start...]) : "" }

  /// What stands before column `end`, as it is.
  func head(to end: Int) -> String { String(characters.prefix(end)) }

  /// Whether there is nothing in `columns`.
  func isBlank(_ columns: Range<Int>) -> Bool {
    characters[columns.clamped(to: 0..<count)].allSatisfy(\.isWhitespace)
  }

  /// Whether there is nothing in column `column`.
  func isBlank(_ column: Int) -> Bool { isBlank(column..<(column + 1)) }
}
