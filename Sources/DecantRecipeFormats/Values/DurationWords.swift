internal import DecantBase

extension Durations {
  /// Returns an ISO 8601 duration in words, “1 h 30 min”; `nil` for any other text and for a zero duration.
  package static func words(_ text: String) -> String? {
    let text = text.trimmed.uppercased()
    guard text.wholeMatch(of: /P[0-9YMWDTHS.,]+/) != nil, let minutes = minutes(text), minutes > 0
    else { return nil }
    return words(seconds: max(1, Int((minutes * 60).rounded())))
  }

  /// Returns a number of seconds in words: `45 min`, `1 h 30 min`, `5 min 30 s`.
  package static func words(seconds: Int) -> String {
    let parts = [(seconds / 3_600, "h"), (seconds / 60 % 60, "min"), (seconds % 60, "s")]
    return parts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: " ")
  }

  /// Returns minutes in ISO 8601: `PT1H30M`; `nil` for zero and for more than `limit`.
  package static func iso(_ minutes: Double) -> String? {
    guard minutes > 0, minutes <= limit else { return nil }
    let seconds = Int64((minutes * 60).rounded())
    let (hours, rest) = (seconds / 3600, seconds % 3600)
    var text = "PT"
    if hours > 0 { text += "\(hours)H" }
    if rest / 60 > 0 { text += "\(rest / 60)M" }
    if rest % 60 > 0 || seconds == 0 { text += "\(rest % 60)S" }
    return text
  }
}
