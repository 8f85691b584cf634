internal import SQLite

/// The tables of decant's own that stay in a store, and are no part of what it holds.
public enum OwnTables {
  /// Their names; no other table is left out, however it is called.
  public static let names: Set<String> = [Repoint.markTable]

  /// The names as a list of SQL texts.
  static var sqlList: String { names.sorted().map(\.sqlText).joined(separator: ", ") }
}
