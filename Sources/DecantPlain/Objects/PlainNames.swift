internal import DecantBase

/// Assigns distinct names of tables, or of the columns of one table; SQLite does not distinguish case.
package struct PlainNames {
  private var taken: Set<String>
  private let limit: Int?

  /// Reserves the names in `taken`; longer names than `limit` bytes are cut.
  package init(_ taken: Set<String> = [], limit: Int? = nil) { (self.taken, self.limit) = (taken, limit) }

  /// Returns the first free one of `names`, or else the last with the lowest number that makes it free.
  ///
  /// A name that SQLite reserves gets a leading underscore.
  package mutating func claim(_ names: String...) -> String {
    let names = names.map { cut($0.foldedName.hasPrefix("sqlite_") ? "_" + $0 : $0) }
    for name in names where take(name) { return name }
    var number = 2
    let last = names.last ?? ""
    while !take(cut("\(last)_\(number)")) { number += 1 }
    return cut("\(last)_\(number)")
  }

  /// Returns `name`, or its beginning and a hash of the whole if it is too long.
  private func cut(_ name: String) -> String {
    guard let limit, name.utf8.count > limit else { return name }
    var hash: UInt32 = 0x811c_9dc5
    for byte in name.utf8 { hash = (hash ^ UInt32(byte)) &* 0x0100_0193 }
    let digits = String(hash & 0xfff_ffff, radix: 16)
    let mark = "_" + String(repeating: "0", count: 7 - digits.count) + digits
    var start = Substring(name)
    while start.utf8.count > limit - mark.utf8.count { start.removeLast() }
    return start + mark
  }

  private mutating func take(_ name: String) -> Bool {
    taken.insert(name.foldedName).inserted
  }
}
