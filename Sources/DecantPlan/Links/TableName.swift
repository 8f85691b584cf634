/// The name of a table, taken apart.
package struct TableName {
  /// The name as it is written.
  package let text: String
  /// Its words in small letters.
  package let words: [String]
  /// These, each without the ending of many.
  package let singulars: [String]
  /// All of them as one word.
  package let whole: String

  /// Takes the name of a table apart.
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
  /// - Parameter count: How many.
  /// - Returns: The word.
  package func part(_ count: Int) -> String { words.suffix(count).joined().singular }

  /// Returns at which of its words the name `other` begins; `nil` where it is no part of this one.
  ///
  /// - Parameter other: The name of another table.
  /// - Returns: The place.
  package func place(of other: TableName) -> Int? {
    let (own, other) = (singulars, other.singulars)
    guard !other.isEmpty, own.count > other.count else { return nil }
    return (0...own.count - other.count).first { own[$0..<$0 + other.count].elementsEqual(other) }
  }
}
