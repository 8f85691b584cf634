/// Assigns distinct names of tables, or of the columns of one table; SQLite does not distinguish case.
internal import DecantBase

struct PlainNames {
  private var taken: Set<String>

  /// Reserves the names in `taken`.
  init(_ taken: Set<String> = []) { self.taken = taken }

  /// Returns the first free one of `names`, or else the last with the lowest number that makes it free.
  ///
  /// A name that SQLite reserves gets a leading underscore.
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
