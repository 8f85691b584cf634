public import DecantBase
internal import DecantMatch
internal import DecantMerge
internal import DecantPlan
internal import DecantStore

extension CopyReport {
  /// Records the counts of links by relationship.
  ///
  /// - Parameters:
  ///   - links: The counts.
  ///   - secondEnds: The second ends of one-to-one relationships; their links are counted at the first end.
  public mutating func enter(_ links: [String: LinkCounts], secondEnds: Set<String>) {
    linksByRelationship.merge(links) { $1 }
    for (name, counts) in links {
      var counted = counts
      if secondEnds.contains(name) { counted.copied = 0 }
      self.links += counted
    }
  }

  /// Calculates the number of objects that will be copied for each entity; the proof counts them again.
  mutating func countObjects() {
    for index in entities.indices {
      let entity = entities[index]
      entities[index].copied =
        entity.source - entity.filtered - entity.updated - entity.skipped - entity.rejected
    }
  }

  /// Records the counts of objects that already exist.
  mutating func count(_ counts: [String: Resolve.EntityCounts]) {
    for index in entities.indices {
      guard let merge = counts[entities[index].name]?.merge else { continue }
      entities[index].updated = merge.updated
      entities[index].skipped = merge.there - merge.updated
      entities[index].merge = EntityReport.Merge(
        same: merge.same,
        changed: merge.skipped + merge.updated + merge.keptBoth,
        keptBoth: merge.keptBoth,
        duplicate: merge.duplicate,
        notAdded: merge.notAdded,
        pairings: merge.pairings
      )
    }
  }

  /// Records the counts of what a merge removes.
  mutating func enter(removed: MergeReplacement.Removed) {
    removedLinkCount = removed.links
    removedPartCount = removed.parts
    removedObjectCount = removed.objects
  }

  /// Counts rejected objects of `entity`, which were to be changed if they `areThere`, and otherwise to be copied.
  mutating func reject(_ count: Int64, of entity: String, areThere: Bool = false) {
    guard let index = entities.firstIndex(where: { $0.name == entity }) else {
      // An object of an unknown entity is in no entity's count.
      unknownCount += count
      return
    }
    entities[index].rejected += count
    if areThere { entities[index].updated -= count } else { entities[index].copied -= count }
  }

  /// Records what the proof read of `entity` in the result.
  mutating func prove(_ sum: RowHash.Sum, of entity: String) {
    guard let index = entities.firstIndex(where: { $0.name == entity }) else { return }
    entities[index].copied = sum.count - entities[index].stubs
    entities[index].byteCount = sum.byteCount
    entities[index].hash = sum.hex
  }

  /// Throws unless every object of the source is accounted for.
  func checkBalance() throws(DecantError) {
    guard let entity = entities.first(where: { !$0.isBalanced }) else { return }
    throw DecantError(
      .proofFailed,
      "\(entity.name): \(entity.copied) copied, \(entity.filtered) filtered and \(entity.rejected) rejected "
        + "objects do not add up to the \(entity.source) in the source",
      remedy: "nothing was written; this is a bug in decant: please report it"
    )
  }

  /// Records the plan, for a dry run.
  mutating func describe(_ planning: Planning, creation: [String], copiesPages: Bool) {
    isDryRun = true
    countObjects()
    definitions = planning.plan.definitions
    planHash = planning.plan.hash
    self.creation = creation
    plan = planning.plan.steps.map { step in
      var form: String?
      if case .objects(let root) = step.kind { form = planning.ids.map(of: root)?.form.description }
      return PlanStep(
        name: step.name,
        idForm: form,
        rowCount: planning.rowCounts[step.name] ?? 0,
        // A complete copy is made page by page; the statement shows the equivalent.
        statement: (copiesPages ? "VACUUM source INTO destination, equivalent to\n" : "")
          + step.insertion(into: "destination")
      )
    }
  }
}
