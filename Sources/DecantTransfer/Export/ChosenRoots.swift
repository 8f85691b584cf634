internal import DecantBase
internal import DecantPlan
internal import DecantStore

/// The objects that are the starting points of a selection.
enum ChosenRoots {
  /// Returns the keys of the objects that meet `condition` in the store at `location`, ascending.
  static func keys(
    _ condition: CopyOptions.Filter,
    in location: StoreLocation,
    model: String? = nil,
    opener: StoreKinds
  ) throws(DecantError) -> [Int64] {
    let name = "\"\(condition.entity.replacing("\"", with: "\"\""))\""
    var query = StoreQuery(
      "SELECT _id FROM \(name) WHERE (\(condition.expression)) ORDER BY _id",
      in: location,
      opener: opener
    )
    (query.model, query.verifies) = (model, false)
    let rows = try QueryRows(query)
    var keys: [Int64] = []
    while let row = try rows.next() {
      if case .integer(let key)? = row.first { keys.append(key) }
    }
    return keys
  }
}
