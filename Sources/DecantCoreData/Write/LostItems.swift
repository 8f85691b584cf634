internal import DecantBase
internal import DecantStore
internal import DecantSQLite

/// The app's views and triggers that cannot be copied to a store made from another pattern.
///
/// SQLite creates views and triggers without checking the names in them; they fail when they are read, or when the app
/// writes. So the tables are created in memory without rows, once as in the source and once as in the new store: views
/// and triggers that work only in the first are not copied.
struct LostItems {
  /// The items that are not copied, in the order of the source.
  struct Names {
    /// Items that refer to missing tables or columns.
    var broken: [StoreTemplate.Item] = []
    /// Items whose name the new store uses for something else.
    var hidden: [StoreTemplate.Item] = []

    /// Foreign keys of copied app tables that refer to missing tables or columns.
    var foreignKeys: [String] = []

    /// Creates an empty list.
    init() {}

    /// The notes about these items.
    var notes: [ReportNote] {
      let left: [ReportNote] = [
        ("not copied, because they refer to missing tables or columns", broken),
        ("not copied, because the new store already uses these names", hidden),
      ].compactMap { reason, items in
        guard !items.isEmpty else { return nil }
        return ReportNote(
          .schemaNotCopied,
          "\(reason): \(items.map { "\($0.type) \($0.name)" }.joined(separator: ", "))"
        )
      }
      guard !foreignKeys.isEmpty else { return left }
      return left + [
        ReportNote(
          .foreignKeysBroken,
          "foreign keys of the app's own tables refer to missing tables or columns, so writing fails where they are "
            + "enforced: \(foreignKeys.joined(separator: ", "))"
        )
      ]
    }
  }

  private let source: StoreTemplate
  private let made: StoreTemplate
  private let hidden: [StoreTemplate.Item]
  /// The app's triggers that may be copied.
  private let triggers: [StoreTemplate.Item]
  /// The number of app tables that are copied.
  private let ownCount: Int
  /// The views that are valid in the source.
  private let readable: Set<String>

  /// Prepares to check the views and triggers of `source`.
  ///
  /// The new store has the tables of `pattern`, and those of the source that are in `layout`.
  init(of source: CoreDataSource, after pattern: StorePattern, in layout: Layout) throws(DecantError) {
    do throws(SQLiteError) {
      let connection = try Connection(source.file.database.uri, mode: .readOnly)
      connection.setBusyTimeout(milliseconds: 5_000)
      try LostItems.prepare(connection)
      self.source = try StoreTemplate(of: "main", on: connection, keepsSyncMetadata: false)
      readable = Set(self.source.views.map(\.name).filter { connection.reads($0) })
    } catch {
      throw DecantError(opening: source.file.database.path, error)
    }
    let added = pattern.added(in: layout, from: self.source)
    hidden = added.hidden
    ownCount = layout.plainTables.count
    made = pattern.template(with: layout, from: self.source, hasUnique: true)
    triggers = added.items.filter { $0.type == "trigger" }
  }

  /// Checks all of them.
  func names() throws(DecantError) -> Names {
    var names = Names()
    names.hidden = hidden
    guard !readable.isEmpty || !triggers.isEmpty || ownCount > 0 else { return names }
    try explaining("cannot test the views and triggers of the app") { () throws(SQLiteError) in
      let (new, old) = (try LostItems.tables(of: made), try LostItems.tables(of: source))
      let gone = try new.looseForeignKeys(made.tables)
      if !gone.isEmpty {
        let before = try old.looseForeignKeys(source.tables)
        names.foreignKeys = gone.filter { !before.contains($0) }
      }
      names.broken = try lostViews(on: new)
      guard !triggers.isEmpty else { return }
      for view in source.views { try old.run(view.sql) }
      names.broken += try lostTriggers(on: new, from: old, without: Set(names.broken.map(\.name)))
    }
    return names
  }

  private func lostViews(on connection: Connection) throws(SQLiteError) -> [StoreTemplate.Item] {
    let views = made.views
    for view in views { try connection.run(view.sql) }
    // A view that reads a lost one is lost as well.
    var lost: Set<String> = []
    while let view = views.first(where: {
      !lost.contains($0.name) && readable.contains($0.name) && !connection.reads($0.name)
    }) {
      lost.insert(view.name)
      try connection.run("DROP VIEW \(view.name.sqlName)")
    }
    return views.filter { lost.contains($0.name) }
  }

