package import DecantBase
package import DecantSQLite

/// A store of which decant makes no backups: a run is undone by deleting the objects that it added.
package protocol ReversibleStore {
  /// The name of the store in reports.
  var identity: StoreIdentity { get }

  /// Deletes objects and their links, in one transaction; a dry run only counts them.
  ///
  /// - Parameters:
  ///   - isDryRun: Whether nothing is deleted.
  ///   - stop: When to stop.
  ///   - load: Makes a temporary table with the runs of keys on the given connection, and returns its name. Its columns
  ///     are `root`, the root entity, `destination`, the first key, and `count`, the number of keys.
  /// - Returns: The number of deleted objects by root entity.
  /// - Throws: `DecantError` of the code `.unsupportedContent` if other objects refer to them.
  func delete(isDryRun: Bool, _ stop: ProgressCheck, keysOf load: (Connection) throws(DecantError) -> String)
    throws(DecantError) -> [String: Int64]
}
