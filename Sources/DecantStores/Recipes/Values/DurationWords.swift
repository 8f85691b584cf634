extension Durations {
  /// A duration of ISO 8601 as people write it, “1 h 30 min”; `nil` for any other text, and for none.
  static func words(_ text: String) -> String? {
    let text = text.trimmingBlanks.uppercased()
    guard text.wholeMatch(of: /P[0-9YMWDTHS.,]+/) != nil, let minutes = minutes(text), minutes > 0
    else { return nil }
    return PageNumber.duration(seconds: max(1, Int((minutes * 60).rounded())))
  }
}
