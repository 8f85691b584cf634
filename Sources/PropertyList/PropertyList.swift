/// A property list: the nested values that Apple's systems keep settings, metadata and archives in.
///
/// Foundation hands the object references of keyed archives out as opaque values on Linux, so
/// decant reads and writes these files itself.
public indirect enum PropertyList: Sendable, Hashable {
  case boolean(Bool)
  case integer(Int64)
  case real(Double)
  /// Seconds since 2001-01-01 00:00 UTC.
  case date(Double)
  case data([UInt8])
  case string(String)
  /// A reference to another object of a keyed archive, by its position in `$objects`.
  case uid(Int)
  case array([PropertyList])
  case dictionary([String: PropertyList])
}
