package import DecantStore
internal import DecantSQLite

extension CopyStep {
  /// Fills each column by one expression that covers all of its roles.
  mutating func joinColumns(_ there: Relation) {
    proveWholeColumns(there)
    jointColumns = there.jointColumns
    for column in there.columns where !column.conditions.isEmpty {
      guard let place = index(of: column),
        let first = assignments.firstIndex(where: { $0.column == column.name }), first != place
      else { continue }
      assignments[first].expression =
        "coalesce(\(assignments[first].expression), \(assignments[place].expression))"
      assignments.remove(at: place)
    }
  }

  /// Verifies the content of a column as one value that covers all of its roles.
  package mutating func proveWholeColumns(_ there: Relation) {
    for column in there.columns where column.isConditional {
      let places = assignments.indices.filter {
        assignments[$0].column == column.name && assignments[$0].proof != nil
      }
      guard places.count > 1, let first = places.first else { continue }
      var whole = column
      (whole.conditions, whole.exceptions) = ([], [])
      whole.holdsLooseIntegers = there.columns.contains {
        $0.name == column.name && $0.holdsLooseIntegers
      }
      whole.keyPrefix = nil
      let values = places.compactMap { place -> String? in
        guard let expected = assignments[place].proof?.expected else { return nil }
        let prefix = there.column(of: assignments[place])?.keyPrefix
        return prefix.map { "\($0.sqlText) || \(expected)" } ?? expected
      }
      let expected = "coalesce(\(values.joined(separator: ", ")))"
      let integer = "CAST(\(expected) AS INTEGER)"
      assignments[first].proof?.expected =
        whole.holdsLooseIntegers
        ? "CASE WHEN \(integer) = \(expected) THEN \(integer) ELSE \(expected) END" : expected
      assignments[first].proof?.actual = there.value(of: whole)
      for place in places.dropFirst() { assignments[place].proof = nil }
    }
  }
}
