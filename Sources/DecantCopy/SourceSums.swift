internal import DecantBase
internal import DecantMatch
internal import DecantMerge
internal import DecantPlan
internal import DecantProof
internal import DecantSQLite
internal import DecantStore

/// The sums of a source, computed by a second thread while the first one writes the rows.
///
/// The thread has its own connection and its own ID table, and reads the planned state of the source. It is used only
/// if the expected rows do not depend on what the copy finds or writes: not for merges, selections and mappings, nor
/// for keys on disk or texts that are too large to be held twice.
final class SourceSums {
  private let source: HeldSource
  /// The computation on the second thread, which uses the session until it ends; `nil` if it was stopped.
  private var sums: LaterResult<ProofSums?, SQLiteError>?

  /// Begins to compute, on the thread of `check` after the check; `nil` if the sums can only be computed later.
  ///
  /// An error here is not reported: it occurs again, and is reported, where the source is read for the copy.
  init?(
    _ planning: Planning,
    _ planner: Planner,
    behind check: SourceCheck?,
    encoding: String,
    _ cancellation: Cancellation
  ) {
    guard !planning.isMerge, let ids = planning.ids.forAnotherThread() else { return nil }
    let proof = planner.proof(of: planning, ids)
    guard !proof.plan.steps.contains(where: \.dependsOnDestination),
      let source = HeldSource(planner, in: planning.fingerprint, encoding: encoding)
    else { return nil }
    self.source = source
    let session = source.session
    // Two threads would hold a long text twice.
    session.connection.refuseValues(over: StreamedColumn.limit)
    do throws(DecantError) {
      try session.offer(ids, files: planner.destination.externalStorage)
    } catch {
      return nil
    }
    sums = LaterResult("proof", behind: check?.thread) { end throws(SQLiteError) in
      session.setProgressCheck(StopCheck(cancellation, end))
      let isWanted = { !end.isCancelled && !cancellation.isCancelled }
      let sums = try proof.expected(on: session.connection) { _ in isWanted() }
      return isWanted() ? sums : nil
    }
  }

  deinit { sums = nil }

  /// Waits for the sums; `nil` if they could not be computed.
  func take() -> ProofSums? { try? sums?.get() }
}

extension Planner {
  /// Returns the proof of a copy by this plan, with the keys of `ids`.
  func proof(of planning: Planning, _ ids: IDTable) -> CopyProof {
    CopyProof(
      plan: planning.plan.provingWholeColumns(destination.layout),
      layout: destination.layout,
      ids: ids,
      sourceFiles: source.externalStorage,
      destinationFiles: destination.externalStorage
    )
  }
}

extension CopyStep {
  /// Whether the expected values or rows depend on what the destination holds.
  fileprivate var dependsOnDestination: Bool {
    (expectedValues + proofConditions + filters + [sourceTable]).contains { $0.contains(CopyStep.written) }
  }
}
