internal import DecantBase
internal import DecantPlan
internal import DecantSQLite
internal import DecantStore

/// The rows that a run added to a store, by its ID table, or those of an interrupted run.
struct AddedObjects {
  private let file: String?
  private let isDryRun: Bool
  private let cancellation: Cancellation

  init(_ file: String?, _ isDryRun: Bool, _ cancellation: Cancellation) {
    (self.file, self.isDryRun, self.cancellation) = (file, isDryRun, cancellation)
  }

  /// Deletes them from the store that `open` opens, once the ID table is known to be one.
  func delete(opening open: () throws(DecantError) -> any ReversibleStore) throws(DecantError) -> RollbackReport {
    let connection = try explaining("cannot open a temporary database") { () throws(SQLiteError) in
      try Connection(":memory:", mode: .create)
    }
    let table = try file.map { file throws(DecantError) in try KeptIDTable(file, on: connection) }
    let store = try open()
    if let file, let table,
      table.destinationPlace != store.identity.place || table.destinationUUID != store.identity.uuid ?? ""
    {
      let other = table.destinationPlace.isEmpty ? "another place" : table.destinationPlace
      throw DecantError(
        .wrongFile,
        "“\(file)” is the ID table of a run into \(other)",
        place: "\(option: .ids)",
        remedy: "pass the file of the run to be undone, and name the database as that run did"
      )
    }
    let rows = try store.deleteAddedRows(isDryRun: isDryRun, StopCheck(cancellation))
    var report = RollbackReport(store: store.identity, outcome: .removed)
    report.isDryRun = isDryRun
    report.removed = rows.deleted
    if file == nil {
      report.notes.append(ReportNote(.leftoversRemoved, "the interrupted run was undone, and its record removed"))
    }
    func note(_ counts: [String: Int64], _ text: String) {
      guard !counts.isEmpty else { return }
      let list = counts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
      report.notes.append(ReportNote(.changesKept, "\(text): \(list)"))
    }
    note(rows.changedSince, "added rows that were changed since, and stay")
    note(rows.missing, "added rows that were deleted since")
    note(rows.unkeyed, "added rows without a key, which stay")
    note(rows.notRestored, "rows that the run changed or deleted, which are not restored")
    return report
  }
}
