internal import DecantSQLite

/// How a column writes the values of an attribute.
///
/// What every encoding is held against is the canonical form: dates as seconds since 2001-01-01 UTC,
/// UUIDs as 16 bytes, decimals as numbers. An encoded value leads back to exactly the same canonical one,
/// its storage class included, or it is refused.
package enum ValueEncoding: Sendable, Hashable {
  /// In the canonical form.
  case asIs
  /// Dates as text in ISO 8601, in UTC; as seconds where nine digits behind the second do not suffice.
  case dateText
  /// UUIDs as text.
  case uuidText
  /// Decimals as text.
  case decimalText
}

extension ValueEncoding {
  /// The SQL that turns `value`, in the canonical form, into what the column holds.
  ///
  /// `property` is named where a value is refused.
  package func encoding(_ value: String, of property: String) -> String {
    switch self {
    case .asIs: value
    case .dateText: "encoded_date(\(value), \(property.sqlText))"
    case .uuidText: "encoded_uuid(\(value), \(property.sqlText))"
    case .decimalText: "encoded_decimal(\(value), \(property.sqlText))"
    }
  }

  /// The SQL that turns `value`, what the column holds, into the canonical form.
  package func decoding(_ value: String) -> String {
    switch self {
    case .asIs: value
    case .dateText: "decoded_date(\(value))"
    case .uuidText: "decoded_uuid(\(value))"
    case .decimalText: "decoded_decimal(\(value))"
    }
  }
}
