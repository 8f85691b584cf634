internal import DecantBase
package import DecantSQLite

/// The type of a column that accepts nothing but its values, as in databases with strict types.
///
/// A value that such a column would refuse or change is refused while its object still has a name.
package enum StrictType: String, Sendable, Hashable, CaseIterable {
  /// Signed integers of 16, 32 or 64 bits.
  case integer16, integer32, integer64
  /// The integers 0 and 1.
  case boolean
  /// Numbers of 64 bits with a binary fraction.
  case double
  /// Numbers with decimal digits.
  case decimal
  /// Points in time, with a precision of a microsecond.
  case microseconds
  /// Texts in UTF-8 without NUL characters.
  case text
  /// Identifiers of sixteen bytes.
  case uuid
  /// Bytes, fewer than a gibibyte.
  case bytes

  /// The SQL function that returns its first argument, or refuses it as the value of the property that the second
  /// argument names.
  var function: String { "strict_\(rawValue.lowercased())" }

  /// The range of points in time, in microseconds since 2001-01-01 UTC: from 4713 BC to the end of the year 294276.
  package static let dateRange: ClosedRange<Int64> = -211_845_110_400_000_000...9_223_339_708_799_999_999

  /// The largest number of bytes in a value.
  package static let byteLimit = (1 << 30) - 64

  /// Returns the nearest microsecond to `seconds`; `nil` if it is out of range.
  package static func microseconds(of seconds: Double) -> Int64? {
    guard let whole = Int64(exactly: (seconds * 1e6).rounded()), dateRange.contains(whole) else { return nil }
    return whole
  }

  /// Returns the seconds that `microseconds` are, an integer if they are whole.
  package static func seconds(ofMicroseconds microseconds: Int64) -> Binding {
    microseconds.isMultiple(of: 1_000_000)
      ? .integer(microseconds / 1_000_000) : .real(Double(microseconds) / 1e6)
  }

  static func register(on connection: Connection) throws(SQLiteError) {
    for type in allCases {
      let function = StrictFunction(type)
      try connection.register(function, as: type.function, argumentCount: 2, [.deterministic, .innocuous])
    }
    let rounded = RoundedDate()
    try connection.register(rounded, as: "rounded_date", argumentCount: 1, [.deterministic, .innocuous])
  }
}

/// Returns a value that fits a column, or refuses it.
private final class StrictFunction: ScalarFunction {
  private let type: StrictType

  init(_ type: StrictType) { self.type = type }

  override func call(_ arguments: borrowing FunctionArguments, _ result: borrowing FunctionResult) {
    let found = arguments.type(at: 0)
    guard found != .null else { return result.setNull() }
    switch type {
    case .integer16, .integer32, .integer64, .boolean:
      guard found == .integer else { return result.refuse(.convert, "is not an integer", arguments) }
      let value = arguments.integer(at: 0)
      switch type {
      case .integer16 where Int16(exactly: value) == nil:
        result.refuse(.range, "is an integer beyond 16 bits", arguments)
      case .integer32 where Int32(exactly: value) == nil:
        result.refuse(.range, "is an integer beyond 32 bits", arguments)
      case .boolean where value != 0 && value != 1:
        result.refuse(.range, "is an integer other than 0 and 1", arguments)
      default: result.set(value)
      }
    case .double:
      switch found {
      case .real: result.set(arguments.real(at: 0))
      case .integer where Int64(exactly: Double(arguments.integer(at: 0))) == arguments.integer(at: 0):
        result.set(arguments.integer(at: 0))
      default: result.refuse(.convert, "is not a number of 64 bits", arguments)
      }
    case .decimal:
      switch found {
      case .integer: result.set(arguments.integer(at: 0))
      case .real where arguments.real(at: 0).isFinite: result.set(arguments.real(at: 0))
      default: result.refuse(.convert, "is not a decimal number", arguments)
      }
    case .microseconds:
      guard found == .integer || found == .real else {
        return result.refuse(.convert, "is not a date", arguments)
      }
      guard let whole = StrictType.microseconds(of: arguments.real(at: 0)) else {
        return result.refuse(.range, "is a date out of range", arguments)
      }
      result.give(StrictType.seconds(ofMicroseconds: whole))
    case .text:
      guard found == .text else { return result.refuse(.convert, "is not text", arguments) }
      let fault = arguments.withBytes(at: 0) { bytes -> String? in
        if bytes.count > StrictType.byteLimit { return "is a text of a gibibyte or more" }
        if bytes.contains(0) { return "contains a NUL character" }
        return String(validating: bytes, as: UTF8.self) == nil ? "is not valid UTF-8" : nil
      }
      if let fault { return result.refuse(.text, fault, arguments) }
      result.pass(arguments, at: 0)
    case .uuid:
      guard found == .blob, arguments.withBytes(at: 0, { $0.count == 16 }) else {
        return result.refuse(.convert, "does not have the 16 bytes of a UUID", arguments)
      }
      result.pass(arguments, at: 0)
    case .bytes:
      guard found == .blob else { return result.refuse(.convert, "is not bytes", arguments) }
      guard arguments.withBytes(at: 0, { $0.count <= StrictType.byteLimit }) else {
        return result.refuse(.range, "has a gibibyte or more", arguments)
      }
      result.pass(arguments, at: 0)
    }
  }
}

/// Rounds seconds to microseconds, as a column of points in time does; other values stay as they are.
private final class RoundedDate: ScalarFunction {
  override func call(_ arguments: borrowing FunctionArguments, _ result: borrowing FunctionResult) {
    let type = arguments.type(at: 0)
    guard type == .integer || type == .real, let whole = StrictType.microseconds(of: arguments.real(at: 0)) else {
      return result.pass(arguments, at: 0)
    }
    result.give(StrictType.seconds(ofMicroseconds: whole))
  }
}

extension FunctionResult {
  /// Fails the statement for a value of the property that the second argument names.
  fileprivate borrowing func refuse(_ code: RejectCode, _ fault: String, _ arguments: borrowing FunctionArguments) {
    fail(code.message("\(arguments.text(at: 1)) \(fault)"))
  }

  /// Sets a number as the result.
  fileprivate borrowing func give(_ number: Binding) {
    switch number {
    case .integer(let integer): set(integer)
    case .real(let real): set(real)
    case .null, .text, .utf8, .blob: setNull()
    }
  }
}
