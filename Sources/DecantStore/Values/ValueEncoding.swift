internal import DecantSQLite

/// The encoding of an attribute's values in a column.
///
/// Every encoding is defined by the canonical form: dates as seconds since 2001-01-01 UTC, UUIDs as 16 bytes, decimals
/// as numbers. An encoded value decodes to exactly the same canonical one, including its storage class, or it is
/// refused.
package enum ValueEncoding: Sendable, Hashable {
  /// The canonical form.
  case asIs
  /// Dates as text in ISO 8601, in UTC; as seconds if nine fractional digits do not suffice.
  case dateText
  /// UUIDs as text.
  case uuidText
  /// Decimals as text.
  case decimalText
  /// The canonical form, in a column that accepts only the values of one type.
  case strict(StrictType)
  /// The canonical form, in a column of another type that accepts only values which can be read back from it.
  case converted(StrictType, ValueForm)
  /// The values of a type of a server, in its spelling; another spelling of the same value is accepted, and compared as
  /// equal.
  case spelled(ValueSpelling)
  /// Another encoding, in a column that accepts only texts with some characters.
  indirect case limited(ValueEncoding, Repertoire)
}

extension ValueEncoding {
  /// The encoding without a limit on characters.
  package var unlimited: ValueEncoding { if case .limited(let encoding, _) = self { encoding } else { self } }

  /// The spelling of a server, if the column has one.
  package var serverSpelling: ValueSpelling? { if case .spelled(let spelling) = self { spelling } else { nil } }

  /// Returns SQL that converts `value` from the canonical form to that of the column.
  ///
  /// Errors about a refused value name `property`.
  package func encoding(_ value: String, of property: String) -> String {
    switch self {
    case .asIs: value
    case .dateText: "encoded_date(\(value), \(property.sqlText))"
    case .uuidText: "encoded_uuid(\(value), \(property.sqlText))"
    case .decimalText: "encoded_decimal(\(value), \(property.sqlText))"
    case .strict(let type): "\(type.function)(\(value), \(property.sqlText))"
    case .converted(let type, let form):
      "converted(\(value), \(property.sqlText), \(FormFunctions.name(type, form).sqlText))"
    case .limited(let encoding, let repertoire):
      repertoire.limiting(encoding.encoding(value, of: property), of: property)
    case .spelled(let spelling): "spelled(\(value), \(spelling.description.sqlText), \(property.sqlText))"
    }
  }

  /// Returns SQL that converts `value` from the form of the column to the canonical form.
  package func decoding(_ value: String) -> String {
    switch self {
    case .asIs, .strict, .converted, .spelled: value
    case .dateText: "decoded_date(\(value))"
    case .uuidText: "decoded_uuid(\(value))"
    case .decimalText: "decoded_decimal(\(value))"
    case .limited(let encoding, _): encoding.decoding(value)
    }
  }

  /// Returns SQL that spells `value`, in the canonical form, as the column does, if that has a spelling, and numbers
  /// without zeros at their ends; the column's own values, `isOwn`, need only the latter.
  package func spelling(_ value: String, isOwn: Bool = false) -> String {
    if case .limited(let encoding, _) = self { return encoding.spelling(value, isOwn: isOwn) }
    guard case .spelled(let spelling) = self, spelling.hasOthers, !isOwn || spelling.compared != spelling else {
      return value
    }
    return "spelled(\(value), \(spelling.compared.description.sqlText))"
  }

  /// Returns SQL that rounds a date in the canonical form to microseconds; other values are unchanged.
  package static func roundedToMicroseconds(_ value: String) -> String { "rounded_date(\(value))" }
}
