package import DecantBase

/// The write-ahead log of a source, as it was when the copy began.
///
/// The contents of a log are not in the file yet. If the log were removed before the source is held, SQLite would
/// silently read an older state. A process that closes a store properly writes the log into the file first.
package struct SourceLog {
  private let place: String
  private let file: FileStatus?
  private let log: FileStatus?

  /// Reads the status of the files of the store at `place`.
  package init(of place: String) {
    self.place = place
    file = FileStatus(place)
    log = FileStatus(place + "-wal")
  }

  /// Throws if the log was removed or replaced while the file did not change.
  package func check() throws(DecantError) {
    guard let log, log.byteCount > 0, FileStatus(place + "-wal")?.number != log.number,
      let file, let now = FileStatus(place), now == file
    else { return }
    throw DecantError(
      .fileChanged,
      "the log of “\(place)” was removed while the copy started",
      place: "the contents of \(Files.name(of: place))-wal may exist in no other file",
      remedy: "restore the log, then \(.retry); nothing was written"
    )
  }
}
