/// A collation by which an index is sorted and that only the app knows which made the store.
package struct UnknownCollation: Sendable, Hashable, CustomStringConvertible {
  /// The collation's name.
  package var name: String
  /// The table and the column that it sorts, as `notetypes.name`.
  package var column: String

  /// Names a collation and what it sorts.
  package init(_ name: String, sorting column: String) { (self.name, self.column) = (name, column) }

  /// Both, as the end of a sentence on what is sorted.
  package var description: String {
    "“\(name)”, a collation that only its app defines, in \(column)"
  }
}
