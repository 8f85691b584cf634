/// The collation of an index that only the app that created the store defines.
package struct UnknownCollation: Sendable, Hashable, CustomStringConvertible {
  /// The collation's name.
  package var name: String
  /// The table and the column that use it, as in `notetypes.name`.
  package var column: String

  /// Describes a collation and its column.
  package init(_ name: String, sorting column: String) { (self.name, self.column) = (name, column) }

  /// Both, as the end of a sentence about sorting.
  package var description: String {
    "“\(name)”, a collation that only its app defines, in \(column)"
  }
}
