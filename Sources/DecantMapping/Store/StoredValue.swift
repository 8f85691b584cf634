internal import DecantStore
internal import DecantSQLite

/// The SQL function `text_of(value)`: what a column of text makes of a value.
///
/// As with SQLite a number becomes its digits; of one with a fraction all that it takes to tell it from others, where
/// SQLite writes fifteen.
final class StoredText: ScalarFunction {
  override func call(_ arguments: borrowing FunctionArguments, _ result: borrowing FunctionResult) {
    switch arguments.type(at: 0) {
    case .integer: result.set(String(arguments.integer(at: 0)))
    case .real:
      let real = arguments.real(at: 0)
      // It is to be known for a number with a fraction.
      result.set(Int64(exactly: real) == nil ? DecimalText.text(of: real) : "\(real)")
    case .text, .blob, .null: result.pass(arguments, at: 0)
    }
  }
}

/// The SQL function `number_of(value)`: what a column of numbers makes of a value.
final class StoredNumber: ScalarFunction {
  override func call(_ arguments: borrowing FunctionArguments, _ result: borrowing FunctionResult) {
    guard arguments.type(at: 0) == .text else { return result.pass(arguments, at: 0) }
    switch DecimalText.number(in: arguments.text(at: 0)) {
    case .integer(let integer): result.set(integer)
    case .real(let real): result.set(real)
    case .null, .text, .utf8, .blob, nil: result.pass(arguments, at: 0)
    }
  }
}
