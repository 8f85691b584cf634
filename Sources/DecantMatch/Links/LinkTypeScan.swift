internal import DecantPlan
internal import DecantStore
internal import DecantSQLite

/// A single read of a column of keys and of the column that names their tables.
struct LinkTypeScan {
  /// The types, in the order of their first rows.
  private(set) var types: [LinkType] = []
  private let column: String
  private let typeRelation: Relation?
  private let pairs: LinkPairs
  private var places: [RowCondition.Literal: Int] = [:]

  /// The maximum number of types: with more, a column does not name tables.
  private static let limit = 1_000
  /// The maximum length of a type's name.
  private static let lengthLimit = 200
  /// The number of rows in which the keys of a type without table are searched.
  private static let soughtCount: Int64 = 1_000

  /// Prepares to read the types in `column` of `relation`.
  init(_ column: String, of relation: Relation, _ pairs: LinkPairs) {
    self.column = column
    self.pairs = pairs
    let type = relation.columns.first { $0.name == column && !$0.isConditional }
    typeRelation = type.flatMap(pairs.typeRelation)
  }

  /// Reads the rows of `select`, each a type and a key.
  ///
  /// - Parameters:
  ///   - select: The SELECT.
  ///   - changes: Whether only keys that change count as moved.
  /// - Throws: `SQLiteError` if the database cannot be read.
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
      // No link can lead to a table without integer key.
      if let root = type.root { return pairs.ids.keyMap(of: root) == nil }
      // Unnamed numbers whose rows rarely contain keys are not types.
      return type.hitCount * 2 < min(type.valueCount, LinkTypeScan.soughtCount)
    }
  }

  /// Returns whether at least half of the different values of `select` name tables.
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

  /// Returns the maps of the tables with the key: that of the type's table, or any if the type matches none.
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

  /// Returns the type for the value `type` in the column; `nil` if it names none, or is a key without row.
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
    // In a row with several values one of them is the name.
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
  /// Reads the value of a row's column; NULL is an empty text.
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
