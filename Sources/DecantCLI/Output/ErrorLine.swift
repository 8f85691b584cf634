internal import Decant
internal import Synchronization

/// The last line of standard error where progress is told as JSON: what ended the work.
enum ErrorLine {
  private static let isWanted = Atomic<Bool>(false)

  /// Has errors told as a line of JSON as well, where `command` tells progress so.
  static func prepare(for command: Any) {
    guard let style = (command as? any ProgressShowing)?.output.progress else { return }
    isWanted.store(style == .json, ordering: .relaxed)
  }

  /// Tells `error`, if that is wanted.
  static func write(_ error: DecantError) {
    guard isWanted.load(ordering: .relaxed) else { return }
    StandardError.write(line: DocumentMembers([("event", "error"), ("error", error.members)]))
  }
}

/// A verb that shows how far it is.
protocol ProgressShowing {
  var output: OutputOptions { get }
}

extension InspectCommand: ProgressShowing {}
extension CopyCommand: ProgressShowing {}
extension MergeCommand: ProgressShowing {}
extension ExportCommand: ProgressShowing {}
extension ImportCommand: ProgressShowing {}
extension VerifyCommand: ProgressShowing {}
extension DiffCommand: ProgressShowing {}
extension CheckCommand: ProgressShowing {}
extension MigrateCommand: ProgressShowing {}
extension RepointCommand: ProgressShowing {}
extension CleanCommand: ProgressShowing {}
extension RollbackCommand: ProgressShowing {}

extension DecantError {
  fileprivate var members: DocumentMembers {
    DocumentMembers([
      ("code", code.name), ("what", what.commandLine), ("where", spot?.commandLine),
      ("remedy", advice?.commandLine),
    ])
  }
}
