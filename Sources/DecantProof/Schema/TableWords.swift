/// The declaration of a table: its columns with their declarations, and the table's constraints and options.
///
/// The order of columns and constraints is ignored.
struct TableWords: Hashable {
  /// The words after a column's name, by this name in lower case.
  private(set) var columns: [String: [String]] = [:]
  /// The table constraints, and the options after the parentheses.
  private(set) var others: [[String]] = []

  /// Reads a CREATE TABLE statement.
  init(_ sql: String) {
    let words = SQLWords(sql).words
    guard words.prefix(2).elementsEqual(["create", "table"]), let open = words.firstIndex(of: "(")
    else {
      // A virtual table: only its module knows what the words mean. The name is not part of it.
      others = [words]
      return
    }
    var definition: [String] = []
    var depth = 0
    var rest = words[(open + 1)...]
    while let word = rest.popFirst() {
      if word == "(" { depth += 1 }
      if word == ")" { depth -= 1 }
      if depth < 0 { break }
      if word == ",", depth == 0 {
        add(definition)
        definition = []
      } else {
        definition.append(word)
      }
    }
    add(definition)
    // Options may be in any order: WITHOUT ROWID, STRICT.
    others += rest.split(separator: ",").map(Array.init)
    others.sort { $0.lexicographicallyPrecedes($1) }
  }

  private static let constraints: Set<String> = [
    "constraint", "primary", "unique", "check", "foreign",
  ]

  private mutating func add(_ definition: [String]) {
    guard let first = definition.first else { return }
    if !columns.isEmpty, TableWords.constraints.contains(first) {
      others.append(definition)
    } else {
      columns[first] = Array(definition.dropFirst())
    }
  }
}
