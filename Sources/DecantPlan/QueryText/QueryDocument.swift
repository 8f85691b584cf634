package import DecantBase

/// A text form of a query's result that is written while it is read.
///
/// Each function passes the texts of a line to a closure, which returns false once they are no longer wanted.
package protocol QueryDocument {
  typealias Sink = ([String]) throws(DecantError) -> Bool

  /// Writes what precedes the first row.
  mutating func begin(_ sink: Sink) throws(DecantError) -> Bool
  /// Writes a row.
  mutating func add(_ row: [QueryValue], _ sink: Sink) throws(DecantError) -> Bool
  /// Writes what follows the last row.
  mutating func end(_ sink: Sink) throws(DecantError)
}

extension QueryRows {
  /// Writes all rows as `document`, until `sink` returns false.
  package func write(_ document: some QueryDocument, _ sink: ([String]) throws(DecantError) -> Bool) throws(DecantError)
  {
    var document = document
    guard try document.begin(sink) else { return }
    while let row = try next() {
      guard try document.add(row, sink) else { return }
    }
    try document.end(sink)
  }
}
