internal import DecantBase
internal import DecantRecipeFormats

/// A text that a user enters into a field of a recipe.
struct EditedText {
  private let text: String
  private let field: String

  /// Takes a value for `field`.
  init(_ text: String, of field: String) throws(DecantError) {
    (self.text, self.field) = (text, field)
    let breaks: Set<Unicode.Scalar> = ["\n", "\r", "\t"]
    guard text.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control || breaks.contains($0) }) else {
      throw invalid("it contains a control character")
    }
  }

  /// The text without white space at both ends.
  var prose: String { text.trimmed }

  /// The text on one line.
  var line: String { lines.joined(separator: " ").replacing("\t", with: " ") }

  /// The names in a text separated by commas.
  var names: [String] { line.split(separator: ",").map(\.trimmed).filter { !$0.isEmpty } }

  /// The lines of a list, without the marks of items.
  var lines: [String] {
    text.split(whereSeparator: \.isNewline).map { line in
      let line = line.trimmed
      let isItem = ["- ", "* ", "• "].contains { line.hasPrefix($0) }
      return isItem ? line.dropFirst(2).trimmed : line
    }.filter { !$0.isEmpty }
  }

  /// Returns the value as a number above 0, written as “4.5”, “4,5” or “4 ½”.
  func number(upTo limit: Double) throws(DecantError) -> Double {
    let why = limit == 5 ? "a rating is a number above 0 and up to 5, such as 4.5" : "it is a number above 0"
    guard let quantity = Quantity(line), quantity.to == nil else { throw invalid(why) }
    guard !quantity.isAmbiguous else { throw invalid("“\(line)” can be read in two ways: leave out the dot or comma") }
    guard quantity.from > 0, quantity.from <= limit else { throw invalid(why) }
    return quantity.from
  }

  /// Returns the number of servings: a number alone, or in words.
  func servings() throws(DecantError) -> Double {
    if let servings = Servings.number(in: line) { return servings }
    return try number(upTo: 1_000_000)
  }

  func truth() throws(DecantError) -> Bool {
    switch line.lowercased() {
    case "yes", "true", "1": true
    case "no", "false", "0": false
    default: throw invalid("it is yes or no")
    }
  }

  /// Throws unless the value is an ISO 8601 date.
  func checkDate() throws(DecantError) {
    guard DateText.seconds(of: line) == nil else { return }
    throw invalid("it is a date such as 2026-01-31, or a time such as 2026-01-31T08:15:00Z")
  }

  /// Throws unless the value is a web address.
  func checkAddress() throws(DecantError) {
    let lower = line.lowercased()
    let start = ["https://", "http://"].first { lower.hasPrefix($0) }
    guard let start, lower.count > start.count, !lower.contains(where: \.isWhitespace) else {
      throw invalid("it is an address such as https://www.example.com/recipe")
    }
  }

  func invalid(_ why: String) -> DecantError {
    DecantError(
      .invalidExpression, "the value for “\(field)” does not fit: \(why)", remedy: "an empty value clears a field")
  }
}
