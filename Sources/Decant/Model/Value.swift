/// One value of an attribute, in decant's canonical form.
public enum Value: Sendable, Hashable {
  case null
  /// An integer of any width, or a boolean as 0 or 1.
  case integer(Int64)
  case double(Double)
  /// Seconds since 2001-01-01 00:00 UTC.
  case date(Double)
  /// Decimal digits as text, exactly as written.
  case decimal(String)
  case text(String)
  /// Sixteen bytes, in the order in which they are printed.
  case uuid([UInt8])
  case uri(String)
  case binary([UInt8])
}
