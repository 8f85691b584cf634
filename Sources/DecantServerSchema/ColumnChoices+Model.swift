package import DecantBase
package import DecantPlan
internal import DecantSQLite
internal import DecantStore

extension ColumnChoices {
  /// Returns the chosen types of the attributes of `source`, which has a model; throws if values do not fit.
  package static func types(
    _ options: CopyOptions,
    for source: any SourceStore,
    _ form: ServerForm
  ) throws(DecantError) -> [Property: ConvertedType] {
    let columns = source.layout.relations.flatMap { relation in
      relation.columns.compactMap { column -> (Relation, RelationColumn, Property)? in
        guard case .attribute(let property) = column.columnRole, !column.isGenerated else { return nil }
        return (relation, column, property)
      }
    }
    var choices = try ColumnChoices(options, known: columns.map(\.2))
    guard !choices.isEmpty else { return [:] }
    let session = try CopySession(source: source, encoding: "UTF-8")
    var types: [Property: ConvertedType] = [:]
    for (relation, column, property) in columns {
      // A choice of the default type has no effect.
      guard types[property] == nil, let choice = choices.choice(for: property), choice.type != form.type(of: column)
      else { continue }
      let isNumber = [.double, .float, .date, .decimal].contains(column.type)
      types[property] = try choices.form(
        choice,
        of: column.encoding.decoding(column.name.sqlName),
        "FROM \(relation.sqlTable(in: CopySession.source))",
        .blob,
        unitesNumbers: isNumber,
        on: session
      )
    }
    try choices.check(source.identity.place)
    return types
  }
}
