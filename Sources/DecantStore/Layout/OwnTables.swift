internal import DecantSQLite

/// decant's own tables in a store, which are not part of its content.
package enum OwnTables {
  /// The table that records which bare keys of a store were repointed after which copy.
  package static let repointMark = "decant_repointed"

  /// The table in which a recipe store keeps the content of each recipe's file at its last import.
  package static let importedVersions = "decant_imported"

  /// Their names; no other table is excluded, whatever its name.
  package static let names: Set<String> = [repointMark, importedVersions]

  /// The tables in which a running copy records its progress, in the file that is created.
  package static let ofWork = ["decant_run", "decant_checkpoint", "decant_links", rejects]
  /// The table of rejected objects.
  package static let rejects = "decant_rejects"

  /// The names as an SQL list.
  package static var sqlList: String { names.sorted().map(\.sqlText).joined(separator: ", ") }
}
