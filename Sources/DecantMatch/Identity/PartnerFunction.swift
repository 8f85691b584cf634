internal import DecantStore
internal import DecantSQLite

/// The SQL function `partner(entity, key)`: the key in the second store of an object in the first.
///
/// For an object without partner it is a text, which differs from every key. For a value that is not an object's key it
/// is NULL; with a third argument the value itself, or a text that cannot be mistaken for a key.
package final class PartnerFunction: ObjectFunction {
  override func give(
    _ key: Int64,
    _ map: IDMap,
    _ arguments: borrowing FunctionArguments,
    _ result: borrowing FunctionResult
  ) throws(SQLiteError) {
    guard try map.existing.contains(key) else { return result.give(unresolved: arguments) }
    if let partner = try map.destination(of: key) {
      result.set(partner)
    } else {
      result.set(ValueText.noPartner)
    }
  }

  override func giveNone(_ arguments: borrowing FunctionArguments, _ result: borrowing FunctionResult) {
    result.give(unresolved: arguments)
  }
}

/// The SQL function `there(entity, key)`: the key, if the second store has such an object; other values as in
/// `partner`.
package final class ThereFunction: ObjectFunction {
  override func give(
    _ key: Int64,
    _ map: IDMap,
    _ arguments: borrowing FunctionArguments,
    _ result: borrowing FunctionResult
  ) throws(SQLiteError) {
    guard try map.existing.contains(key) else { return result.give(unresolved: arguments) }
    result.set(key)
  }

  override func giveNone(_ arguments: borrowing FunctionArguments, _ result: borrowing FunctionResult) {
    result.give(unresolved: arguments)
  }
}

extension FunctionResult {
  /// Sets the result for a value that is not an object's key.
  fileprivate func give(unresolved arguments: borrowing FunctionArguments) {
    guard arguments.count > 2 else { return setNull() }
    if arguments.type(at: 1) == .integer {
      set("no object \(arguments.integer(at: 1))")
    } else {
      pass(arguments, at: 1)
    }
  }
}
