/// The keys, in the source, of objects that differ from their survivors, and what becomes of them.
struct PairOutcome {
  var changed: KeySet
  var updated: KeySet
  var filled: KeySet
  /// The properties that objects merged by `threeWay` take from the source; or in which objects differ.
  var properties: PropertyKeys
  /// The first few of those that must not differ.
  var conflicts: [Int64] = []
  var conflictCount: Int64 = 0
  /// How many stay as nothing says which of both was changed later.
  var undatedCount: Int64 = 0
}
