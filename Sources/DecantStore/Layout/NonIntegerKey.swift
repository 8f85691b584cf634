package import DecantBase
internal import DecantSQLite

/// A link by values: columns that agree with those of a row of another table.
///
/// The values are copied as they are, so the link leads to the same row wherever that goes.
package struct NonIntegerKey: Sendable, Hashable {
  /// The relationship, at the entity whose rows hold the values.
  package var relationship: Property
  /// The root entity whose rows hold the values.
  package var root: String
  /// The columns that hold them.
  package var columns: [String]
  /// The root entity of the rows that are meant.
  package var targetRoot: String
  /// The columns there, in the same order.
  package var targetColumns: [String]

  /// Whether no row can be without the link: none of the columns may be empty.
  package var isRequired = false
  /// The columns that may not be empty.
  package var requiredColumns: Set<String> = []
  /// What the foreign key says becomes of the row when the one that is meant is deleted.
  package var onDelete: DeleteRule?
  /// Whether the row is deleted along with the one that is meant.
  package var isOwned: Bool { onDelete == .cascade }

  /// Whether the row goes with the one that is meant, or cannot be without it.
  package var isBound: Bool { isOwned || isRequired }

  /// Describes a link; a row in which one of the columns is empty has none.
  package init(_ relationship: Property, root: String, columns: [String], targetRoot: String, targetColumns: [String]) {
    self.relationship = relationship
    self.root = root
    self.columns = columns
    self.targetRoot = targetRoot
    self.targetColumns = targetColumns
  }

  /// The conditions under which the row `target` is the one that `holder` means, as SQL; both are names of tables.
  ///
  /// The target stands on the left: values are compared by its collation, as in a foreign key.
  package func conditions(holder: String, target: String) -> [String] {
    zip(columns, targetColumns).map { own, other in
      "\(target).\(other.sqlName) = \(holder).\(own.sqlName)"
    }
  }
}
