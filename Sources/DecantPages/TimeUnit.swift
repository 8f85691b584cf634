internal import DecantRecipeFormats
internal import DecantBase
internal import DecantStore
internal import DecantSQLite

/// The unit of the times in a column.
enum TimeUnit: Int {
  case seconds = 1
  case minutes = 60
  case hours = 3_600

  /// The unit that the name of a column states.
  init?(_ name: PageName) {
    if name.has(["hour"]) {
      self = .hours
    } else if name.has(["second", "sec"]) {
      self = .seconds
    } else if name.has(["minute", "min", "mins"]) {
      self = .minutes
    } else {
      return nil
    }
  }
}

extension PageStore {
  /// A number of minutes that few dishes take; as seconds, it is only three minutes.
  private static let longTime = 180

  /// Returns the columns of `relation` that hold seconds, like Foundation's `TimeInterval`, although their names do not
  /// state a unit: most of the numbers in all of them together are large.
  ///
  /// The columns are judged together because an app uses the same unit for all its times. Integers are minutes.
  func columnsOfSeconds(in relation: Int) throws(DecantError) -> Set<Int> {
    let columns = Set(model.shapes(in: relation).flatMap(\.intervals))
    guard !columns.isEmpty else { return [] }
    let relation = self.relation(relation)
    let values = columns.sorted().map { relation.value(of: relation.columns[$0]) }
    let sums = [0, PageStore.longTime].map { least in
      // Texts and bytes are not numbers, although SQLite sorts them after all numbers.
      values.map {
        "total(typeof(\($0)) IN ('integer', 'real') AND \($0) > 0 AND \($0) >= \(least))"
      }
      .joined(separator: " + ")
    }
    let isMostlyLarge = try reading(relation.root) { () throws(SQLiteError) in
      try connection.integer("SELECT 2 * (\(sums[1])) > (\(sums[0])) FROM \(relation.sqlTable(in: schema))")
    }
    return isMostlyLarge == 1 ? columns : []
  }
}

extension PageObject {
  /// Returns the time in `column` in seconds, converted from the unit of the column; `nil` if there is none.
  func seconds(_ column: Int) -> Int? {
    guard let number = number(column), number > 0, number < 10_000_000 else { return nil }
    let unit = shape.units[column] ?? .minutes
    return max(1, Int((number * Double(unit.rawValue)).rounded()))
  }
}
