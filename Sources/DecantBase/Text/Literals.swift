internal import DecantSQLite

extension AttributeType {
  /// Whether 1 and 1.0 are the same value of this type.
  package var isNumeric: Bool {
    switch self {
    case .integer16, .integer32, .integer64, .decimal, .double, .float, .boolean, .date: true
    case .undefined, .string, .binary, .uuid, .uri, .transformable, .objectID, .composite: false
    }
  }
}

extension Value {
  /// The value as an SQL literal; `nil` for NULL.
  package var sqlLiteral: String? {
    switch self {
    case .null: nil
    case .integer(let integer): "\(integer)"
    case .double(let double), .date(let double): double.isFinite ? "\(double)" : nil
    // Always quoted: the column's affinity converts it to a number.
    case .decimal(let text), .text(let text), .uri(let text): text.sqlText
    case .uuid(let bytes), .binary(let bytes): "x'" + bytes.map(\.hex).joined() + "'"
    }
  }
}

extension UInt8 {
  /// The byte as two hexadecimal digits.
  package var hex: String { (self < 16 ? "0" : "") + String(self, radix: 16) }
}

extension [Int64] {
  /// The numbers separated by commas, as in SQL.
  package var list: String { map(String.init).joined(separator: ", ") }
}
