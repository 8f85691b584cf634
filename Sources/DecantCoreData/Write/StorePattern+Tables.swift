package import DecantBase
internal import DecantStore
internal import DecantSQLite

/// Tables of the app, which a store made from a pattern copies from its source.
extension StorePattern {
  /// Returns the source's own tables that the pattern lacks.
  ///
  /// Throws for tables that the pattern has in another form, and for virtual tables, which cannot be copied as rows.
  func ownTables(of source: CoreDataSource) throws(DecantError) -> [PlainTable] {
    if let table = source.file.virtualTables.first {
      throw DecantError(
        .unsupportedContent,
        "the virtual table \(table) cannot be copied into a store with a template",
        place: "“\(source.identity.place)”",
        remedy: "remove \(option: .template): a full copy includes it"
      )
    }
    var own: [PlainTable] = []
    for table in source.layout.plainTables where !table.isSyncMetadata {
      guard !layout.plainTables.contains(table) else { continue }
      let name = table.name.lowercased()
      guard !template.items.contains(where: { $0.name.lowercased() == name }) else {
        throw DecantError(
          .modelsDiffer,
          "the new store needs the name \(table.name), which one of the source's own tables has",
          place: "“\(source.identity.place)”",
          remedy:
            "rename the app's table first: ALTER TABLE \(table.name.sqlName) RENAME TO …; or create the store from "
            + "another model"
        )
      }
      own.append(table)
    }
    return own
  }

  /// Returns the pattern's layout with the tables in `own` added.
  func layout(with own: [PlainTable]) -> Layout {
    var layout = layout
    layout.plainTables += own
    return layout
  }

  /// Returns the pattern's statements, and those of the source for the tables that are only in `layout`.
  ///
  /// - Parameters:
  ///   - layout: The layout of the new store.
  ///   - source: The source's statements.
  ///   - hasUnique: Whether unique indexes already exist, so that they are omitted.
  /// - Returns: The statements that are still to be run.
  func template(with layout: Layout, from source: StoreTemplate, hasUnique: Bool) -> StoreTemplate {
    let items = template.items + added(in: layout, from: source).items
    return template.replacing(items.filter { !hasUnique || !$0.isUnique })
  }

  /// Returns the source's statements for tables only in `layout`, for views, and for triggers of both.
  ///
  /// `hidden` are those whose name the pattern uses for something else.
  func added(in layout: Layout, from source: StoreTemplate) -> (
    items: [StoreTemplate.Item], hidden: [StoreTemplate.Item]
  ) {
    let here = Dictionary(template.items.map { ($0.space, $0) }) { first, _ in first }
    let own = Set(layout.plainTables.map { $0.name.lowercased() })
      .subtracting(self.layout.plainTables.map { $0.name.lowercased() })
    let views = source.items.filter { $0.type == "view" }
    let hiddenViews = Set(
      views.filter { here[$0.space].map { $0.type != "view" } ?? false }.map {
        $0.name.lowercased()
      }
    )
    let viewNames = Set(views.map { $0.name.lowercased() })
    var (items, hidden): ([StoreTemplate.Item], [StoreTemplate.Item]) = ([], [])
    for item in source.items {
      // SQLite keeps the name of a trigger's table as it was written.
      let table = item.table.lowercased()
      let isOfView = item.type == "trigger" && viewNames.contains(table)
      guard own.contains(table) || item.type == "view" || isOfView else { continue }
      if isOfView, hiddenViews.contains(table) {
        hidden.append(item)
      } else if let other = here[item.space] {
        if other.type != item.type || other.sql != item.sql { hidden.append(item) }
      } else {
        items.append(item)
      }
    }
    return (items, hidden)
  }
}

extension StoreTemplate.Item {
  /// The name with its namespace: a trigger may have the name of a table.
  fileprivate var space: [String] { [type == "trigger" ? "trigger" : "", name.lowercased()] }
}

extension CoreDataSource {
  package func checkOwnTables(after wanted: String, isUnversioned: Bool) throws(DecantError) {
    _ = try StorePattern.open(wanted, for: nil, model: nil, isUnversioned: isUnversioned).ownTables(of: self)
  }
}
