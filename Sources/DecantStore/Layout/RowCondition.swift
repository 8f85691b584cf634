internal import DecantSQLite

/// The condition for a row to contain a link: comparisons of its columns with values or prefixes, all of which must
/// hold.
///
/// A column whose target table depends on a type column has a link to each table, with a condition for each.
public struct RowCondition: Sendable, Hashable {
  /// A value in a comparison.
  package enum Literal: Sendable, Hashable {
    /// A number.
    case integer(Int64)
    /// A text.
    case text(String)
  }

  /// A column that has one of some values, or begins with a prefix.
  package struct Comparison: Sendable, Hashable {
    /// The column of the row.
    package var column: String
    /// The columns of the path that begins at `column`, the last of which has the compared value; empty to compare the
    /// column itself.
    package var path: [String]
    /// The values; empty matches no row, unless there is a prefix.
    package var values: [Literal]
    /// The text before the key in the column, as “tt:” in `tt:5`; `nil` if values are compared.
    package var prefix: String?

    /// Compares a column with `values`.
    package init(_ column: String, _ path: [String] = [], in values: [Literal]) {
      self.column = column
      self.path = path
      self.values = values
    }

    /// Matches texts in `column` that consist of `prefix` and a key.
    package init(_ column: String, prefix: String) {
      self.init(column, in: [])
      self.prefix = prefix
    }

    /// Returns the comparison as SQL on the row `row`.
    fileprivate func sql(in row: String?) -> String {
      let name = column.sqlName(in: row)
      if let prefix {
        return
          "typeof(\(name)) = 'text' AND \(name) COLLATE BINARY = \(prefix.sqlText) || \(prefix.keyBehind(name))"
      }
      return "\(name) IN (\(values.map(\.sql).joined(separator: ", ")))"
    }
  }

  /// The comparisons, at least one.
  package var comparisons: [Comparison]

  /// Combines comparisons, all of which must hold.
  package init(_ comparisons: [Comparison]) { self.comparisons = comparisons }

  /// Returns the condition as SQL on the row `row`; paths must have been replaced by keys before.
  package func sql(in row: String?) -> String {
    comparisons.map { $0.sql(in: row) }.joined(separator: " AND ")
  }

  /// The text before the key in the link's own column; `nil` for a plain key.
  package var keyPrefix: String? { comparisons.lazy.compactMap(\.prefix).first }
}

extension String {
  /// Returns SQL for the number after this text in `value`.
  package func keyBehind(_ value: String) -> String {
    "CAST(substr(\(value), \(unicodeScalars.count + 1)) AS INTEGER)"
  }
}

extension RowCondition.Literal {
  /// The value as SQL.
  package var sql: String {
    switch self {
    case .integer(let number): "\(number)"
    case .text(let text): text.sqlText
    }
  }

  /// The value in a condition: texts are in double quotes, so that single quotes suffice in a shell.
  fileprivate var text: String {
    switch self {
    case .integer(let number): "\(number)"
    case .text(let text): text.quotedName
    }
  }
}

extension RowCondition: CustomStringConvertible {
  /// The condition in the syntax of options and links files.
  public var description: String {
    comparisons.map { comparison in
      let column = ([comparison.column] + comparison.path).map(\.conditionName)
        .joined(separator: ".")
      if let prefix = comparison.prefix { return "\(column) LIKE \("\(prefix)%".quotedName)" }
      let values = comparison.values.map(\.text)
      return values.count == 1
        ? "\(column) = \(values[0])" : "\(column) IN (\(values.joined(separator: ", ")))"
    }.joined(separator: " AND ")
  }
}

extension String {
  /// The column name in the syntax of conditions.
  fileprivate var conditionName: String {
    let isPlain = utf8.allSatisfy { RowConditionReader.isWord($0) } && !isEmpty
    return isPlain && Int64(self) == nil ? self : "[\(self)]"
  }
}

extension RowCondition {
  /// Parses the text after WHERE: `type = "Post" AND kind IN (1, 2)`.
  ///
  /// - Parameter text: The text.
  /// - Throws: `LinkMistake` for invalid syntax.
  package init(text: String) throws(LinkMistake) {
    var reader = RowConditionReader(text)
    self.init(try reader.comparisons())
  }
}

