internal import DecantPropertyList

/// What syncing leaves behind in a Core Data store and no app's model speaks of.
enum SyncMetadata {
  /// What left it, by the word with which it is removed.
  enum Kind: String, CaseIterable {
    /// The first iCloud, which copied transaction logs from device to device.
    case iCloud = "icloud"
    /// The bookkeeping of a mirror in CloudKit.
    case cloudKit = "cloudkit"
    /// Persistent history.
    case history

    /// Returns what `table` belongs to, or `nil` for a table that is no sync metadata.
    init?(table: String) {
      if table.hasPrefix("ANSCK") {
        self = .cloudKit
      } else if SyncMetadata.historyTables.contains(where: { $0.name == table }) {
        self = .history
      } else {
        return nil
      }
    }

    /// Returns what the metadata key `key` belongs to, or `nil` for a key that is no sync metadata.
    init?(metadataKey key: String) {
      if key.hasPrefix("com.apple.coredata.ubiquity.") {
        self = .iCloud
      } else if key.hasPrefix("NSCloudKitMirroringDelegate") {
        self = .cloudKit
      } else if key == "_NSStoreAncillaryModelVersionHashesMetadataKey"
        || key.hasPrefix("NSPersistentHistory")
      {
        self = .history
      } else {
        return nil
      }
    }
  }

  /// The tables of persistent history, and what their rows are.
  static let historyTables = [
    (name: "ATRANSACTION", noun: "transaction"), (name: "ACHANGE", noun: "change"),
    (name: "ATRANSACTIONSTRING", noun: "name"),
  ]

  /// What `Z_PRIMARYKEY` calls the rows of those tables.
  static let historyEntities: Set = ["CHANGE", "TRANSACTION", "TRANSACTIONSTRING"]

  /// Returns the tables of one kind among `names`, and what their rows are where that is known.
  static func tables(of kind: Kind, among names: [String]) -> [(name: String, noun: String?)] {
    guard kind == .history else {
      return names.filter { Kind(table: $0) == kind }.map { ($0, nil) }
    }
    return historyTables.filter { names.contains($0.name) }
  }

  /// Returns what of the sync metadata the store has, in words.
  static func names(in file: CoreDataFile) -> [String] {
    let kinds =
      file.columns.keys.compactMap { Kind(table: $0) }
      + file.metadata.keys.compactMap { Kind(metadataKey: $0) }
    return Kind.allCases.filter { kinds.contains($0) }.map { kind in
      switch kind {
      case .iCloud: "iCloud keys"
      case .cloudKit: "CloudKit mirror"
      case .history: "persistent history"
      }
    }
  }

  /// Whether `table` belongs to persistent history or to the mirror of CloudKit.
  static func isTable(_ table: String) -> Bool { Kind(table: table) != nil }

  /// Whether the metadata key `key` belongs to iCloud, to CloudKit or to persistent history.
  static func isMetadataKey(_ key: String) -> Bool { Kind(metadataKey: key) != nil }

  /// The condition that rows of `Z_PRIMARYKEY` meet which count sync metadata's keys.
  static let counterCondition = "Z_ENT >= \(EntityNumbers.firstPrivate)"
}
