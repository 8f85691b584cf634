internal import DecantSQLite

extension CopyStep {
  /// Returns the conditions under which a link is not written, as its object takes nothing from the source.
  ///
  /// - Parameter values: The columns, each with the key of its target in the destination.
  /// - Returns: One condition for each column that leads to such objects.
  package func closedConditions(_ values: [(column: String, value: String?)]) -> [String] {
    values.compactMap { column, value in
      guard let root = closedOwners[column], let value else { return nil }
      return "is_closed(\(root.sqlText), \(value))"
    }
  }
}
