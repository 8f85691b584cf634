/// The name of a table, analysed.
package struct TableName {
  /// The name as written.
  package let text: String
  /// Its words in lower case.
  package let words: [String]
  /// The words in the singular.
  package let singulars: [String]
  /// The words as one word.
  package let whole: String

  /// Analyses the name of a table.
  ///
  /// - Parameter name: The name.
  package init(_ name: String) {
    text = name
    let all = name.nameWords
    // As in `author_table`.
    words = all.count > 1 && ["table", "tbl"].contains(all.last) ? all.dropLast() : all
    singulars = words.map(\.singular)
    whole = words.joined().singular
  }

  /// Returns the last words as one.
  ///
  /// - Parameter count: The number of words.
  /// - Returns: The word.
  package func part(_ count: Int) -> String { words.suffix(count).joined().singular }

  /// Returns the index of the word at which the name `other` begins; `nil` if it is not part of this one.
  ///
  /// - Parameter other: The name of another table.
  /// - Returns: The index.
  package func place(of other: TableName) -> Int? {
    let (own, other) = (singulars, other.singulars)
    guard !other.isEmpty, own.count > other.count else { return nil }
    return (0...own.count - other.count).first { own[$0..<$0 + other.count].elementsEqual(other) }
  }
}
