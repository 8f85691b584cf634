package import DecantBase

/// The write-ahead log of a source, as it was when the copy began.
///
/// What a log holds is not in the file yet. Should somebody take it away before the source is held,
/// SQLite would read an older state without a word. Whoever closes a store properly writes the log into
/// the file first.
package struct SourceLog {
  private let place: String
  private let file: FileStatus?
  private let log: FileStatus?

  /// Looks at the files of the store at `place`.
  package init(of place: String) {
    self.place = place
    file = FileStatus(place)
    log = FileStatus(place + "-wal")
  }

  /// Throws if the log is gone, or is another one, and the file is what it was.
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
