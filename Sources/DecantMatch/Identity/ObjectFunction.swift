package import DecantSQLite

/// An SQL function of an entity's name and a key that looks up the object in an ID table.
package class ObjectFunction: ScalarFunction {
  private let table: IDTable

  package init(_ table: IDTable) { self.table = table }

  /// Sets the result for a `key` of the entity of `map`.
  func give(
    _ key: Int64,
    _ map: IDMap,
    _ arguments: borrowing FunctionArguments,
    _ result: borrowing FunctionResult
  ) throws(SQLiteError) {
    result.setNull()
  }

  /// Sets the result for a value that cannot be an object's key.
  func giveNone(_ arguments: borrowing FunctionArguments, _ result: borrowing FunctionResult) {
    result.setNull()
  }

  package final override func call(_ arguments: borrowing FunctionArguments, _ result: borrowing FunctionResult) {
    guard let map = table.map(of: arguments.text(at: 0)), arguments.type(at: 1) == .integer else {
      return giveNone(arguments, result)
    }
    do throws(SQLiteError) {
      try give(arguments.integer(at: 1), map, arguments, result)
    } catch {
      result.fail(error)
    }
  }
}

/// A condition on an object, given by entity and key: 1 or 0, and 0 for a value that is not an object's key.
class ObjectCondition: ObjectFunction {
  /// Returns whether it holds for the object with `key` of the entity of `map`.
  func holds(_ key: Int64, _ map: IDMap) throws(SQLiteError) -> Bool { false }

  final override func give(
    _ key: Int64,
    _ map: IDMap,
    _ arguments: borrowing FunctionArguments,
    _ result: borrowing FunctionResult
  ) throws(SQLiteError) {
    result.set(try holds(key, map) ? Int64(1) : 0)
  }

  final override func giveNone(_ arguments: borrowing FunctionArguments, _ result: borrowing FunctionResult) {
    result.set(Int64(0))
  }
}

/// The SQL function `known(entity, key)`: whether the source has such an object, copied or not.
final class KnownFunction: ObjectCondition {
  override func holds(_ key: Int64, _ map: IDMap) throws(SQLiteError) -> Bool {
    try map.existing.contains(key)
  }
}

/// The SQL function `origin(entity, key)`: the key in the source of an object of the destination.
final class OriginFunction: ObjectFunction {
  override func give(
    _ key: Int64,
    _ map: IDMap,
    _ arguments: borrowing FunctionArguments,
    _ result: borrowing FunctionResult
  ) throws(SQLiteError) {
    guard let origin = try map.source(of: key) else { return result.setNull() }
    result.set(origin)
  }
}
