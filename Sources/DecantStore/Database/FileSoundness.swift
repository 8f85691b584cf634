internal import DecantBase
internal import DecantSQLite

/// The result of checking the files of an SQLite database for completeness.
///
/// SQLite itself does not report this: it fills a truncated page with zeros, and ignores everything after a damaged
/// frame of the write-ahead log.
struct FileSoundness: Equatable {
  /// The kind of damage.
  enum Damage: Equatable {
    /// The main file ends before its last page.
    case cutOff(byteCount: Int64, expected: Int64)
    /// The log contains committed content that SQLite does not read.
    case log(WriteAheadLog.Damage)
  }

  private(set) var damage: Damage?
  /// Whether the log ends with an uncommitted change.
  private(set) var endsUnfinished = false
  /// The sizes of the files: damage counts only if it is found again in the same state.
  private var stamp: [Int64] = []

  /// Checks the files of `main` of `connection`, again if they seem damaged.
  ///
  /// Another process may be writing to the log; a half-written frame is complete the next time. Real damage does not
  /// change.
  static func look(at connection: Connection) throws(SQLiteError) -> FileSoundness {
    var last: FileSoundness?
    for attempt in 1...20 {
      let soundness = try FileSoundness(connection)
      if let soundness, soundness.damage == nil || soundness == last { return soundness }
      last = soundness
      Files.pause(milliseconds: UInt32(10 * attempt))
    }
    // The files kept changing: another process is writing, and for it they are sound.
    return FileSoundness()
  }

  private init() {}

  /// Checks once, within a read transaction; `nil` if the log became shorter meanwhile.
  private init?(_ connection: Connection) throws(SQLiteError) {
    try connection.run("BEGIN")
    defer {
      // A read-only transaction has nothing to lose.
      try? connection.run("COMMIT")
    }
    _ = try connection.integer("SELECT count(*) FROM sqlite_schema")
    let file = try FileView(.database, of: "main", on: connection)
    guard try connection.text("PRAGMA main.journal_mode") == "wal" else {
      damage = FileSoundness.cut(file)
      return
    }
    let view = try FileView(.journal, of: "main", on: connection)
    guard let log = WriteAheadLog(view) else {
      guard Cancellation.current?.isCancelled != true else {
        throw SQLiteError(code: SQLiteError.interruptedCode, message: "interrupted")
      }
      return nil
    }
    endsUnfinished = log.endsUnfinished
    stamp = [view.byteCount, log.shownFrameCount, file.byteCount]
    if let damage = log.damage {
      self.damage = .log(damage)
    } else if log.shownFrameCount == 0 {
      damage = FileSoundness.cut(file)
    } else if !log.holdsPages(missingIn: file, view) {
      let pageSize = try connection.integer("PRAGMA main.page_size") ?? 0
      damage = .cutOff(byteCount: file.byteCount, expected: log.pageCount * pageSize)
    }
  }

  /// Returns the damage if a file without log is too short.
  private static func cut(_ file: FileView) -> Damage? {
    file.read(100, at: 0).flatMap { cut($0, byteCount: file.byteCount) }
  }

  private static func cut(_ header: [UInt8], byteCount: Int64) -> Damage? {
    let number = Int64(header.word(at: 16) >> 16)
    let pageSize = number == 1 ? 65_536 : number
    guard pageSize >= 512 else { return nil }
    // The page count is valid only if the last writer kept it; otherwise the file size decides.
    let isCounted = header.word(at: 28) != 0 && header.word(at: 24) == header.word(at: 92)
    let pageCount =
      isCounted ? Int64(header.word(at: 28)) : (byteCount + pageSize - 1) / pageSize
    let expected = pageCount * pageSize
    return byteCount < expected ? .cutOff(byteCount: byteCount, expected: expected) : nil
  }
}

extension FileSoundness {
  /// Returns the notes for a reader of the database at `path`.
  func notes(_ path: String) -> [ReportNote] {
    endsUnfinished
      ? [ReportNote(.unfinishedLog, "\(Files.name(of: path))-wal ends in an unfinished change, which is not read")] : []
  }

  private static func truncated(_ path: String, _ byteCount: Int64, _ expected: Int64) -> DecantError {
    DecantError(
      .damaged,
      "“\(path)” is truncated: it has \(byteCount) of \(expected) bytes",
      remedy: Rescue.remedy(path)
    )
  }

  /// The error for a database without a log that is shorter than its header says, which SQLite does not open; `nil` for
  /// any other.
  static func truncation(of path: String) -> DecantError? {
    let header = Files.start(of: path, count: 100)
    guard header.count == 100, header.starts(with: DatabaseFile.magic), FileStatus(path + "-wal")?.byteCount ?? 0 == 0,
      let byteCount = FileStatus(path)?.byteCount, case .cutOff(_, let expected)? = cut(header, byteCount: byteCount)
    else { return nil }
    return truncated(path, byteCount, expected)
  }

  /// Throws the damage of the database at `path`.
  func check(_ path: String) throws(DecantError) {
    switch damage {
    case nil: return
    case .cutOff(let byteCount, let expected): throw Self.truncated(path, byteCount, expected)
    case .log(let damage):
      let log = Files.name(of: path) + "-wal"
      let place =
        switch damage {
        case .header: "\(log), the header"
        case .frame(let frame, let count): "\(log), frame \(frame) of \(count)"
        }
      throw DecantError(
        .damaged,
        "the write-ahead log of “\(path)” is damaged: the latest commits would be lost",
        place: "\(place)",
        remedy: "restore both files from a backup; or copy both, continue with the copies, and accept "
          + "the loss\(shell: ": sqlite3 COPY 'PRAGMA wal_checkpoint(TRUNCATE)'", app: " with a checkpoint of the log by SQLite")"
      )
    }
  }
}

/// Ways to rescue the content of a damaged database.
package enum Rescue {
  /// Returns the remedy for the damaged database at `path`.
  static func remedy(_ path: String) -> DecantError.Text {
    "restore it from a backup, or recover what is readable\(shell: ": \(command(path))", app: " with tools of SQLite")"
  }

  /// Returns the rescue command.
  ///
  /// `.dump` writes what is readable and then, because of the damage, ROLLBACK instead of COMMIT. `.recover` would find
  /// more, but the sqlite3 of Debian 12 fails with it for any database.
  package static func command(_ path: String, into new: String = "NEW") -> String {
    "sqlite3 \(path.shellQuoted) .dump | sed '$s/^ROLLBACK.*/COMMIT;/' | sqlite3 \(new.shellWord)"
  }
}
