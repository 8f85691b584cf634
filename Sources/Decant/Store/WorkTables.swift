internal import SQLite

/// The tables that a copy batch by batch keeps in a store until it is done.
public enum WorkTables {
  /// Their names; no other table is left out, however it is called.
  public static let names: Set<String> = [
    "decant_run", "decant_checkpoint", "decant_links", "decant_ids", "decant_merge",
    "decant_rejects", "decant_repointed",
  ]

  /// The names as a list of SQL texts.
  static var sqlList: String { names.sorted().map(\.sqlText).joined(separator: ", ") }
}
