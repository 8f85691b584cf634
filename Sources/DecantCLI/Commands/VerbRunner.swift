internal import ArgumentParser
internal import DecantBase

/// Runs a verb: shows its progress, asks about conflicts, and prints an error in the common form.
struct VerbRunner {
  private let style: ProgressLine.Style
  /// The dialog that decides conflicts of a merge.
  var dialog: ConflictDialog?
  /// Handles events in addition to showing them; returns true if it has printed the event itself.
  var onEvent: ((WorkEvent) throws -> Bool)?

  init(_ output: OutputOptions) { self.init(output.progressStyle) }

  init(_ style: ProgressLine.Style) { self.style = style }

  /// Runs `work` until it is complete, or the user presses Ctrl-C.
  ///
  /// - Parameters:
  ///   - work: The work.
  ///   - place: The store next to which temporary files are put; `nil` if none are needed.
  /// - Returns: The report.
  /// - Throws: `ExitCode` after printing the error.
  func run<Work: Runnable>(_ work: Work, beside place: String? = nil) throws -> Work.Report {
    if let place { TemporaryFiles.put(beside: place) }
    var progress = ProgressLine(style)
    var failure: (any Error)?
    let cancellation = Interrupt.listen()
    let report = try reporting { () throws(DecantError) in
      defer { progress.clear() }
      return try work.run(cancellation: cancellation) { event in
        if case .working(let event, _) = event {
          if case .conflict(let question) = event, let dialog {
            progress.clear()
            question.decide(dialog.decide(question.conflict, question.problem))
          }
          do {
            if let onEvent, failure == nil {
              // Its output must not follow a progress line.
              progress.clear()
              if try onEvent(event) { return }
            }
          } catch {
            // The reader of the output is gone, so the rest of the work is useless.
            failure = error
            cancellation.cancel()
          }
        }
        progress.show(event)
      }
    }
    if let failure { throw failure }
    return report
  }
}
