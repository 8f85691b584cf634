internal import Decant
internal import PropertyList

/// What syncing leaves behind in a Core Data store and no app's model speaks of.
enum Sediment {
  /// Whether `table` belongs to persistent history or to the mirror of CloudKit.
  static func isTable(_ table: String) -> Bool {
    table.hasPrefix("ANSCK") || ["ACHANGE", "ATRANSACTION", "ATRANSACTIONSTRING"].contains(table)
  }

  /// Whether the metadata key `key` belongs to iCloud or to persistent history.
  static func isMetadataKey(_ key: String) -> Bool {
    key.hasPrefix("com.apple.coredata.ubiquity.")
      || key == "_NSStoreAncillaryModelVersionHashesMetadataKey"
      || key.hasPrefix("NSPersistentHistory") || key.hasPrefix("NSCloudKitMirroringDelegate")
  }

  /// The condition that rows of `Z_PRIMARYKEY` meet which count sediment's keys.
  static let counterCondition = "Z_ENT >= \(EntityNumbers.firstPrivate)"
}
