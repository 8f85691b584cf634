internal import DecantBase
internal import DecantStore
internal import DecantSQLite

/// Whether values of one type can be converted to another without loss.
///
/// The value must be kept and its meaning must be unambiguous: a number becomes its digits, but the user has to decide
/// whether a number is a date, or a text is base64.
enum TypeConversion {
  /// All values can be converted, none can, or it depends on the value.
  case always, never, byValue

  init(_ from: AttributeType, _ to: AttributeType) {
    self =
      switch (from, to) {
      case _ where from.name == to.name: .always
      case (.integer16, .integer32), (.integer16, .integer64), (.integer32, .integer64): .byValue
      case _ where from.isNumber && to.isNumber: .byValue
      case (.string, _) where to.isNumber && to != .boolean: .byValue
      case (_, .string) where from.isNumber && from != .boolean: .always
      case (.string, .uri), (.uri, .string), (.uuid, .string): .always
      case (.string, .uuid): .byValue
      default: .never
      }
  }
}

extension AttributeType {
  /// Whether values are plain numbers without another meaning.
  fileprivate var isNumber: Bool {
    switch self {
    case .integer16, .integer32, .integer64, .decimal, .double, .float, .boolean: true
    case .undefined, .string, .date, .binary, .uuid, .uri, .transformable, .objectID, .composite:
      false
    }
  }
}

/// The SQL function `is_unfit(value, type)`.
///
/// Returns 1 if the value cannot be converted to the type without loss, and 0 if it can or is null.
final class UnfitFunction: ScalarFunction {
  override func call(_ arguments: borrowing FunctionArguments, _ result: borrowing FunctionResult) {
    let isFit =
      switch arguments.type(at: 0) {
      case .null: true
      case .integer: UnfitFunction.fits(arguments.integer(at: 0), arguments.text(at: 1))
      case .real: UnfitFunction.fits(arguments.real(at: 0), arguments.text(at: 1))
      case .text: UnfitFunction.fits(arguments.text(at: 0), arguments.text(at: 1))
      case .blob: false
      }
    result.set(isFit ? Int64(0) : 1)
  }

  private static func fits(_ integer: Int64, _ type: String) -> Bool {
    switch type {
    case "int16": Int16(exactly: integer) != nil
    case "int32": Int32(exactly: integer) != nil
    case "int64", "decimal": true
    case "double": Double(exactly: integer) != nil
    case "float": Float(exactly: integer) != nil
    case "bool": integer == 0 || integer == 1
    default: false
    }
  }

  private static func fits(_ real: Double, _ type: String) -> Bool {
    switch type {
    case "int16", "int32", "int64", "bool": Int64(exactly: real).map { fits($0, type) } ?? false
    case "double", "decimal": real.isFinite || type == "double"
    case "float": Double(Float(real)) == real || real.isNaN
    default: false
    }
  }

  private static func fits(_ text: String, _ type: String) -> Bool {
    switch type {
    case "uuid":
      [UInt8](uuidText: text) != nil
    case "int16", "int32", "int64":
      Int64(text).map { String($0) == text && fits($0, type) } ?? false
    case "double", "float", "decimal":
      switch DecimalText.number(in: text) {
      case .integer(let integer): String(integer) == text && fits(integer, type)
      case .real(let real): DecimalText.text(of: real) == text && fits(real, type)
      case .null, .text, .utf8, .blob, nil: false
      }
    default: false
    }
  }
}
