internal import DecantBase
internal import DecantMerge
internal import DecantPlan
internal import DecantStore
internal import DecantSQLite

/// A copy that failed, after everything was put back: what its error means.
///
/// SQLite's words lead elsewhere where the folder is gone, or where it is the source that is damaged.
struct FailedCopy {
  let planner: Planner
  let planning: Planning
  let writer: any CopyWriter
  /// Where the source can still be read.
  let source: CopySession
  /// Whether what is there can and shall be gone on with.
  let isResumable: Bool
  /// How the destination was left, in words, where that is not how it was.
  let left: DecantError.Text?

  private var destination: any DestinationStore { planner.destination }
  private var place: String { "“\(destination.identity.place)”" }

  /// Returns the error to tell in the place of `error`.
  func explanation(of error: DecantError) throws(DecantError) -> DecantError {
    do throws(DecantError) {
      // Whoever stops a copy does not wait for its reasons.
      if error.family != .interrupted { try checkReasons(error) }
    } catch {
      var found = error
      if let left { found.tell(left) }
      return found
    }
    guard error.family == .interrupted else {
      guard isResumable, error.family == .storeBusy || error.isOfFullDisk else { return error }
      var error = error
      error.canBeResumed()
      if error.family == .storeBusy {
        error.advice =
          "close the program that has it open, then \(.again(with: .resume))"
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

  /// Throws what has been found out to be the reason.
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

  /// Throws where it is the source that is damaged: its indexes may not lead to its rows, which is
  /// looked into only when something went wrong.
  private func checkSource(_ error: DecantError) throws(DecantError) {
    guard error.family == .failed, !(error.cause is SystemError) else { return }
    if let cause = error.cause as? SQLiteError {
      // The disk is at fault; or an object that is there, and refuses another.
      guard !cause.isFull, !cause.isReadOnly, !cause.cannotOpen, !cause.isInputOutput,
        !cause.isConstraint || destination.isNew
      else { return }
    }
    try StructureCheck(of: CopySession.source, on: source.connection)
      .run(.thorough, place: planner.source.identity.place)
  }
}
