internal import DecantBase
package import DecantStore
internal import DecantSQLite

/// A type in a type column, and the table of the keys in rows of that type.
package struct LinkType {
  /// The condition of the rows of that type in this database.
  package let condition: RowCondition
  /// The same condition in a form that is valid in another database.
  let portableCondition: RowCondition
  /// The name of the type for people: `auth.user`, `Post`.
  package let name: String
  /// The table; `nil` if none has the name of the type.
  package var root: String?
  /// The number of rows with a positive integer.
  package var valueCount: Int64 = 0
  /// The number of these that are keys of the table; of any table if none has that name.
  package var hitCount: Int64 = 0
  /// The counts of keys, if they and not the type identify the table.
  package var keys: LinkEvidence.Target?
  /// Other tables with the values as keys.
  package var others: [String] = []
  /// Whether one of them is the key of an object that gets another key.
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

  /// Counts a row with the key `key` of the table.
  package mutating func hit(_ key: Int64) {
    hitCount += 1
    hasOther = hasOther || firstKey.map { $0 != key } ?? false
    if firstKey == nil { firstKey = key }
  }

  /// Returns the link of `column` for this type, in `portable` form or that of this database.
  func link(_ column: Property, portable: Bool = false) -> String {
    CopyOptions.Link(column, to: root ?? "TABLE", where: portable ? portableCondition : condition).description
  }
}
