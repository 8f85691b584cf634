/// What a table was declared with: its columns, each with what is said of it, and what is said of the table.
///
/// The order of the columns does not count, nor does that of the constraints.
struct TableWords: Hashable {
  /// The words that stand behind a column's name, by this name in small letters.
  private(set) var columns: [String: [String]] = [:]
  /// The constraints of the whole table, and what stands behind the parentheses.
  private(set) var others: [[String]] = []

  /// Reads the statement that made a table.
  init(_ sql: String) {
    let words = SQLWords(sql).words
    guard words.prefix(2).elementsEqual(["create", "table"]), let open = words.firstIndex(of: "(")
    else {
      // A virtual table: what its module makes of the words only this knows. The name is no part of it.
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
    // Options in any order: WITHOUT ROWID, STRICT.
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
