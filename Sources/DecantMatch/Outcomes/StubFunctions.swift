internal import DecantMapping
internal import DecantSQLite

/// The SQL function `is_stub(entity, key)`: whether an object of the source is written without its values, for links
/// to lead to.
final class StubFunction: ObjectCondition {
  override func holds(_ key: Int64, _ map: IDMap) throws(SQLiteError) -> Bool {
    try map.stubs?.contains(key) == true
  }
}

/// The SQL function `missing_target(entity, key, …)`: the key where nothing that is copied has it, so that an empty
/// object may be made for links to lead to.
///
/// NULL for what is no key at all, and for an object that was chosen and stays away all the same, as it was merged
/// once and is gone since.
package final class MissingTargetFunction: ObjectFunction {
  private var chosen: [String: KeySet]

  package init(_ table: IDTable, chosen: [String: KeySet]) {
    self.chosen = chosen
    super.init(table)
  }

  /// Lets go of the keys: they would keep the connection alive that knows the function.
  package func removeAll() { chosen = [:] }

  override func give(
    _ key: Int64,
    _ map: IDMap,
    _ arguments: borrowing FunctionArguments,
    _ result: borrowing FunctionResult
  ) throws(SQLiteError) {
    guard key != MappedKeys.nobodyKey, try map.destination(of: key) == nil,
      try chosen[map.root]?.contains(key) != true
    else { return result.setNull() }
    result.set(key)
  }
}

/// The SQL function `link_key(entity, key, …)`: the key itself, NULL for what is none.
package final class LinkKeyFunction: ObjectFunction {
  override func give(
    _ key: Int64,
    _ map: IDMap,
    _ arguments: borrowing FunctionArguments,
    _ result: borrowing FunctionResult
  ) throws(SQLiteError) {
    result.set(key)
  }
}
