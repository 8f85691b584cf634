internal import Decant
internal import SQLite

/// Finds out from names which columns may hold keys although no foreign key says so.
///
/// A guess only leads to a look at the values: `UndeclaredLinks` weighs both.
struct LinkGuesses {
  let schema: PlainSchema
  /// Which columns are declared to be links.
  let domains: KeyDomains

  /// Returns what the names say of `column` of `table`.
  ///
  /// - Parameters:
  ///   - column: A column that is no declared link.
  ///   - table: Its table.
  /// - Returns: The hint; `nil` for a column that holds no keys.
  func hint(of column: ColumnSchema, in table: TableSchema) -> LinkHint? {
    guard !column.isGenerated, column.mayHoldIntegers, !isNoLink(column.name, of: table) else {
      return nil
    }
    let name = LinkName(column.name)
    let isKey = schema.key(of: table)?.column == column.name
    // A key that is called like its own table is no link.
    if isKey, name.points(to: table.name) != nil { return nil }
    // A key that is called “id” points to no table, such as “native_id”.
    var hint = LinkHint(named: isKey && name.isGeneric ? [] : named(name, of: table, isKey: isKey))
    hint.isLinkLike = isKey ? name.isLinkLike && !name.isGeneric : name.isLinkLike || name.isGeneric
    hint.isForeignKey = name.isForeignKey
    switch column.affinity {
    case .integer, .numeric, .blob: hint.countsValues = !name.isCount
    // Texts that are numbers and keys at that: only where the name says of what.
    case .text, .real: hint.named.removeAll { $0.reason == .holder }
    }
    if !isKey, let type = typeColumn(beside: name, in: table) {
      hint.typeColumn = type.name
      hint.typeNames =
        domains.target(of: type.name, in: table).flatMap(schema.table)
        .map(RowIdentities(schema: schema, domains: domains).names) ?? []
    }
    return !hint.named.isEmpty || hint.countsValues || hint.typeColumn != nil ? hint : nil
  }

  /// Returns what the names say of the numbers of the rows of `table`, a virtual one.
  func hint(ofRowsOf table: TableSchema) -> LinkHint? {
    let rowID = schema.key(of: table)?.column ?? "rowid"
    guard !isNoLink(rowID, of: table) else { return nil }
    let words = Set(table.name.nameWords.map(\.singular))
    let named = targets.filter { other in
      other.name != table.name
        && !words.isDisjoint(with: other.name.nameWords.map(\.singular))
    }
    var hint = LinkHint(named: named.map { LinkHint.Named($0.name, .table) })
    // An index of texts seldom has rows of its own.
    (hint.isLinkLike, hint.countsValues) = (true, true)
    return hint
  }

  private func isNoLink(_ column: String, of table: TableSchema) -> Bool {
    schema.noLinks.contains {
      $0.entity.isSameName(as: table.name) && $0.name.isSameName(as: column)
    }
  }

  /// The tables with a key that a link may hold.
  private var targets: [TableSchema] {
    schema.readableTables.filter { $0.virtual == nil && schema.key(of: $0)?.isShown == true }
  }

  /// The tables that `name`, a column of `table`, points to, likeliest first.
  private func named(_ name: LinkName, of table: TableSchema, isKey: Bool) -> [LinkHint.Named] {
    var found: [(place: Int, named: LinkHint.Named)] = []
    for target in targets {
      let isOwn = target.name == table.name
      guard !isOwn || !isKey else { continue }
      if let nearness = name.points(to: target.name), name.isLinkLike || nearness.rawValue < 2 {
        found.append((nearness.rawValue, LinkHint.Named(target.name, .table)))
      } else if isOwn, name.isOfSameTable {
        found.append((5, LinkHint.Named(target.name, .sameTable)))
      } else if !isOwn, hasKey(target, called: name) {
        found.append((4, LinkHint.Named(target.name, .key)))
      } else if name.isPerson, LinkName(target.name).holdsPersons {
        found.append((6, LinkHint.Named(target.name, .person)))
      } else if !isOwn, let place = LinkName(table.name).place(of: target.name) {
        found.append((7 + place, LinkHint.Named(target.name, .holder)))
      }
    }
    return found.enumerated()
      .sorted { ($0.element.place, $0.offset) < ($1.element.place, $1.offset) }
      .map(\.element.named)
  }

  /// Whether the key of `target` has this name, and is no link itself.
  private func hasKey(_ target: TableSchema, called name: LinkName) -> Bool {
    guard !name.isGeneric, let key = schema.key(of: target), key.isShown,
      key.column.isSameName(as: name.text)
    else { return false }
    return domains.target(of: key.column, in: target) == nil
  }

  /// The column that names the table of each key in the column called `name`.
  private func typeColumn(beside name: LinkName, in table: TableSchema) -> ColumnSchema? {
    // A condition says it whatever its name.
    for link in schema.conditionalLinks where link.isOf(name.text, in: table) {
      if let first = link.condition?.comparisons.first { return table.column(first.column) }
    }
    guard name.hasSuffix, !name.stem.isEmpty else { return nil }
    let isOfTable = targets.contains { name.points(to: $0.name) == .whole }
    return table.columns.first { other in
      guard !other.name.isSameName(as: name.text) else { return false }
      return LinkName(other.name).isType(of: name, isOfTable: isOfTable)
    }
  }
}

extension ColumnSchema {
  /// Whether the values may be keys, as numbers or as texts that look like some.
  fileprivate var mayHoldIntegers: Bool { !declaredType.foldedName.hasPrefix("bool") }
}
