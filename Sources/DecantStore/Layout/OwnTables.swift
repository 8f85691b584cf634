internal import DecantSQLite

/// The tables of decant's own that stay in a store, and are no part of what it holds.
package enum OwnTables {
  /// The table in which a store keeps which of its bare keys have followed which copy.
  package static let repointMark = "decant_repointed"

  /// The table in which a recipe store keeps what each recipe was in its file when it was imported last.
  package static let importedVersions = "decant_imported"

  /// Their names; no other table is left out, however it is called.
  package static let names: Set<String> = [repointMark, importedVersions]

  /// Those in which a copy that is under way notes how far it is, in the file that is made.
  package static let ofWork = ["decant_run", "decant_checkpoint", "decant_links", rejects]
  /// The one of them that holds what was rejected.
  package static let rejects = "decant_rejects"

  /// The names as a list of SQL texts.
  package static var sqlList: String { names.sorted().map(\.sqlText).joined(separator: ", ") }
}
