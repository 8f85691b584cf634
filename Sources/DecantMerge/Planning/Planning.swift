package import DecantBase
package import DecantMatch
package import DecantPlan
package import DecantStore
package import DecantSQLite

/// The plan of a copy, with everything that was read to make it.
package struct Planning: PlannedCopy {
  package let plan: CopyPlan
  package let ids: IDTable
  /// The number of objects left out because they were merged before and have been removed since.
  package var goneCount: Int64 = 0
  /// The number of links that are not changed, because the source's target was decided to stay deleted.
  package var blockedCount: Int64 = 0
  /// The connection used for planning, with its temporary tables.
  package let connection: Connection
  /// The number of all and of copied objects, for each concrete entity.
  package let counts: [String: Resolve.EntityCounts]
  /// The highest key that the destination had allocated before, for each root entity.
  package let counters: [String: Int64]
  /// The state of the source that was read.
  package let fingerprint: Fingerprint
  /// The state of the destination that was compared with it, if objects are merged.
  package var destinationFingerprint: Fingerprint?
  /// The links of the copy, for a dry run.
  package var predictedLinks: [String: LinkCounts] = [:]
  /// The objects that will be rejected, as far as this is known before writing, for a dry run.
  package var predictedRejects: PredictedOutcome?
  /// Notes on new rows that violate unique constraints, for a dry run.
  package var collisions: [ReportNote] = []
  /// The selected objects, for a dry run.
  package var closure: CopyReport.Closure?
  /// The number of links and parts that a merge would remove, for a dry run.
  package var removed = MergeReplacement.Removed()
  /// The number of objects that were changed or added on both sides.
  package var conflictCount: Int64 = 0
  /// The first few of them.
  package var conflicts: [CopyReport.Conflict] = []
  /// The links by which a merge recognizes objects: as a part of their identity or, without one, of their content.
  package var identifyingLinks: Set<Property> = []
  /// A note on columns that may be undeclared links, and are copied unchanged.
  package var linkNote: ReportNote?
  /// The objects that a merge would change, for a dry run that lists them.
  package var preview: [CopyReport.Preview] = []
  /// The explanation of one object, if requested.
  package var explanation: [String] = []
  /// The number of rows that each step writes.
  package let rowCounts: [String: Int64]
  package let sourceByteCount: Int64
  /// The source's place, as given by the user.
  package let sourcePlace: String
  /// Whether indexes use collations that only the app has.
  package let hasUnknownOrder: Bool
  /// Whether the destination is created, and contains nothing else.
  package let isNew: Bool
  /// The number of the last row before, for each table of ordered links.
  package let lastLinks: [String: Int64]
  /// The attributes that the destination derives from others, such as `Recipe.stepCount`.
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

  /// The maximum number of copied objects.
  var addedCount: Int64 { counts.values.map(\.new).reduce(0, +) }

  /// Returns whether new objects get keys up to the highest one that the destination had allocated.
  ///
  /// These are free keys, or the keys of existing objects that they continue in another table.
  package func fillsGaps() throws(SQLiteError) -> Bool {
    for case .objects(let root) in plan.steps.map(\.kind) {
      guard let map = ids.map(of: root) else { continue }
      guard map.continued == nil, try !keepsKeys(of: map) else { return true }
    }
    return false
  }

  /// Returns whether new objects keep keys up to the highest one that the destination had allocated.
  func keepsKeys(of map: IDMap) throws(SQLiteError) -> Bool {
    guard let counter = counters[map.root], let lowest = try map.lowestKept() else { return false }
    return lowest <= counter
  }

  /// Whether objects are merged with existing ones.
  package var isMerge: Bool { plan.mergeRules != nil }

  /// Returns the highest key that will be allocated, for each root entity that gets objects.
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

  package func sourceKey(of key: Int64, in root: String) throws(DecantError) -> Int64? {
    guard let map = ids.map(of: root) else { return nil }
    return try explaining("cannot find an object of \(root)") { () throws(SQLiteError) in try map.source(of: key) }
  }

  /// Returns the range that contains the keys of new objects and no others, for each root entity that gets objects.
  func newKeys() throws(DecantError) -> [String: ClosedRange<Int64>] {
    var ranges: [String: ClosedRange<Int64>] = [:]
    for (root, highest) in try highestKeys() {
      // A created store contains nothing else.
      let lowest = counters[root].map { $0 == Int64.max ? $0 : $0 + 1 } ?? Int64.min
      if lowest <= highest { ranges[root] = lowest...highest }
    }
    return ranges
  }

  /// Returns the written objects, for the store that records them; `connection` is the one that wrote.
  package func writtenObjects(on connection: Connection) throws(DecantError) -> WrittenObjects {
    var updated = updatedKeys
    try explaining("cannot find the changes") { () throws(SQLiteError) in
      try SingleLinks.addChanged(to: &updated, on: connection)
    }
    var written = WrittenObjects(newKeys: try newKeys(), updatedKeys: updated)
    written.isMerge = isMerge && plan.joinsObjects
    return written
  }

  /// Returns the condition that the merge adds a row of the source's table of `relation`.
  package func isNew(rowOf relation: Relation) -> String {
    let root = relation.root
    guard let step = plan.steps.first(where: { $0.objectRoot == root }) else { return "0" }
    guard step.isMerging else { return "1" }
    if let key = relation.keyColumn == nil ? ids.numberedRows?.sourceNumbers(of: root)?.proven : relation.keyName {
      return "is_new(\(root.sqlText), \(key))"
    }
    return "\(CopyStep.rowOutcome(root, step)) = \(MergeOutcome.new.rawValue)"
  }

  /// The SELECT of the keys, in the destination, of objects that took values from the source, as `k`, for each root
  /// entity.
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

  /// The maximum number of objects recorded in the store's system tables.
  package var enteredCount: Int64 { addedCount + counts.values.map(\.merge.updated).reduce(0, +) }

  /// Returns the amount of work, for estimates of the duration.
  package func expectedWork(verifies: Bool) -> ExpectedWork {
    let rows = rowCounts.values.reduce(0, +)
    return ExpectedWork(rowCount: rows, sourceByteCount: sourceByteCount, proofRowCount: verifies ? 2 * rows : 0)
  }
}
