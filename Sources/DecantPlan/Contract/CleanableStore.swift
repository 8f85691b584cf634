package import DecantBase
package import DecantStore
package import DecantSQLite

/// A store from which sync metadata can be removed: the requirements of cleaning.
///
/// The engine owns lock, backup, transaction and proof; the store knows its sync metadata. No model is needed: nothing
/// here refers to entities.
package protocol CleanableStore {
  /// The name of the store in reports and errors.
  var identity: StoreIdentity { get }
  /// The store's file.
  var path: String { get }
  /// The names of the kinds of sync metadata, in the order of the help text.
  var syncMetadataKinds: [String] { get }

  /// Registers the functions that the store's own triggers and indexes call.
  func prepare(_ connection: Connection) throws(DecantError)

  /// Returns what can be removed from `main`, one element for each of `kinds` that is present.
  func removals(of kinds: [String], on connection: Connection) throws(DecantError) -> [SyncMetadataRemoval]

  /// Returns the tables of `main` that `removals` change partly, with the part that must not change; all other tables
  /// stay whole, or are removed.
  func keptParts(under removals: [SyncMetadataRemoval]) -> [TablePart]

  /// Removes `removals` from `main` and nothing else, in the caller's transaction.
  func remove(_ removals: [SyncMetadataRemoval], on connection: Connection) throws(DecantError)

  /// Returns notes for a user who removes `removals` from `main`.
  func notes(on removals: [SyncMetadataRemoval], _ connection: Connection) throws(DecantError) -> [ReportNote]
}

/// The removable content of one kind of sync metadata.
public struct SyncMetadataRemoval: Sendable, Hashable {
  /// The kind, its metadata keys, and its tables with their rows.
  public var layer: SyncMetadataLayer
  /// The rows in the store's system tables that count the keys of those tables.
  package var counters: [Counter]

  /// A row in the store's system tables that counts keys.
  package struct Counter: Sendable, Hashable {
    /// The store's name for it.
    package var name: String
    /// The store's number for it.
    package var number: Int64

    /// Describes a counter.
    package init(name: String, number: Int64) {
      self.name = name
      self.number = number
    }
  }

  /// Describes a removal, without looking anything up.
  package init(layer: SyncMetadataLayer, counters: [Counter] = []) {
    self.layer = layer
    self.counters = counters
  }

  /// Whether there is nothing to remove.
  package var isEmpty: Bool {
    layer.metadataKeys.isEmpty && layer.tables.isEmpty && counters.isEmpty
  }
}

/// A part of a table: some of its columns, in some of its rows.
package struct TablePart: Sendable, Hashable {
  /// The table's name, unquoted, without schema.
  package var table: String
  /// The columns, unquoted; `nil` for all.
  package var columns: [String]?
  /// The SQL condition of the part's rows; `nil` for all rows.
  package var condition: String?

  /// Describes a part, by default the whole table.
  package init(table: String, columns: [String]? = nil, condition: String? = nil) {
    self.table = table
    self.columns = columns
    self.condition = condition
  }
}

/// An opener of stores that can be cleaned: it knows the kinds of stores, the engine does not.
package protocol CleanableStoreOpener: Sendable {
  /// Opens the store at `location`, without reading its model or its objects.
  func openCleanable(_ location: StoreLocation) throws(DecantError) -> any CleanableStore
}
