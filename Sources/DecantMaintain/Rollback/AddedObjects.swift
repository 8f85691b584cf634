internal import DecantBase
internal import DecantPlan
internal import DecantSQLite
internal import DecantStore

/// The objects that a run added to a store, by its ID table.
struct AddedObjects {
  private let file: String
  private let isDryRun: Bool
  private let cancellation: Cancellation

  init(_ file: String, _ isDryRun: Bool, _ cancellation: Cancellation) {
    (self.file, self.isDryRun, self.cancellation) = (file, isDryRun, cancellation)
  }

  /// The temporary table of the runs of keys.
  private static let runs = "temp.decant_added"

  /// Deletes them from `store`.
  func delete(from store: any ReversibleStore) throws(DecantError) -> RollbackReport {
    var changed: Int64 = 0
    var report = RollbackReport(store: store.identity, outcome: .removed)
    report.isDryRun = isDryRun
    report.removed = try store.delete(isDryRun: isDryRun, StopCheck(cancellation)) {
      connection throws(DecantError) in
      let table = try KeptIDTable(file, on: connection)
      try check(table, store.identity)
      try explaining("cannot read the ID table “\(file)”") { () throws(SQLiteError) in
        try connection.run(
          """
          CREATE TEMP TABLE decant_added AS SELECT root, destination, count FROM \(KeptIDTable.table)
          WHERE outcome IN ('copied', 'kept-both') AND destination IS NOT NULL
          """
        )
        changed =
          try connection.integer("SELECT total(count) FROM \(KeptIDTable.table) WHERE outcome = 'updated'") ?? 0
      }
      return AddedObjects.runs
    }
    if changed > 0 {
      report.notes.append(
        ReportNote(
          .changesKept,
          "\(changed.counted("object")) that the run changed \(changed == 1 ? "keeps its" : "keep their") present values: "
            + "the former ones are not recorded"))
    }
    return report
  }

  /// Throws unless `table` is that of a run into the store.
  private func check(_ table: KeptIDTable, _ store: StoreIdentity) throws(DecantError) {
    guard table.destinationPlace != store.place || table.destinationUUID != store.uuid ?? "" else { return }
    let other = table.destinationPlace.isEmpty ? "another place" : table.destinationPlace
    throw DecantError(
      .wrongFile,
      "“\(table.path)” is the ID table of a run into \(other)",
      place: "\(option: .ids)",
      remedy: "pass the file of the run to be undone, and name the database as that run did"
    )
  }
}
