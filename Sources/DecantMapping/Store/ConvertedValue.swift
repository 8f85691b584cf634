internal import DecantBase
internal import DecantStore
package import DecantSQLite

/// The SQL function `converted(value, type, property, demand)`: the value in the canonical form of an attribute's type.
///
/// It throws an error with the name of the property if the conversion would lose something: a number with a fraction is
/// not converted to an integer, and a text only if it is written as a number.
package final class ConvertedValue: ScalarFunction {
  /// The requirement on a value.
  enum Demand: Int64 {
    /// It may be missing.
    case optional
    case required
    /// The object is left out, but a merge reads it: any value is kept.
    case none

    /// Returns the requirement on a value of the objects of `part`, as SQL.
    func sql(for part: MappedPart) -> String {
      guard let condition = part.condition else { return "\(rawValue)" }
      return "CASE WHEN (\(condition)\n) THEN \(rawValue) ELSE \(Demand.none.rawValue) END"
    }
  }

  /// Whether a value that does not fit is kept unchanged, to be fixed by the user.
  private let isLenient: Bool

  private init(isLenient: Bool) {
    self.isLenient = isLenient
    super.init()
  }

  /// Registers the function on `connection`, replacing an existing one.
  ///
  /// - Parameters:
  ///   - connection: The connection; statements that are already prepared call the new function as well.
  ///   - isLenient: Whether values that do not fit are kept instead of rejected.
  /// - Throws: `SQLiteError` if there is not enough memory.
  package static func register(on connection: Connection, isLenient: Bool) throws(SQLiteError) {
    try connection.register(ConvertedValue(isLenient: isLenient), as: "converted", [.deterministic])
  }

  package override func call(_ arguments: borrowing FunctionArguments, _ result: borrowing FunctionResult) {
    guard arguments.type(at: 0) != .null else {
      guard isLenient || demand(arguments) != .required else {
        return result.fail(RejectCode.notnull.message("\(arguments.text(at: 2)) is required, but has no value"))
      }
      return result.setNull()
    }
    let type = arguments.text(at: 1)
    let isDone =
      switch type {
      case "int16": integer(arguments, result, -32_768...32_767)
      case "int32": integer(arguments, result, -2_147_483_648...2_147_483_647)
      case "int64": integer(arguments, result, Int64.min...Int64.max)
      case "bool": integer(arguments, result, 0...1)
      case "double", "float": number(arguments, result, isBinary: true)
      case "decimal": number(arguments, result, isBinary: false)
      case "date": date(arguments, result)
      case "string", "uri": text(arguments, result)
      case "uuid": uuid(arguments, result)
      case "binary", "transformable": bytes(arguments, result)
      default: other(arguments, result)
      }
    if !isDone {
      guard !isLenient, demand(arguments) != .none else { return result.pass(arguments, at: 0) }
      result.fail(
        RejectCode.convert.message(
          "\(arguments.text(at: 2)) is \(ConvertedValue.description(of: type)), but gets "
            + ConvertedValue.description(of: arguments.type(at: 0))
        )
      )
    }
  }

  private func demand(_ arguments: borrowing FunctionArguments) -> Demand {
    Demand(rawValue: arguments.integer(at: 3)) ?? .required
  }

  private func integer(
    _ arguments: borrowing FunctionArguments,
    _ result: borrowing FunctionResult,
    _ range: ClosedRange<Int64>
  ) -> Bool {
    let integer: Int64? =
      switch arguments.type(at: 0) {
      case .integer: arguments.integer(at: 0)
      case .real: Int64(exactly: arguments.real(at: 0))
      case .text: Int64(arguments.text(at: 0))
      case .blob, .null: nil
      }
    guard let integer, range.contains(integer) else { return false }
    result.set(integer)
    return true
  }

  /// With `isBinary`, the number must have no more digits than a double can represent.
  private func number(
    _ arguments: borrowing FunctionArguments,
    _ result: borrowing FunctionResult,
    isBinary: Bool
  ) -> Bool {
    func isExact(_ integer: Int64) -> Bool { !isBinary || Double(exactly: integer) != nil }
    switch arguments.type(at: 0) {
    case .integer where !isExact(arguments.integer(at: 0)): return false
    case .integer, .real: result.pass(arguments, at: 0)
    case .text:
      switch DecimalText.number(in: arguments.text(at: 0)) {
      case .integer(let integer) where !isExact(integer): return false
      case .integer(let integer): result.set(integer)
      case .real(let real): result.set(real)
      case .null, .text, .utf8, .blob, nil: return false
      }
    case .blob, .null: return false
    }
    return true
  }

  private func date(_ arguments: borrowing FunctionArguments, _ result: borrowing FunctionResult) -> Bool {
    switch arguments.type(at: 0) {
    case .integer, .real: result.pass(arguments, at: 0)
    case .text:
      guard let seconds = DateText.seconds(of: arguments.text(at: 0)) else { return false }
      result.set(seconds)
    case .blob, .null: return false
    }
    return true
  }

  private func text(_ arguments: borrowing FunctionArguments, _ result: borrowing FunctionResult) -> Bool {
    switch arguments.type(at: 0) {
    case .text: result.pass(arguments, at: 0)
    case .integer: result.set(String(arguments.integer(at: 0)))
    case .real: result.set(DecimalText.text(of: arguments.real(at: 0)))
    case .blob, .null: return false
    }
    return true
  }

  private func uuid(_ arguments: borrowing FunctionArguments, _ result: borrowing FunctionResult) -> Bool {
    switch arguments.type(at: 0) {
    case .blob where arguments.withBytes(at: 0) { $0.count } == 16: result.pass(arguments, at: 0)
    case .text:
      guard let bytes = [UInt8](uuidText: arguments.text(at: 0)) else { return false }
      bytes.withUnsafeBytes { result.set($0) }
    case .blob, .integer, .real, .null: return false
    }
    return true
  }

  private func bytes(_ arguments: borrowing FunctionArguments, _ result: borrowing FunctionResult) -> Bool {
    guard arguments.type(at: 0) == .blob else { return false }
    result.pass(arguments, at: 0)
    return true
  }

  private func other(_ arguments: borrowing FunctionArguments, _ result: borrowing FunctionResult) -> Bool {
    result.pass(arguments, at: 0)
    return true
  }

  private static func description(of type: String) -> String {
    switch type {
    case "int16": "a 16-bit integer"
    case "int32": "a 32-bit integer"
    case "int64": "an integer"
    case "bool": "0 or 1"
    case "double", "float", "decimal": "a number"
    case "date": "a date"
    case "uuid": "a UUID"
    case "binary", "transformable": "bytes"
    case let other: "of type \(other)"
    }
  }

  private static func description(of storage: StorageClass) -> String {
    switch storage {
    case .null: "nothing"
    case .integer: "an integer out of range"
    case .real: "a number that it cannot hold"
    case .text: "text that it cannot hold"
    case .blob: "bytes"
    }
  }
}
