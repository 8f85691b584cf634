internal import DecantSQLite

/// The parameters `:name` in a condition of a share, and what stands in their places.
package struct ShareParameters {
  private let sql: String
  /// The name of each parameter and where it stands, in bytes, from left to right.
  private let places: [(name: String, bytes: Range<Int>)]

  /// Finds the parameters of `sql`; a colon in a text, in a quoted name or in a comment begins none.
  package init(_ sql: String) {
    self.sql = sql
    places = SQLTokens(sql).tokens.compactMap { token in
      let name = token.text.dropFirst()
      guard token.kind == .parameter, token.text.hasPrefix(":"), name.first?.isNumber == false
      else { return nil }
      return (String(name), token.start..<token.end)
    }
  }

  /// The names, each once.
  var names: Set<String> { Set(places.map(\.name)) }

  /// Returns the condition with the literal that `literal` makes for each name.
  package func binding(_ literal: (String) -> String) -> String {
    let bytes = Array(sql.utf8)
    var bound: [UInt8] = []
    var end = 0
    for place in places {
      bound += bytes[end..<place.bytes.lowerBound]
      // With blanks around it no letter in front makes bytes of a text.
      bound += Array(" \(literal(place.name)) ".utf8)
      end = place.bytes.upperBound
    }
    return String(decoding: bound + bytes[end...], as: UTF8.self)
  }

  /// Returns a value as an SQL literal: a number where it is written as SQL writes one, else a text; what stands
  /// in single quotes is a text whatever it is.
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
