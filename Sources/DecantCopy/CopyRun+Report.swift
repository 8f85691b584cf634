internal import DecantBase
internal import DecantMatch
internal import DecantMerge
internal import DecantPlan
internal import DecantStore
internal import DecantSQLite

extension CopyRun {
  /// Returns the report before anything is written: the objects of the source, and those that are not copied.
  func report(_ source: any SourceStore, _ destination: any DestinationStore, _ planning: Planning) -> CopyReport {
    // No row of these tables is copied; a note names them.
    let filled =
      destination.isNew ? [] : Set(destination.layout.relations.filter(\.isFilledByTriggers).map(\.root))
    var report = CopyReport(
      verb: options.purpose.rawValue,
      source: source.identity,
      sourceFingerprint: planning.fingerprint.description,
      destination: destination.identity,
      entities: source.model.entities.filter { !filled.contains($0.name) }.compactMap { entity in
        planning.counts[entity.name].map { counts in
          var report = EntityReport(name: entity.name, source: counts.source)
          report.filtered = counts.source - counts.included
          report.stubs = counts.stubs
          return report
        }
      }
    )
    report.knowsLinks = source.modelGap == nil
    report.conflicts = planning.conflicts
    report.conflictCount = planning.conflictCount
    report.referenceRelationships = planning.plan.closure?.references ?? []
    if planning.isMerge { report.count(planning.counts) }
    if planning.blockedCount > 0 {
      let count = planning.blockedCount
      report.notes.append(
        ReportNote(
          .linksKept,
          "\(count.counted("link")) left unchanged: decisions do not restore the "
            + "\(count == 1 ? "object that it points" : "objects that they point") to in the source"))
    }
    if planning.goneCount > 0 {
      let count = planning.goneCount
      let why = [
        options.merge?.tombstoneFile == nil ? nil : "merged before",
        options.merge?.base == nil ? nil : "in the older version",
      ].compactMap(\.self).joined(separator: " or ")
      report.notes.append(
        ReportNote(
          .notAddedAgain,
          "\(count.counted("object")) not added again: "
            + "\(count == 1 ? "it was" : "they were") \(why) and deleted since, or "
            + "\(count == 1 ? "belongs" : "belong") to such an object"))
    }
    return report
  }

  /// Records the objects that will be rejected, for a dry run; throws if they exceed the limit.
  func countRejects(_ planning: Planning, _ layout: Layout, into report: inout CopyReport) throws(DecantError) {
    guard let rejects = planning.predictedRejects?.rejects else { return }
    try RejectBound(options, planning).check(rejects)
    try explaining("cannot count the rejects") { () throws(SQLiteError) in
      for relation in layout.relations {
        for (entity, count) in try rejects.counts(of: relation, in: CopySession.source) {
          report.reject(count, of: entity)
        }
      }
      report.rejectedByCode = try rejects.countsByCode()
    }
  }

  /// Counts links by values; in a merge only those of new rows, as for other links.
  func countNonIntegerKeys(
    _ planning: Planning,
    _ layout: Layout,
    _ rejects: Rejects?,
    on connection: Connection,
    into report: inout CopyReport
  ) throws(DecantError) {
    let counts = try NonIntegerKeyTargets.counts(
      of: layout,
      filters: planning.plan.filters,
      isRejected: rejects.map { rejects in { rejects.include($0, as: $1) } },
      isNew: planning.isMerge ? { planning.isNew(rowOf: $0) } : nil,
      on: connection
    )
    report.enter(counts, secondEnds: planning.plan.secondEnds)
  }
}
