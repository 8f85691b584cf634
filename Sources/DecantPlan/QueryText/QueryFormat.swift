public import DecantBase

/// The text form of a query's result.
public enum QueryFormat: Sendable, Hashable {
  /// Comma-separated values as in RFC 4180, with a line of names and LF at line ends.
  case csv
  /// Fields separated by tabs, with a line of names, escaped as in the text format of PostgreSQL's COPY.
  case tsv
  /// An array of JSON objects.
  case json
  /// One JSON object per line.
  case jsonLines
}

extension QueryRows {
  /// Writes the rows as text while they are read; memory use does not depend on their number.
  ///
  /// - Parameters:
  ///   - format: The text form; JSON contains bytes in base64 if the query lends them.
  ///   - sink: Receives the texts of each line in order, and returns false to end the query early.
  /// - Throws: `DecantError` of the query or of `sink`.
  public func write(
    as format: QueryFormat, to sink: ([String]) throws(DecantError) -> Bool
  ) throws(DecantError) {
    switch format {
    case .csv: try write(QueryFields.csv(columns), sink)
    case .tsv: try write(QueryFields.tsv(columns), sink)
    case .json: try write(QueryJSON(self, isArray: true), sink)
    case .jsonLines: try write(QueryJSON(self, isArray: false), sink)
    }
  }
}
