extension String {
  /// Returns whether SQLite treats two names as equal: ASCII letters are compared without regard to case.
  package func isSameName(as other: String) -> Bool {
    utf8.count == other.utf8.count
      && zip(utf8, other.utf8).allSatisfy { $0.asciiLowercased == $1.asciiLowercased }
  }

  /// The name in lower case, as SQLite compares names: ASCII letters only.
  package var foldedName: String {
    String(decoding: utf8.map(\.asciiLowercased), as: UTF8.self)
  }
}

extension UInt8 {
  fileprivate var asciiLowercased: UInt8 { (65...90).contains(self) ? self + 32 : self }
}
