/// A property list: the nested values that Apple's systems keep settings, metadata and archives in.
///
/// Foundation hands the object references of keyed archives out as opaque values on Linux, so
/// decant reads and writes these files itself.
package indirect enum PropertyList: Sendable, Hashable {
  /// True or false.
  case boolean(Bool)
  /// A signed integer of 64 bits; a larger one cannot be read.
  case integer(Int64)
  /// A number with a fraction; one of 32 bits is widened.
  case real(Double)
  /// Seconds since 2001-01-01 00:00 UTC.
  case date(Double)
  /// Bytes; the XML form has them as base64.
  case data([UInt8])
  /// Unicode text.
  case string(String)
  /// A reference to another object of a keyed archive, by its position in `$objects`.
  case uid(Int)
  /// Values in their order.
  case array([PropertyList])
  /// Values by key; the order in the file is lost, and of a key that comes twice the last counts.
  case dictionary([String: PropertyList])
}
