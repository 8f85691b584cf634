internal import DecantBase

/// The name of a column or table, read as that of a link.
package struct LinkName {
  /// The name as it is written.
  package let text: String
  /// Its words in small letters, without the ending that links have.
  package let stem: [String]
  /// Whether it has such an ending.
  package let hasSuffix: Bool
  /// These words as one, and the last of them, without the ending of many.
  package let whole, last: String
  private let words: [String]

  /// Words that a link's name ends with.
  private static let suffixes: Set<String> = [
    "id", "ids", "fk", "key", "ref", "pk", "rowid", "oid",
  ]
  /// Words that tell of another row.
  private static let relations: Set<String> = [
    "parent", "owner", "fk", "prev", "previous", "next", "child", "root", "original", "master",
    "source", "target", "src", "dst", "from", "to", "latest", "origin",
  ]
  /// Words that tell of another row of the same table.
  private static let sameTable: Set<String> = [
    "parent", "prev", "previous", "next", "root", "original", "predecessor", "successor",
  ]
  /// Words for what somebody has to do with a row.
  private static let roles: Set<String> = [
    "by", "author", "owner", "creator", "editor", "reviewer", "assignee", "sender", "recipient",
    "receiver", "uploader", "approver", "manager", "supervisor", "user",
  ]
  /// Words for tables of persons.
  private static let persons: Set<String> = [
    "user", "person", "people", "account", "member", "author", "contact", "profile", "employee",
    "staff", "actor", "customer", "participant",
  ]
  /// Names of keys that say nothing of the table.
  private static let generic: Set<String> = [
    "id", "_id", "pk", "key", "rowid", "_rowid_", "oid", "no", "nr", "num", "number", "fid",
    "gid", "ogc_fid", "objectid", "pkuid", "seq", "idx", "index",
  ]
  /// Names that end like a link's and are none's.
  private static let others: Set<String> = [
    "uuid", "guid", "valid", "invalid", "void", "paid", "unpaid", "grid", "bid", "kid", "android",
  ]
  /// Words for numbers that count, measure or sort.
  private static let counts: Set<String> = [
    "position", "order", "ordering", "sort", "sequence", "seq", "rank", "index", "idx", "place",
    "count", "counter", "number", "num", "size", "length", "width", "height", "weight", "depth",
    "level", "year", "month", "week", "day", "date", "time", "timestamp", "rating", "score",
    "amount",
    "quantity", "price", "version", "revision", "priority", "age", "total", "sum", "min", "max",
    "page", "line", "column", "row", "duration", "offset", "flags", "status", "state", "mode",
    "servings", "visits", "minutes", "hours", "seconds", "days", "percent", "bytes",
  ]
  /// Words for columns that name the table of a key beside them.
  private static let types: Set<String> = ["type", "class", "kind", "model", "table", "entity"]
  /// Words for what any row has, and a table may be called after: alone they point to none.
  private static let values: Set<String> = [
    "value", "val", "name", "title", "text", "data", "content", "label", "description", "comment",
  ]
  /// Words before that of a value which say nothing of what it is.
  private static let qualifiers: Set<String> = ["old", "new", "prev", "previous", "default"]
  /// Words for columns that name what the value beside them is, as `meta_key` does beside `meta_value`.
  private static let settings: Set<String> = [
    "key", "name", "field", "property", "attribute", "option", "setting", "param", "parameter",
  ]
  /// Names under which the keys of any table stand.
  private static let objects: Set<String> = [
    "object", "entity", "item", "record", "target", "subject", "resource", "model", "row",
  ]

  /// Takes a name apart.
  ///
  /// - Parameter name: The name of a column or a table, or a value that names what stands beside it.
  package init(_ name: String) {
    text = name
    words = name.nameWords
    var stem = words
    var hasSuffix = false
    if let last = words.last {
      if LinkName.suffixes.contains(last) {
        hasSuffix = words.count > 1 || last == "fk"
        if words.count > 1 { stem.removeLast() }
        // As Django calls the key of the row that a row is more of.
        if stem.count > 1, stem.last == "ptr" { stem.removeLast() }
      } else if last.hasSuffix("id"), last.utf8.count > 2, !LinkName.others.contains(last) {
        hasSuffix = true
        stem[stem.count - 1].removeLast(2)
      }
    }
    (self.stem, self.hasSuffix) = (stem, hasSuffix)
    (whole, last) = (stem.joined().singular, stem.last?.singular ?? "")
  }

  /// Takes a name apart without the first word that it has in common with all columns of its table, as `rev_page` in
  /// a table of revisions; `nil` where there is no such word.
  ///
  /// - Parameters:
  ///   - name: The name of a column.
  ///   - columns: The names of all columns of its table.
  package init?(_ name: String, withoutPrefixOf columns: [String]) {
    let words = name.nameWords
    guard words.count > 1, columns.count > 2, columns.allSatisfy({ $0.nameWords.first == words[0] })
    else { return nil }
    self.init(words.dropFirst().joined(separator: "_"))
  }

  /// Whether it ends as names of links do, or tells of another row.
  package var isLinkLike: Bool {
    // A word such as “source” alone is any property's.
    hasSuffix || isOfSameTable || words.count > 1 && !LinkName.relations.isDisjoint(with: words)
  }

  /// Whether it says that the column is a foreign key.
  package var isForeignKey: Bool { words.last == "fk" }

  /// Whether it is one that keys of many tables have.
  package var isGeneric: Bool { LinkName.generic.contains(text.foldedName) }

  /// Whether it is one of numbers that name no row of a table, as “uuid”.
  package var isNoKey: Bool { LinkName.others.contains(text.foldedName) }

  /// Whether it names a number that counts something.
  package var isCount: Bool {
    guard let last = words.last else { return false }
    // As `tmonth` in a table of times, and `numchild` in a tree.
    return LinkName.counts.contains(last)
      || ["year", "month", "week"].contains { last.hasSuffix($0) } || last.hasPrefix("num")
      || words.count > 1 && ["num", "number", "count", "total"].contains(words[0])
  }

  /// Whether it tells of another row of the same table.
  package var isOfSameTable: Bool { !LinkName.sameTable.isDisjoint(with: words) }

  /// Whether it tells of the row above in a tree.
  package var isParent: Bool { stem.last == "parent" }

  /// Whether it tells of a person by a role.
  package var isPerson: Bool {
    stem.last.map(LinkName.roles.contains) ?? false || stem.suffix(2) == ["assigned", "to"]
  }

  /// Whether a table of this name holds persons.
  package var holdsPersons: Bool {
    words.last.map { LinkName.persons.contains($0.singular) } ?? false
  }

  /// Whether a column called `name` says of each row of its table what that is.
  ///
  /// - Parameter name: The name.
  /// - Returns: Whether it is so.
  static func isRowKind(_ name: String) -> Bool { types.contains(name.foldedName) }

  /// Whether a column of this name says what each value in the column called `name` is, as in tables of settings.
  ///
  /// - Parameter name: The name of the column with the values.
  /// - Returns: Whether it is so.
  package func isSetting(of name: LinkName) -> Bool {
    guard let end = name.words.last, end == "value" || end == "val" else { return false }
    // As `custom_field_id`, the key of what the value is of.
    let words = words.last == "id" ? stem : words
    guard let last = words.last, LinkName.settings.contains(last) else { return false }
    let rest = name.words.dropLast().filter { !LinkName.qualifiers.contains($0) }
    return words.count == 1 || rest.isEmpty || Array(words.dropLast()) == rest
  }

  /// How much of a table's name it contains: all, all behind a prefix as apps have, the last word, or its end.
  package enum Nearness: Int { case whole, withoutPrefix, lastWord, ending }

  /// Returns how much it contains of the name of `table`; `nil` for nothing.
  ///
  /// - Parameter table: The name of a table.
  /// - Returns: How much it is.
  package func points(to table: TableName) -> Nearness? {
    guard !last.isEmpty, hasSuffix || !LinkName.values.contains(whole) && !isOfMany(table) else {
      return nil
    }
    if table.whole == whole { return .whole }
    // The words may be one in the table's name, as `generic_item` in `shop_genericitem`.
    if table.words.count > 1, !LinkName.types.contains(whole),
      (1..<table.words.count).contains(where: { table.part($0) == whole })
    {
      return .withoutPrefix
    }
    if table.singulars.last == last { return .lastWord }
    // What is called `parent` is hardly a row of `grandparent`.
    guard stem.count > 1 || !LinkName.relations.contains(last) else { return nil }
    return last.utf8.count > 3 && table.whole.hasSuffix(last) ? .ending : nil
  }

  /// Whether its last word, for one row, is the whole name of `table`, with what stands before all tables' names.
  package func ends(withNameOf table: TableName) -> Bool {
    guard stem.count > 1, stem.last == last else { return false }
    return table.whole == last || table.part(1) == last && table.words.count == 2
  }

  /// Whether it names many rows of `table`, as `pages` does beside a table `page`: it counts them.
  private func isOfMany(_ table: TableName) -> Bool {
    stem.last != last && stem.last != table.words.last
  }

  /// Whether a column of this name tells of which table the keys in the column called `name` are.
  ///
  /// - Parameters:
  ///   - name: The name of the column with the keys.
  ///   - isOfTable: Whether that is the name of a table: then `albumtype` is a kind of album.
  /// - Returns: Whether it is so.
  package func isType(of name: LinkName, isOfTable: Bool) -> Bool {
    var words = words
    if words.count > 1, let last = words.last, LinkName.suffixes.contains(last) {
      words.removeLast()
    }
    guard words.count > 1, let last = words.last, LinkName.types.contains(last) else {
      // As `itemtype` beside `itemid`.
      let stem = name.stem.joined()
      return !isOfTable && words.count == 1 && LinkName.types.contains { words[0] == stem + $0 }
    }
    let owner = Array(words.dropLast())
    if owner == name.stem { return true }
    // As `to_content_type` beside `to_object_id`.
    guard let object = name.stem.last, LinkName.objects.contains(object), let last = owner.last,
      owner.dropLast() == name.stem.dropLast()
    else { return false }
    return last == "content" || LinkName.objects.contains(last)
  }
}
