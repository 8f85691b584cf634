internal import ArgumentParser
internal import DecantBase
internal import DecantCopy
internal import DecantPlan
internal import DecantTransfer

/// Runs a copy, shows its progress and prints its report, for every verb that copies.
struct CopyRunner {
  private let source: String
  private let destination: String
  private let options: CopyOptions
  private let output: OutputOptions
  private let showsPlan: Bool

  init(_ source: String, _ destination: String, _ options: CopyOptions, _ output: OutputOptions, showsPlan: Bool) {
    self.showsPlan = showsPlan
    self.source = source
    self.destination = destination
    self.options = options
    self.output = output
  }

  func run() throws {
    if Export.isArchive(destination) { return try export() }
    let copy = Copy(from: source, to: destination, options: options)
    var runner = VerbRunner(output)
    runner.dialog = ConflictDialog(mine: destination, theirs: source)
    let report = try runner.run(copy, beside: destination)
    if output.json {
      try StandardOutput.write(document: report)
    } else if !output.quiet {
      try StandardOutput.write(report.text(showsAll: showsPlan))
    }
    if report.rejectedCount > 0 { throw ExitCode.rejects }
    if report.conflictCount > 0, options.merge?.listsConflicts == true { throw ExitCode.rejects }
  }

  /// Writes an archive, as a copy into another kind of store.
  private func export() throws {
    let unfit = [
      ("--append", options.appends), ("--merge", options.merge != nil),
      ("--template", options.template != nil), ("--keep-ids", options.idTableFile != nil),
      ("--resume", options.leftOver == .resume), ("--commit batch", options.commit == .batch),
      ("--unversioned", options.isUnversioned), ("--keep-metadata", options.keepsMetadata),
      ("--no-triggers", !options.firesTriggers), ("--backup", options.keepsBackup),
    ]
    let said = unfit.filter(\.1).map(\.0)
    guard said.isEmpty else {
      throw ValidationError(
        "“\(destination)” is an archive, which is always created from scratch: \(said.joined(separator: ", ")) "
          + "\(said.count == 1 ? "is" : "are") for stores"
      )
    }
    let export = Export(from: source, to: destination, options: options)
    try ExportRunner(export, output, isPipe: false).run()
  }
}
