/// How many differences a comparison names before it only counts.
enum DifferenceLimit {
  /// Unless something else is asked for.
  static let standard = 20

  /// How many are to be looked for where `limit` are named: one more tells that there are more.
  static func beyond(_ limit: Int) -> Int { limit == Int.max ? limit : max(limit, 0) + 1 }
}
