internal import Decant
internal import PropertyList

/// What syncing leaves behind in a Core Data store and no app's model speaks of.
enum Sediment {
  /// What left it, by the word with which it is removed.
  enum Kind: String, CaseIterable {
    /// The first iCloud, which copied transaction logs from device to device.
    case iCloud = "icloud"
    /// The bookkeeping of a mirror in CloudKit.
    case cloudKit = "cloudkit"
    /// Persistent history.
    case history

    /// Returns what `table` belongs to, or `nil` for a table that is no sediment.
    init?(table: String) {
      if table.hasPrefix("ANSCK") {
        self = .cloudKit
      } else if Sediment.historyTables[table] != nil {
        self = .history
      } else {
        return nil
      }
    }

    /// Returns what the metadata key `key` belongs to, or `nil` for a key that is no sediment.
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
    "ATRANSACTION": "transactions", "ACHANGE": "changes", "ATRANSACTIONSTRING": "names",
  ]

  /// Whether `table` belongs to persistent history or to the mirror of CloudKit.
  static func isTable(_ table: String) -> Bool { Kind(table: table) != nil }

  /// Whether the metadata key `key` belongs to iCloud, to CloudKit or to persistent history.
  static func isMetadataKey(_ key: String) -> Bool { Kind(metadataKey: key) != nil }

  /// The condition that rows of `Z_PRIMARYKEY` meet which count sediment's keys.
  static let counterCondition = "Z_ENT >= \(EntityNumbers.firstPrivate)"
}
