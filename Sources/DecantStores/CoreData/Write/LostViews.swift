internal import Decant
internal import SQLite

/// Views of the app's that have nothing left to read in a store made after something else than their own.
///
/// SQLite makes a view whatever it names and complains when it is read. So the tables are made in memory, without a
/// row, and every view is tried there that the source itself can read.
struct LostViews {
  private let source: StoreTemplate
  private let made: StoreTemplate
  private let readable: Set<String>

  /// Looks at the views of `source`, and at the tables of `pattern` beside those that the source adds in `layout`.
  init(of source: CoreDataSource, after pattern: StorePattern, in layout: Layout)
    throws(DecantError)
  {
    do throws(SQLiteError) {
      let connection = try Connection(source.file.database.uri, mode: .readOnly)
      connection.setBusyTimeout(milliseconds: 5_000)
      try LostViews.prepare(connection)
      self.source = try StoreTemplate(of: "main", on: connection, keepsSediment: false)
      readable = Set(LostViews.views(self.source).map(\.name).filter { connection.reads($0) })
    } catch {
      throw DecantError(opening: source.file.database.path, error)
    }
    made = pattern.template(with: layout, from: self.source, hasUnique: true)
  }

  /// The names of the views, in the order in which the source has them.
  func names() throws(DecantError) -> [String] {
    guard !readable.isEmpty else { return [] }
    return try explaining("cannot try the views of the app") { () throws(SQLiteError) in
      let connection = try Connection(":memory:", mode: .create)
      try LostViews.prepare(connection)
      for table in made.tables + made.virtualTables { try connection.run(table.sql) }
      let views = LostViews.views(made)
      for view in views { try connection.run(view.sql) }
      // One that reads another goes with it.
      var lost: [String] = []
      while let view = views.first(where: {
        !lost.contains($0.name) && readable.contains($0.name) && !connection.reads($0.name)
      }) {
        lost.append(view.name)
        try connection.run("DROP VIEW \(view.name.sqlName)")
      }
      return views.map(\.name).filter(lost.contains)
    }
  }

  private static func prepare(_ connection: Connection) throws(SQLiteError) {
    try connection.acceptUnknownCollations()
    try PrivateFunctions.register(on: connection)
  }

  private static func views(_ template: StoreTemplate) -> [StoreTemplate.Item] {
    template.items.filter { $0.type == "view" }
  }
}

extension Connection {
  /// Whether the view `name` can be read; no row of it is.
  fileprivate func reads(_ name: String) -> Bool {
    (try? prepare("SELECT * FROM \(name.sqlName)")) != nil
  }
}

extension StoreTemplate {
  /// The template without the views `names`.
  func without(views names: [String]) -> StoreTemplate {
    replacing(items.filter { $0.type != "view" || !names.contains($0.name) })
  }
}
