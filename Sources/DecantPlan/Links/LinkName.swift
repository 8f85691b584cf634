internal import DecantBase

/// The name of a column or table, analysed as that of a link.
package struct LinkName {
  /// The name as written.
  package let text: String
  /// Its words in lower case, without the ending of links.
  package let stem: [String]
  /// Whether it has the ending of links.
  package let hasSuffix: Bool
  /// The stem as one word, and its last word, in the singular.
  package let whole, last: String
  private let words: [String]

  /// Endings of links' names.
  private static let suffixes: Set<String> = [
    "id", "ids", "fk", "key", "ref", "pk", "rowid", "oid",
  ]
  /// Beginnings of links' names, as in `idFile` and `ref_user`.
  private static let prefixes: Set<String> = ["id", "ref"]
  /// Words that refer to another row.
  private static let relations: Set<String> = [
    "parent", "owner", "fk", "prev", "previous", "next", "child", "root", "original", "master",
    "source", "target", "src", "dst", "from", "to", "latest", "origin",
  ]
  /// Words that refer to another row of the same table.
  private static let sameTable: Set<String> = [
    "parent", "prev", "previous", "next", "root", "original", "predecessor", "successor",
  ]
  /// Names of links to another row of the same table, their words as one, which some row is without.
  private static let rowsAbove: Set<String> = [
    "p", "reply", "replyto", "repliesto", "repliedto", "inreplyto", "mergedinto", "replaces", "replacedby",
    "supersedes", "supersededby", "ancestor", "superior", "manager", "mother", "father", "blockedby", "dependson",
    "basedon", "derivedfrom", "copiedfrom", "forkedfrom", "clonedfrom", "splitfrom", "precededby", "followedby",
  ]
  /// Names of either end of a relation between rows.
  private static let ends: Set<String> = [
    "subject", "object", "source", "target", "src", "dst", "from", "to", "parent", "child", "p", "ancestor",
    "descendant", "predecessor", "successor",
  ]
  /// Words for an order that may end like a link, as in `sort_id`.
  private static let orders: Set<String> = ["sort", "ordering", "sequence", "seq", "rank", "position", "idx"]
  /// Words for a place in a list.
  private static let places: Set<String> = [
    "pos", "position", "ord", "order", "ordinal", "line", "place", "index", "no", "nr", "num", "number",
  ]
  /// Words for a person's role for a row.
  private static let roles: Set<String> = [
    "by", "author", "owner", "creator", "editor", "reviewer", "assignee", "sender", "recipient",
    "receiver", "uploader", "approver", "manager", "supervisor", "user", "whodunnit",
  ]
  /// Words for tables of persons.
  private static let persons: Set<String> = [
    "user", "person", "people", "account", "member", "author", "contact", "profile", "employee",
    "staff", "actor", "customer", "participant",
  ]
  /// Names of keys that do not refer to a table.
  private static let generic: Set<String> = [
    "id", "_id", "pk", "key", "rowid", "_rowid_", "oid", "no", "nr", "num", "number", "fid",
    "gid", "ogc_fid", "objectid", "pkuid", "seq", "idx", "index",
  ]
  /// Names with the ending of links that are not links.
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
    "servings", "visits", "minute", "minutes", "hour", "hours", "second", "seconds", "days", "percent", "bytes",
  ]
  /// Words for columns that name the table of a key.
  private static let types: Set<String> = ["type", "class", "kind", "model", "table", "entity"]
  /// Words for general properties of rows, which may also be names of tables: alone they suggest no table.
  private static let values: Set<String> = [
    "value", "val", "name", "title", "text", "data", "content", "label", "description", "comment",
  ]
  /// Words before the word for a value that do not describe it.
  private static let qualifiers: Set<String> = ["old", "new", "prev", "previous", "default"]
  /// Words for columns that name a value, as `meta_key` does for `meta_value`.
  private static let settings: Set<String> = [
    "key", "name", "field", "property", "attribute", "option", "setting", "param", "parameter",
  ]
  /// Names for the keys of any table.
  private static let objects: Set<String> = [
    "object", "entity", "item", "record", "target", "subject", "resource", "model", "row",
  ]

  /// Analyses a name.
  ///
  /// - Parameter name: The name of a column or a table, or a value that names another column's content.
  package init(_ name: String) {
    text = name
    words = name.nameWords
    var stem = words
    var hasSuffix = false
    if let last = words.last {
      if LinkName.suffixes.contains(last) {
        hasSuffix = words.count > 1 || last == "fk"
        if words.count > 1 { stem.removeLast() }
        // Django's name for the key of the parent row in multi-table inheritance.
        if stem.count > 1, stem.last == "ptr" { stem.removeLast() }
      } else if last.hasSuffix("id"), last.utf8.count > 2, !LinkName.others.contains(last) {
        hasSuffix = true
        stem[stem.count - 1].removeLast(2)
      } else if words.count > 1, LinkName.prefixes.contains(words[0]), !LinkName.isProperty(last) {
        hasSuffix = true
        stem.removeFirst()
      }
    }
    (self.stem, self.hasSuffix) = (stem, hasSuffix)
    (whole, last) = (stem.joined().singular, stem.last?.singular ?? "")
  }

  /// Analyses a name without the first word if all columns of its table have it, as `rev_page` in a table of revisions;
  /// `nil` without such a word.
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

  /// Analyses a name such as `message_row_id` without the word for a row; `nil` without it.
  package init?(withoutRow name: String) {
    let words = name.nameWords
    guard words.count > 2, words.suffix(2) == ["row", "id"] else { return nil }
    self.init((words.dropLast(2) + ["id"]).joined(separator: "_"))
  }

  /// Whether it has the ending of links, or refers to another row.
  package var isLinkLike: Bool {
    // A word such as “source” alone may name any property.
    hasSuffix || isOfSameTable || refersToRow
  }

  /// Whether it consists of several words of which one refers to another row.
  package var refersToRow: Bool { words.count > 1 && !endsLikeCount && !LinkName.relations.isDisjoint(with: words) }

  /// Whether it refers to another row of the same table that some row is without.
  package var isOfRowAbove: Bool { isOne(of: LinkName.rowsAbove) || isOfOriginal }

  /// Whether it refers to a row that this one is something of, as `duplicate_of` or `variant_of_id`; not `date_of`.
  private var isOfOriginal: Bool {
    stem.count > 1 && stem.last == "of" && !LinkName.isProperty(stem[stem.count - 2])
  }

  /// Whether it is one end of a relation between rows, as `subject`.
  package var isEnd: Bool { isOne(of: LinkName.ends) }

  /// Whether it ends like a link, but names an order.
  package var isOrder: Bool { hasSuffix && stem.last.map(LinkName.orders.contains) ?? false }

  /// Whether it is the name of a key that names nothing else, such as `id`.
  package var isPlainID: Bool { isGeneric && text.foldedName.hasSuffix("id") }

  /// Whether it declares a foreign key.
  package var isForeignKey: Bool { words.last == "fk" }

  /// Whether it is a common name for the keys of many tables.
  package var isGeneric: Bool { LinkName.generic.contains(text.foldedName) }

  /// Whether it names a number that is not a key, as “uuid”.
  package var isNoKey: Bool { LinkName.others.contains(text.foldedName) }

  /// Whether it names a number that counts something.
  package var isCount: Bool {
    guard let last = words.last else { return false }
    // As `tmonth` in a table of times, and `numchild` in a tree.
    return LinkName.counts.contains(last)
      || ["year", "month", "week"].contains { last.hasSuffix($0) } || last.hasPrefix("num")
      || words.count > 1 && ["num", "number", "count", "total"].contains(words[0])
  }

  /// Whether it names the place of a row in a list.
  package var isPlace: Bool { words.last.map { LinkName.orders.union(LinkName.places).contains($0) } ?? false }

  /// Whether it refers to another row of the same table.
  ///
  /// `original_width` and `next_index` name a property.
  package var isOfSameTable: Bool {
    let isEnd = hasSuffix || stem.last.map(LinkName.sameTable.contains) ?? false
    let names = isEnd ? LinkName.sameTable : endsLikeCount ? [] : LinkName.sameTable.subtracting(["original"])
    return !names.isDisjoint(with: words)
  }

  /// Whether its last word is that of a count, and no ending of a link follows.
  private var endsLikeCount: Bool { !hasSuffix && words.last.map(LinkName.counts.contains) ?? false }

  /// Whether it refers to the parent row in a tree.
  package var isParent: Bool { stem.last == "parent" }

  /// Whether it refers to a person by a role.
  package var isPerson: Bool {
    stem.last.map(LinkName.roles.contains) ?? false || stem.suffix(2) == ["assigned", "to"]
  }

  /// Whether it suggests a table of persons.
  package var holdsPersons: Bool {
    words.last.map { LinkName.persons.contains($0.singular) } ?? false
  }

  /// Returns whether a column called `name` contains the kind of each row.
  ///
  /// - Parameter name: The name.
  /// - Returns: Whether it does.
  static func isRowKind(_ name: String) -> Bool { types.contains(name.foldedName) }

  /// Returns whether a column of this name names the values in the column called `name`, as in tables of settings.
  ///
  /// - Parameter name: The name of the column with the values.
  /// - Returns: Whether it does.
  package func isSetting(of name: LinkName) -> Bool {
    guard let end = name.words.last, end == "value" || end == "val" else { return false }
    // As `custom_field_id`, the key of what the value belongs to.
    let words = words.last == "id" ? stem : words
    guard let last = words.last, LinkName.settings.contains(last) else { return false }
    let rest = name.words.dropLast().filter { !LinkName.qualifiers.contains($0) }
    return words.count == 1 || rest.isEmpty || Array(words.dropLast()) == rest
  }

  /// How much of a table's name it contains: all, all except an app's prefix, the last word, or its end.
  package enum Nearness: Int { case whole, withoutPrefix, lastWord, ending }

  /// Returns how much of the name of `table` it contains; `nil` for nothing.
  ///
  /// - Parameter table: The name of a table.
  /// - Returns: The part of the name.
  package func points(to table: TableName) -> Nearness? {
    guard !last.isEmpty, hasSuffix || !LinkName.values.contains(whole) && !isOfMany(table) else {
      return nil
    }
    if table.whole == whole { return .whole }
    if LinkName.plurals(of: whole).contains(table.whole) { return .withoutPrefix }
    // The words may be one word in the table's name, as `generic_item` in `shop_genericitem`.
    if table.words.count > 1, !LinkName.types.contains(whole),
      (1..<table.words.count).contains(where: { table.part($0) == whole })
    {
      return .withoutPrefix
    }
    if table.singulars.last == last { return .lastWord }
    // A column `parent` is unlikely to refer to `grandparent`, or `data_source` to `resource`.
    guard !LinkName.relations.contains(last) else { return nil }
    return last.utf8.count > 3 && table.whole.hasSuffix(last) ? .ending : nil
  }

  /// Returns whether its last word, in the singular, is the whole name of `table`, or all of it after a prefix.
  package func ends(withNameOf table: TableName) -> Bool {
    guard stem.count > 1, stem.last == last else { return false }
    return table.whole == last || table.part(1) == last && table.words.count == 2
  }

  /// Returns whether the name of `table` begins with it and has more words, as `folderLocations` with `folderID`.
  ///
  /// - Parameter table: The name of a table.
  /// - Returns: Whether it does; never without the ending of links.
  package func begins(_ table: TableName) -> Bool {
    guard hasSuffix, whole.utf8.count > 2 else { return false }
    return (1..<max(table.words.count, 1)).contains { table.words.prefix($0).joined().singular == whole }
  }

  /// Returns how many words it has in common with the name of `table`: two for `developSettingsCache` and
  /// `imageDevelopSettings`.
  ///
  /// - Parameter table: The name of a table.
  /// - Returns: The number; general words do not count.
  package func count(ofWordsIn table: TableName) -> Int {
    stem.map(\.singular).count { word in
      word.utf8.count > 3 && table.singulars.contains(word) && !LinkName.isProperty(word)
        && !LinkName.objects.contains(word)
    }
  }

  /// Whether it names a general property, such as `value`.
  package var isProperty: Bool { LinkName.isProperty(last) }

  /// Returns the plurals of `word` in languages other than English, as `kunden`; empty for a short word.
  package static func plurals(of word: String) -> [String] {
    word.utf8.count > 3 ? ["n", "en", "e"].map { word + $0 } : []
  }

  private static func isProperty(_ word: String) -> Bool {
    counts.contains(word) || values.contains(word) || types.contains(word)
  }

  private func isOne(of names: Set<String>) -> Bool {
    let name = stem.joined()
    // A single letter is a word only before the ending of links, as in `pid`.
    return names.contains(name) && (hasSuffix || name.utf8.count > 1)
  }

  /// Returns whether it counts the rows of `part`, a table whose name continues that of its own table, as `items` in
  /// `orders` does those of `order_items`.
  ///
  /// - Parameters:
  ///   - part: The name of a table.
  ///   - own: The name of the column's table.
  /// - Returns: Whether it does.
  package func counts(rowsOf part: TableName, in own: TableName) -> Bool {
    !hasSuffix && stem.last != last && part.place(of: own) == 0
  }

  /// Returns whether it is the plural of `table`, as `pages` for a table `page`: then it is a count.
  private func isOfMany(_ table: TableName) -> Bool {
    stem.last != last && stem.last != table.words.last
  }

  /// Returns whether a column of this name contains the tables of the keys in the column called `name`.
  ///
  /// - Parameters:
  ///   - name: The name of the column with the keys.
  ///   - isOfTable: Whether that is the name of a table: then `albumtype` is a kind of album.
  /// - Returns: Whether it does.
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
