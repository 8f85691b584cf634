public import DecantBase
public import DecantStore
public import DecantSQLite

/// A store from which sync metadata can be removed: what cleaning asks of a kind of store.
///
/// The engine owns lock, backup, transaction and proof; the store knows what sync metadata is. It needs no
/// model: nothing here speaks of entities.
public protocol CleanableStore {
  /// What to call the store in reports and errors.
  var identity: StoreIdentity { get }
  /// The store's file.
  var path: String { get }
  /// The words for the kinds of sync metadata there are, in the order in which help names them.
  var syncMetadataKinds: [String] { get }

  /// Registers the functions that the store's own triggers and indexes call.
  func prepare(_ connection: Connection) throws(DecantError)

  /// Returns what there is to remove in `main`, one for each of `kinds` of which there is something.
  func removals(of kinds: [String], on connection: Connection) throws(DecantError) -> [SyncMetadataRemoval]

  /// Returns the tables of `main` of which `removals` change a part, and the part that they must not
  /// change; all other tables stay whole, or go.
  func keptParts(under removals: [SyncMetadataRemoval]) -> [TablePart]

  /// Removes `removals` from `main` and nothing else; inside a transaction of the caller's.
  func remove(_ removals: [SyncMetadataRemoval], on connection: Connection) throws(DecantError)

  /// Returns what a user should know who removes `removals` from `main`.
  func notes(on removals: [SyncMetadataRemoval], _ connection: Connection) throws(DecantError) -> [ReportNote]
}

/// What of one kind of sync metadata goes from a store.
public struct SyncMetadataRemoval: Sendable, Hashable {
  /// The kind, its metadata keys, and its tables with their rows.
  package var layer: SyncMetadataLayer
  /// The rows in the store's system tables that count the keys of those tables, by what they are called.
  package var counters: [Counter]

  /// A row in the store's system tables that counts keys.
  package struct Counter: Sendable, Hashable {
    /// What the store calls it.
    package var name: String
    /// The number by which the store knows it.
    package var number: Int64

    /// Names a counter.
    package init(name: String, number: Int64) {
      self.name = name
      self.number = number
    }
  }

  /// Describes what goes; nothing is looked up.
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
public struct TablePart: Sendable, Hashable {
  /// The table's name, unquoted, without schema.
  package var table: String
  /// The columns, unquoted; `nil` for all.
  package var columns: [String]?
  /// An SQL condition that the part's rows meet; `nil` for all rows.
  package var condition: String?

  /// Describes a part; without columns and condition it is the whole table.
  package init(table: String, columns: [String]? = nil, condition: String? = nil) {
    self.table = table
    self.columns = columns
    self.condition = condition
  }
}

/// Opens stores that can be cleaned: the list of kinds, which the engine itself does not know.
public protocol CleanableStoreOpener: Sendable {
  /// Finds the store at `location`, without reading its model or its objects.
  func openCleanable(_ location: StoreLocation) throws(DecantError) -> any CleanableStore
}
