internal import DecantArchive
package import DecantBase
package import DecantPlan
internal import DecantStore
internal import DecantJSON
internal import DecantSQLite

/// The file of rejected objects: an archive of these objects, each line with the reason.
///
/// Users edit and delete lines to repair it, so its receipt has no counts.
struct RejectArchive {
  let rejects: RejectedObjects
  let source: any SourceStore
  let opener: any StoreOpener
  /// Lines for input that did not become an object.
  var otherLines: [JSONValue] = []

  private var connection: Connection { rejects.connection }

  /// Writes the archive beside its final path.
  func write() throws(DecantError) -> ArchiveFiles {
    let folder = try ScratchFolder()
    let listed = ListedObjects(layout: source.layout, schema: rejects.schema)
    var header = try header(listed)
    let template = try template(in: folder)
    header.source.template = try template.map { path throws(DecantError) in
      try BlobLines.name(ofFile: path)
    }
    let place = ArchivePlace(lines: rejects.path)
    let files = try ArchiveFiles(place, place.compression, level: nil, partLimit: nil, replaces: true)
    do throws(DecantError) {
      let output = ArchiveOutput(bufferSize: 1 << 20) { lines throws(DecantError) in
        try files.write(lines)
      }
      let writer = try ArchiveWriter(
        source, on: connection, to: output, cancellation: Cancellation.current ?? Cancellation()
      ) { _, _, _ in }
      writer.references = ReferenceLinks(within: source, to: listed, on: connection)
      try writer.write(header, template: template, listed, otherLines)
      try files.end()
      if writer.unreportedCount > 0 {
        files.notes.append(
          ReportNote(
            .referencesLost,
            "\(writer.unreportedCount.counted("link")) of rejected objects point to objects without an identity: "
              + "an import leaves them empty, and the file gives their targets under “reject”"))
      }
      return files
    } catch {
      files.abandon()
      throw error
    }
  }

  private func header(_ listed: ListedObjects) throws(DecantError) -> ArchiveHeader {
    // Mapped objects are described by the names of their destination.
    var header = try ArchiveHeader(
      of: source,
      as: rejects.form?.layout,
      fingerprint: rejects.fingerprint,
      on: connection
    )
    try explaining("cannot count the rejects") { () throws(SQLiteError) in
      let count = "SELECT count(*) FROM \(RejectedObjects.table)"
      header.rejectCount = (try connection.integer(count) ?? 0) + Int64(otherLines.count)
      for relation in source.layout.relations {
        for entity in relation.entities {
          let rows = listed.rows(of: relation, where: relation.condition(for: entity.code))
          let number = try connection.integer("SELECT count(*) FROM (SELECT 1 \(rows))") ?? 0
          if number > 0 { header.counts.append((entity.name, number)) }
        }
      }
    }
    return header
  }

  /// Makes the store without rows, if its tables match the model.
  private func template(in folder: ScratchFolder) throws(DecantError) -> String? {
    if let form = rejects.form { return try template(after: form, in: folder) }
    let whole = source.whole
    guard case .whole = whole.form else { return nil }
    let path = "\(folder.path)/template.sqlite"
    var options = rejects.options
    options.keepsMetadata = false
    _ = try ArchiveTemplate.make(
      after: whole,
      rejects.location,
      at: path,
      options: options,
      takesRows: false,
      opener: opener
    )
    return path
  }

  /// Makes the tables that mapped objects would have been written to, without indexes.
  ///
  /// Objects may have been rejected because two of them are equal. Returns `nil` if a reader makes the tables from the
  /// model.
  private func template(after form: RejectedObjects.Form, in folder: ScratchFolder) throws(DecantError) -> String? {
    guard source.model.isFromTables else { return nil }
    let path = "\(folder.path)/template.sqlite"
    try explaining("cannot record the tables of the rejected objects") {
      () throws(SQLiteError) in
      let template = try StoreTemplate(of: form.schema, on: form.connection)
      let encoding = try form.connection.text("PRAGMA \(form.schema.sqlName).encoding") ?? "UTF-8"
      let new = try Connection(path, mode: .create)
      try new.run("PRAGMA encoding = '\(encoding)'")
      try new.transaction { () throws(SQLiteError) in
        for table in template.tables + template.virtualTables
        where !RejectedObjects.isWorkTable(table.name) {
          try new.run(table.sql)
        }
      }
    }
    return path
  }
}

extension StoreKinds {
  package func write(_ rejects: RejectedObjects, of source: any SourceStore) throws(DecantError) -> any PendingFile {
    try RejectArchive(rejects: rejects, source: source, opener: self).write()
  }
}

extension ArchiveFiles: PendingFile {}
