extension Int64 {
  /// The number with its noun: `1 link`, `6 links`.
  package func counted(_ noun: String) -> String { "\(self) \(noun)" + (self == 1 ? "" : "s") }
}
