/// One value of an attribute, in decant's canonical form.
public enum StoreValue: Sendable, Hashable {
  /// No value.
  case null
  /// An integer of any width, or a boolean as 0 or 1.
  case integer(Int64)
  /// A number with a fraction, in 64 bits; a 32-bit float fits exactly.
  case double(Double)
  /// Seconds since 2001-01-01 00:00 UTC.
  case date(Double)
  /// Decimal digits as text, exactly as written.
  case decimal(String)
  /// Unicode text, not normalised.
  case text(String)
  /// Sixteen bytes, in printing order.
  case uuid([UInt8])
  /// A URI as written, not parsed.
  case uri(String)
  /// Bytes, also those of a transformable attribute; they are not interpreted.
  case binary([UInt8])
}
