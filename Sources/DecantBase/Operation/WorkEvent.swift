/// An event of a run in progress.
public enum WorkEvent: Sendable {
  /// The coming stages of a migration; empty if none is needed.
  case stages([ModelMigrationStage])
  /// A stage of a migration begins, counted from 1.
  case stage(ModelMigrationStage, number: Int)
  /// One of several parts of equal weight begins, counted from 1: an archive of an import, a source of a merge. Number
  /// 0 is what comes before the first: the planning of a merge, or the copy of which each object is exported.
  case part(Int, of: Int)
  /// The plan is complete, with the amount of work.
  ///
  /// It comes before the first long step.
  case planned(ExpectedWork)
  /// A phase begins.
  case began(Phase)
  /// Some work was done.
  case progress(WorkProgress)
  /// A note worth a line: leftovers that were removed, a private copy that is read.
  case note(ReportNote)
  /// A conflict needs a decision, if the merge rules ask about conflicts; the run waits for it.
  case conflict(ConflictQuestion)
  /// One of several results is complete.
  case made(CopyReport)
}

/// A phase of a run.
public enum Phase: String, Sendable, Hashable, CaseIterable {
  /// Opening stores, and reading files into a temporary database.
  case read
  /// Determining the objects and their keys.
  case resolve
  /// Copying the file of a store that is changed in batches.
  case duplicate
  /// Writing rows, or returning those of a query.
  case copy
  /// Building indexes.
  case index
  /// Reading everything again and comparing it.
  case check
  /// Making the result visible.
  case publish
}

/// The expected work of a copy.
public struct ExpectedWork: Sendable, Hashable {
  /// The number of objects and link rows to write.
  public var rowCount: Int64
  /// The size of the source file, in bytes.
  public var sourceByteCount: Int64
  /// The number of rows to read for the proof, on both sides; 0 without one.
  public var proofRowCount: Int64

  /// Describes the expected work.
  package init(rowCount: Int64, sourceByteCount: Int64, proofRowCount: Int64) {
    self.rowCount = rowCount
    self.sourceByteCount = sourceByteCount
    self.proofRowCount = proofRowCount
  }
}

/// The progress of a phase.
public struct WorkProgress: Sendable, Hashable {
  /// The current phase.
  public var phase: Phase
  /// The current entity or relationship; empty while a store is duplicated.
  public var step: String
  /// The number of rows completed in the phase, over all steps; 0 if rows are not counted.
  ///
  /// A check updates it before each step.
  public var rowCount: Int64
  /// The number of rows of all steps, counted on both sides for a proof; 0 if rows are not counted.
  public var expectedRowCount: Int64
  /// The current size of the destination, in bytes; for a query the amount of the store that was read.
  public var byteCount: Int64
  /// The final size of a duplicated store, or the size of a checked backup or a queried store, in bytes; otherwise 0.
  public var expectedByteCount: Int64
  /// The elapsed share of the phase's time, from 0 to 1, as measured; set if neither rows nor bytes are counted.
  public var timeShare: Double?

  /// Describes the progress.
  package init(
    phase: Phase,
    step: String,
    rowCount: Int64,
    expectedRowCount: Int64,
    byteCount: Int64,
    expectedByteCount: Int64 = 0,
    timeShare: Double? = nil
  ) {
    self.phase = phase
    self.step = step
    self.rowCount = rowCount
    self.expectedRowCount = expectedRowCount
    self.byteCount = byteCount
    self.expectedByteCount = expectedByteCount
    self.timeShare = timeShare
  }

  /// The completed share of the phase, from 0 to 1: of its time, rows or bytes, whichever is known first; otherwise
  /// `nil`.
  public var fraction: Double? {
    let (done, all) =
      expectedRowCount > 0 ? (rowCount, expectedRowCount) : (byteCount, expectedByteCount)
    guard let part = timeShare ?? (all > 0 ? Double(done) / Double(all) : nil) else { return nil }
    return min(1, max(0, part))
  }
}
