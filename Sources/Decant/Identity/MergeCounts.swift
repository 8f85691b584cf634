/// How many objects of a concrete entity of the source became what.
struct MergeCounts: Sendable, Hashable {
  /// There with the same values; there with other values, which stay.
  var same: Int64 = 0
  var skipped: Int64 = 0
  var updated: Int64 = 0
  /// New beside one of the same identity.
  var keptBoth: Int64 = 0
  /// Counted as another object of the source.
  var duplicate: Int64 = 0
  /// Parts that stay out, as what they belong to is there and keeps its own.
  var notAdded: Int64 = 0
  /// Merged once and gone since.
  var gone: Int64 = 0
  /// By what objects were found.
  var pairings: [EntityReport.Pairing] = []

  /// Those for which no object is written.
  var there: Int64 { same + skipped + updated + duplicate + notAdded }
}
