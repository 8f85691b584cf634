internal import DecantBase
internal import DecantMerge
internal import DecantPlan
internal import DecantStore
internal import DecantSQLite

/// The search for rows of a plain database with a required link that dangles.
///
/// In a merged database such a key is set to null, as it could later belong to another row; if the column does not
/// allow null, the copy would fail halfway.
struct RequiredTargets {
  let connection: Connection
  let planning: Planning
  let options: CopyOptions

  /// Throws if such a row would be written and is not left out.
  ///
  /// - Parameters:
  ///   - layout: The destination's layout.
  ///   - schema: The schema name of an existing destination.
  /// - Throws: `DecantError` of the family `.failed` with the column, the number of rows, one of them, and a remedy.
  func check(_ layout: Layout, in schema: String) throws(DecantError) {
    guard !planning.isNew, options.onError == .stop else { return }
    for link in planning.plan.linkColumns(of: layout)
    where link.isRefusedEmpty(planning.plan.missing) {
      try check(link, schema)
    }
  }

  private func check(_ link: LinkColumn, _ schema: String) throws(DecantError) {
    let name = link.property.description
    guard let expression = link.assignment.expression.links.first(where: { $0.counting == name })
    else { return }
    var image = expression
    image.counting = nil
    let isLost = ["\(expression.key) IS NOT NULL", "\(image) IS NULL"]
    let isKeyed = link.relation.keyColumn != nil
    func sql(_ columns: String) -> String {
      link.select([columns], where: isLost).sql.replacing(CopyStep.written, with: schema.sqlName)
    }
    let found = try explaining("cannot look for dangling keys") {
      () throws(SQLiteError) -> (count: Int64, value: Int64, row: Int64?)? in
      guard let count = try connection.integer(sql("count(*)")), count > 0 else { return nil }
      let row = try connection.prepare("\(sql("\(expression.key), \(isKeyed ? "r._id" : "NULL")")) LIMIT 1")
      guard try row.step() else { return nil }
      return (count, row.integer(at: 0), isKeyed ? row.integer(at: 1) : nil)
    }
    guard let found else { return }
    throw error(link, expression.root, found)
  }

  private func error(
    _ link: LinkColumn,
    _ target: String,
    _ found: (count: Int64, value: Int64, row: Int64?)
  ) -> DecantError {
    let column = Property(link.root, link.column.name)
    let row = found.row.map { " in \(link.root) key \($0)" } ?? ""
    let isOne = found.count == 1
    let isSaid = options.links.contains {
      $0.property.entity.isSameName(as: column.entity)
        && $0.property.name.isSameName(as: column.name)
    }
    let leavesOut: DecantError.Text =
      "\(say: .onError, "reject") leaves \(isOne ? "this row" : "these rows") out"
    return DecantError(
      .linkBroken,
      "\(found.count.counted("row")) of \(column) \(isOne ? "holds a key" : "hold keys") of \(target) "
        + "whose row is not copied, such as \(found.value)\(row), and the column is required",
      place: "\(column) -> \(target)",
      remedy: options.choosesObjects
        ? "use \(say: .root) instead of \(option: .where), which copies related rows together; \(leavesOut)"
        : isSaid
          ? "\(leavesOut); \(say: .noLink, column.description) instead of \(option: .link) copies the values unchanged"
          : leavesOut
    )
  }
}

extension LinkColumn {
  /// Returns whether a dangling link becomes null although the column does not allow null.
  ///
  /// - Parameter rules: The rules for dangling links.
  /// - Returns: Whether it does.
  func isRefusedEmpty(_ rules: MissingRules) -> Bool {
    column.isRequired && column.keepsUnresolvedKeys && rules.rule(of: self) == .null
  }
}
