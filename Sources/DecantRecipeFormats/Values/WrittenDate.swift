internal import DecantBase

extension RecipeTime {
  /// Returns ISO 8601 if `text` is a number of seconds since 1970, `nil` if it is 0, and otherwise `text`.
  static func date(_ text: String?) -> String? {
    guard let text else { return nil }
    guard text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }), let seconds = Double(text) else {
      return text
    }
    guard seconds > 0 else { return nil }
    // Four digits are a year; more than eleven are milliseconds.
    guard text.utf8.count > 8 else { return text }
    return DateText.text(of: (text.utf8.count > 11 ? seconds / 1000 : seconds) - 978_307_200)
      ?? text
  }
}
