internal import DecantBase
internal import DecantPlan
internal import DecantStore
internal import DecantSQLite

/// Guesses from names which columns may hold keys without a declared foreign key.
///
/// A guess only causes a check of the values: `UndeclaredLinks` weighs both.
struct LinkGuesses {
  let schema: PlainSchema
  /// The declared links.
  let domains: KeyDomains
  private let targets: LinkTargets
  /// The names of the columns, by table.
  private let names: [String: [LinkName]]

  /// The maximum number of words of a table's name that are counted.
  private static let lengthLimit = 20

  /// Prepares to read the names in `schema`.
  init(schema: PlainSchema, domains: KeyDomains) {
    (self.schema, self.domains) = (schema, domains)
    targets = LinkTargets(schema, domains)
    names = Dictionary(schema.tables.map { ($0.name, $0.columns.map { LinkName($0.name) }) }) { first, _ in first }
  }

  /// Returns a hint from the name of `column` of `table`.
  ///
  /// - Parameters:
  ///   - column: A column that is not a declared link.
  ///   - table: Its table.
  /// - Returns: The hint; `nil` for a column that holds no keys.
  func hint(of column: ColumnSchema, in table: TableSchema) -> LinkHint? {
    guard !column.isGenerated, column.mayHoldIntegers, !isNoLink(column.name, of: table),
      !table.isCoordinate(column.name)
    else { return nil }
    let name = LinkName(column.name)
    let isKey = schema.key(of: table)?.column == column.name
    let shortName = LinkName(withoutRow: column.name)
    // A key named after its own table is not a link.
    if isKey, isOwnKey(name, of: table) || shortName.map({ isOwnKey($0, of: table) }) == true { return nil }
    // A key named “id” points to no table, such as “native_id”: only its table's name is used.
    let isGeneric = name.isGeneric || isKey && targets.isCommonKey(name)
    var hint = isKey && isGeneric ? extended(by: table) : named(name, of: table, isKey: isKey)
    if !isKey, !hint.named.contains(where: { $0.reason != .holder && $0.reason != .word }),
      let short = LinkName(column.name, withoutPrefixOf: table.columns.map(\.name))
    {
      let named = named(short, of: table, isKey: false)
      if named.named.contains(where: { $0.reason != .holder }) { hint = named }
    }
    // Unless a table is called `message_row`, its words are those of a table and “row”.
    if !hint.named.contains(where: { $0.reason == .table }), let short = shortName {
      let named = named(short, of: table, isKey: isKey)
      if named.named.contains(where: { $0.reason == .table }) { hint = named }
    }
    hint.isLinkLike = isKey ? name.isLinkLike && !isGeneric : name.isLinkLike || isGeneric
    hint.isForeignKey = name.isForeignKey
    hint.isParent =
      name.isParent
      || name.isOfRowAbove && hint.named.contains(LinkHint.Named(table.name, .sameTable))
    hint.isKeyPart = !isKey && table.isKeyPart(column.name)
    hint.isInJoin = targets.areJoined(by: TableName(table.name))
    hint.isCount = name.isCount && !hint.isLinkLike && !hint.isInJoin
    hint.shortened = targets.shortened(by: name)
    switch column.affinity {
    case .integer, .numeric, .blob: hint.countsValues = !name.isCount
    // Text keys: only if the name determines the target.
    case .text, .real: hint.named.removeAll { $0.reason == .holder || $0.reason == .word }
    }
    if !isKey {
      hint.holdsTexts = [.text, .blob].contains(column.affinity)
      hint.settingColumn = settingColumn(beside: name, in: table)?.name
      // The setting column alone determines the type of a value.
      if hint.settingColumn == nil { hint.typeColumn = typeColumn(beside: name, in: table)?.name }
    }
    // A column named like a link may have its tables named by the values of another column.
    let mayBePair = hint.typeColumn != nil || !isKey && hint.isLinkLike
    let mayBeMore = mayBePair || hint.settingColumn != nil
    return !hint.named.isEmpty || hint.countsValues || hint.holdsTexts || mayBeMore ? hint : nil
  }

