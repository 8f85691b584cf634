internal import DecantBase
package import DecantSQLite
internal import DecantSystem

/// The type of a column that accepts only values of this type, as in databases with strict types.
///
/// A value that such a column would refuse or change is refused earlier, while its object can still be named.
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

  /// The SQL function that returns its first argument, or refuses it as a value of the property that the second one
  /// names.
  var function: String { "strict_\(rawValue.lowercased())" }

  /// The range of points in time, in microseconds since 2001-01-01 UTC: from 4713 BC to the end of the year 294276.
  package static let dateRange: ClosedRange<Int64> = -211_845_110_400_000_000...9_223_339_708_799_999_999
  private static let secondsRange = dateRange.lowerBound / 1_000_000 - 1...dateRange.upperBound / 1_000_000

  /// The maximum size of a value, in bytes.
  package static let byteLimit = (1 << 30) - 64

  /// The size in bytes from which texts are refused if there is not enough memory for them.
  package static let largeText = 8 << 20

  /// Returns the nearest microsecond to `seconds`; `nil` if it is out of range.
  package static func microseconds(of seconds: Double) -> Int64? {
    // A product of all of it would be rounded to more than a microsecond in the distant future.
    let whole = seconds.rounded(.down)
    guard let count = Int64(exactly: whole), secondsRange.contains(count) else { return nil }
    let microseconds = count * 1_000_000 + Int64(((seconds - whole) * 1e6).rounded())
    return dateRange.contains(microseconds) ? microseconds : nil
  }

  /// Returns `microseconds` as seconds, an integer if they are whole.
  package static func seconds(ofMicroseconds microseconds: Int64) -> Binding {
    microseconds.isMultiple(of: 1_000_000)
      ? .integer(microseconds / 1_000_000)
      : .real(Double(microseconds / 1_000_000) + Double(microseconds % 1_000_000) / 1e6)
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
    guard arguments.type(at: 0) != .null else { return result.setNull() }
    if let fault = type.fault(of: arguments) { return result.refuse(fault.0, fault.1, arguments) }
    guard type == .microseconds, let whole = StrictType.microseconds(of: arguments.real(at: 0)) else {
      return result.pass(arguments, at: 0)
    }
    result.give(StrictType.seconds(ofMicroseconds: whole))
  }
}

extension StrictType {
  /// Returns whether a column of this type can hold `stored`, the converted form of a value of another type.
  ///
  /// Points in time are microseconds since 2001, and decimals may be texts.
  func holds(_ stored: Binding) -> Bool {
    switch stored {
    case .null: true
    case .integer(let count) where self == .microseconds: StrictType.dateRange.contains(count)
    case .integer, .real: fault(ofNumber: stored) == nil
    case .text where self == .decimal: true
    case .text(let text): holds(Array(text.utf8), isText: true)
    case .utf8(let bytes): holds(bytes, isText: true)
    case .blob(let bytes): holds(bytes, isText: false)
    }
  }

  private func holds(_ bytes: [UInt8], isText: Bool) -> Bool {
    bytes.withUnsafeBytes { fault(of: $0, isText: isText) == nil }
  }

  /// Returns why the first argument is not a value of this type; `nil` if it is one.
  func fault(of arguments: borrowing FunctionArguments) -> (RejectCode, String)? {
    let found = arguments.type(at: 0)
    return switch found {
    case .null: nil
    case .integer: fault(ofNumber: .integer(arguments.integer(at: 0)))
    case .real: fault(ofNumber: .real(arguments.real(at: 0)))
    case .text, .blob: arguments.withBytes(at: 0) { [self] in fault(of: $0, isText: found == .text) }
    }
  }

  /// Returns why a number is not a value of this type; `nil` if it is one.
  fileprivate func fault(ofNumber number: Binding) -> (RejectCode, String)? {
    switch (self, number) {
    case (.integer16, .integer(let value)):
      Int16(exactly: value) == nil ? (.range, "is an integer beyond 16 bits") : nil
    case (.integer32, .integer(let value)):
      Int32(exactly: value) == nil ? (.range, "is an integer beyond 32 bits") : nil
    case (.boolean, .integer(let value)):
      value != 0 && value != 1 ? (.range, "is an integer other than 0 and 1") : nil
    case (.integer64, .integer), (.double, .real), (.decimal, .integer): nil
    case (.double, .integer(let value)):
      Int64(exactly: Double(value)) == value ? nil : (.convert, "is not a number of 64 bits")
    case (.decimal, .real(let value)): value.isFinite ? nil : (.convert, "is not a decimal number")
    case (.microseconds, .integer(let value)): fault(ofSeconds: Double(value))
    case (.microseconds, .real(let value)): fault(ofSeconds: value)
    default: (.convert, misfit)
    }
  }

  private func fault(ofSeconds seconds: Double) -> (RejectCode, String)? {
    StrictType.microseconds(of: seconds) == nil ? (.range, "is a date out of range") : nil
  }

  /// Returns why a text or bytes are not a value of this type; `nil` if they are.
  fileprivate func fault(of bytes: UnsafeRawBufferPointer, isText: Bool) -> (RejectCode, String)? {
    switch (self, isText) {
    case (.text, true):
      if bytes.count > StrictType.byteLimit { return (.text, "is a text of a gibibyte or more") }
      if bytes.count > StrictType.largeText, let limit = AvailableMemory.largestText, bytes.count > limit {
        return (.size, "is a text of \(Int64(bytes.count).asByteCount), for which there is not enough memory")
      }
      if bytes.containsNUL { return (.text, "contains a NUL character") }
      return bytes.isValidUTF8 ? nil : (.text, "is not valid UTF-8")
    case (.uuid, false): return bytes.count == 16 ? nil : (.convert, misfit)
    case (.bytes, false): return bytes.count <= StrictType.byteLimit ? nil : (.range, "has a gibibyte or more")
    default: return (.convert, misfit)
    }
  }

  /// The message for a value of another storage class.
  private var misfit: String {
    switch self {
    case .integer16, .integer32, .integer64, .boolean: "is not an integer"
    case .double: "is not a number of 64 bits"
    case .decimal: "is not a decimal number"
    case .microseconds: "is not a date"
    case .text: "is not text"
    case .uuid: "does not have the 16 bytes of a UUID"
    case .bytes: "is not bytes"
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

  /// Sets a number, a text or bytes as the result.
  borrowing func give(_ value: Binding) {
    switch value {
    case .null: setNull()
    case .integer(let integer): set(integer)
    case .real(let real): set(real)
    case .text(let text): set(text)
    case .utf8(let bytes): bytes.withUnsafeBytes { setText(utf8: $0) }
    case .blob(let bytes): bytes.withUnsafeBytes { set($0) }
    }
  }
}
