internal import DecantBase
internal import DecantStore
package import DecantSQLite

/// SQL functions that convert between stored values and texts for people: `date_text`, `date_value`, `uuid_text` and
/// `uuid_value`.
package enum ValueFunctions {
  static let names: Set<String> = ["date_text", "date_value", "uuid_text", "uuid_value"]

  /// Registers the functions on `connection`.
  package static func register(on connection: Connection) throws(SQLiteError) {
    let functions: [(String, ScalarFunction)] = [
      ("date_text", DateTextFunction()), ("date_value", DateValueFunction()),
      ("uuid_text", UUIDTextFunction()), ("uuid_value", UUIDValueFunction()),
    ]
    for (name, function) in functions {
      try connection.register(function, as: name, argumentCount: 1, [.deterministic, .innocuous])
    }
    try EncodingFunctions.register(on: connection)
  }
}

/// The SQL function `date_text(seconds)`: `2026-01-31T08:15:00Z`; NULL for other values.
private final class DateTextFunction: ScalarFunction {
  override func call(_ arguments: borrowing FunctionArguments, _ result: borrowing FunctionResult) {
    switch arguments.type(at: 0) {
    case .integer, .real:
      guard let text = DateText.text(of: arguments.real(at: 0)) else { return result.setNull() }
      result.set(text)
    case .null, .text, .blob: result.setNull()
    }
  }
}

/// The SQL function `date_value('2026-01-31')`: the seconds that a store contains for the date.
private final class DateValueFunction: ScalarFunction {
  override func call(_ arguments: borrowing FunctionArguments, _ result: borrowing FunctionResult) {
    guard arguments.type(at: 0) != .null else { return result.setNull() }
    guard let seconds = DateText.seconds(of: arguments.text(at: 0)) else {
      return result.fail(
        RejectCode.convert.message("date_value requires a date like '2026-01-31' or '2026-01-31T08:15:00Z'")
      )
    }
    if let whole = Int64(exactly: seconds) { result.set(whole) } else { result.set(seconds) }
  }
}

/// The SQL function `uuid_text(bytes)`: a UUID in 36 characters; NULL for other values.
private final class UUIDTextFunction: ScalarFunction {
  override func call(_ arguments: borrowing FunctionArguments, _ result: borrowing FunctionResult) {
    guard arguments.type(at: 0) == .blob else { return result.setNull() }
    let text = arguments.withBytes(at: 0) { $0.count == 16 ? Array($0).uuidText : nil }
    guard let text else { return result.setNull() }
    result.set(text)
  }
}

/// The SQL function `uuid_value('…')`: the 16 bytes that a store contains for the UUID.
private final class UUIDValueFunction: ScalarFunction {
  override func call(_ arguments: borrowing FunctionArguments, _ result: borrowing FunctionResult) {
    guard arguments.type(at: 0) != .null else { return result.setNull() }
    guard let bytes = [UInt8](uuidText: arguments.text(at: 0)) else {
      return result.fail(
        RejectCode.convert.message("uuid_value requires a UUID: 32 hexadecimal digits in groups of 8-4-4-4-12")
      )
    }
    bytes.withUnsafeBytes { result.set($0) }
  }
}
