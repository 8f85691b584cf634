/// What a run reports while it works.
public enum WorkEvent: Sendable {
  /// The stages of a migration that are to come; none where it needs none.
  case stages([ModelMigrationStage])
  /// A stage of a migration begins, counted from 1.
  case stage(ModelMigrationStage, number: Int)
  /// One of several parts of equal weight begins, counted from 1: an archive of an import, a source of a merge. Number 0 is
  /// the planning of all parts, before the first.
  case part(Int, of: Int)
  /// The plan is made: how much work there is. Comes before the first long step.
  case planned(ExpectedWork)
  /// A phase begins.
  case began(Phase)
  /// Some work was done.
  case progress(WorkProgress)
  /// Something worth a line: a leftover that is cleared, a private copy that is read.
  case note(ReportNote)
  /// A conflict waits for a decision, if the rules of the merge ask about conflicts; the run waits as well.
  case conflict(ConflictQuestion)
  /// One of several results is there.
  case made(CopyReport)
}

/// A part of a run that takes time.
public enum Phase: String, Sendable, Hashable, CaseIterable {
  /// Opening stores, and reading files into a database of their own.
  case read
  /// Finding out which objects there are and which keys they get.
  case resolve
  /// Copying the store that is changed in batches, as a file.
  case duplicate
  /// Writing rows, or handing out those of a query.
  case copy
  /// Building indexes.
  case index
  /// Reading everything again and comparing.
  case check
  /// Making the result visible.
  case publish
}

/// How much a copy will do.
public struct ExpectedWork: Sendable, Hashable {
  /// Objects and link rows to be written.
  public var rowCount: Int64
  /// The size of the source's file, in bytes.
  public var sourceByteCount: Int64
  /// Rows to be read for the proof, on both sides; 0 without one.
  public var proofRowCount: Int64

  /// Says how much it is.
  public init(rowCount: Int64, sourceByteCount: Int64, proofRowCount: Int64) {
    self.rowCount = rowCount
    self.sourceByteCount = sourceByteCount
    self.proofRowCount = proofRowCount
  }
}

/// How far a phase has come.
public struct WorkProgress: Sendable, Hashable {
  /// The phase at hand.
  public var phase: Phase
  /// The entity or relationship at hand; empty while a store is duplicated.
  public var step: String
  /// Rows done in the phase so far, over all steps; 0 where no rows are counted.
  ///
  /// A check tells it before each step.
  public var rowCount: Int64
  /// Rows of all steps together, of which the proof reads each at both ends; 0 where no rows are counted.
  public var expectedRowCount: Int64
  /// The size of the destination at this moment, in bytes; of a query how much of the store was read.
  public var byteCount: Int64
  /// The size it will have when a store is duplicated, or of a backup that is checked or a store that is queried, in bytes;
  /// 0 elsewhere.
  public var expectedByteCount: Int64
  /// How much of the time of the phase is over, from 0 to 1, as it was measured: where neither rows nor bytes say it.
  public var timeShare: Double?

  /// Says how far it has come.
  public init(
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

  /// How much of the phase is done, from 0 to 1: of its time, else of its rows, else of its bytes; `nil` where nothing says
  /// how much there is.
  public var fraction: Double? {
    let (done, all) =
      expectedRowCount > 0 ? (rowCount, expectedRowCount) : (byteCount, expectedByteCount)
    guard let part = timeShare ?? (all > 0 ? Double(done) / Double(all) : nil) else { return nil }
    return min(1, max(0, part))
  }
}