  private func lostTriggers(
    on new: Connection,
    from old: Connection,
    without views: Set<String>
  ) throws(SQLiteError) -> [StoreTemplate.Item] {
    let gone = Set(views.map { $0.lowercased() })
    var lost: [StoreTemplate.Item] = []
    for trigger in triggers {
      if gone.contains(trigger.table.lowercased()) {
        lost.append(trigger)
        continue
      }
      let (before, after) = (try old.writes(with: trigger), try new.writes(with: trigger))
      // A trigger that did not work before is not a loss.
      if !before.isSubset(of: after) { lost.append(trigger) }
    }
    return lost
  }

  /// Returns a connection to the tables of a store, empty and in memory.
  private static func tables(of template: StoreTemplate) throws(SQLiteError) -> Connection {
    let connection = try Connection(":memory:", mode: .create)
    try prepare(connection)
    for table in template.tables + template.virtualTables { try connection.run(table.sql) }
    return connection
  }

  private static func prepare(_ connection: Connection) throws(SQLiteError) {
    try connection.acceptUnknownCollations()
    try PrivateFunctions.register(on: connection)
  }
}

extension Connection {
  /// Returns descriptions of the foreign keys of `tables` that refer to a missing table or column.
  fileprivate func looseForeignKeys(_ tables: [StoreTemplate.Item]) throws(SQLiteError) -> [String] {
    var loose: [String] = []
    let isThere = try prepare(
      "SELECT 1 FROM pragma_table_info(?1) WHERE CASE WHEN ?2 IS NULL THEN pk ELSE name = ?2 COLLATE NOCASE END"
    )
    for table in tables {
      let keys = try prepare(#"SELECT "table", "from", "to" FROM pragma_foreign_key_list(?1)"#)
      try keys.bind(.text(table.name), at: 1)
      while try keys.step() {
        try isThere.bind([keys.value(at: 0), keys.value(at: 2)])
        let isFound = try isThere.step()
        isThere.reset()
        guard !isFound else { continue }
        let end = keys.text(at: 2).map { ".\($0)" } ?? ""
        loose.append("\(table.name).\(keys.text(at: 1) ?? "") to \(keys.text(at: 0) ?? "")\(end)")
      }
    }
    return loose
  }

  /// Returns whether the view `name` is valid; no row of it is read.
  fileprivate func reads(_ name: String) -> Bool {
    (try? prepare("SELECT * FROM \(name.sqlName)")) != nil
  }

  /// Returns the kinds of writes that work with `trigger` as the only trigger, which is dropped afterwards.
  fileprivate func writes(with trigger: StoreTemplate.Item) throws(SQLiteError) -> Set<String> {
    try run(trigger.sql)
    var columns: [String] = []
    try forEachRow("SELECT name FROM pragma_table_info(?1)", .text(trigger.table)) { row in
      columns.append((row.text(at: 0) ?? "").sqlName)
    }
    let table = trigger.table.sqlName
    let values = columns.map { _ in "NULL" }.joined(separator: ", ")
    let statements = [
      "INSERT INTO \(table) (\(columns.joined(separator: ", "))) VALUES (\(values))",
      "UPDATE \(table) SET \(columns.map { "\($0) = \($0)" }.joined(separator: ", "))",
      "DELETE FROM \(table)",
    ]
    // A statement that cannot be prepared is a result here, not an error.
    let ways = Set(statements.filter { (try? prepare($0)) != nil })
    try run("DROP TRIGGER \(trigger.name.sqlName)")
    return ways
  }
}

extension StoreTemplate {
  /// The views, in order.
  fileprivate var views: [Item] { items.filter { $0.type == "view" } }

  /// Returns the template without the lost items.
  func without(_ lost: LostItems.Names) -> StoreTemplate {
    let names = Set(lost.broken.map { [$0.type, $0.name] })
    return replacing(items.filter { !names.contains([$0.type, $0.name]) })
  }
}
