internal import DecantMapping
internal import DecantSQLite

/// The SQL function `is_stub(entity, key)`: whether an object of the source is written without values, as a target of
/// links.
final class StubFunction: ObjectCondition {
  override func holds(_ key: Int64, _ map: IDMap) throws(SQLiteError) -> Bool {
    try map.stubs?.contains(key) == true
  }
}

/// The SQL function `missing_target(entity, key, …)`: the key if no copied object has it, so that a stub object may be
/// created.
///
/// NULL for a value that is not a key, and for a selected object that is still not added, as it was merged once and
/// deleted since.
package final class MissingTargetFunction: ObjectFunction {
  private var chosen: [String: KeySet]

  package init(_ table: IDTable, chosen: [String: KeySet]) {
    self.chosen = chosen
    super.init(table)
  }

  /// Releases the keys: they would keep the connection of the function alive.
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

/// The SQL function `link_key(entity, key, …)`: the key itself, NULL for other values.
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
