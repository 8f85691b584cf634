package import DecantBase

/// The outcomes of a merge for the objects of a concrete entity of the source.
package struct MergeCounts: Sendable, Hashable {
  /// Objects with the same values, and objects with other values that are kept.
  package var same: Int64 = 0
  package var skipped: Int64 = 0
  package var updated: Int64 = 0
  /// New objects beside one of the same identity.
  package var keptBoth: Int64 = 0
  /// Duplicates of another object of the source.
  package var duplicate: Int64 = 0
  /// Parts that are not added, as their owner exists and keeps its own.
  package var notAdded: Int64 = 0
  /// Objects that were merged once and deleted since.
  package var gone: Int64 = 0
  /// The methods by which objects were matched.
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

  /// The number of objects that are not written as new ones.
  package var there: Int64 { same + skipped + updated + duplicate + notAdded }
}
