internal import DecantBase
package import DecantSQLite

/// The SQL functions of `ValueEncoding`: `encoded_date(value, property)`, `decoded_date(value)`, and likewise for UUIDs
/// and decimals.
///
/// A value of another storage class than that of its type stays unchanged in both directions. Encoding fails if
/// decoding would not return the same value.
package enum EncodingFunctions {
  /// Registers the functions on `connection`.
  package static func register(on connection: Connection) throws(SQLiteError) {
    let functions: [(String, Int32, ScalarFunction)] = [
      ("encoded_date", 2, EncodedDate()), ("decoded_date", 1, DecodedDate()),
      ("encoded_uuid", 2, EncodedUUID()), ("decoded_uuid", 1, DecodedUUID()),
      ("encoded_decimal", 2, EncodedDecimal()), ("decoded_decimal", 1, DecodedDecimal()),
    ]
    for (name, count, function) in functions {
      try connection.register(function, as: name, argumentCount: count, [.deterministic, .innocuous])
    }
    try StrictType.register(on: connection)
    try Repertoire.register(on: connection)
    try FormFunctions.register(on: connection)
    try SpellingFunctions.register(on: connection)
  }
}

/// Converts seconds to ISO 8601.
private final class EncodedDate: ScalarFunction {
  override func call(_ arguments: borrowing FunctionArguments, _ result: borrowing FunctionResult) {
    switch arguments.type(at: 0) {
    case .integer:
      let seconds = Double(arguments.integer(at: 0))
      guard Int64(exactly: seconds) == arguments.integer(at: 0),
        let text = DateText.exactText(of: seconds)
      else { return result.pass(arguments, at: 0) }
      result.set(text)
    case .real:
      let seconds = arguments.real(at: 0)
      // A whole number would be decoded as an integer.
      guard Int64(exactly: seconds) == nil, let text = DateText.exactText(of: seconds) else {
        return result.pass(arguments, at: 0)
      }
      result.set(text)
    case .text:
      guard DateText.seconds(of: arguments.text(at: 0)) == nil else {
        return result.refuse("text that would be read as a date", arguments)
      }
      result.pass(arguments, at: 0)
    case .blob, .null: result.pass(arguments, at: 0)
    }
  }
}

/// Converts ISO 8601, in any common form, to seconds.
private final class DecodedDate: ScalarFunction {
  override func call(_ arguments: borrowing FunctionArguments, _ result: borrowing FunctionResult) {
    guard arguments.type(at: 0) == .text else { return result.pass(arguments, at: 0) }
    let seconds =
      arguments.withBytes(at: 0) { DateText.seconds(ofExact: $0) }
      ?? DateText.seconds(of: arguments.text(at: 0))
    guard let seconds else { return result.pass(arguments, at: 0) }
    if let whole = Int64(exactly: seconds) { result.set(whole) } else { result.set(seconds) }
  }
}

/// Converts sixteen bytes to the text of a UUID.
private final class EncodedUUID: ScalarFunction {
  override func call(_ arguments: borrowing FunctionArguments, _ result: borrowing FunctionResult) {
    switch arguments.type(at: 0) {
    case .blob:
      let text = arguments.withBytes(at: 0) { $0.count == 16 ? Array($0).uuidText : nil }
      guard let text else { return result.pass(arguments, at: 0) }
      result.set(text)
    case .text:
      guard [UInt8](uuidText: arguments.text(at: 0)) == nil else {
        return result.refuse("text that would be read as the bytes of a UUID", arguments)
      }
      result.pass(arguments, at: 0)
    case .integer, .real: result.refuse("a number, which a text column would convert to text", arguments)
    case .null: result.setNull()
    }
  }
}

/// Converts the text of a UUID to its sixteen bytes.
private final class DecodedUUID: ScalarFunction {
  override func call(_ arguments: borrowing FunctionArguments, _ result: borrowing FunctionResult) {
    guard arguments.type(at: 0) == .text, let bytes = [UInt8](uuidText: arguments.text(at: 0))
    else { return result.pass(arguments, at: 0) }
    bytes.withUnsafeBytes { result.set($0) }
  }
}

/// Converts a number to its digits.
private final class EncodedDecimal: ScalarFunction {
  override func call(_ arguments: borrowing FunctionArguments, _ result: borrowing FunctionResult) {
    switch arguments.type(at: 0) {
    case .integer: result.set(String(arguments.integer(at: 0)))
    case .real:
      let text = DecimalText.text(of: arguments.real(at: 0))
      guard DecimalText.number(in: text) == .real(arguments.real(at: 0)) else {
        return result.refuse("a number that would be read as a different number", arguments)
      }
      result.set(text)
    case .text:
      guard DecimalText.number(in: arguments.text(at: 0)) == nil else {
        return result.refuse("text that would be read as a number", arguments)
      }
      result.pass(arguments, at: 0)
    case .blob, .null: result.pass(arguments, at: 0)
    }
  }
}

/// Converts digits to the number that SQLite stores in a numeric column.
private final class DecodedDecimal: ScalarFunction {
  override func call(_ arguments: borrowing FunctionArguments, _ result: borrowing FunctionResult) {
    guard arguments.type(at: 0) == .text,
      let number = DecimalText.number(in: arguments.text(at: 0))
    else { return result.pass(arguments, at: 0) }
    switch number {
    case .integer(let integer): result.set(integer)
    case .real(let real): result.set(real)
    case .null, .text, .utf8, .blob: result.pass(arguments, at: 0)
    }
  }
}

extension FunctionResult {
  /// Fails the statement for a value of the property that the second argument names.
  fileprivate borrowing func refuse(_ what: String, _ arguments: borrowing FunctionArguments) {
    let text = "\(arguments.text(at: 1)) is \(what), so it would not read back unchanged"
    fail(RejectCode.convert.message(text))
  }
}
