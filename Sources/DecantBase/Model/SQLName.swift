extension String {
  /// Whether SQLite takes two names for one: it tells no small letters from capitals, within ASCII.
  package func isSameName(as other: String) -> Bool {
    utf8.count == other.utf8.count
      && zip(utf8, other.utf8).allSatisfy { $0.asciiLowercased == $1.asciiLowercased }
  }

  /// The name in small letters, as SQLite compares names: within ASCII.
  package var foldedName: String {
    String(decoding: utf8.map(\.asciiLowercased), as: UTF8.self)
  }
}

extension UInt8 {
  fileprivate var asciiLowercased: UInt8 { (65...90).contains(self) ? self + 32 : self }
}
