package import DecantBase

/// A run that was interrupted while it added rows to an existing store in place, in batches.
package protocol InterruptedRun: AnyObject {
  /// Whether every row is there, so that at most files have to get their final names.
  var isComplete: Bool { get }

  /// Writes the batches that are left.
  ///
  /// - Parameters:
  ///   - command: A text that is equal for runs of the same source with the same options.
  ///   - options: The options of the command that continues.
  ///   - cancellation: Stops the work between two batches.
  /// - Returns: The report of the whole run.
  /// - Throws: `DecantError` of the code `.resumeMismatch` if another command was interrupted, which loses nothing.
  func complete(_ command: String, _ options: CopyOptions, _ cancellation: Cancellation)
    throws(DecantError) -> CopyReport

  /// Removes the record of the run, after every file about it has its name; returns notes.
  func clear() -> [ReportNote]
}
