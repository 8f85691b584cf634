/// The maximum number of differences that a comparison names.
enum DifferenceLimit {
  /// The default limit.
  static let standard = 20

  /// Returns the number of differences to search for if `limit` are named: one more shows that there are more.
  static func beyond(_ limit: Int) -> Int { limit == Int.max ? limit : max(limit, 0) + 1 }
}
