/// The systems of the Core Data framework versions, based on existing stores.
enum FrameworkEra {
  /// The first framework version seen with each system, newest first.
  private static let systems: [(firstVersion: Int64, words: String)] = [
    (1500, "macOS 26, iOS 26"), (1400, "macOS 15, iOS 18"), (1300, "macOS 14, iOS 17"),
    (1200, "macOS 13, iOS 16"), (1120, "macOS 12, iOS 15"), (1040, "macOS 11, iOS 14"),
    (970, "macOS 10.15, iOS 13"), (860, "macOS 10.14, iOS 12"), (840, "macOS 10.13, iOS 11"),
    (750, "macOS 10.12, iOS 10"), (630, "OS X 10.11, iOS 9"), (400, "iOS 6 to 8"),
    (240, "Mac OS X 10.6, iOS 4"),
  ]

  /// Returns the systems of about the time of `version`, or `nil` for older versions than those seen.
  static func words(for version: Int64) -> String? {
    systems.first { version >= $0.firstVersion }?.words
  }
}
