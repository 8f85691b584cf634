package import DecantSQLite

extension DecantError {
  /// Creates the error that an SQLite `error` means to the user; `message` says what failed.
  package init(_ message: String, place: String? = nil, cause error: SQLiteError) {
    let code: Code
    let remedy: Text?
    switch error {
    case _ where error.isBusy:
      code = .storeLocked
      remedy = "another process is using it: close it, or wait until it finishes"
    case _ where error.message.hasPrefix("no such collation"):
      code = .unknownCollation
      remedy =
        "only the app that created it knows this sort order: copy everything into a new store"
    case _ where error.isCorrupt:
      code = error.isNoDatabase ? .notADatabase : .damaged
      remedy = "the file is damaged or is not a database: restore it from a backup"
    case _ where error.isFull:
      code = .diskFull
      remedy = "the disk is full: free some space and \(.again)"
    case _ where error.isInterrupted:
      self.init(.interrupted, "the operation was interrupted", place: place, cause: error)
      self = within(message)
      return
    case _ where error.isInputOutput:
      code = .systemFailed
      remedy = SystemError.remedyOfDisk
    case _ where error.hasMoved:
      code = .fileChanged
      remedy = "check the permissions of the file and of its folder"
    case _ where error.isReadOnly, _ where error.cannotOpen:
      code = .accessDenied
      remedy = "check the permissions of the file and of its folder"
    case _ where error.message.hasPrefix(RejectCode.unknownEntity):
      self.init(
        .damaged,
        "\(message): \(error.message.dropFirst(RejectCode.unknownEntity.count))",
        place: place.map { "\($0)" },
        remedy:
          "\(command: "inspect", app: "an inspection") counts such objects; \(say: .onError, "reject") leaves them out of a copy",
        cause: error
      )
      self = within(message)
      return
    case _ where error.isGeneral && error.message.hasPrefix("too many columns"):
      code = .unsupportedContent
      remedy =
        "a statement of SQLite has at most 2,000 columns: only a copy of everything to a new store, page by page, has such tables"
    case _ where error.isConstraint:
      code = .constraintViolated
      remedy = nil
    case _ where error.isGeneral && error.message.hasPrefix("cannot "):
      // One of decant's own functions failed on a file beside the store.
      code = .systemFailed
      remedy = "check that this file is readable; if the disk failed, the kernel log (dmesg) shows it"
    default:
      code = .databaseFailed
      remedy = nil
    }
    let reason = RejectCode.marked(error.message)?.text ?? error.message
    self.init(code, "\(message): \(reason)", place: place.map { Text($0) }, remedy: remedy, cause: error)
    self = within(message)
  }

  /// Whether the disk was full.
  package var isOfFullDisk: Bool {
    switch cause {
    case let error as SQLiteError: error.isFull
    case let error as SystemError: error.isFull
    case let error as DecantError: error.isOfFullDisk
    default: false
    }
  }

  /// Creates the error for a failure while reading objects of `entity`.
  package init(reading entity: String, _ error: SQLiteError) {
    self.init("cannot read the objects of \(entity)", cause: error)
  }
}

/// Runs `body`; turns a failure of SQLite into an error whose message begins with `message`.
package func explaining<Result>(
  _ message: @autoclosure () -> String,
  _ body: () throws(SQLiteError) -> Result
) throws(DecantError) -> Result {
  do throws(SQLiteError) {
    return try body()
  } catch {
    throw DecantError(message(), cause: error)
  }
}
