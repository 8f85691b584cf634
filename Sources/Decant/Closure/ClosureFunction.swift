internal import SQLite

/// The SQL function `in_closure(entity, key, …)`: whether an object is among those that a copy takes.
final class ClosureFunction: ScalarFunction {
  private let table: IDTable

  init(_ table: IDTable) { self.table = table }

  /// The condition under which an object of `relation` is taken.
  static func condition(on relation: Relation) -> String {
    switch relation.key {
    case .integer: "in_closure(\(relation.root.sqlText), \(EntityView.key))"
    case .values(let columns):
      "in_closure(\(relation.root.sqlText), \(columns.map(\.sqlName).joined(separator: ", ")))"
    // Nothing tells these rows from one another, and no link can lead to one of them.
    case .none: "0"
    }
  }

  override func call(
    _ arguments: borrowing FunctionArguments,
    _ result: borrowing FunctionResult
  ) {
    guard let closure = table.closure else { return result.set(Int64(0)) }
    do throws(SQLiteError) {
      result.set(try closure.contains(arguments) ? Int64(1) : 0)
    } catch {
      result.fail(error)
    }
  }
}
