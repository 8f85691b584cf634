public import DecantBase

/// One value of a query's result, with its meaning where the model tells it.
public enum QueryValue: Sendable, Hashable {
  /// There is no value.
  case null
  /// A whole number.
  case integer(Int64)
  /// A number with a fraction, of 64 bits or, from an attribute of that type, of 32.
  case double(Double), float(Float)
  /// A value of a boolean attribute.
  case boolean(Bool)
  /// A value of a date attribute: seconds since 2001-01-01 00:00 UTC.
  case date(Double)
  /// Text; bytes in it that are no UTF-8 are replaced.
  case text(String)
  /// A value of a UUID attribute: sixteen bytes, in the order in which they are printed.
  case uuid([UInt8])
  /// Bytes, of which this is told; `Query.forEachPiece(of:_:)` lends them.
  case bytes(ByteSummary)
}

/// How many bytes a value has, and what they look like.
public struct ByteSummary: Sendable, Hashable {
  /// The length; `nil` where the value lies in a file that is not there.
  public var byteCount: Int64?
  /// The kind of picture they begin like, if any; not looked at in large ones outside of external storage.
  public var image: ImageFormat?
  /// The file that the query has written them to, where it was asked for.
  public var file: String?

  /// Describes bytes; without `image` they are of no kind that is known.
  public init(byteCount: Int64?, image: ImageFormat? = nil, file: String? = nil) {
    self.byteCount = byteCount
    self.image = image
    self.file = file
  }
}

/// A column of a query's result.
public struct QueryColumn: Sendable, Hashable {
  /// The name that the query gives it; several columns may have the same.
  public var name: String
  /// What its values are, where all of them are of one attribute or of several that are alike.
  public var type: ColumnType?
}
