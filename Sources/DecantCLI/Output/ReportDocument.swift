internal import JSON

extension JSONValue {
  /// The document of a verb, as scripts read it.
  ///
  /// Every member is in every document of the verb: a list of nothing is empty, and what there is not is null.
  ///
  /// - Parameters:
  ///   - verb: What was asked for.
  ///   - members: What it came to.
  ///   - notes: What a reader should know; the last member.
  /// - Returns: The document.
  static func document(
    _ verb: String,
    _ members: [(String, JSONValue)],
    notes: [String]
  ) -> JSONValue {
    .object(
      [("decant", .string("1.0")), ("verb", .string(verb))] + members + [("notes", .list(notes))]
    )
  }

  /// A text, or null.
  static func optional(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }

  /// An integer, or null.
  static func optional(_ integer: Int64?) -> JSONValue { integer.map { .integer($0) } ?? .null }

  /// An array of texts.
  static func list(_ texts: [String]) -> JSONValue { .array(texts.map { .string($0) }) }

  /// An array of integers.
  static func list(_ integers: [Int64]) -> JSONValue { .array(integers.map { .integer($0) }) }
}
