internal import DecantBase
internal import DecantPlan
internal import DecantStore
internal import DecantSQLite

/// Translates the conditions of links with the rows of a database.
///
/// If a column points to a row that stands for a type, such as one of Django's content types, its key differs between
/// databases: a condition on it uses the identifying values of that row.
struct LinkConditions {
  /// The identifying values of rows in the tables of the database.
  let identities: RowIdentities
  let connection: Connection
  /// The database, for errors.
  let place: String

  private var schema: PlainSchema { identities.schema }
  private var domains: KeyDomains { identities.domains }

  /// The maximum number of types in a condition: their keys are part of every statement.
  private static let limit = 1_000

  /// Returns the link with the keys of type rows replaced by the identifying values of these rows.
  ///
  /// - Parameter link: The link, with a condition.
  /// - Returns: The link; several if the condition has several keys.
  /// - Throws: `DecantError` of the family `.usage` for a missing column or row, and for a row that has no identity but
  ///   its key.
  func portable(_ link: CopyOptions.Link) throws(DecantError) -> [CopyOptions.Link] {
    var links = [link]
    for comparison in link.condition?.comparisons ?? []
    where comparison.path.isEmpty && comparison.prefix == nil {
      guard let type = try type(comparison, link) else { continue }
      var known: [[RowCondition.Comparison]] = []
      for value in comparison.values {
        known.append(try self.known(value, of: type, comparison.column, link))
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

  /// Returns the link with the identifying values of type rows replaced by their keys.
  func resolved(_ link: CopyOptions.Link) throws(DecantError) -> CopyOptions.Link {
    var resolved: [RowCondition.Comparison] = []
    var behind: [String: [RowCondition.Comparison]] = [:]
    for comparison in link.condition?.comparisons ?? [] {
      let column = schema.spelled(Property(link.property.entity, comparison.column)).name
      guard !comparison.path.isEmpty else {
        var own = comparison
        own.column = column
        resolved.append(own)
        continue
      }
      behind[column, default: []].append(comparison)
    }
    for (column, comparisons) in behind.sorted(by: { $0.key < $1.key }) {
      guard let type = try type(comparisons[0], link) else {
        throw mistake("\(link.property.entity).\(column) does not refer to a table", link)
      }
      let keys = try keys(comparisons, of: type, link)
      resolved.append(RowCondition.Comparison(column, in: keys))
    }
    var other = link
    other.condition = RowCondition(resolved)
    return other
  }

  /// Returns the table that the compared column points to; `nil` if it holds no keys.
  private func type(_ comparison: RowCondition.Comparison, _ link: CopyOptions.Link)
    throws(DecantError) -> TableSchema?
  {
    guard let table = schema.table(link.property.entity) else { return nil }
    let name = try self.name([comparison.column], in: table, link)
    return domains.target(of: name.column, in: table).flatMap(schema.table)
  }

  private func name(_ path: [String], in table: TableSchema, _ link: CopyOptions.Link) throws(DecantError) -> RowName {
    do { return try identities.name(path, in: table) } catch {
      throw mistake(error.text, link, error.remedy)
    }
  }

  /// Returns the keys of the rows of `type` that meet the comparisons, each of a value in that row.
  private func keys(
    _ comparisons: [RowCondition.Comparison],
    of type: TableSchema,
    _ link: CopyOptions.Link
  ) throws(DecantError) -> [RowCondition.Literal] {
    guard let key = schema.key(of: type) else { return [] }
    var conditions: [String] = []
    for comparison in comparisons {
      let value = try name(comparison.path, in: type, link).sql(in: "main", of: "r")
      let values = comparison.values.map(\.sql).joined(separator: ", ")
      conditions.append("\(value) IN (\(values))")
    }
    return try rows(["r.\(key.column.sqlName)"], of: type, where: conditions).compactMap { $0[0] }
  }

  /// Returns the identifying values of the row `key` of `type`, to which `column` points.
  private func known(
    _ key: RowCondition.Literal,
    of type: TableSchema,
    _ column: String,
    _ link: CopyOptions.Link
  ) throws(DecantError) -> [RowCondition.Comparison] {
    let own = schema.key(of: type)?.column ?? "rowid"
    let names = identities.names(of: type)
    let values = names.map { $0.sql(in: "main", of: "r") }
    let isKey = "r.\(own.sqlName) = \(key.sql)"
    guard let row = try rows(values.isEmpty ? ["1"] : values, of: type, where: [isKey]).first else {
      throw mistake("\(type.name) has no row \(key.sql) in “\(place)”", link)
    }
    // NULL does not identify anything.
    let known = zip(names, row).compactMap { name, value in
      value.map { RowCondition.Comparison(column, name.path, in: [$0]) }
    }
    guard !known.isEmpty, try keys(known, of: type, link) == [key] else {
      throw unreported(key, of: type, names, link)
    }
    return known
  }

  /// Returns the error for a type row that has no identity but its key.
  private func unreported(
    _ key: RowCondition.Literal,
    of type: TableSchema,
    _ names: [RowName],
    _ link: CopyOptions.Link
  ) -> DecantError {
    let known = names.map { $0.path.joined(separator: ".") }.joined(separator: ", ")
    let own = schema.key(of: type)?.column
    let columns = type.columns.map(\.name).filter { $0 != own }
    let what =
      names.isEmpty
      ? "only its key identifies row \(key.sql) of \(type.name)"
      : "other rows of \(type.name) have the same identity as row \(key.sql), \(known)"
    return DecantError(
      .invalidExpression,
      "\(what), and in another database a different key may have that identity",
      place: link.place.map { "\($0)" } ?? "\(option: .link, "\(link)")",
      remedy: columns.isEmpty
        ? "compare a column of the row itself, which has the same meaning in every database"
        : "set the identity of these rows with \(say: .identity) '\(type.name): COLUMN', one of "
          + "\(columns.joined(separator: ", "))"
    )
  }

  private func rows(_ values: [String], of table: TableSchema, where conditions: [String])
    throws(DecantError) -> [[RowCondition.Literal?]]
  {
    let select = "SELECT \(values.joined(separator: ", ")) FROM main.\(table.name.sqlName) AS r"
    let condition = conditions.joined(separator: " AND ")
    var rows: [[RowCondition.Literal?]] = []
    do throws(SQLiteError) {
      try connection.forEachRow("\(select) WHERE \(condition) LIMIT \(Self.limit + 1)") { row in
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
        .invalidExpression,
        "the condition of a foreign key covers more than \(Self.limit) rows of \(table.name)",
        place: "“\(place)”",
        remedy: "compare a column of the row itself: a referenced column can only distinguish a few types"
      )
    }
    return rows
  }

  private func mistake(_ what: String, _ link: CopyOptions.Link, _ remedy: String? = nil) -> DecantError {
    DecantError(
      .invalidExpression,
      "\(what), and the condition of a foreign key uses it",
      place: link.place.map { "\($0)" } ?? "\(option: .link, "\(link)")",
      remedy: remedy.map { "\($0)" }
        ?? "write the condition as in 'comment.object_id -> product WHERE content_type_id = 7'"
    )
  }
}
