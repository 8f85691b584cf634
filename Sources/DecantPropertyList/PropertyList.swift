/// A property list: the nested values in which Apple's systems keep settings, metadata and archives.
///
/// On Linux, Foundation returns the object references of keyed archives as opaque values, so decant reads and writes
/// these files itself.
package indirect enum PropertyList: Sendable, Hashable {
  /// True or false.
  case boolean(Bool)
  /// A signed integer of 64 bits; a larger one cannot be read.
  case integer(Int64)
  /// A floating-point number; one of 32 bits is widened.
  case real(Double)
  /// Seconds since 2001-01-01 00:00 UTC.
  case date(Double)
  /// Bytes; base64 in the XML form.
  case data([UInt8])
  /// Unicode text.
  case string(String)
  /// A reference to another object of a keyed archive, by its position in `$objects`.
  case uid(Int)
  /// Values in order.
  case array([PropertyList])
  /// Values by key; the order in the file is lost, and the last value of a duplicate key is kept.
  case dictionary([String: PropertyList])
}