/// A parser of conditions.
private struct RowConditionReader {
  private let text: String
  private var rest: Substring.UTF8View

  init(_ text: String) {
    self.text = text
    rest = text[...].utf8
  }

  static func isWord(_ byte: UInt8) -> Bool {
    (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte) || byte == 95
      || byte >= 128
  }

  private var mistake: LinkMistake {
    LinkMistake(
      message:
        "“\(text)” is not a condition that decant supports: write 'column = 7', 'column = \"Post\"', "
        + "'column IN (7, 8)' or 'column LIKE \"tt:%\"', and join several with AND"
    )
  }

  mutating func comparisons() throws(LinkMistake) -> [RowCondition.Comparison] {
    var found: [RowCondition.Comparison] = []
    repeat {
      let column = try name()
      var path: [String] = []
      while take(".") { path.append(try name()) }
      var values: [RowCondition.Literal] = []
      if path.isEmpty, takeWord("like") {
        found.append(RowCondition.Comparison(column, prefix: try prefix()))
        continue
      }
      if take("=") {
        _ = take("=")
        values = [try literal()]
      } else {
        guard takeWord("in"), take("(") else { throw mistake }
        repeat { values.append(try literal()) } while take(",")
        guard take(")") else { throw mistake }
      }
      found.append(RowCondition.Comparison(column, path, in: values))
    } while takeWord("and")
    guard rest.isEmpty else { throw mistake }
    return found
  }

  private mutating func skipBlanks() {
    rest = rest.drop { [9, 10, 13, 32].contains($0) }
  }

  private mutating func take(_ sign: Character) -> Bool {
    skipBlanks()
    guard rest.first == sign.asciiValue else { return false }
    rest = rest.dropFirst()
    skipBlanks()
    return true
  }

  private mutating func word() -> String {
    skipBlanks()
    let word = rest.prefix { RowConditionReader.isWord($0) }
    rest = rest[word.endIndex...]
    skipBlanks()
    return String(Substring(word))
  }

  private mutating func takeWord(_ wanted: String) -> Bool {
    let before = rest
    guard word().lowercased() != wanted else { return true }
    rest = before
    return false
  }

  /// Parses a quoted text, in which a doubled quote is a single one.
  private mutating func quoted(_ end: Character) throws(LinkMistake) -> String {
    var bytes: [UInt8] = []
    rest = rest.dropFirst()
    while let byte = rest.first {
      rest = rest.dropFirst()
      if byte == end.asciiValue {
        guard end != "]", rest.first == byte else {
          skipBlanks()
          return String(decoding: bytes, as: UTF8.self)
        }
        rest = rest.dropFirst()
      }
      bytes.append(byte)
    }
    throw mistake
  }

  private mutating func name() throws(LinkMistake) -> String {
    skipBlanks()
    switch rest.first.map({ Character(Unicode.Scalar($0)) }) {
    case "\"": return try quoted("\"")
    case "`": return try quoted("`")
    case "[": return try quoted("]")
    default:
      let word = word()
      guard !word.isEmpty, Int64(word) == nil else { throw mistake }
      return word
    }
  }

  /// Parses a text whose only % is at the end, in place of the key.
  private mutating func prefix() throws(LinkMistake) -> String {
    guard case .text(let pattern) = try literal(), pattern.last == "%" else { throw mistake }
    let prefix = String(pattern.dropLast())
    guard let last = prefix.last, !last.isNumber, !prefix.contains("%") else {
      throw LinkMistake(
        message:
          "“\(pattern)” does not show where the key begins: write the text before the key, then %, as in \"tt:%\""
      )
    }
    return prefix
  }

  private mutating func literal() throws(LinkMistake) -> RowCondition.Literal {
    skipBlanks()
    switch rest.first.map({ Character(Unicode.Scalar($0)) }) {
    case "'": return .text(try quoted("'"))
    case "\"": return .text(try quoted("\""))
    default:
      let sign = take("-") ? "-" : ""
      guard let number = Int64(sign + word()) else { throw mistake }
      return .integer(number)
    }
  }
}

/// A mistake in the text of a link.
package struct LinkMistake: Error {
  /// The mistake, with the expected form.
  package let message: String

  package init(message: String) {
    self.message = message
  }
}
