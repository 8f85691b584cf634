internal import DecantBase
internal import DecantStore
internal import DecantSQLite

/// The links of a table of links in the order of their owners, read in step with the owners.
final class LinkRows {
  let list: LinkRelation
  let label: [UInt8]
  private let rows: Statement
  private let targetPlace = 1
  private let hasPosition: Bool
  private let hasInversePosition: Bool
  private var isAtEnd = false
  private var hasRow = false
  /// The number of rows returned.
  private(set) var count: Int64 = 0

  /// Starts with the links of `list`; of `listed` objects only links to each other and dangling ones.
  init(
    _ list: LinkRelation,
    in schema: String,
    on connection: Connection,
    listed: ListedObjects? = nil
  ) throws(SQLiteError) {
    self.list = list
    label = LineBuffer.label(list.relationship.name)
    hasPosition = list.positionColumn != nil
    hasInversePosition = list.inversePositionColumn != nil
    let ends = listed.map { listed in
      let row = list.table.sqlName
      return [
        listed.contains("\(row).\(list.ownerColumn.sqlName)", of: list.ownerRoot),
        listed.keeps("\(row).\(list.targetColumn.sqlName)", to: list.targetRoot),
      ]
    }
    let conditions = [list.condition].compactMap(\.self) + (ends ?? [])
    rows = try connection.prepare(
      LinkRows.select(list, in: schema, where: conditions.isEmpty ? nil : conditions.joined(separator: " AND "))
    )
  }

  private static func select(_ list: LinkRelation, in schema: String, where condition: String?) -> String {
    let columns =
      [list.ownerColumn, list.targetColumn].map(\.sqlName) + [
        list.positionColumn?.sqlName ?? "NULL", list.inversePositionColumn?.sqlName ?? "NULL",
      ]
    let order = [list.ownerColumn, list.positionColumn, list.targetColumn].compactMap(\.self)
    return "SELECT \(columns.joined(separator: ", ")) FROM "
      + list.sqlTable(in: schema)
      + (condition.map { " WHERE \($0)" } ?? "")
      + " ORDER BY \(order.map(\.sqlName).joined(separator: ", "))"
  }

  /// Starts with the links whose owner is not in the owner's table.
  init(strayOf list: LinkRelation, owners: Relation, in schema: String, on connection: Connection) throws(SQLiteError) {
    self.list = list
    label = LineBuffer.label(list.relationship.name)
    hasPosition = list.positionColumn != nil
    hasInversePosition = list.inversePositionColumn != nil
    let owner = "\(list.table.sqlName).\(list.ownerColumn.sqlName)"
    let stray =
      "NOT EXISTS (SELECT 1 FROM \(owners.sqlTable(in: schema)) AS o "
      + "WHERE o.\(owners.keyName) = \(owner))"
    rows = try connection.prepare(
      LinkRows.select(
        list,
        in: schema,
        where: ([list.condition].compactMap(\.self) + [stray]).joined(separator: " AND ")
      )
    )
  }

  /// Moves to the first link of the object with `key`; returns false if it has none.
  ///
  /// Keys must be requested in ascending order.
  func moves(to key: Int64) throws(SQLiteError) -> Bool {
    while true {
      if !hasRow {
        guard !isAtEnd, try rows.step() else {
          isAtEnd = true
          return false
        }
        hasRow = true
      }
      let type = rows.type(at: 0)
      guard type == .integer || type == .null else {
        // Texts and blobs sort after all integers.
        if type != .real { return false }
        hasRow = false
        continue
      }
      let owner = rows.integer(at: 0)
      if type == .integer, owner == key { return true }
      if type == .integer, owner > key { return false }
      hasRow = false
    }
  }

  /// Moves to the next link of any owner.
  func movesOn() throws(SQLiteError) -> Bool {
    hasRow = try rows.step()
    return hasRow
  }

  /// Writes the owner of the current link.
  func writeOwner(_ encoder: ValueEncoder, to line: inout LineBuffer) throws(SQLiteError) {
    try encoder.encode(link: rows, 0, to: &line)
  }

  /// Writes the current link, and moves past it.
  func write(_ encoder: ValueEncoder, to line: inout LineBuffer) throws(SQLiteError) {
    count += 1
    hasRow = false
    guard hasPosition || hasInversePosition else {
      try encoder.encode(link: rows, targetPlace, to: &line)
      return
    }
    line.append(#"{"to":"#)
    try encoder.encode(link: rows, targetPlace, to: &line)
    if hasPosition, rows.type(at: 2) != .null {
      line.append(#","in":"#)
      try encoder.encode(link: rows, 2, to: &line)
    }
    if hasInversePosition, rows.type(at: 3) != .null {
      line.append(#","at":"#)
      try encoder.encode(link: rows, 3, to: &line)
    }
    line.append("}")
  }
}
