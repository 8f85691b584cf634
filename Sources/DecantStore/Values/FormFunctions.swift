internal import DecantBase
internal import DecantSQLite
internal import DecantSystem

/// The SQL functions of `ValueForm`.
///
/// - `converted(value, property, type)` returns the value if a column of the type holds it, and fails otherwise.
/// - `is_held(value, type)` is 1 if a column of the type holds the value, or it is null, and 0 otherwise.
/// - `date_forms(text)` returns the numbers of the `DateForm`s that a text has, as bits.
package enum FormFunctions {
  /// Returns the argument that names a type and a form.
  package static func name(_ type: StrictType, _ form: ValueForm) -> String { "\(type.rawValue) \(form)" }

  static func register(on connection: Connection) throws(SQLiteError) {
    let functions: [(String, Int32, ScalarFunction)] = [
      ("converted", 3, Converted()), ("is_held", 2, IsHeld()), ("date_forms", 1, DateForms()),
    ]
    for (name, count, function) in functions {
      try connection.register(function, as: name, argumentCount: count, [.deterministic, .innocuous])
    }
  }
}

/// The types and forms that statements refer to.
private struct FormNames {
  private var known: [String: (StrictType, ValueForm)] = [:]

  /// Returns whether a column of the type that the argument at `position` names holds the first argument.
  mutating func holds(_ arguments: borrowing FunctionArguments, typeAt position: Int) -> Bool {
    let found = arguments.type(at: 0)
    guard found != .null else { return true }
    if found == .text, !arguments.withBytes(at: 0, \.isValidUTF8) { return false }
    let name = arguments.text(at: position)
    let type: (StrictType, ValueForm)
    if let there = known[name] {
      type = there
    } else {
      let parts = name.split(separator: " ", maxSplits: 1).map(String.init)
      guard parts.count == 2, let strict = StrictType(rawValue: parts[0]), let form = ValueForm(parts[1]) else {
        return false
      }
      type = (strict, form)
      known[name] = type
    }
    return type.1.encoded(arguments.value(at: 0), as: type.0) != nil
  }
}

private final class Converted: ScalarFunction {
  private var names = FormNames()

  override func call(_ arguments: borrowing FunctionArguments, _ result: borrowing FunctionResult) {
    guard names.holds(arguments, typeAt: 2) else {
      return result.fail(
        RejectCode.convert.message("\(arguments.text(at: 1)) is no value that its type on the server holds unchanged"))
    }
    result.pass(arguments, at: 0)
  }
}

private final class IsHeld: ScalarFunction {
  private var names = FormNames()

  override func call(_ arguments: borrowing FunctionArguments, _ result: borrowing FunctionResult) {
    result.set(names.holds(arguments, typeAt: 1) ? Int64(1) : 0)
  }
}

private final class DateForms: ScalarFunction {
  override func call(_ arguments: borrowing FunctionArguments, _ result: borrowing FunctionResult) {
    guard arguments.type(at: 0) == .text else { return result.set(Int64(0)) }
    result.set(DateForm.forms(of: arguments.text(at: 0)))
  }
}
