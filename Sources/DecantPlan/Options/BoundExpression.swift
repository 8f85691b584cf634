internal import DecantBase

/// An expression with question marks for values.
struct BoundExpression {
  private let sql: String
  /// The byte ranges of the question marks, in order.
  private let places: [Range<Int>]

  /// Finds the question marks of `sql`, except those in texts, quoted names and comments.
  init(_ sql: String) {
    self.sql = sql
    places = SQLTokens(sql).tokens.compactMap { token in
      token.kind == .parameter && token.text == "?" ? token.start..<token.end : nil
    }
  }

  /// Returns the expression with a literal in place of each question mark.
  ///
  /// - Throws: `DecantError` with code `.usage` if the number of values is wrong, or a number has no SQL literal.
  func binding(_ values: [Value]) throws(DecantError) -> String {
    guard values.count == places.count else {
      throw DecantError(
        .invalidExpression,
        "a condition has \(Int64(places.count).counted("question mark")) but \(Int64(values.count).counted("argument"))",
        place: sql,
        remedy: "give one value for each question mark, in order"
      )
    }
    let bytes = Array(sql.utf8)
    var bound: [UInt8] = []
    var end = 0
    for (place, value) in zip(places, values) {
      guard let literal = value.conditionLiteral else {
        throw DecantError(
          .invalidExpression,
          "an argument of a condition is not a finite number",
          place: sql,
          remedy: "remove the comparison, or use a finite bound"
        )
      }
      bound += bytes[end..<place.lowerBound]
      // The blanks prevent a preceding letter from turning a text literal into a blob.
      bound += Array(" \(literal) ".utf8)
      end = place.upperBound
    }
    return String(decoding: bound + bytes[end...], as: UTF8.self)
  }
}

extension Value {
  /// The SQL literal of the value in a condition; `nil` for a number that is not finite.
  fileprivate var conditionLiteral: String? {
    switch self {
    case .null: "NULL"
    case .integer(Int64.min): "(-9223372036854775807 - 1)"
    // A NUL character would end a literal.
    case .text(let text) where text.utf8.contains(0):
      "CAST(x'\(Array(text.utf8).map(\.hex).joined())' AS TEXT)"
    default: sqlLiteral.map { "(\($0))" }
    }
  }
}
