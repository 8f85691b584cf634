/// One value of an attribute, in decant's canonical form.
public enum StoreValue: Sendable, Hashable {
  /// There is no value.
  case null
  /// An integer of any width, or a boolean as 0 or 1.
  case integer(Int64)
  /// A number with a fraction, of 64 bits; that of a float fits in.
  case double(Double)
  /// Seconds since 2001-01-01 00:00 UTC.
  case date(Double)
  /// Decimal digits as text, exactly as written.
  case decimal(String)
  /// Unicode text, not normalised.
  case text(String)
  /// Sixteen bytes, in the order in which they are printed.
  case uuid([UInt8])
  /// A URI as it is written, not taken apart.
  case uri(String)
  /// Bytes, also those of a transformable attribute; never looked into.
  case binary([UInt8])
}
