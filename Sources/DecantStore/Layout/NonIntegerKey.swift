package import DecantBase
internal import DecantSQLite

/// A link by values: columns that equal those of a row of another table.
///
/// The values are copied unchanged, so the link leads to the copy of the same row.
package struct NonIntegerKey: Sendable, Hashable {
  /// The relationship, with the entity whose rows contain the values.
  package var relationship: Property
  /// The root entity whose rows contain the values.
  package var root: String
  /// The columns with the values.
  package var columns: [String]
  /// The root entity of the target rows.
  package var targetRoot: String
  /// The target columns, in the same order.
  package var targetColumns: [String]

  /// Whether every row needs the link: none of the columns may be null.
  package var isRequired = false
  /// The columns that must not be null.
  package var requiredColumns: Set<String> = []
  /// The foreign key's action when the target row is deleted.
  package var onDelete: DeleteRule?
  /// Whether the row is deleted along with the target.
  package var isOwned: Bool { onDelete == .cascade }

  /// Whether the row is deleted along with the target, or cannot exist without it.
  package var isBound: Bool { isOwned || isRequired }

  /// Describes a link; a row with a null in one of the columns has none.
  package init(_ relationship: Property, root: String, columns: [String], targetRoot: String, targetColumns: [String]) {
    self.relationship = relationship
    self.root = root
    self.columns = columns
    self.targetRoot = targetRoot
    self.targetColumns = targetColumns
  }

  /// Returns the SQL conditions that the row of `target` is the target of `holder`; both are table names.
  ///
  /// The target is on the left: values are compared by its collation, as in a foreign key.
  package func conditions(holder: String, target: String) -> [String] {
    zip(columns, targetColumns).map { own, other in
      "\(target).\(other.sqlName) = \(holder).\(own.sqlName)"
    }
  }
}
