internal import SQLite

/// A type that stands beside a column of keys, and the table whose keys the rows of that type hold.
struct LinkType {
  /// The rows of that type, by what stands in them here.
  let condition: RowCondition
  /// The same rows, told so that the condition means the same in another database.
  let portableCondition: RowCondition
  /// What the type is called, as a person reads it: `auth.user`, `Post`.
  let name: String
  /// The table; `nil` where none is called like the type.
  let root: String?
  /// How many rows hold a positive integer.
  fileprivate(set) var valueCount: Int64 = 0
  /// How many of these are keys of the table; of any where no table is called so.
  fileprivate(set) var hitCount: Int64 = 0
  /// Whether one of them is the key of an object that gets another one.
  fileprivate(set) var isMoved = false

  /// Returns the link of `column` that this type says, `portable` or as the database at hand has it.
  func link(_ column: Property, portable: Bool = false) -> String {
    CopyOptions.Link(
      column,
      to: root ?? "TABLE",
      where: portable ? portableCondition : condition
    ).description
  }
}

/// One reading of a column and of the one beside it that names the table of each key.
struct LinkTypeScan {
  /// The types, in the order in which rows have them.
  private(set) var types: [LinkType] = []
  private let column: String
  private let typeRelation: Relation?
  private let typeNames: [RowName]
  private let layout: Layout
  private let ids: IDTable
  private let schema: String
  private let connection: Connection
  private var places: [RowCondition.Literal: Int] = [:]

  /// How many types are told apart: a column with more names no tables.
  private static let limit = 1_000

  /// Prepares a reading of `layout`, attached as `schema`; `hint` names the column with the types.
  init(
    _ hint: LinkHint,
    _ relation: Relation,
    _ layout: Layout,
    _ ids: IDTable,
    on connection: Connection,
    _ schema: String
  ) {
    column = hint.typeColumn ?? ""
    typeNames = hint.typeNames
    let type = relation.columns.first { $0.name == hint.typeColumn && !$0.isConditional }
    typeRelation = type?.targetRoot.flatMap(layout.relation)
    (self.layout, self.ids, self.connection, self.schema) = (layout, ids, connection, schema)
  }

  /// Reads the rows of `select`, a type and a key each.
  ///
  /// - Parameters:
  ///   - select: The SELECT.
  ///   - changes: Whether only keys count as moved that become others.
  /// - Throws: `SQLiteError` where the database cannot be read.
  mutating func read(_ select: String, changes: Bool) throws(SQLiteError) {
    let rows = try connection.prepare(select)
    while try rows.step() {
      let type: RowCondition.Literal =
        rows.type(at: 0) == .integer
        ? .integer(rows.integer(at: 0)) : .text(rows.text(at: 0) ?? "")
      guard let place = try place(of: type) else { continue }
      types[place].valueCount += 1
      let key = rows.integer(at: 1)
      guard let map = try holder(of: key, in: types[place].root) else { continue }
      types[place].hitCount += 1
      let image = try map.destination(of: key)
      if !changes || image != key { types[place].isMoved = true }
    }
    types.removeAll { type in
      // No link holds the key of a table that has no integer for one.
      if let root = type.root { return ids.map(of: root) == nil }
      // Numbers without a name that are hardly ever keys are no types of rows.
      return type.hitCount * 2 < type.valueCount
    }
  }

  /// Returns the map of the table that has the key: `root`, or the first of all where that is not known.
  private func holder(of key: Int64, in root: String?) throws(SQLiteError) -> IDMap? {
    let roots = root.map { [$0] } ?? layout.relations.map(\.root)
    for root in roots {
      if let map = ids.map(of: root), try map.existing.contains(key) { return map }
    }
    return nil
  }

  private mutating func place(of type: RowCondition.Literal) throws(SQLiteError) -> Int? {
    if let place = places[type] { return place }
    guard types.count < LinkTypeScan.limit else { return nil }
    let own = RowCondition([RowCondition.Comparison(column, in: [type])])
    var portable = own
    var names = ["\(type.plainText)"]
    if let typeRelation, !typeNames.isEmpty {
      let row = try connection.prepare(
        """
        SELECT \(typeNames.map { $0.sql(in: schema, of: "r") }.joined(separator: ", "))
        FROM \(typeRelation.sqlTable(in: schema)) AS r WHERE r.\(typeRelation.keyName) = \(type.sql)
        """
      )
      guard try row.step() else { return nil }
      let values = typeNames.indices.map { index -> RowCondition.Literal in
        row.type(at: index) == .integer
          ? .integer(row.integer(at: index)) : .text(row.text(at: index) ?? "")
      }
      names = values.map(\.plainText)
      portable = RowCondition(
        zip(typeNames, values).map { RowCondition.Comparison(column, $0.path, in: [$1]) }
      )
    }
    places[type] = types.count
    types.append(
      LinkType(
        condition: own,
        portableCondition: portable,
        name: names.joined(separator: "."),
        root: TypeName(names).table(among: layout.relations.filter { !$0.isVirtual }.map(\.root))
      )
    )
    return types.count - 1
  }
}

extension RowCondition.Literal {
  /// The value without quotes.
  fileprivate var plainText: String {
    switch self {
    case .integer(let number): "\(number)"
    case .text(let text): text
    }
  }
}

/// The name of a type of rows, as an app has it: Django's `auth` and `user`, the class `Blog::Post` of Rails.
struct TypeName {
  private let whole: [String]
  private let last: [String]

  init(_ parts: [String]) {
    whole = parts.flatMap(\.nameWords)
    last = parts.last?.split { ":\\./".contains($0) }.last.map { String($0).nameWords } ?? []
  }

  /// Returns the table that is called like the type: in the singular or the plural, with the name of its app or
  /// without; `nil` for none, and for several that are called so alike.
  func table(among tables: [String]) -> String? {
    guard !last.isEmpty, last.contains(where: { Int64($0) == nil }) else { return nil }
    let words = tables.map { ($0, $0.nameWords) }
    let rules: [([String]) -> Bool] = [
      { TypeName.areAlike($0, whole) }, { TypeName.areAlike($0, last) },
      { TypeName.areAlike($0.suffix(last.count), last) },
    ]
    for rule in rules {
      let found = words.filter { rule($0.1) }
      if !found.isEmpty { return found.count == 1 ? found[0].0 : nil }
    }
    return nil
  }

  /// Whether both are one name, whatever its number.
  private static func areAlike(_ one: some Collection<String>, _ other: some Collection<String>)
    -> Bool
  {
    !forms(one).isDisjoint(with: forms(other))
  }

  private static func forms(_ words: some Collection<String>) -> Set<String> {
    let joined = words.joined()
    guard let last = words.reversed().first, !joined.isEmpty else { return [] }
    let one = "\(joined.dropLast(last.count))\(last.singular)"
    return [joined, one, joined.hasSuffix("s") ? String(joined.dropLast()) : joined]
  }
}
