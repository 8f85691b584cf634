internal import DecantPlan
internal import DecantStore
internal import DecantSQLite

/// One reading of a column and of the one beside it that names the table of each key.
struct LinkTypeScan {
  /// The types, in the order in which rows have them.
  private(set) var types: [LinkType] = []
  private let column: String
  private let typeRelation: Relation?
  private let pairs: LinkPairs
  private var places: [RowCondition.Literal: Int] = [:]

  /// How many types are told apart: a column with more names no tables.
  private static let limit = 1_000
  /// How long the name of a type may be, in letters.
  private static let lengthLimit = 200
  /// Among how many rows of a type that no table is called after its keys are looked for.
  private static let soughtCount: Int64 = 1_000

  /// Prepares a reading of the types in `column` of `relation`.
  init(_ column: String, of relation: Relation, _ pairs: LinkPairs) {
    self.column = column
    self.pairs = pairs
    let type = relation.columns.first { $0.name == column && !$0.isConditional }
    typeRelation = type.flatMap(pairs.typeRelation)
  }

  /// Reads the rows of `select`, a type and a key each.
  ///
  /// - Parameters:
  ///   - select: The SELECT.
  ///   - changes: Whether only keys count as moved that become others.
  /// - Throws: `SQLiteError` where the database cannot be read.
  mutating func read(_ select: String, changes: Bool) throws(SQLiteError) {
    let rows = try pairs.connection.prepare(select)
    while try rows.step() {
      guard let place = try place(of: RowCondition.Literal(rows, 0)) else { continue }
      types[place].valueCount += 1
      let key = rows.integer(at: 1)
      let holders = try self.holders(of: key, types[place])
      guard !holders.isEmpty else { continue }
      types[place].hit(key)
      guard !types[place].isMoved else { continue }
      for map in holders where !types[place].isMoved {
        let image = try map.destination(of: key)
        types[place].isMoved = !changes || image != key
      }
    }
    types.removeAll { type in
      // No link holds the key of a table that has no integer for one.
      if let root = type.root { return pairs.ids.keyMap(of: root) == nil }
      // Numbers without a name that are hardly ever keys are no types of rows.
      return type.hitCount * 2 < min(type.valueCount, LinkTypeScan.soughtCount)
    }
  }

  /// Whether at least half of the different values that `select` gives name tables.
  mutating func namesTables(_ select: String) throws(SQLiteError) -> Bool {
    let rows = try pairs.connection.prepare(select)
    var (named, all) = (0, 0)
    while try rows.step() {
      guard let place = try place(of: RowCondition.Literal(rows, 0)) else { return false }
      all += 1
      if types[place].root != nil { named += 1 }
      if all - named > 10, named * 2 < all { return false }
    }
    return named > 0 && named * 2 >= all
  }

  /// The maps of the tables that have the key: that which the type names, or any where none is called so.
  private func holders(of key: Int64, _ type: LinkType) throws(SQLiteError) -> [IDMap] {
    guard let root = type.root else {
      guard type.valueCount <= LinkTypeScan.soughtCount else { return [] }
      var found: [IDMap] = []
      for relation in pairs.layout.relations {
        guard let map = pairs.ids.keyMap(of: relation.root), try map.existing.contains(key) else {
          continue
        }
        found.append(map)
      }
      return found
    }
    guard let map = pairs.ids.keyMap(of: root), try map.existing.contains(key) else { return [] }
    return [map]
  }

  private mutating func place(of type: RowCondition.Literal) throws(SQLiteError) -> Int? {
    if let place = places[type] { return place }
    guard types.count < LinkTypeScan.limit, let read = try self.type(of: type) else { return nil }
    places[type] = types.count
    types.append(read)
    return types.count - 1
  }

  /// Returns the type that `type` names in the column; `nil` where it names none, and for a key of no row.
  func type(of type: RowCondition.Literal) throws(SQLiteError) -> LinkType? {
    guard type.plainText.utf8.count <= LinkTypeScan.lengthLimit else { return nil }
    let own = RowCondition([RowCondition.Comparison(column, in: [type])])
    var portable = own
    var names = ["\(type.plainText)"]
    if let typeRelation, case .integer = type {
      let rowNames = typeRelation.rowNames
      let row = try pairs.connection.prepare(
        """
        SELECT \(rowNames.map { $0.sql(in: pairs.schema, of: "r") }.joined(separator: ", "))
        FROM \(typeRelation.sqlTable(in: pairs.schema)) AS r WHERE r.\(typeRelation.keyName) = \(type.sql)
        """
      )
      guard try row.step() else { return nil }
      let values = rowNames.indices.map { RowCondition.Literal(row, $0) }
      names = values.map(\.plainText)
      portable = RowCondition(zip(rowNames, values).map { RowCondition.Comparison(column, $0.path, in: [$1]) })
    }
    // Of a row with many values one is the name.
    let single = names.count < 3 ? [] : names.map { [$0] }
    return LinkType(
      own,
      portable: portable,
      name: names.joined(separator: "."),
      root: ([names] + single).lazy.compactMap(pairs.names.table).first
    )
  }
}

extension RowCondition.Literal {
  /// The value of a row's column, of which NULL is an empty text.
  init(_ row: Statement, _ column: Int) {
    self =
      row.type(at: column) == .integer
      ? .integer(row.integer(at: column)) : .text(row.text(at: column) ?? "")
  }

  /// The value without quotes.
  fileprivate var plainText: String {
    switch self {
    case .integer(let number): "\(number)"
    case .text(let text): text
    }
  }
}
