internal import DecantBase

/// The names that Core Data gives to indexes and triggers.
///
/// All begin with a Z, and go on with the table or, behind an underscore, with the entity, a number or a word of Core
/// Data's. The same was found in stores of all times; what an app calls otherwise is its own.
struct CoreDataNames {
  /// What stands behind `Z_`, in lower case.
  private let beginnings: [String]

  init(_ model: Model) {
    beginnings =
      model.entities.map { $0.name.lowercased() + "_" } + ["unique_", "rt_", "da_", "dv_"]
  }

  /// Whether an index or a trigger of `table` is Core Data's own.
  ///
  /// - Parameters:
  ///   - name: What it is called.
  ///   - table: The name of its table, in lower case.
  /// - Returns: Whether Core Data would call something so.
  func contains(_ name: String, of table: String) -> Bool {
    let name = name.lowercased()
    if table.hasPrefix("z"), name.hasPrefix(table + "_") { return true }
    // Triggers that count, from before there were derived attributes.
    if name.hasPrefix("zt_z") { return true }
    guard name.hasPrefix("z_") else { return false }
    let rest = name.dropFirst(2)
    return rest.first?.isNumber == true || beginnings.contains { rest.hasPrefix($0) }
  }
}
