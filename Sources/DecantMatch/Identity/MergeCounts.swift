package import DecantBase

/// How many objects of a concrete entity of the source became what.
package struct MergeCounts: Sendable, Hashable {
  /// There with the same values; there with other values, which stay.
  package var same: Int64 = 0
  package var skipped: Int64 = 0
  package var updated: Int64 = 0
  /// New beside one of the same identity.
  package var keptBoth: Int64 = 0
  /// Counted as another object of the source.
  package var duplicate: Int64 = 0
  /// Parts that stay out, as what they belong to is there and keeps its own.
  package var notAdded: Int64 = 0
  /// Merged once and gone since.
  package var gone: Int64 = 0
  /// By what objects were found.
  package var pairings: [EntityReport.Pairing] = []

  package init(
    same: Int64 = 0,
    skipped: Int64 = 0,
    updated: Int64 = 0,
    keptBoth: Int64 = 0,
    duplicate: Int64 = 0,
    notAdded: Int64 = 0,
    gone: Int64 = 0,
    pairings: [EntityReport.Pairing] = []
  ) {
    (self.same, self.skipped, self.updated) = (same, skipped, updated)
    (self.keptBoth, self.duplicate, self.notAdded) = (keptBoth, duplicate, notAdded)
    (self.gone, self.pairings) = (gone, pairings)
  }

  /// Those for which no object is written.
  package var there: Int64 { same + skipped + updated + duplicate + notAdded }
}
