package import DecantSQLite

/// The SQL function `is_new(entity, key)`: whether the object of the source is written as a new one.
final class NewFunction: ObjectCondition {
  override func holds(_ key: Int64, _ map: IDMap) throws(SQLiteError) -> Bool {
    try map.isNew(key)
  }
}

/// The SQL function `is_there(entity, key)`: whether the destination already had the object of the source.
final class MatchedObjectFunction: ObjectCondition {
  override func holds(_ key: Int64, _ map: IDMap) throws(SQLiteError) -> Bool {
    try map.isThere(key)
  }
}

/// The SQL function `is_closed(entity, key)`: whether an object of the destination gets no links from the source.
final class ClosedFunction: ObjectCondition {
  override func holds(_ key: Int64, _ map: IDMap) throws(SQLiteError) -> Bool {
    try map.matchedObjects?.closed?.contains(key) == true
  }
}

/// The SQL function `was_merged(entity, key)`: whether the destination already had the object of the source, or it is a
/// duplicate.
final class MergedFunction: ObjectCondition {
  override func holds(_ key: Int64, _ map: IDMap) throws(SQLiteError) -> Bool {
    switch try map.outcome(of: key) {
    case .same, .skipped, .updated, .filled, .duplicate: true
    case .leftOut: try map.isThere(key)
    case .new, .keptBoth: false
    }
  }
}

/// The SQL function `merge_outcome(entity, key)`: the outcome for an object of the source, as a number.
final class OutcomeFunction: ObjectFunction {
  override func give(
    _ key: Int64,
    _ map: IDMap,
    _ arguments: borrowing FunctionArguments,
    _ result: borrowing FunctionResult
  ) throws(SQLiteError) {
    result.set(try map.outcome(of: key).rawValue)
  }
}

/// The outcome for an object of the source.
package enum MergeOutcome: Int64 {
  /// It is not merged, or it is rejected.
  case leftOut
  /// It is written as a new object.
  case new
  /// It exists with the same values.
  case same
  /// It exists with other values, which are kept.
  case skipped
  /// It exists and takes values of the source, all of them or only missing ones.
  case updated, filled
  /// It is written as a new object beside one with the same identity.
  case keptBoth
  /// It is a duplicate of another object of the source with the same identity.
  case duplicate
}

extension MergeOutcome {
  /// The name of the outcome in a kept ID table.
  var name: String {
    switch self {
    case .leftOut: "rejected"
    case .new: "copied"
    case .updated, .filled: "updated"
    case .same, .skipped, .duplicate: "skipped"
    case .keptBoth: "kept-both"
    }
  }
}

extension IDMap {
  /// Returns whether the destination already had the object with `key` in the source.
  func isThere(_ key: Int64) throws(SQLiteError) -> Bool {
    guard let matchedObjects, try included.contains(key) else { return false }
    if try matchedObjects.matched.contains(key) { return true }
    guard try matchedObjects.duplicates.contains(key), let representative = try matchedObjects.representative(of: key)
    else {
      return false
    }
    return try matchedObjects.matched.contains(representative)
  }

  /// Returns the outcome for the object with `key` in the source.
  package func outcome(of key: Int64) throws(SQLiteError) -> MergeOutcome {
    guard let matchedObjects else { return try destination(of: key) == nil ? .leftOut : .new }
    guard try matchedObjects.scope.contains(key), try matchedObjects.refused?.contains(key) != true else {
      return try stubs?.contains(key) == true ? .new : .leftOut
    }
    if try matchedObjects.keptCopies?.contains(key) == true { return .keptBoth }
    if try matchedObjects.duplicates.contains(key) { return .duplicate }
    guard try matchedObjects.matched.contains(key) else {
      return try destination(of: key) == nil ? .leftOut : .new
    }
    if try matchedObjects.filled?.contains(key) == true { return .filled }
    if try matchedObjects.updated?.contains(key) == true { return .updated }
    return try matchedObjects.changed?.contains(key) == true ? .skipped : .same
  }
}
