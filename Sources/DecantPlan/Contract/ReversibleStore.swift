package import DecantBase
package import DecantSQLite

/// A store of which decant makes no backups: a run is undone by deleting the rows that it added.
package protocol ReversibleStore {
  /// The name of the store in reports.
  var identity: StoreIdentity { get }

  /// Deletes the rows that the run added, in one transaction; a dry run only counts them.
  ///
  /// Rows that are not as the run wrote them stay.
  ///
  /// - Throws: `DecantError` of the code `.unsupportedContent` if other rows refer to the deleted ones.
  func deleteAddedRows(isDryRun: Bool, _ stop: ProgressCheck) throws(DecantError) -> UndoneRows
}

/// The outcome for the rows that a run wrote, each as a number by table.
package struct UndoneRows {
  /// Rows that were deleted.
  package var deleted: [String: Int64] = [:]
  /// Added rows that have other values by now, and stay.
  package var changedSince: [String: Int64] = [:]
  /// Added rows that no longer exist.
  package var missing: [String: Int64] = [:]
  /// Added rows without a key, which cannot be found.
  package var unkeyed: [String: Int64] = [:]
  /// Rows that the run changed or deleted, which are not restored.
  package var notRestored: [String: Int64] = [:]

  package init() {}
}
