internal import DecantBase
internal import DecantPlan
internal import DecantStore

/// The objects with which a choice begins.
enum ChosenRoots {
  /// Returns the keys of the objects that meet `condition` in the store at `location`, ascending.
  static func keys(
    _ condition: CopyOptions.Filter,
    in location: StoreLocation,
    model: String? = nil
  ) throws(DecantError) -> [Int64] {
    let name = "\"\(condition.entity.replacing("\"", with: "\"\""))\""
    let query = try Query(
      "SELECT _id FROM \(name) WHERE (\(condition.expression)) ORDER BY _id",
      in: location,
      opener: StoreKinds(),
      model: model,
      verifies: false
    )
    var keys: [Int64] = []
    while let row = try query.next() {
      if case .integer(let key)? = row.first { keys.append(key) }
    }
    return keys
  }
}
