internal import DecantBase
internal import DecantSQLite

/// An authorizer that allows a user's SQL to read the given views and to call safe functions.
final class SelectAuthorizer: Authorizer {
  private let functions: Set<String>
  private let allowsRecursion: Bool
  private let names: Set<String>?
  /// The shadow tables of virtual tables, which belong to their module.
  private let shadows: Set<String>
  /// The tables and views that statements compiled so far read, by SQLite's names.
  private(set) var readTables: Set<String> = []
  /// The columns that are read; none for a table of which only rows are counted.
  private(set) var readColumns: Set<Property> = []

  /// Creates an authorizer.
  ///
  /// - Parameters:
  ///   - functions: The allowed functions.
  ///   - views: The readable views, in addition to common tables of the statement itself; `nil` for all.
  ///   - allowsRecursion: Whether recursive common table expressions are allowed.
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
    case .function(let name): mayCall(name.lowercased())
    case .recursion: allowsRecursion
    case .other: false
    }
  }

  private func mayCall(_ function: String) -> Bool {
    TimeUse.current?.note(function)
    return functions.contains(function)
  }

  /// Returns whether a table may be read: SQLite also asks about common table expressions, by the user's names, so
  /// SQLite's own tables are excluded by name.
  private func mayRead(_ name: String, _ column: String) -> Bool {
    readTables.insert(name)
    if !column.isEmpty { readColumns.insert(Property(name, column)) }
    let table = name.lowercased()
    guard let names, !names.contains(table) else { return true }
    return !shadows.contains(table) && !SelectAuthorizer.ownTables.contains { table.hasPrefix($0) }
  }

  /// The prefixes of SQLite's own tables, real and virtual.
  private static let ownTables = [
    "sqlite_", "pragma_", "dbstat", "bytecode", "tables_used", "fts3tokenize", "fts5vocab",
  ]
}
