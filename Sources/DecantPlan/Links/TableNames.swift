/// A look-up of tables by names in different styles: a plain name in the singular or the plural, Django's `auth` and
/// `user`, the class `Blog::Post` of Rails.
package struct TableNames {
  /// The tables by each form of their whole names.
  private var wholes: [String: Set<String>] = [:]
  /// The tables by the number and each form of the last words of their names.
  private var endings: [String: Set<String>] = [:]

  /// Prepares the look-up of `tables`.
  package init(_ tables: [String]) {
    for table in tables {
      let words = table.nameWords
      for form in TableNames.forms(words) { wholes[form, default: []].insert(table) }
      for count in 1..<max(words.count, 1) {
        for form in TableNames.forms(words.suffix(count)) {
          endings["\(count) \(form)", default: []].insert(table)
        }
      }
    }
  }

  /// Returns the table with a name, with or without that of its app.
  ///
  /// - Parameter parts: The parts of the name, the most general first.
  /// - Returns: The table; `nil` for none, and for several equal matches.
  package func table(calledLike parts: [String]) -> String? {
    let whole = parts.flatMap(\.nameWords)
    let last = parts.last?.split { ":\\./".contains($0) }.last.map { String($0).nameWords } ?? []
    guard last.contains(where: { Int64($0) == nil }) else { return nil }
    let forms = TableNames.forms(last)
    let found = [
      TableNames.union(wholes, TableNames.forms(whole)), TableNames.union(wholes, forms),
      TableNames.union(endings, Set(forms.map { "\(last.count) \($0)" })),
    ].first { !$0.isEmpty }
    return found?.count == 1 ? found?.first : nil
  }

  private static func union(_ tables: [String: Set<String>], _ forms: Set<String>) -> Set<String> {
    forms.reduce(into: []) { $0.formUnion(tables[$1] ?? []) }
  }

  /// Returns the forms of a name in the singular and the plural.
  private static func forms(_ words: some BidirectionalCollection<String>) -> Set<String> {
    let joined = words.joined()
    guard let last = words.last, !joined.isEmpty else { return [] }
    let one = "\(joined.dropLast(last.count))\(last.singular)"
    return [joined, one, joined.hasSuffix("s") ? String(joined.dropLast()) : joined]
  }
}
