internal import DecantBase
internal import DecantSQLite

/// Allows a user's SQL to read what it is offered and to call functions that do no harm.
final class SelectAuthorizer: Authorizer {
  private let functions: Set<String>
  private let allowsRecursion: Bool
  private let names: Set<String>?
  /// The tables of virtual tables, which are their module's own.
  private let shadows: Set<String>
  /// The tables and views that statements compiled so far read, as SQLite names them.
  private(set) var readTables: Set<String> = []
  /// Their columns that are read; none for a table of which only the rows count.
  private(set) var readColumns: Set<Property> = []

  /// Makes an authorizer.
  ///
  /// - Parameters:
  ///   - functions: What may be called.
  ///   - views: What may be read beside tables that only the statement itself makes; `nil` for all.
  ///   - allowsRecursion: Whether a common table expression may read itself.
  init(allowing functions: Set<String>, views: EntityViews?, allowsRecursion: Bool) {
    self.functions = functions
    self.allowsRecursion = allowsRecursion
    names = views.map { views in
      Set((views.views.map(\.name) + views.stored.virtual.map(\.name)).map { $0.lowercased() })
    }
    shadows = Set(views?.stored.virtual.flatMap(\.shadows) ?? [])
  }

  override func allows(_ access: Access) -> Bool {
    switch access {
    case .select: true
    case .read(let table, let column): mayRead(table, column)
    case .function(let name): functions.contains(name.lowercased())
    case .recursion: allowsRecursion
    case .other: false
    }
  }

  /// SQLite asks about common table expressions too, by names that the user chose; what it offers
  /// itself beside them is known by its names.
  private func mayRead(_ name: String, _ column: String) -> Bool {
    readTables.insert(name)
    if !column.isEmpty { readColumns.insert(Property(name, column)) }
    let table = name.lowercased()
    guard let names, !names.contains(table) else { return true }
    return !shadows.contains(table) && !SelectAuthorizer.ownTables.contains { table.hasPrefix($0) }
  }

  /// How the names of SQLite's own tables begin, real ones and virtual ones.
  private static let ownTables = [
    "sqlite_", "pragma_", "dbstat", "bytecode", "tables_used", "fts3tokenize", "fts5vocab",
  ]
}
