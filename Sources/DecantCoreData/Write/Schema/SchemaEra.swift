/// The form of indexes and constraints in a version of the Core Data framework.
///
/// - Source: stores of the frameworks 419 to 1523, compared with the models in them.
struct SchemaEra {
  /// The framework version in a store's metadata.
  let frameworkVersion: Int64

  /// The framework of macOS 14 and iOS 17; all parts of its format were seen in stores.
  ///
  /// Newer ones add keys of unknown meaning, and can open its stores.
  static let current = SchemaEra(frameworkVersion: 1344)

  /// Whether indexes are named after entity and attributes, rather than after table and columns.
  ///
  /// First seen with 851, not yet with 754. From then on a model's indexed attributes and compound indexes are treated
  /// as fetch indexes.
  var knowsFetchIndexes: Bool { frameworkVersion >= 840 }

  /// Whether the store has a table for its model.
  ///
  /// First seen with 637, not yet with 519.
  var cachesModel: Bool { frameworkVersion >= 600 }

  /// Whether uniqueness is a constraint of the table, rather than an index.
  ///
  /// Last seen with 851, no longer with 973.
  var constrainsInTables: Bool { frameworkVersion < 900 }
}
