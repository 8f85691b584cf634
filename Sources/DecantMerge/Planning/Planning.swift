package import DecantBase
package import DecantMatch
package import DecantPlan
package import DecantStore
package import DecantSQLite

/// What a copy will do, with everything that had to be read to know it.
package struct Planning: PlannedCopy {
  package let plan: CopyPlan
  package let ids: IDTable
  /// How many objects stay away as they were merged once and are gone since.
  package var goneCount: Int64 = 0
  /// How many links stay as they are, as what the source's lead to was decided to stay deleted.
  package var blockedCount: Int64 = 0
  /// The connection on which it was made, with what it keeps in temporary tables.
  package let connection: Connection
  /// For each concrete entity, how many objects there are and are copied.
  package let counts: [String: Resolve.EntityCounts]
  /// For each root entity, the highest key the destination had allocated before.
  package let counters: [String: Int64]
  /// The state of the source that was read.
  package let fingerprint: Fingerprint
  /// The state of the destination that was compared with it, where objects are merged.
  package var destinationFingerprint: Fingerprint?
  /// The links that a copy will meet, for a dry run.
  package var predictedLinks: [String: LinkCounts] = [:]
  /// The objects that will be rejected, as far as that is known before they are written, for a dry run.
  package var predictedRejects: PredictedOutcome?
  /// The new rows whose values must be unique and are those of others, for a dry run.
  package var collisions: [ReportNote] = []
  /// What is taken along, for a dry run.
  package var closure: CopyReport.Closure?
  /// How many links and parts a merge would remove, for a dry run.
  package var removed = MergeReplacement.Removed()
  /// How many objects were changed on both sides, or added.
  package var conflictCount: Int64 = 0
  /// The first few of them.
  package var conflicts: [CopyReport.Conflict] = []
  /// A note on columns that may be links which nothing declares, and are copied as they are.
  package var linkNote: ReportNote?
  /// The objects that a merge would change, for a dry run that lists them.
  package var preview: [CopyReport.Preview] = []
  /// What was asked about one object.
  package var explanation: [String] = []
  /// Rows to be written by each step.
  package let rowCounts: [String: Int64]
  package let sourceByteCount: Int64
  /// The source's place, as the user named it.
  package let sourcePlace: String
  /// Whether indexes are sorted by collations that only their app knows.
  package let hasUnknownOrder: Bool
  /// Whether the destination is made, and holds nothing else.
  package let isNew: Bool
  /// For each table of ordered links, the number of its last row before.
  package let lastLinks: [String: Int64]
  /// The attributes that the destination derives from others, as `Recipe.stepCount`.
  package let derived: Set<String>

  package init(
    plan: CopyPlan,
    ids: IDTable,
    goneCount: Int64 = 0,
    blockedCount: Int64 = 0,
    connection: Connection,
    counts: [String: Resolve.EntityCounts],
    counters: [String: Int64],
    fingerprint: Fingerprint,
    destinationFingerprint: Fingerprint? = nil,
    predictedLinks: [String: LinkCounts] = [:],
    predictedRejects: PredictedOutcome? = nil,
    closure: CopyReport.Closure? = nil,
    removed: MergeReplacement.Removed = MergeReplacement.Removed(),
    conflictCount: Int64 = 0,
    conflicts: [CopyReport.Conflict] = [],
    linkNote: ReportNote? = nil,
    preview: [CopyReport.Preview] = [],
    explanation: [String] = [],
    rowCounts: [String: Int64],
    sourceByteCount: Int64,
    sourcePlace: String,
    hasUnknownOrder: Bool,
    isNew: Bool,
    lastLinks: [String: Int64],
    derived: Set<String>
  ) {
    (self.plan, self.ids, self.goneCount) = (plan, ids, goneCount)
    (self.blockedCount, self.connection, self.counts) = (blockedCount, connection, counts)
    (self.counters, self.fingerprint, self.destinationFingerprint) = (counters, fingerprint, destinationFingerprint)
    (self.predictedLinks, self.predictedRejects, self.closure) = (predictedLinks, predictedRejects, closure)
    (self.removed, self.conflictCount, self.conflicts) = (removed, conflictCount, conflicts)
    (self.linkNote, self.preview, self.explanation) = (linkNote, preview, explanation)
    (self.rowCounts, self.sourceByteCount, self.sourcePlace) = (rowCounts, sourceByteCount, sourcePlace)
    (self.hasUnknownOrder, self.isNew, self.lastLinks) = (hasUnknownOrder, isNew, lastLinks)
    self.derived = derived
  }

  package var planHash: String { plan.hash }
  package var steps: [CopyStep] { plan.steps }

  package func changesObjects(of root: String) -> Bool {
    ids.map(of: root)?.matchedObjects?.updated?.count ?? 0 > 0
  }

  /// How many objects are copied at the most.
  var addedCount: Int64 { counts.values.map(\.new).reduce(0, +) }

  /// Whether new objects get keys up to the highest that the destination had allocated: free ones, or those of objects
  /// that are there, which they continue in another table.
  package func fillsGaps() throws(SQLiteError) -> Bool {
    for case .objects(let root) in plan.steps.map(\.kind) {
      guard let map = ids.map(of: root) else { continue }
      guard map.continued == nil, try !keepsKeys(of: map) else { return true }
    }
    return false
  }

  /// Whether new objects keep keys up to the highest that the destination had allocated.
  func keepsKeys(of map: IDMap) throws(SQLiteError) -> Bool {
    guard let counter = counters[map.root], let lowest = try map.lowestKept() else { return false }
    return lowest <= counter
  }

  /// Whether objects are merged with those that are there.
  package var isMerge: Bool { plan.mergeRules != nil }

  /// For each root entity that gets objects, the highest key that will be allocated.
  package func highestKeys() throws(DecantError) -> [String: Int64] {
    var keys: [String: Int64] = [:]
    for case .objects(let root) in plan.steps.map(\.kind) {
      guard let map = ids.map(of: root) else { continue }
      keys[root] = try explaining("cannot find the highest key of \(root)") {
        () throws(SQLiteError) in try map.highestDestination()
      }
    }
    return keys
  }

  /// For each root entity that gets objects, the range in which their keys lie and no others.
  func newKeys() throws(DecantError) -> [String: ClosedRange<Int64>] {
    var ranges: [String: ClosedRange<Int64>] = [:]
    for (root, highest) in try highestKeys() {
      // A store that is made holds nothing else.
      let lowest = counters[root].map { $0 == Int64.max ? $0 : $0 + 1 } ?? Int64.min
      if lowest <= highest { ranges[root] = lowest...highest }
    }
    return ranges
  }

  /// The objects that are written, for the store that records them; `connection` is the one that wrote.
  package func writtenObjects(on connection: Connection) throws(DecantError) -> WrittenObjects {
    var updated = updatedKeys
    try explaining("cannot find the changes") { () throws(SQLiteError) in
      try SingleLinks.addChanged(to: &updated, on: connection)
    }
    var written = WrittenObjects(newKeys: try newKeys(), updatedKeys: updated)
    written.isMerge = isMerge && plan.joinsObjects
    return written
  }

  /// For each root entity with objects that took values of the source, the SELECT of their keys in the destination, `k`.
  var updatedKeys: [String: String] {
    var updated: [String: String] = [:]
    for step in plan.steps {
      guard case .objects(let root) = step.kind,
        ids.map(of: root)?.matchedObjects?.updated?.count ?? 0 > 0
      else { continue }
      let (name, key) = (root.sqlText, step.sourceKey)
      updated[root] =
        SelectStatement(
          columns: ["id(\(name), \(key)) AS k"],
          source: step.sourceTable,
          conditions: [
            "merge_outcome(\(name), \(key)) IN (\(MergeOutcome.updated.rawValue), "
              + "\(MergeOutcome.filled.rawValue))"
          ]
        ).sql
    }
    return updated
  }

  /// How many objects are entered in the store's system tables at the most.
  package var enteredCount: Int64 { addedCount + counts.values.map(\.merge.updated).reduce(0, +) }

  /// How much work it is, for somebody who waits.
  package func expectedWork(verifies: Bool) -> ExpectedWork {
    let rows = rowCounts.values.reduce(0, +)
    return ExpectedWork(rowCount: rows, sourceByteCount: sourceByteCount, proofRowCount: verifies ? 2 * rows : 0)
  }
}
