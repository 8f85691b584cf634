/// How a version of the Core Data framework writes indexes and constraints.
///
/// - Source: stores of the frameworks 419 to 1523, held against the models inside them.
struct SchemaEra {
  /// The number that the framework writes into a store's metadata.
  let frameworkVersion: Int64

  /// The framework of macOS 14 and iOS 17, of which everything it writes was seen in stores.
  ///
  /// Newer ones add keys whose meaning is not known, and open the stores of this one.
  static let current = SchemaEra(frameworkVersion: 1344)

  /// Whether indexes are named after entity and attributes; else after table and columns.
  ///
  /// Seen first with 851, not yet with 754. From then on a model's indexed attributes and compound
  /// indexes count as fetch indexes.
  var knowsFetchIndexes: Bool { frameworkVersion >= 840 }

  /// Whether the store has a table for the model it was made from.
  ///
  /// Seen first with 637, not yet with 519.
  var cachesModel: Bool { frameworkVersion >= 600 }

  /// Whether uniqueness is a constraint of the table; else it is an index.
  ///
  /// Seen last with 851, not any more with 973.
  var constrainsInTables: Bool { frameworkVersion < 900 }
}
