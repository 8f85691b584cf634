/// The keys, in the source, of objects that differ from their matched objects, by outcome.
package struct PairOutcome {
  package var changed: KeySet
  package var updated: KeySet
  package var filled: KeySet
  /// The properties that objects merged by `threeWay` take from the source, or in which objects differ.
  package var properties: PropertyKeys
  /// The first few objects that must not differ.
  package var conflicts: [Int64] = []
  package var conflictCount: Int64 = 0
  /// The number of objects left unchanged, as the later change cannot be determined.
  package var undatedCount: Int64 = 0

  package init(
    changed: KeySet,
    updated: KeySet,
    filled: KeySet,
    properties: PropertyKeys,
    conflicts: [Int64] = [],
    conflictCount: Int64 = 0,
    undatedCount: Int64 = 0
  ) {
    (self.changed, self.updated, self.filled) = (changed, updated, filled)
    (self.properties, self.conflicts, self.conflictCount) = (properties, conflicts, conflictCount)
    self.undatedCount = undatedCount
  }
}
