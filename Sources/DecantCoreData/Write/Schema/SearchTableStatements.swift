internal import DecantStore
internal import DecantBase
internal import DecantSQLite

/// The R-tree of a fetch index for ranges, and the triggers that update it.
///
/// Only trees on root entities with plain values were seen; no others are made.
struct SearchTableStatements {
  let table: StoreTemplate.Item
  let triggers: [StoreTemplate.Item]

  /// Creates the statements; returns `nil` for an index of another form.
  init?(_ index: FetchIndex, of entity: Entity, names: SchemaNames) {
    let columns = index.elements.compactMap { element -> String? in
      guard element.isRange, case .property(let name) = element.subject else { return nil }
      return names.column(of: name, in: entity.name)
    }
    guard entity.superentity == nil, index.condition == nil, !columns.isEmpty,
      columns.count == index.elements.count
    else { return nil }
    let owner = names.table(of: entity.name).sqlName
    let name = "Z_RT_\(entity.name)_\(index.name)"
    let bounds = columns.flatMap { ["\($0)_MIN", "\($0)_MAX"] }
    let definitions = bounds.map { "\($0.sqlName) FLOAT" }.joined(separator: ", ")
    table = StoreTemplate.Item(
      type: "table",
      name: name,
      table: name,
      sql: "CREATE VIRTUAL TABLE \(name.sqlName) USING RTREE "
        + "(Z_PK INTEGER PRIMARY KEY, \(definitions))"
    )
    let list = (["Z_PK"] + bounds.map(\.sqlName)).joined(separator: ", ")
    // Core Data writes the space before the first comma.
    let values = columns.enumerated().map { position, column in
      let value = "NEW.\(column.sqlName)"
      return position == 0 ? "\(value) ,\(value)" : "\(value), \(value)"
    }.joined(separator: ", ")
    let insertion = "INTO \(name.sqlName) (\(list)) VALUES (NEW.Z_PK, \(values)) ;"
    func trigger(_ event: String, _ body: String) -> StoreTemplate.Item {
      StoreTemplate.Item(
        type: "trigger",
        name: "\(name)_\(event)",
        table: names.table(of: entity.name),
        sql: "CREATE TRIGGER \("\(name)_\(event)".sqlName) AFTER \(event) ON \(owner) "
          + "FOR EACH ROW BEGIN \(body) END"
      )
    }
    let deletion = "DELETE FROM \(name.sqlName) WHERE Z_PK ="
    triggers = [
      trigger("INSERT", "INSERT OR REPLACE \(insertion)"),
      trigger("UPDATE", "\(deletion) NEW.Z_PK ; INSERT \(insertion)"),
      trigger("DELETE", "\(deletion) OLD.Z_PK ;"),
    ]
  }
}
