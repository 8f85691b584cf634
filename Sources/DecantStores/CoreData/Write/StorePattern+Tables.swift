internal import Decant
internal import SQLite

/// What a store made after a pattern takes over from its source all the same: the tables of the app.
extension StorePattern {
  /// Returns the source's own tables that the pattern lacks; refuses those it has in another form, and
  /// those that only SQLite's own modules can carry.
  func ownTables(of source: CoreDataSource) throws(DecantError) -> [PlainTable] {
    if let table = source.file.virtualTables.first {
      throw DecantError(
        .failed,
        "the virtual table \(table) cannot go into a store made after another one",
        place: "“\(source.identity.place)”",
        remedy: "leave --template away: a copy of everything carries it"
      )
    }
    var own: [PlainTable] = []
    for table in source.layout.plainTables where !table.isSediment {
      guard !layout.plainTables.contains(table) else { continue }
      let name = table.name.lowercased()
      guard !template.items.contains(where: { $0.name.lowercased() == name }) else {
        throw DecantError(
          .modelMismatch,
          "the template has something else under the name of the source's table \(table.name)",
          place: "“\(source.identity.place)”",
          remedy: "leave --template away, or rename the table there"
        )
      }
      own.append(table)
    }
    return own
  }

  /// The pattern's layout, and beside it `own`.
  func layout(with own: [PlainTable]) -> Layout {
    var layout = layout
    layout.plainTables += own
    return layout
  }

  /// The pattern's statements, and for the tables that are only in `layout` those of the source.
  ///
  /// - Parameters:
  ///   - layout: That of the new store.
  ///   - source: The source's statements.
  ///   - hasUnique: Whether unique indexes are there already, so that they are left out.
  /// - Returns: The statements that are still to be run.
  func template(with layout: Layout, from source: StoreTemplate, hasUnique: Bool) -> StoreTemplate {
    let here = Set(template.items.map { $0.name.lowercased() })
    let own = Set(layout.plainTables.map(\.name)).subtracting(self.layout.plainTables.map(\.name))
    let added = source.items.filter { item in
      (own.contains(item.table) || item.type == "view") && !here.contains(item.name.lowercased())
    }
    let items = template.items + added
    return template.replacing(items.filter { !hasUnique || !$0.isUnique })
  }
}
