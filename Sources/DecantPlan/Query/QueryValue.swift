public import DecantBase

/// A value of a query's result, with its type in the model if known.
public enum QueryValue: Sendable, Hashable {
  /// No value.
  case null
  /// An integer.
  case integer(Int64)
  /// A number with a fraction, in 64 bits or, for an attribute of that type, in 32.
  case double(Double), float(Float)
  /// A value of a boolean attribute.
  case boolean(Bool)
  /// A value of a date attribute: seconds since 2001-01-01 00:00 UTC.
  case date(Double)
  /// Text, with invalid UTF-8 replaced.
  case text(String)
  /// A value of a UUID attribute: sixteen bytes, in printing order.
  case uuid([UInt8])
  /// Bytes, represented by a description; `QueryRows.forEachPiece(of:_:)` returns them.
  case bytes(ByteSummary)
}

/// A description of bytes: their number and their format.
public struct ByteSummary: Sendable, Hashable {
  /// The length; `nil` if the external file is missing.
  public var byteCount: Int64?
  /// The image format of their first bytes, if any; not determined for large values outside external storage.
  public var image: ImageFormat?
  /// The file to which the query wrote them, if requested.
  public var file: String?

  /// Describes bytes; `image` is `nil` for an unknown format.
  package init(byteCount: Int64?, image: ImageFormat? = nil, file: String? = nil) {
    self.byteCount = byteCount
    self.image = image
    self.file = file
  }
}

/// A column of a query's result.
public struct QueryColumn: Sendable, Hashable {
  /// The name in the query, which need not be unique.
  public var name: String
  /// The type of its values, if all come from one attribute or from attributes of the same type.
  public var type: ColumnType?
}
