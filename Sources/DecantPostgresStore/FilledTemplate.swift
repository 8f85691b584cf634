internal import DecantBase
internal import DecantCopy
internal import DecantCoreData
internal import DecantPlain
internal import DecantPlan
internal import DecantSQLite
internal import DecantServerSchema
internal import DecantStore

/// A Core Data store that is restored from its template and the rows of a server.
struct FilledTemplate {
  let path: String
  let rows: String
  let record: StoreRecord
  /// The database on the server, for errors.
  let place: String
  let folder: ScratchFolder

  /// Copies the rows into the store, keeping their keys; returns the links whose targets do not exist, which become
  /// empty.
  func fill() throws(DecantError) -> [StoreProblem] {
    let counters = try takeCounters()
    var options = CopyOptions()
    options.fillsTemporary = true
    let made = try DatabaseFile.made(rows, of: place, kind: PlainKind.name, origin: [], notes: [], keeper: folder)
    let source = try ObjectsSource(
      PlainFile(made, options: options),
      model: record.model,
      form: record.form.objects
    )
    let file = try CoreDataFile(DatabaseFile.open(path), model: nil, fallback: record.model)
    let destination = try CoreDataDestination(existing: file, for: nil)
    let report = try Copy(
      from: StoreLocation(kind: PlainKind.name, place: rows),
      to: StoreLocation(kind: CoreDataKind.name, place: path),
      options: options,
      opener: OneStoreOpener(source: source) { _ in destination }
    ).perform()
    try raise(counters)
    try FileReferences.restore(in: path, of: CoreDataSource(file))
    return report.linksByRelationship.sorted { $0.key < $1.key }.compactMap { relationship, links in
      let lost = links.cut + links.dangling
      return lost == 0 ? nil : .dangling(lost, of: relationship, record.model.terms)
    }
  }

  /// Returns the highest keys that were assigned, and resets the store's counters, so that the rows keep their keys.
  private func takeCounters() throws(DecantError) -> [(entity: Int64, highest: Int64)] {
    try explaining("cannot prepare the store") { () throws(SQLiteError) in
      let connection = try Connection(path, mode: .readWrite)
      var counters: [(entity: Int64, highest: Int64)] = []
      try connection.forEachRow("SELECT Z_ENT, Z_MAX FROM Z_PRIMARYKEY") { row in
        counters.append((row.integer(at: 0), row.integer(at: 1)))
      }
      try connection.run("UPDATE Z_PRIMARYKEY SET Z_MAX = 0")
      return counters
    }
  }

  private func raise(_ counters: [(entity: Int64, highest: Int64)]) throws(DecantError) {
    try explaining("cannot complete the store") { () throws(SQLiteError) in
      let connection = try Connection(path, mode: .readWrite)
      for (entity, highest) in counters {
        try connection.run(
          "UPDATE Z_PRIMARYKEY SET Z_MAX = max(coalesce(Z_MAX, 0), ?2) WHERE Z_ENT = ?1",
          .integer(entity),
          .integer(highest)
        )
      }
    }
  }
}
