internal import DecantPropertyList

/// The metadata of syncing in a Core Data store, outside the app's model.
enum SyncMetadata {
  /// The kinds of sync metadata, by the name used to remove them.
  enum Kind: String, CaseIterable {
    /// The first iCloud, which copied transaction logs between devices.
    case iCloud = "icloud"
    /// The metadata of a CloudKit mirror.
    case cloudKit = "cloudkit"
    /// Persistent history.
    case history

    /// Returns the kind of `table`, or `nil` if it is not sync metadata.
    init?(table: String) {
      if table.hasPrefix("ANSCK") {
        self = .cloudKit
      } else if SyncMetadata.historyTables.contains(where: { $0.name == table }) {
        self = .history
      } else {
        return nil
      }
    }

    /// Returns the kind of the metadata key `key`, or `nil` if it is not sync metadata.
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

  /// The tables of persistent history, and the nouns for their rows.
  static let historyTables = [
    (name: "ATRANSACTION", noun: "transaction"), (name: "ACHANGE", noun: "change"),
    (name: "ATRANSACTIONSTRING", noun: "name"),
  ]

  /// The names of the rows of those tables in `Z_PRIMARYKEY`.
  static let historyEntities: Set = ["CHANGE", "TRANSACTION", "TRANSACTIONSTRING"]

  /// Returns the tables of one kind among `names`, and the nouns for their rows if known.
  static func tables(of kind: Kind, among names: [String]) -> [(name: String, noun: String?)] {
    guard kind == .history else {
      return names.filter { Kind(table: $0) == kind }.map { ($0, nil) }
    }
    return historyTables.filter { names.contains($0.name) }
  }

  /// Returns descriptions of the sync metadata in the store.
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

  /// Returns whether `table` belongs to persistent history or to the CloudKit mirror.
  static func isTable(_ table: String) -> Bool { Kind(table: table) != nil }

  /// Returns whether the metadata key `key` belongs to iCloud, to CloudKit or to persistent history.
  static func isMetadataKey(_ key: String) -> Bool { Kind(metadataKey: key) != nil }

  /// The condition for rows of `Z_PRIMARYKEY` that count keys of sync metadata.
  static let counterCondition = "Z_ENT >= \(EntityNumbers.firstPrivate)"
}
