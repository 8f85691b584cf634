internal import DecantBase
internal import DecantSQLite

/// The SQL function `row_outcome(entity, hash, whole, extra, closed)`: the outcome for a row without integer key; if
/// the optional `closed` is true, a new row is left out.
final class RowOutcomeFunction: ScalarFunction {
  private let table: IDTable

  init(_ table: IDTable) { self.table = table }

  override func call(_ arguments: borrowing FunctionArguments, _ result: borrowing FunctionResult) {
    guard let rows = table.rows(of: arguments.text(at: 0)) else {
      return result.set(MergeOutcome.new.rawValue)
    }
    do throws(SQLiteError) {
      let outcome = try rows.outcome(
        arguments.integer(at: 1),
        whole: arguments.integer(at: 2),
        extra: arguments.value(at: 3)
      )
      let isLeftOut = outcome == .new && arguments.count > 4 && arguments.integer(at: 4) == 1
      result.set((isLeftOut ? MergeOutcome.leftOut : outcome).rawValue)
    } catch {
      result.fail(error)
    }
  }
}
