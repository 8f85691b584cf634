internal import DecantBase

extension ValueRules {
  /// Returns the rule that a value breaks, as a clause after “takes”; `nil` if it breaks none.
  func broken(by value: StoreValue) throws(DecantError) -> String? {
    switch value {
    case .null, .uuid, .binary, .uri: return nil
    case .text(let text):
      let length = text.utf16.count
      if let least = minimum?.number, Double(length) < least {
        return "a text of at least \(minimum?.text ?? "") characters, and got \(length)"
      }
      if let greatest = maximum?.number, Double(length) > greatest {
        return "a text of at most \(maximum?.text ?? "") characters, and got \(length)"
      }
      guard let pattern, try !ValueRules.matches(text, pattern) else { return nil }
      return "a text that matches \(pattern)"
    case .integer, .double, .decimal, .date:
      guard let number = value.number else { return nil }
      if let least = minimum?.number, number < least {
        return "values from \(minimum?.text ?? ""), and got \(value.text)"
      }
      guard let greatest = maximum?.number, number > greatest else { return nil }
      return "values up to \(maximum?.text ?? ""), and got \(value.text)"
    }
  }

  private static func matches(_ text: String, _ pattern: String) throws(DecantError) -> Bool {
    do {
      // Matching by code points, as ICU does, not by grapheme clusters.
      return try Regex(pattern).matchingSemantics(.unicodeScalar).wholeMatch(in: text) != nil
    } catch {
      throw DecantError(
        .unsupportedModel,
        "the model's pattern \(pattern) cannot be checked: \(error)",
        remedy: "write the value with the app itself, or simplify the pattern"
      )
    }
  }
}

extension StoreValue {
  fileprivate var number: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .double(let value), .date(let value): value
    case .decimal(let text): Double(text)
    case .null, .text, .uuid, .uri, .binary: nil
    }
  }

  fileprivate var text: String {
    switch self {
    case .integer(let value): String(value)
    case .double(let value): String(value)
    case .date(let seconds): DateText.text(of: seconds) ?? String(seconds)
    case .decimal(let text): text
    case .null, .text, .uuid, .uri, .binary: ""
    }
  }
}
