internal import Decant
internal import SQLite

/// Reads the conditions of links with a database's own rows.
///
/// Where a column leads to a row that tells a type, as to one of Django's content types, its key differs between
/// databases: a condition on it speaks of what that row is known by.
struct LinkConditions {
  let schema: PlainSchema
  let domains: KeyDomains
  let connection: Connection
  /// The database, for errors.
  let place: String

  /// How many types a condition may name: their keys stand in every statement.
  private static let limit = 1_000

  /// Returns the same link without keys of type rows: what these are known by stands in their place.
  ///
  /// - Parameter link: The link, with a condition.
  /// - Returns: The link; several where the condition has several keys.
  /// - Throws: `DecantError` with code `.usage` for a column or a row that is not there.
  func portable(_ link: CopyOptions.Link) throws(DecantError) -> [CopyOptions.Link] {
    var links = [link]
    for comparison in link.condition?.comparisons ?? [] where comparison.typeColumn == nil {
      guard let type = try type(comparison, link) else { continue }
      let names = type.identity(schema)
      var known: [[RowCondition.Comparison]] = []
      for value in comparison.values {
        let values = try self.values(names, of: type, where: value, link)
        // An empty column says nothing.
        known.append(
          zip(names, values).compactMap { name, value in
            value.map { RowCondition.Comparison(comparison.column, name, in: [$0]) }
          }
        )
      }
      links = links.flatMap { link in
        known.map { known in
          var other = link
          other.condition?.comparisons = (link.condition?.comparisons ?? []).flatMap {
            $0 == comparison ? known : [$0]
          }
          return other
        }
      }
    }
    return links
  }

  /// Returns the same link with the keys of type rows in place of what these are known by.
  func resolved(_ link: CopyOptions.Link) throws(DecantError) -> CopyOptions.Link {
    var resolved: [RowCondition.Comparison] = []
    var behind: [String: [RowCondition.Comparison]] = [:]
    for comparison in link.condition?.comparisons ?? [] {
      let column = schema.spelled(Property(link.property.entity, comparison.column)).name
      guard comparison.typeColumn != nil else {
        resolved.append(RowCondition.Comparison(column, in: comparison.values))
        continue
      }
      behind[column, default: []].append(comparison)
    }
    for (column, comparisons) in behind.sorted(by: { $0.key < $1.key }) {
      guard let type = try type(comparisons[0], link), let key = schema.key(of: type) else {
        throw mistake("\(link.property.entity).\(column) leads to no table", link)
      }
      for comparison in comparisons where type.column(comparison.typeColumn ?? "") == nil {
        throw mistake("\(type.name) has no column \(comparison.typeColumn ?? "")", link)
      }
      let conditions = comparisons.map {
        "\(($0.typeColumn ?? "").sqlName) IN (\($0.values.map(\.sql).joined(separator: ", ")))"
      }
      let keys = try rows([key.column], of: type, where: conditions.joined(separator: " AND "))
        .compactMap { $0[0] }
      resolved.append(RowCondition.Comparison(column, in: keys))
    }
    var other = link
    other.condition = RowCondition(resolved)
    return other
  }

  /// The table to whose rows the compared column leads; `nil` where it holds no keys.
  private func type(_ comparison: RowCondition.Comparison, _ link: CopyOptions.Link)
    throws(DecantError) -> TableSchema?
  {
    guard let table = schema.table(link.property.entity) else { return nil }
    guard let column = table.column(comparison.column) else {
      throw mistake(
        "\(table.name) has no column \(comparison.column)",
        link,
        comparison.column.nearest(in: table.columns.map(\.name)).map { "did you mean \($0)?" }
      )
    }
    return domains.target(of: column.name, in: table).flatMap(schema.table)
  }

  private func values(
    _ names: [String],
    of type: TableSchema,
    where key: RowCondition.Literal,
    _ link: CopyOptions.Link
  ) throws(DecantError) -> [RowCondition.Literal?] {
    let own = schema.key(of: type)?.column ?? "rowid"
    guard let row = try rows(names, of: type, where: "\(own.sqlName) = \(key.sql)").first else {
      throw mistake("\(type.name) has no row \(key.sql) in “\(place)”", link)
    }
    return row
  }

  private func rows(_ names: [String], of table: TableSchema, where condition: String)
    throws(DecantError) -> [[RowCondition.Literal?]]
  {
    let columns = names.map(\.sqlName).joined(separator: ", ")
    let select = "SELECT \(columns) FROM main.\(table.name.sqlName) WHERE \(condition)"
    var rows: [[RowCondition.Literal?]] = []
    do throws(SQLiteError) {
      try connection.forEachRow("\(select) LIMIT \(Self.limit + 1)") { row in
        rows.append(
          (0..<row.columnCount).map { index in
            row.type(at: index) == .integer
              ? .integer(row.integer(at: index)) : row.text(at: index).map { .text($0) }
          }
        )
      }
    } catch {
      throw DecantError(opening: place, error)
    }
    guard rows.count <= Self.limit else {
      throw DecantError(
        .usage,
        "the condition of a link names more than \(Self.limit) rows of \(table.name)",
        place: "“\(place)”",
        remedy: "compare a column of the row itself: one behind a point tells a few types apart"
      )
    }
    return rows
  }

  private func mistake(_ what: String, _ link: CopyOptions.Link, _ remedy: String? = nil)
    -> DecantError
  {
    DecantError(
      .usage,
      "\(what), and the condition of a link speaks of it",
      place: link.place ?? "--link '\(link)'",
      remedy: remedy
        ?? "write the condition as in 'comment.object_id -> product WHERE content_type_id = 7'"
    )
  }
}

extension TableSchema {
  /// The columns by which a person tells the rows apart: those of a unique key, else all but the integer key.
  func identity(_ schema: PlainSchema) -> [String] {
    let key = schema.key(of: self)?.column
    return uniqueKeys.first { !$0.contains { $0 == key } }
      ?? columns.map(\.name).filter { $0 != key }
  }
}
