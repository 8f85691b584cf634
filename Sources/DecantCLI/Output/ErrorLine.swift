internal import Decant
internal import Synchronization

/// The last line of standard error if progress is reported as JSON: the error that ended the work.
enum ErrorLine {
  private static let isWanted = Atomic<Bool>(false)

  /// Enables the output of errors as JSON lines, if `command` reports progress as JSON.
  static func prepare(for command: Any) {
    guard let style = (command as? any ProgressShowing)?.progress.style else { return }
    isWanted.store(style == .json, ordering: .relaxed)
  }

  /// Writes `error`, if enabled.
  static func write(_ error: DecantError) {
    guard isWanted.load(ordering: .relaxed) else { return }
    StandardError.write(line: FailureEvent(error))
  }
}

/// A verb that shows its progress.
protocol ProgressShowing {
  var progress: ProgressOptions { get }
}

/// A verb that prints a report at the end.
protocol ReportPrinting: ProgressShowing {
  var output: OutputOptions { get }
}

extension ReportPrinting {
  var progress: ProgressOptions { output.progress }
}

extension QueryCommand: ProgressShowing {}

extension InspectCommand: ReportPrinting {}
extension CopyCommand: ReportPrinting {}
extension MergeCommand: ReportPrinting {}
extension ExportCommand: ReportPrinting {}
extension ImportCommand: ReportPrinting {}
extension VerifyCommand: ReportPrinting {}
extension DiffCommand: ReportPrinting {}
extension CheckCommand: ReportPrinting {}
extension MigrateCommand: ReportPrinting {}
extension RepointCommand: ReportPrinting {}
extension CleanCommand: ReportPrinting {}
extension RollbackCommand: ReportPrinting {}
extension RecipesCommand: ReportPrinting {}
