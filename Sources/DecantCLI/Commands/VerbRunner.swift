internal import ArgumentParser
internal import DecantBase

/// Runs a verb for the command line: shows how far it is, asks about conflicts, and prints an error as all do.
struct VerbRunner {
  private let style: ProgressLine.Style
  /// Who decides about conflicts of a merge.
  var dialog: ConflictDialog?
  /// What is done with events beside showing them; what it prints stands alone on its line.
  var onEvent: ((WorkEvent) throws -> Bool)?

  init(_ output: OutputOptions) { self.init(output.progressStyle) }

  init(_ style: ProgressLine.Style) { self.style = style }

  /// Runs `work` until it is done, or somebody presses Ctrl-C.
  ///
  /// - Parameters:
  ///   - work: What is done.
  ///   - place: The store beside which temporary files lie; `nil` where none is needed.
  /// - Returns: Its report.
  /// - Throws: `ExitCode`, once the error is printed.
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
              // Whatever it prints is not to stand behind a line that is drawn.
              progress.clear()
              if try onEvent(event) { return }
            }
          } catch {
            // Who reads the output is gone: there is nobody left to work for.
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