  /// Returns a hint from the name of `table`, a virtual table, about its row numbers.
  func hint(ofRowsOf table: TableSchema) -> LinkHint? {
    let rowID = schema.key(of: table)?.column ?? "rowid"
    guard !isNoLink(rowID, of: table) else { return nil }
    let words = Set(table.name.nameWords.map(\.singular))
    let named = targets.all.filter { other in
      other.name.text != table.name && !words.isDisjoint(with: other.name.singulars)
    }
    var hint = LinkHint(named: named.map { LinkHint.Named($0.name.text, .table) })
    // A full-text index rarely has rows of its own.
    (hint.isLinkLike, hint.countsValues) = (true, true)
    return hint
  }

  /// Returns a hint on the tables whose names are a prefix of the name of `table`, the longest first.
  ///
  /// For example `visits` is one for `visit_source`: each row may extend a row there, and share its key. A table that
  /// numbers its rows itself has keys of its own.
  private func extended(by table: TableSchema) -> LinkHint {
    guard !table.numbersOnce else { return LinkHint() }
    let own = TableName(table.name)
    let found = targets.all.map(\.name).filter { $0.text != own.text && own.place(of: $0) == 0 }
      .sorted { $0.words.count > $1.words.count }
    return LinkHint(named: found.map { LinkHint.Named($0.text, .holder) })
  }

  /// Returns whether the key called `name` is named after its own table `table` rather than after another.
  private func isOwnKey(_ name: LinkName, of table: TableSchema) -> Bool {
    let ownName = TableName(table.name)
    let isAtEnd = name.last.utf8.count > 3 && ownName.whole.hasSuffix(name.last)
    guard let own = name.points(to: ownName) ?? (isAtEnd ? .ending : nil) else { return false }
    return !targets.candidates(name, in: ownName).map { targets.all[$0].name }.contains { other in
      guard other.text != table.name, let nearness = name.points(to: other) else { return false }
      return nearness.rawValue < own.rawValue && other.isCalled(name.whole, beside: ownName)
    }
  }

  private func isNoLink(_ column: String, of table: TableSchema) -> Bool {
    schema.noLinks.contains {
      $0.entity.isSameName(as: table.name) && $0.name.isSameName(as: column)
    }
  }

  /// Returns a hint on the tables that `name`, a column of `table`, may point to, likeliest first.
  private func named(_ name: LinkName, of table: TableSchema, isKey: Bool) -> LinkHint {
    let own = TableName(table.name)
    var found: [(place: Int, named: LinkHint.Named)] = []
    let candidates = targets.candidates(name, in: own)
    let hasOwnUsers = candidates.contains { place in
      targets.persons.contains(place) && targets.all[place].name.isOfUsers
        && targets.all[place].name.isNear(own)
    }
    for place in candidates {
      let target = targets.all[place]
      let isOwn = target.name.text == table.name
      guard !isOwn || !isKey, !name.counts(rowsOf: target.name, in: own) else { continue }
      func take(_ place: Int, _ reason: LinkHint.Reason) {
        // Tables of the same app, detected by the first word of the name, come first, and `auth_group` before
        // `auth_user_group`. A part of the table's own name rarely is the target: `group_id` in `task_groups` points
        // elsewhere.
        let isFar = isOwn && place > 0 || target.name.words.first != own.words.first
        let distance = place * 2 + (isFar ? 1 : 0)
        let length = min(target.name.words.count, LinkGuesses.lengthLimit)
        take(at: distance * (LinkGuesses.lengthLimit + 1) + length, reason)
      }
      func take(at place: Int, _ reason: LinkHint.Reason) {
        found.append((place, LinkHint.Named(target.name.text, reason)))
      }
      // `parent_id` may mean a table called `parent` or the parent row in the same table.
      let isRowAbove = name.isOfSameTable && name.stem.count == 1
      let above = 2 * (LinkGuesses.lengthLimit + 1)
      if let nearness = name.points(to: target.name), name.isLinkLike || nearness.rawValue < 2 {
        if isOwn, nearness == .ending || !name.isLinkLike {
          // A column named after its own table, without the suffix of a link, is a value: `square.square`. One such as
          // `from_visit` in a table of `historyvisits` is not.
          if nearness == .ending, name.refersToRow { take(3, .sameTable) }
        } else if isRowAbove, !isOwn, nearness != .whole {
          take(at: target.name.isCalled(name.whole, beside: own) ? above : above + 1, .table)
        } else {
          // A table whose name has additional words belongs to the table that its name begins with.
          let isExtended = !isOwn && own.whole.hasPrefix(target.name.whole)
          take(isExtended ? 0 : nearness.rawValue, .table)
        }
      } else if isOwn, isRowAbove {
        take(at: above, .sameTable)
      } else if !isOwn, !name.isGeneric, !name.isNoKey, target.ownKey == name.text.foldedName,
        !targets.isCommonKey(name)
      {
        take(4, .key)
      } else if !isKey, !name.isCount, name.ends(withNameOf: target.name) {
        take(3, .word)
      } else if isOwn, name.isOfSameTable {
        take(5, .sameTable)
      } else if name.isPerson, targets.persons.contains(place) {
        // Members and authors are often users in some role; those of the same app may be meant as well.
        if hasOwnUsers || !isOwn && !target.name.isOfUsers && !target.name.isNear(own) {
          take(target.name.isOfUsers ? 6 : 7, .person)
        } else {
          take(at: 12 * (LinkGuesses.lengthLimit + 1), .person)
        }
      } else if isOwn, name.isOfRowAbove, targets.shortened(by: name).isEmpty {
        take(at: 13 * (LinkGuesses.lengthLimit + 1), .sameTable)
      } else if !isOwn, !isKey, name.begins(target.name), !target.links.contains(name.whole) {
        take(7, .part)
      } else if !isOwn, let place = own.place(of: target.name) {
        take(8 + place, .holder)
      }
    }
    // The beginning of a name counts only if nothing more is known.
    if found.contains(where: { $0.named.reason != .holder && $0.named.reason != .part }) {
      found.removeAll { $0.named.reason == .part }
    }
    let sorted = found.enumerated()
      .sorted { ($0.element.place, $0.offset) < ($1.element.place, $1.offset) }
      .map(\.element)
    var hint = LinkHint(named: sorted.map(\.named))
    let places = Dictionary(grouping: sorted.filter { $0.named.reason.mayBeTied }, by: \.place)
    hint.tied = Set(places.values.filter { $0.count > 1 }.joined().map(\.named.target))
    return hint
  }

