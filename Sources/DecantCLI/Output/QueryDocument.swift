internal import DecantBase
internal import DecantPlan

/// A form in which a query's result is printed while it is read.
protocol QueryDocument {
  /// Writes a row; false if nobody reads any more.
  mutating func add(_ row: [QueryValue]) throws(DecantError) -> Bool
  /// Writes what ends the document.
  mutating func end() throws(DecantError)
}
