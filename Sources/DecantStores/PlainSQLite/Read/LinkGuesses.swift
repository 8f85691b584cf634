internal import Decant
internal import SQLite

/// Guesses from names which columns may hold keys although no foreign key says so.
///
/// A guess only leads to a look at the values, and then to a question: what is missed here is copied as
/// a number, so the guesses are generous.
struct LinkGuesses {
  let schema: PlainSchema

  /// Words that a link's name ends with.
  private static let suffixes: Set<String> = [
    "id", "fk", "key", "ref", "pk", "rowid", "oid",
  ]
  /// Words that tell of another row.
  private static let relations: Set<String> = [
    "parent", "owner", "fk", "prev", "previous", "next", "child", "root", "original", "master",
    "source", "target", "src", "dst", "from", "to",
  ]

  /// The tables whose keys `column` of `table` may hold, likeliest first.
  func targets(of column: ColumnSchema, in table: TableSchema) -> [String] {
    guard !column.isGenerated, column.mayHoldIntegers,
      !schema.noLinks.contains(where: {
        $0.entity.isSameName(as: table.name) && $0.name.isSameName(as: column.name)
      })
    else { return [] }
    let found = targets(named: column.name, in: table)
    switch column.affinity {
    case .integer, .numeric, .blob: return found.all
    // Texts that are numbers and keys at that: only where the name says of what.
    case .text, .real: return found.named
    }
  }

  /// The tables whose keys may be the numbers of the rows of `table`, a virtual one.
  func targets(ofRowsOf table: TableSchema) -> [String] {
    let rowID = schema.key(of: table)?.column ?? "rowid"
    guard
      !schema.noLinks.contains(where: {
        $0.entity.isSameName(as: table.name) && $0.name.isSameName(as: rowID)
      })
    else { return [] }
    let words = Set(table.name.nameWords.map(\.singular))
    let others = candidates(beside: table)
    return others.filter { !words.isDisjoint(with: $0.nameWords.map(\.singular)) }
      + others.filter { words.isDisjoint(with: $0.nameWords.map(\.singular)) }
  }

  private func candidates(beside table: TableSchema) -> [String] {
    schema.readableTables.filter { other in
      other.virtual == nil && other.name != table.name && schema.key(of: other)?.isShown == true
    }.map(\.name)
  }

  /// Names that end like a link's and are none's.
  private static let others: Set<String> = [
    "uuid", "guid", "valid", "invalid", "void", "paid", "unpaid", "grid", "bid", "kid", "android",
  ]

  private func targets(named name: String, in table: TableSchema) -> (
    named: [String], all: [String]
  ) {
    var words = name.nameWords
    let isKey = schema.key(of: table)?.column == name
    let isLinkish =
      LinkGuesses.suffixes.contains(words.last ?? "") && (words.count > 1 || words.last == "fk")
      || !LinkGuesses.relations.isDisjoint(with: words)
      || (name.foldedName.hasSuffix("id") && name.utf8.count > 2
        && !LinkGuesses.others.contains(words.last ?? ""))
    if words.count > 1, LinkGuesses.suffixes.contains(words.last ?? "") { words.removeLast() }
    var stem = words.joined()
    if stem.hasSuffix("id"), words.count == 1, stem.utf8.count > 2 { stem.removeLast(2) }
    // A key of its own that is called like one is no link.
    let own = isKey ? [] : [table.name]
    let all = candidates(beside: table) + (schema.key(of: table)?.isShown == true ? own : [])
    let last = words.last?.singular ?? stem
    let named = all.filter { target in
      let other = target.nameWords
      let joined = other.joined().singular
      return joined == stem.singular || other.last?.singular == last
        || (stem.utf8.count > 3 && joined.hasSuffix(stem.singular))
    }
    guard isLinkish else {
      let exact = named.filter { $0.nameWords.joined().singular == stem.singular }
      return isKey ? ([], []) : (exact, exact)
    }
    guard !isKey else { return (named, named) }
    let isParent = words.contains("parent") || words.contains("prev") || words.contains("next")
    let first = named + (isParent ? own.filter(all.contains) : [])
    return (first, first + all.filter { !first.contains($0) })
  }
}

extension ColumnSchema {
  /// Whether the values may be keys, as numbers or as texts that look like some.
  fileprivate var mayHoldIntegers: Bool { !declaredType.foldedName.hasPrefix("bool") }
}
