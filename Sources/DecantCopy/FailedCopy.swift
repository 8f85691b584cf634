internal import DecantBase
internal import DecantMerge
internal import DecantPlan
internal import DecantStore
internal import DecantSQLite

/// The explanation of a failed copy, after everything was restored.
///
/// SQLite's message is misleading if the folder is missing, or if the source is damaged.
struct FailedCopy {
  let planner: Planner
  let planning: Planning
  let writer: any CopyWriter
  /// A session in which the source can still be read.
  let source: CopySession
  /// Whether the work can and should be resumed.
  let isResumable: Bool
  /// The state of the destination in words, if it was changed.
  let left: DecantError.Text?

  private var destination: any DestinationStore { planner.destination }
  private var place: String { "“\(destination.identity.place)”" }

  /// Returns the error to report instead of `error`.
  func explanation(of error: DecantError) throws(DecantError) -> DecantError {
    // A user who stops a copy does not wait for an analysis.
    var isInterrupted = error.family == .interrupted
    if !isInterrupted {
      do throws(DecantError) { try checkReasons(error) } catch {
        isInterrupted = error.family == .interrupted
        var found = error
        if let left { found.tell(left) }
        if !isInterrupted { return found }
      }
    }
    guard isInterrupted else {
      guard isResumable, error.family == .storeBusy || error.isOfFullDisk else { return error }
      var error = error
      error.canBeResumed()
      if error.family == .storeBusy {
        // For a server, the error itself has the remedy.
        let other: DecantError.Text = "close the program that has it open"
        let first = if case .own = destination.place { error.advice ?? other } else { other }
        error.advice = "\(first), then \(.again(with: .resume))"
      } else {
        if let work = writer.workPlace {
          error.tell(
            "“\(work)” holds the batches copied so far; without \(option: .resume), \(shell: "the same command", app: "the next try") starts over"
          )
        }
        error.advice =
          "free some space, then \(.again(with: .resume)) to continue after the last batch"
      }
      return error
    }
    return DecantError(
      .interrupted,
      "the copy was interrupted",
      place: left
        ?? (destination.isNew ? "nothing was written to \(place) yet" : "\(place) is unchanged"),
      remedy: isResumable
        ? "\(.again(with: .resume)) to continue after the last batch"
        : "\(.again) to start over",
      remedies: isResumable ? [.resume] : [.runAgain],
      cause: error
    )
  }

  /// Throws the actual cause, if it can be determined.
  private func checkReasons(_ error: DecantError) throws(DecantError) {
    try destination.place.writer.checkIsThere(after: error)
    try checkPlace(error)
    try planner.nameMisplacedObject(on: source.connection, planning, error)
    try checkSource(error)
  }

  private func checkPlace(_ error: DecantError) throws(DecantError) {
    guard (error.cause as? SQLiteError)?.hasMoved == true else { return }
    throw DecantError(
      .fileChanged,
      "\(place) was moved or replaced while decant was changing it",
      remedy: "do not touch the file while decant runs; the unfinished change is rolled back in the moved file",
      cause: error
    )
  }

  /// Throws if the source is damaged.
  ///
  /// Its indexes may not match its rows, which is checked only after an error.
  private func checkSource(_ error: DecantError) throws(DecantError) {
    guard error.family == .failed, !(error.cause is SystemError) else { return }
    if let cause = error.cause as? SQLiteError {
      // The cause is the disk, or an existing object that conflicts with another.
      guard !cause.isFull, !cause.isReadOnly, !cause.cannotOpen, !cause.isInputOutput,
        !cause.isConstraint || destination.isNew
      else { return }
    }
    try StructureCheck(of: CopySession.source, on: source.connection)
      .run(.thorough, place: planner.source.identity.place)
  }
}
