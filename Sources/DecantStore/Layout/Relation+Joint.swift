extension Relation {
  /// The columns that have one meaning together: each link whose role depends on the row, and the columns by which it
  /// does.
  ///
  /// A merge takes all of them from one store, since a key must not come to stand beside the type of another.
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
}
