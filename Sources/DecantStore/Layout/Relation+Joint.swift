extension Relation {
  /// The sets of columns that have a joint meaning: each link whose role depends on the row, and the columns that
  /// determine its role.
  ///
  /// A merge takes all of them from one store, since a key must not be combined with the type of another key.
  package var jointColumns: [Set<String>] {
    var units: [Set<String>] = []
    for column in columns where column.isConditional {
      var unit = Set((column.conditions + column.exceptions).flatMap(\.comparisons).map(\.column))
      unit.insert(column.name)
      units.removeAll { other in
        guard !other.isDisjoint(with: unit) else { return false }
        unit.formUnion(other)
        return true
      }
      units.append(unit)
    }
    return units
  }

  /// The properties of these columns.
  package var jointProperties: [Set<ColumnRole>] {
    jointColumns.map { unit in Set(columns.filter { unit.contains($0.name) }.map(\.columnRole)) }
  }

  /// Returns the properties that change together with a property, itself included.
  package func jointProperties(with columnRole: ColumnRole) -> Set<ColumnRole> {
    jointProperties.first { $0.contains(columnRole) } ?? [columnRole]
  }
}
