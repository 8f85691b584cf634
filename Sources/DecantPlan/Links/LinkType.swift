internal import DecantBase
package import DecantStore
internal import DecantSQLite

/// A type that stands beside a column of keys, and the table whose keys the rows of that type hold.
package struct LinkType {
  /// The rows of that type, by what stands in them here.
  package let condition: RowCondition
  /// The same rows, told so that the condition means the same in another database.
  let portableCondition: RowCondition
  /// What the type is called, as a person reads it: `auth.user`, `Post`.
  package let name: String
  /// The table; `nil` where none is called like the type.
  package var root: String?
  /// How many rows hold a positive integer.
  package var valueCount: Int64 = 0
  /// How many of these are keys of the table; of any where no table is called so.
  package var hitCount: Int64 = 0
  /// How much of the table's keys the values are, where they and not the type tell of the table.
  package var keys: LinkEvidence.Target?
  /// Other tables whose keys the values are, too.
  package var others: [String] = []
  /// Whether one of them is the key of an object that gets another one.
  package var isMoved = false
  /// Whether there are several different keys among them.
  package var hasSeveral: Bool { firstKey != nil && hasOther }
  /// The first of these keys.
  private var firstKey: Int64?
  private var hasOther = false

  package init(_ condition: RowCondition, portable: RowCondition, name: String, root: String?) {
    (self.condition, portableCondition) = (condition, portable)
    (self.name, self.root) = (name, root)
  }

  /// Counts a row with `key` of the table.
  package mutating func hit(_ key: Int64) {
    hitCount += 1
    hasOther = hasOther || firstKey.map { $0 != key } ?? false
    if firstKey == nil { firstKey = key }
  }

  /// Returns the link of `column` that this type says, `portable` or as the database at hand has it.
  func link(_ column: Property, portable: Bool = false) -> String {
    CopyOptions.Link(column, to: root ?? "TABLE", where: portable ? portableCondition : condition).description
  }
}
