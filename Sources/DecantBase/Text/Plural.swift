extension Int64 {
  /// Returns the number with its noun: `1 link`, `6 links`.
  package func counted(_ noun: String) -> String { "\(self) \(noun)" + (self == 1 ? "" : "s") }

  /// The number with spaces between groups of thousands: `1 234 567`.
  package var grouped: String {
    var digits = String(magnitude)
    var groups: [String] = []
    while digits.count > 3 {
      groups.insert(String(digits.suffix(3)), at: 0)
      digits.removeLast(3)
    }
    return (self < 0 ? "-" : "") + ([digits] + groups).joined(separator: " ")
  }

  /// Returns the grouped number with its noun: `1 object`, `1 234 objects`.
  package func groupedCount(_ noun: String) -> String { "\(grouped) \(noun)" + (self == 1 ? "" : "s") }
}
