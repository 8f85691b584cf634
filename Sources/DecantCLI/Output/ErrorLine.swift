internal import Decant
internal import Synchronization

/// The last line of standard error where progress is told as JSON: what ended the work.
enum ErrorLine {
  private static let isWanted = Atomic<Bool>(false)

  /// Has errors told as a line of JSON as well, where `command` tells progress so.
  static func prepare(for command: Any) {
    guard let style = (command as? any ProgressShowing)?.progress.style else { return }
    isWanted.store(style == .json, ordering: .relaxed)
  }

  /// Tells `error`, if that is wanted.
  static func write(_ error: DecantError) {
    guard isWanted.load(ordering: .relaxed) else { return }
    StandardError.write(line: FailureEvent(error))
  }
}

/// A verb that shows how far it is.
protocol ProgressShowing {
  var progress: ProgressOptions { get }
}

/// One that prints a report in the end.
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
