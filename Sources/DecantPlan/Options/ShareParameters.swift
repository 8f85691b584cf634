internal import DecantSQLite

/// The parameters `:name` in a condition of a share, and their replacement.
package struct ShareParameters {
  private let sql: String
  /// The name and the byte range of each parameter, in order.
  private let places: [(name: String, bytes: Range<Int>)]

  /// Finds the parameters of `sql`, except after colons in texts, quoted names and comments.
  package init(_ sql: String) {
    self.sql = sql
    places = SQLTokens(sql).tokens.compactMap { token in
      let name = token.text.dropFirst()
      guard token.kind == .parameter, token.text.hasPrefix(":"), name.first?.isNumber == false
      else { return nil }
      return (String(name), token.start..<token.end)
    }
  }

  /// The distinct names.
  var names: Set<String> { Set(places.map(\.name)) }

  /// Returns the condition with the result of `literal` in place of each name.
  package func binding(_ literal: (String) -> String) -> String {
    let bytes = Array(sql.utf8)
    var bound: [UInt8] = []
    var end = 0
    for place in places {
      bound += bytes[end..<place.bytes.lowerBound]
      // The blanks prevent a preceding letter from turning a text literal into a blob.
      bound += Array(" \(literal(place.name)) ".utf8)
      end = place.bytes.upperBound
    }
    return String(decoding: bound + bytes[end...], as: UTF8.self)
  }

  /// Returns a value as an SQL literal: a number in SQL syntax as a number, anything else as a text; text in single
  /// quotes is always a text.
  static func literal(_ value: String) -> String {
    if value.utf8.count >= 2, value.utf8.first == UInt8(ascii: "'"),
      value.utf8.last == UInt8(ascii: "'")
    {
      return String(decoding: Array(value.utf8.dropFirst().dropLast()), as: UTF8.self).sqlText
    }
    if value.wholeMatch(of: /-?(0|[1-9][0-9]*)/) != nil, Int64(value) != nil { return "(\(value))" }
    if value.wholeMatch(of: /-?(0|[1-9][0-9]{0,14})\.[0-9]{1,15}/) != nil { return "(\(value))" }
    return value.sqlText
  }
}