  /// Returns the column that determines the meaning of each value in the column called `name`.
  private func settingColumn(beside name: LinkName, in table: TableSchema) -> ColumnSchema? {
    let others = zip(table.columns, names[table.name] ?? []).enumerated()
      .filter { !$0.element.0.isGenerated && $0.element.1.isSetting(of: name) }
    // The nearest preceding column belongs to it, such as `prop_key` and not `property` in a list of changes.
    let place = table.columns.firstIndex { $0.name.isSameName(as: name.text) } ?? 0
    return (others.last { $0.offset < place } ?? others.first)?.element.0
  }

  /// Returns the column that names the target table of each key in the column called `name`.
  private func typeColumn(beside name: LinkName, in table: TableSchema) -> ColumnSchema? {
    // A condition determines it, whatever its name.
    for link in schema.conditionalLinks where link.isOf(name.text, in: table) {
      if let first = link.condition?.comparisons.first(where: { $0.prefix == nil }) {
        return table.column(first.column)
      }
    }
    guard name.hasSuffix, !name.stem.isEmpty else { return nil }
    let isOfTable = targets.areCalled(name)
    return zip(table.columns, names[table.name] ?? []).first { column, other in
      // Beside the key of a creator, a number such as `creatorTypeID` is the creator's role.
      let isNumber = isOfTable && column.affinity == .integer
      return !isNumber && !column.name.isSameName(as: name.text) && other.isType(of: name, isOfTable: isOfTable)
    }?.0
  }
}

extension TableName {
  /// Whether its rows are users.
  fileprivate var isOfUsers: Bool { singulars.last == "user" }

  /// Returns whether `name` is its name, without the leading words that it shares with `other`.
  fileprivate func isCalled(_ name: String, beside other: TableName) -> Bool {
    let shared = zip(words, other.words).prefix { $0 == $1 }.count
    return whole == name || shared < words.count && part(words.count - shared) == name
  }

  /// Returns whether it begins with the same word as `other`, as the tables of one app do.
  fileprivate func isNear(_ other: TableName) -> Bool {
    words.count > 1 && other.words.count > 1 && words.first == other.words.first
  }
}

extension LinkHint.Reason {
  /// Whether several unrelated tables may have this reason for the same name.
  fileprivate var mayBeTied: Bool { [.table, .part, .person, .sameTable].contains(self) }
}

extension ColumnSchema {
  /// Whether the values may be keys, as integers or as numeric texts.
  fileprivate var mayHoldIntegers: Bool { !declaredType.foldedName.hasPrefix("bool") }
}
