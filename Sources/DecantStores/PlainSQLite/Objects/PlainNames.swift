/// Hands out names of tables, or of the columns of one table, no two of which are alike: SQLite does not
/// tell small letters from capitals.
struct PlainNames {
  private var taken: Set<String>

  /// Knows names that are not to be had.
  init(_ taken: Set<String> = []) { self.taken = taken }

  /// Returns the first of `names` that is free, else the last with the first number that makes it so.
  mutating func claim(_ names: String...) -> String {
    for name in names where take(name) { return name }
    var number = 2
    let last = names.last ?? ""
    while !take("\(last)_\(number)") { number += 1 }
    return "\(last)_\(number)"
  }

  private mutating func take(_ name: String) -> Bool {
    // SQLite keeps such names to itself.
    guard !name.lowercased().hasPrefix("sqlite_") else { return false }
    return taken.insert(name.lowercased()).inserted
  }
}
