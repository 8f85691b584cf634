/// How the tables of a database may be called by what names one of them: a plain name in the singular or the plural,
/// Django's `auth` and `user`, the class `Blog::Post` of Rails.
package struct TableNames {
  /// The tables by each way to write their whole names.
  private var wholes: [String: Set<String>] = [:]
  /// The tables by each way to write the last words of their names, behind the number of these.
  private var endings: [String: Set<String>] = [:]

  /// Prepares to look for `tables`.
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

  /// Returns the table that is called so, with the name of its app or without.
  ///
  /// - Parameter parts: The parts of the name, from the largest to the smallest.
  /// - Returns: The table; `nil` for none, and for several that are called so alike.
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

  /// One name, whatever its number.
  private static func forms(_ words: some BidirectionalCollection<String>) -> Set<String> {
    let joined = words.joined()
    guard let last = words.last, !joined.isEmpty else { return [] }
    let one = "\(joined.dropLast(last.count))\(last.singular)"
    return [joined, one, joined.hasSuffix("s") ? String(joined.dropLast()) : joined]
  }
}
