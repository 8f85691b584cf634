/// Hands out names of tables, or of the columns of one table, no two of which are alike: SQLite does not
/// tell small letters from capitals.
internal import DecantBase

struct PlainNames {
  private var taken: Set<String>

  /// Knows names that are not to be had.
  init(_ taken: Set<String> = []) { self.taken = taken }

  /// Returns the first of `names` that is free, else the last with the first number that makes it so.
  ///
  /// A name that SQLite keeps to itself begins with a line.
  mutating func claim(_ names: String...) -> String {
    let names = names.map { $0.foldedName.hasPrefix("sqlite_") ? "_" + $0 : $0 }
    for name in names where take(name) { return name }
    var number = 2
    let last = names.last ?? ""
    while !take("\(last)_\(number)") { number += 1 }
    return "\(last)_\(number)"
  }

  private mutating func take(_ name: String) -> Bool {
    taken.insert(name.foldedName).inserted
  }
}
