internal import DecantPlan
internal import DecantBase
internal import DecantStore
internal import DecantSQLite

/// The check of whether a backup can replace a store, without changing either.
struct BackupCheck {
  /// The backup's path.
  let backup: String
  let recogniser: any StoreRecogniser
  let cancellation: Cancellation

  /// The result: the backup's identity, and notes for the reader.
  struct Finding {
    var identity: StoreIdentity
    var writtenDate: Double
    var notes: [ReportNote]
  }

  /// Throws unless the backup is an undamaged store; returns its description.
  func run(_ tell: (WorkEvent) -> Void) throws(DecantError) -> Finding {
    do throws(DecantError) {
      let status = try explaining { () throws(SystemError) in try FileStatus.look(at: backup) }
      guard let status, status.isFile else {
        throw DecantError(.notAStore, "“\(backup)” is not a file")
      }
      let database = try DatabaseFile.open(backup)
      let kind = try recogniser.kind(of: StoreLocation(place: backup))
      let identity = try recogniser.identity(of: StoreLocation(kind: kind, place: backup))
      tell(.began(.check))
      try checkStructure(of: database, status.byteCount, tell)
      return Finding(identity: identity, writtenDate: status.writtenDate, notes: database.readingNotes)
    } catch {
      guard error.family == .corruptStore else { throw error }
      throw DecantError(
        error.code,
        error.what,
        place: [error.spot, "nothing was changed"].compactMap(\.self).joined(separator: "; "),
        remedy: "move it away; the next older backup, if any, is restored then",
        cause: error
      )
    }
  }

  /// Throws unless `store`, which is not checked further, is of the backup's kind; returns notes on differences.
  func notes(replacing store: StoreLocation, _ found: StoreIdentity) throws(DecantError) -> [ReportNote] {
    let kind: String
    do throws(DecantError) {
      // The next connection to the store would do the same.
      try DatabaseFile.recover(store.place)
      kind = try recogniser.kind(of: StoreLocation(place: store.place))
    } catch {
      guard error.family == .corruptStore else { throw error }
      // Data in its log, or once in it, would be lost.
      throw DecantError(
        error.code,
        error.what,
        place: error.spot,
        remedy: "nothing was changed: move the store away, with its -wal and -journal if they "
          + "exist, then \(.again)",
        cause: error
      )
    }
    // A store given with the wrong kind is rejected as everywhere else.
    if store.kind != nil { _ = try recogniser.identity(of: store) }
    guard kind == found.kind else {
      throw DecantError(
        .notAStore,
        "“\(backup)” is not a backup of “\(store.place)”: one is of kind \(found.kind), the other \(kind)",
        place: "nothing was changed",
        remedy: "move it away; the next older backup, if any, is restored then"
      )
    }
    // A store with damaged metadata has no readable identity, and replacing it may be the purpose of the rollback.
    let identity = try? recogniser.identity(of: StoreLocation(kind: kind, place: store.place))
    guard let uuid = identity?.uuid, uuid != found.uuid else { return [] }
    return [ReportNote(.otherIdentifier, "the replaced store has a different identifier: \(uuid)")]
  }

  /// Checks the pages, and whether the indexes match the rows.
  private func checkStructure(
    of database: DatabaseFile,
    _ byteCount: Int64,
    _ tell: (WorkEvent) -> Void
  ) throws(DecantError) {
    let connection: Connection
    do throws(SQLiteError) {
      connection = try Connection(database.uri, mode: .readOnly)
      connection.setBusyTimeout(milliseconds: 5_000)
    } catch {
      throw DecantError(opening: backup, error)
    }
    connection.setProgressCheck(StopCheck(cancellation))
    let check = StructureCheck(of: "main", on: connection)
    do throws(DecantError) {
      try check.run(.thorough, place: backup) { part in
        tell(
          .progress(
            WorkProgress(
              phase: .check,
              step: "",
              rowCount: 0,
              expectedRowCount: 0,
              byteCount: Int64(part * Double(byteCount)),
              expectedByteCount: byteCount
            )
          )
        )
      }
    } catch {
      // Indexes that use the app's own functions or collations can be checked only by the app; pages can always be
      // checked.
      guard let cause = error.cause as? SQLiteError, cause.isGeneral else { throw error }
      try explaining("cannot read “\(backup)”") { () throws(SQLiteError) in
        try connection.acceptUnknownCollations()
      }
      try check.run(.quick, place: backup)
    }
  }
}
