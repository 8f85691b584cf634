internal import DecantBase
internal import DecantSQLite

/// Whether the files of a SQLite database are as long and as whole as they say of themselves.
///
/// What SQLite itself does not complain about: it fills a page that was cut off with zeros, and leaves
/// out what stands behind a damaged place of the write-ahead log.
struct FileSoundness: Equatable {
  /// What is wrong with the files.
  enum Damage: Equatable {
    /// The main file ends before the last page that belongs to it.
    case cutOff(byteCount: Int64, expected: Int64)
    /// The log holds committed content that SQLite does not show.
    case log(WriteAheadLog.Damage)
  }

  private(set) var damage: Damage?
  /// Whether the log ends in a change that was never finished.
  private(set) var endsUnfinished = false
  /// What the files looked like: a finding counts only if it is still so a moment later.
  private var stamp: [Int64] = []

  /// Looks at the files behind `main` of `connection`, and again where something seems wrong with them.
  ///
  /// Another process may be writing to the log at this moment; a frame that is half written then is
  /// whole, or another, the next time. Damage stays what it is.
  static func look(at connection: Connection) throws(SQLiteError) -> FileSoundness {
    var last: FileSoundness?
    for attempt in 1...20 {
      let soundness = try FileSoundness(connection)
      if let soundness, soundness.damage == nil || soundness == last { return soundness }
      last = soundness
      Files.pause(milliseconds: UInt32(10 * attempt))
    }
    // It never kept still: somebody writes to it all the time, and to them it is sound.
    return FileSoundness()
  }

  private init() {}

  /// Looks once, while a transaction holds one state; `nil` where the log became shorter meanwhile.
  private init?(_ connection: Connection) throws(SQLiteError) {
    try connection.run("BEGIN")
    defer {
      // A transaction that only read has nothing to lose.
      try? connection.run("COMMIT")
    }
    _ = try connection.integer("SELECT count(*) FROM sqlite_schema")
    let file = try FileView(.database, of: "main", on: connection)
    guard try connection.text("PRAGMA main.journal_mode") == "wal" else {
      damage = FileSoundness.cut(file)
      return
    }
    let view = try FileView(.journal, of: "main", on: connection)
    guard let log = WriteAheadLog(view) else { return nil }
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

  /// Returns in what way a file without log is too short.
  private static func cut(_ file: FileView) -> Damage? {
    let byteCount = file.byteCount
    guard let header = file.read(100, at: 0) else { return nil }
    let number = Int64(header.word(at: 16) >> 16)
    let pageSize = number == 1 ? 65_536 : number
    guard pageSize >= 512 else { return nil }
    // The page count is valid only if whoever wrote last kept it; the file's own length says it else.
    let isCounted = header.word(at: 28) != 0 && header.word(at: 24) == header.word(at: 92)
    let pageCount =
      isCounted ? Int64(header.word(at: 28)) : (byteCount + pageSize - 1) / pageSize
    let expected = pageCount * pageSize
    return byteCount < expected ? .cutOff(byteCount: byteCount, expected: expected) : nil
  }
}

extension FileSoundness {
  /// What a reader of the database at `path` should know.
  func notes(_ path: String) -> [ReportNote] {
    endsUnfinished
      ? [ReportNote(.unfinishedLog, "\(Files.name(of: path))-wal ends in an unfinished change, which is not read")] : []
  }

  /// Throws what is wrong with the files of the database at `path`.
  func check(_ path: String) throws(DecantError) {
    switch damage {
    case nil: return
    case .cutOff(let byteCount, let expected):
      throw DecantError(
        .damaged,
        "“\(path)” is truncated: it has \(byteCount) of \(expected) bytes",
        remedy: Rescue.remedy(path)
      )
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

/// How a person saves what a damaged database still holds.
package enum Rescue {
  /// What to do about the damaged database at a path.
  static func remedy(_ path: String) -> DecantError.Text {
    "restore it from a backup, or recover what is readable\(shell: ": \(command(path))", app: " with tools of SQLite")"
  }

  /// Returns the command.
  ///
  /// `.dump` writes what can be read and then, because of the damage, ROLLBACK in place of COMMIT. `.recover` would find
  /// more, but the sqlite3 of Debian 12 ends it with an error for any database.
  package static func command(_ path: String, into new: String = "NEW") -> String {
    "sqlite3 \(path.shellQuoted) .dump | sed '$s/^ROLLBACK.*/COMMIT;/' | sqlite3 \(new.shellWord)"
  }
}
