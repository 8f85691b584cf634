internal import DecantSQLite

/// The SQL function `in_closure(entity, key, …)`: whether a copy includes an object.
final class ClosureFunction: ScalarFunction {
  private let table: IDTable

  init(_ table: IDTable) { self.table = table }

  override func call(_ arguments: borrowing FunctionArguments, _ result: borrowing FunctionResult) {
    guard let closure = table.closure else { return result.set(Int64(0)) }
    do throws(SQLiteError) {
      result.set(try closure.contains(arguments) ? Int64(1) : 0)
    } catch {
      result.fail(error)
    }
  }
}
