internal import DecantBase

/// The names of Core Data's indexes and triggers.
///
/// All begin with a Z, followed by the table or, after an underscore, by the entity, a number or a keyword of Core
/// Data. This holds for stores of all framework versions; other names are the app's.
struct CoreDataNames {
  /// The beginnings after `Z_`, in lower case.
  private let beginnings: [String]

  init(_ model: Model) {
    beginnings =
      model.entities.map { $0.name.lowercased() + "_" } + ["unique_", "rt_", "da_", "dv_"]
  }

  /// Returns whether an index or a trigger of `table` is Core Data's own.
  ///
  /// - Parameters:
  ///   - name: Its name.
  ///   - table: The name of its table, in lower case.
  /// - Returns: Whether Core Data would use such a name.
  func contains(_ name: String, of table: String) -> Bool {
    let name = name.lowercased()
    if table.hasPrefix("z"), name.hasPrefix(table + "_") { return true }
    // Counting triggers, from before there were derived attributes.
    if name.hasPrefix("zt_z") { return true }
    guard name.hasPrefix("z_") else { return false }
    let rest = name.dropFirst(2)
    return rest.first?.isNumber == true || beginnings.contains { rest.hasPrefix($0) }
  }
}
