/// A line of text that is divided into columns, counted from 0.
package struct ColumnText {
  private let characters: [Character]

  /// Takes a line; tabs are expanded with spaces to the next multiple of 8.
  package init(_ line: String) {
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

  /// The number of columns, without spaces at the end.
  package var count: Int { characters.count }

  /// The text in `columns`, trimmed.
  package func field(_ columns: Range<Int>) -> String {
    String(characters[columns.clamped(to: 0..<count)]).trimmed
  }

  /// The text from column `start` on, unchanged.
  package func rest(from start: Int) -> String { start < count ? String(characters[start...]) : "" }

  /// The text before column `end`, unchanged.
  package func head(to end: Int) -> String { String(characters.prefix(end)) }

  /// Whether `columns` contain nothing but white space.
  package func isBlank(_ columns: Range<Int>) -> Bool {
    characters[columns.clamped(to: 0..<count)].allSatisfy(\.isWhitespace)
  }

  /// Whether `column` contains nothing but white space.
  package func isBlank(_ column: Int) -> Bool { isBlank(column..<(column + 1)) }
}
