internal import DecantStore
internal import DecantSQLite

/// The SQL function `text_of(value)`: the value as a text column stores it.
///
/// As in SQLite, a number becomes its digits; a number with a fraction gets as many digits as needed to identify it,
/// whereas SQLite writes fifteen.
final class StoredText: ScalarFunction {
  override func call(_ arguments: borrowing FunctionArguments, _ result: borrowing FunctionResult) {
    switch arguments.type(at: 0) {
    case .integer: result.set(String(arguments.integer(at: 0)))
    case .real:
      let real = arguments.real(at: 0)
      // A whole real number keeps its “.0”, so that it is recognisable as a real number.
      result.set(Int64(exactly: real) == nil ? DecimalText.text(of: real) : "\(real)")
    case .text, .blob, .null: result.pass(arguments, at: 0)
    }
  }
}

/// The SQL function `number_of(value)`: the value as a numeric column stores it.
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
